//! Shares of a whole, as a ring or as a bar, with a legend.

use leptos::prelude::*;
use widgets::panel::{self, Decimals};

use super::{
    PanelContext,
    color::{DrawingColor, Swatch},
    hint::{Hint, tab_index},
    notice::Empty,
    share::{Dashes, of_total, percent, pieces, size, total},
    share_bar::ShareBar,
    value::{Value, Words},
};
use crate::any_view::{AnyView, IntoAny};

/// Gap between two slices, in thousandths of the ring.
const GAP: i64 = 6;

/// The drawing with its title and its legend.
#[component]
pub fn Donut<'a>(donut: &'a panel::Donut, context: &'a PanelContext) -> AnyView {
    let total = total(&donut.slices);
    // Nothing has no shares; but a value in the middle is more useful than a sentence that there is nothing.
    if total <= 0.0 && donut.center.is_none() {
        return view! { <Empty sentence="No values yet"/> }.into_any();
    }
    let title = &donut.title;
    let drawing = if donut.flat {
        view! { <ShareBar slices=&donut.slices/> }.into_any()
    } else {
        let center = donut.center.as_ref().map(|datum| view! { <p class="ring-value"><Value datum context/></p> });
        view! { <div class="ring"><Ring donut/>{center}</div> }.into_any()
    };
    view! {
        <figure class="part part-donut">
            {(!title.is_empty()).then(|| view! { <figcaption><Words phrase=title context/></figcaption> })}
            {drawing}
            <DonutLegend donut total context/>
        </figure>
    }
    .into_any()
}

#[component]
fn Ring<'a>(donut: &'a panel::Donut) -> impl IntoView {
    let drawn = donut.slices.iter().filter(|slice| size(slice) > 0.0).count();
    let slice = |(position, ((from, length), slice)): (usize, ((i64, i64), &'a panel::Slice))| {
        // A single slice is the whole ring; slices without a size are not drawn.
        let dashes = if drawn > 1 || length == 0 {
            Dashes::piece(from, if length > 0 { (length - GAP).max(2) } else { 0 })
        } else {
            Dashes::WHOLE
        };
        let color = DrawingColor::of_slice(slice, position);
        view! {
            <circle
                class=color.class("slice")
                color=color.css()
                cx="50"
                cy="50"
                r="41"
                pathLength="1000"
                stroke-dasharray=dashes.array
                stroke-dashoffset=dashes.offset
            ></circle>
        }
    };
    let slices: Vec<_> = pieces(&donut.slices).into_iter().zip(&donut.slices).enumerate().map(slice).collect();
    // The legend contains in words what the ring shows. The first slice begins at the top.
    view! {
        <svg viewBox="0 0 100 100" aria-hidden="true">
            <g transform="rotate(-90 50 50)">
                {(drawn == 0).then(|| view! { <circle class="ring-track" cx="50" cy="50" r="41"></circle> })}
                {slices}
            </g>
        </svg>
    }
}

#[component]
fn DonutLegend<'a>(donut: &'a panel::Donut, total: f64, context: &'a PanelContext) -> impl IntoView {
    let row = |(position, slice): (usize, &'a panel::Slice)| {
        let share = percent(of_total(size(slice), total)).decimals(Decimals::Exactly(1));
        let hint = slice.hint.as_ref();
        view! {
            <li>
                <Swatch color=DrawingColor::of_slice(slice, position)/>
                <span class="legend-label" data-hinted=hint.is_some() tabindex=tab_index(hint)>
                    <Words phrase=&slice.label context/>
                    <Hint hint context/>
                </span>
                " "
                <span class="legend-value"><Value datum=slice.value.as_ref().unwrap_or(&share) context/></span>
            </li>
        }
    };
    view! { <ul class="legend">{donut.slices.iter().enumerate().map(row).collect_view()}</ul> }
}
