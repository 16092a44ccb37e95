//! Shares of a whole, as a bar.

use leptos::prelude::*;
use widgets::panel::Slice;

use super::{
    color::DrawingColor,
    share::{pieces, tenths},
};

/// The bar. Screen readers get the same as text beside it.
#[component]
pub fn ShareBar<'a>(slices: &'a [Slice]) -> impl IntoView {
    let pieces = pieces(slices).into_iter().zip(slices).enumerate();
    let drawn = pieces.filter(|(_, ((_, length), _))| *length > 0).map(|(position, ((from, length), slice))| {
        let color = DrawingColor::of_slice(slice, position);
        view! {
            <rect
                class=color.class("fill")
                color=color.css()
                x=[&tenths(from), "%"].concat()
                width=[&tenths(length), "%"].concat()
                height="100%"
            ></rect>
        }
    });
    view! { <svg class="bar" aria-hidden="true">{drawn.collect_view()}</svg> }
}
