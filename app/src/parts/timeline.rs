//! States one after the other, as a row of small bars that differ in height too.

use widgets::panel::{State, Timeline, TimelineState, Tone};

use super::{datum, markup::Markup, phrase, text, tone_class};

/// The row.
pub fn timeline(timeline: &Timeline, m: &mut Markup) {
    let Some(latest) = timeline.states.last() else {
        return text::empty("No states yet", m);
    };
    m.open("div", "part part-timeline");
    m.open("p", "timeline-words");
    m.open("span", "timeline-title");
    phrase::write(&timeline.title, m);
    m.close();
    m.open_with("span", "timeline-latest", tone_class(tone(latest.state)));
    text::tone_symbol(tone(latest.state), m);
    m.text(phrase::ours(word(latest.state)));
    m.close();
    m.close();
    m.open("ol", "states");
    m.attr("tabindex", "0");
    m.attr("aria-label", &phrase::plain(&timeline.title));
    for state in &timeline.states {
        self::state(state, m);
    }
    m.close();
    m.close();
}

fn state(state: &TimelineState, m: &mut Markup) {
    m.open("li", class(state.state));
    m.open("span", "hint visually-hidden");
    m.element("strong", "", phrase::ours(word(state.state)));
    if let Some(at) = state.at {
        m.text(" ");
        datum::write_time(at, "exact", None, m);
    }
    if let Some(hint) = &state.hint {
        m.text(" ");
        m.open("span", "");
        phrase::write(hint, m);
        m.close();
    }
    m.close();
    m.close();
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
