//! Shares of a whole, as a ring with a legend.

use leptos::prelude::*;
use widgets::panel::{self, Decimals};

use super::{
    PanelContext,
    color::{DrawingColor, Swatch},
    hint::{Hint, tab_index},
    notice::Empty,
    phrase::Words,
    share::{Dashes, per_mille, percent},
    value::Value,
};
use crate::any_view::{AnyView, IntoAny};

/// Gap between two slices, in thousandths of the ring.
const GAP: i64 = 6;

/// The ring.
#[component]
pub fn Donut<'a>(donut: &'a panel::Donut, context: &'a PanelContext) -> AnyView {
    let total: f64 = donut.slices.iter().map(size).sum();
    // Nothing has no shares; but a value in the middle is more useful than a sentence that there is nothing.
    if total <= 0.0 && donut.center.is_none() {
        return view! { <Empty sentence="No values yet"/> }.into_any();
    }
    let title = &donut.title;
    view! {
        <figure class="part part-donut">
            {(!title.is_empty()).then(|| view! { <figcaption><Words phrase=title context/></figcaption> })}
            <div class="ring">
                <Ring donut total/>
                {donut.center.as_ref().map(|datum| view! { <p class="ring-value"><Value datum context/></p> })}
            </div>
            <DonutLegend donut total context/>
        </figure>
    }
    .into_any()
}

#[component]
fn Ring<'a>(donut: &'a panel::Donut, total: f64) -> impl IntoView {
    let drawn = donut.slices.iter().filter(|slice| size(slice) > 0.0).count();
    let mut sum = 0.0;
    let mut slice = |(position, slice): (usize, &'a panel::Slice)| {
        let from = per_mille(share(sum, total));
        sum += size(slice);
        let length = per_mille(share(sum, total)) - from;
        // A single slice is the whole ring; slices without a size are not drawn.
        let dashes = if drawn > 1 || length == 0 {
            Dashes::piece(from, if length > 0 { (length - GAP).max(2) } else { 0 })
        } else {
            Dashes::WHOLE
        };
        let color = color(slice, position);
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
    let slices: Vec<_> = donut.slices.iter().enumerate().map(&mut slice).collect();
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
        let share = percent(share(size(slice), total)).decimals(Decimals::Exactly(1));
        let hint = slice.hint.as_ref();
        view! {
            <li>
                <Swatch color=color(slice, position)/>
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

fn color(slice: &panel::Slice, position: usize) -> DrawingColor<'_> {
    DrawingColor::toned(slice.color.as_ref(), slice.tone, position)
}

fn share(size: f64, total: f64) -> f64 {
    if total > 0.0 { size / total } else { 0.0 }
}

/// The size of a slice; an invalid size counts as zero.
fn size(slice: &panel::Slice) -> f64 {
    if slice.size.is_finite() { slice.size.max(0.0) } else { 0.0 }
}
