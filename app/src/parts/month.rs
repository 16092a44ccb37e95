//! The days of a month: a table with a mark for each event. If there is room, the title is next to the mark. The hint
//! of a day lists everything.

use leptos::prelude::*;
use widgets::panel::{self, MonthDay, MonthEvent, Tone};

use super::{
    PanelContext,
    color::{DrawingColor, Swatch},
    markup::{classes, maybe_class},
    phrase::ours_with,
    time::Time,
    value::Words,
};
use crate::words::in_digits;

/// Maximum number of marks in a narrow cell, and of titles in a wide one.
const MAX_MARKS: usize = 3;

/// The month.
#[component]
pub fn Month<'a>(month: &'a panel::Month, context: &'a PanelContext) -> impl IntoView {
    let names = month.weeks.first().into_iter().flatten().map(|day| {
        view! { <th scope="col"><Time at=day.day style="short-weekday" offset=Some(0)/></th> }
    });
    let row = |week: &'a Vec<MonthDay>| {
        view! { <tr>{week.iter().map(|day| view! { <Day day context/> }).collect_view()}</tr> }
    };
    view! {
        <table class="part part-month">
            <caption><Time at=month.month style="month" offset=Some(0)/></caption>
            <thead><tr>{names.collect_view()}</tr></thead>
            <tbody>{month.weeks.iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Day<'a>(day: &'a MonthDay, context: &'a PanelContext) -> impl IntoView {
    let class = classes([if day.outside { "outside" } else { "" }, if day.today { "today" } else { "" }]);
    let has_events = !day.events.is_empty();
    let inside = has_events.then(|| view! { <Marks day context/> " " <Events day context/> });
    view! {
        <td
            {maybe_class(class)}
            aria-current=day.today.then_some("date")
            data-hinted=has_events
            tabindex=has_events.then_some("0")
        >
            <span class="number">{in_digits(day.number.to_string())}</span>
            {inside}
        </td>
    }
}

/// Radius of a mark. Not written in the markup: Leptos wraps static drawings in a group in the browser, and only there.
const RADIUS: &str = "3";

#[component]
fn Marks<'a>(day: &'a MonthDay, context: &'a PanelContext) -> impl IntoView {
    let mark = |event: &'a MonthEvent| {
        let color = DrawingColor::new(event.color.as_ref(), Tone::Plain, 0);
        view! {
            <span class="mark">
                <svg class=color.class("spot") color=color.css() viewBox="0 0 6 6"><circle cx="3" cy="3" r=RADIUS></circle></svg>
                <span class="mark-title"><Words phrase=&event.title context/></span>
            </span>
        }
    };
    let hidden = day.events.len().saturating_sub(MAX_MARKS) + day.more;
    let rest = (hidden > 0).then(|| view! { <span class="mark-title">{in_digits(format!("+ {hidden}"))}</span> });
    view! {
        <span class="marks" aria-hidden="true">
            {day.events.iter().take(MAX_MARKS).map(mark).collect_view()}
            {rest}
        </span>
    }
}

/// The events of a day, in words.
#[component]
fn Events<'a>(day: &'a MonthDay, context: &'a PanelContext) -> impl IntoView {
    let row = |event: &'a MonthEvent| {
        let color = DrawingColor::new(event.color.as_ref(), Tone::Plain, 0);
        view! {
            <span class="month-event">
                <Swatch color/>
                {event.at.map(|at| view! { <Time at style="time" offset=event.offset/> " " })}
                <Words phrase=&event.title context/>
            </span>
            " "
        }
    };
    let more = (day.more > 0).then(
        || view! { <span class="month-event">{ours_with("+ {count} more", "count", day.more.to_string())}</span> },
    );
    view! {
        <span class="hint visually-hidden">
            {day.events.iter().map(row).collect_view()}
            {more}
        </span>
    }
}
