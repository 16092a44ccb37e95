//! A sequence of states, as a row of small bars that also differ in height.

use leptos::prelude::*;
use widgets::panel::{self, State, TimelineState, Tone};

use super::{
    PanelContext,
    markup::classes,
    notice::Empty,
    phrase::ours,
    time::Time,
    tone::{ToneSymbol, tone_class},
    value::{Words, plain},
};
use crate::any_view::{AnyView, IntoAny};

/// The row.
#[component]
pub fn Timeline<'a>(timeline: &'a panel::Timeline, context: &'a PanelContext) -> AnyView {
    let Some(latest) = timeline.states.last() else {
        return view! { <Empty sentence="No states yet"/> }.into_any();
    };
    let tone = tone(latest.state);
    view! {
        <div class="part part-timeline">
            <p class="timeline-words">
                <span class="timeline-title"><Words phrase=&timeline.title context/></span>
                <span class=classes(["timeline-latest", tone_class(tone)])>
                    <ToneSymbol tone/>
                    {ours(word(latest.state))}
                </span>
            </p>
            <ol class="states" tabindex="0" aria-label=plain(&timeline.title)>
                {timeline.states.iter().map(|state| view! { <TimelineBar state context/> }).collect_view()}
            </ol>
        </div>
    }
    .into_any()
}

#[component]
fn TimelineBar<'a>(state: &'a TimelineState, context: &'a PanelContext) -> impl IntoView {
    view! {
        <li class=class(state.state)>
            <span class="hint visually-hidden">
                <strong>{ours(word(state.state))}</strong>
                {state.at.map(|at| view! { " " <Time at style="exact"/> })}
                {state.hint.as_ref().map(|phrase| view! { " " <span><Words phrase context/></span> })}
            </span>
        </li>
    }
}

fn class(state: State) -> &'static str {
    match state {
        State::Up => "up",
        State::Degraded => "degraded",
        State::Down => "down",
        State::Maintenance => "maintenance",
        State::Unknown => "unknown",
    }
}

fn word(state: State) -> &'static str {
    match state {
        State::Up => "Up",
        State::Degraded => "Degraded",
        State::Down => "Down",
        State::Maintenance => "Maintenance",
        State::Unknown => "Unknown",
    }
}

fn tone(state: State) -> Tone {
    match state {
        State::Up => Tone::Success,
        State::Degraded => Tone::Warning,
        State::Down => Tone::Danger,
        State::Maintenance => Tone::Info,
        State::Unknown => Tone::Neutral,
    }
}
