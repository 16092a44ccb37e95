//! Days colored by how much happened on them, one column per week. The pointer and the arrow keys show the details of
//! a day, as with the states of a timeline.

use leptos::prelude::*;
use widgets::panel::{self, HeatDay};

use super::{
    PanelContext,
    markup::{classes, maybe_class},
    time::Time,
    value::{Value, Words, plain},
};

/// The classes of the row of the first day, and of the colors.
const ROWS: [&str; 7] = ["", "row-2", "row-3", "row-4", "row-5", "row-6", "row-7"];
const LEVELS: [&str; panel::HeatMap::LEVELS as usize + 1] = ["", "level-1", "level-2", "level-3", "level-4"];

/// The map.
#[component]
pub fn HeatMap<'a>(map: &'a panel::HeatMap, context: &'a PanelContext) -> impl IntoView {
    let day = |(position, day): (usize, &'a HeatDay)| {
        let row = if position == 0 { usize::from(map.first_row) } else { 0 };
        view! { <Day day row=ROWS[row % ROWS.len()] context/> }
    };
    view! {
        <div class="part part-heat-map">
            <p class="heat-title"><Words phrase=&map.title context/></p>
            <ol class="states heat" tabindex="0" aria-label=plain(&map.title)>
                {map.days.iter().enumerate().map(day).collect_view()}
            </ol>
        </div>
    }
}

#[component]
fn Day<'a>(day: &'a HeatDay, row: &'static str, context: &'a PanelContext) -> impl IntoView {
    let level = LEVELS[usize::from(day.level).min(LEVELS.len() - 1)];
    let value = (!day.value.is_missing()).then(|| view! { " " <strong><Value datum=&day.value context/></strong> });
    view! {
        <li {maybe_class(classes([row, level]))}>
            <span class="hint visually-hidden"><Time at=day.day style="short" offset=Some(0)/>{value}</span>
        </li>
    }
}
