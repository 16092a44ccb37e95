//! The frame of a widget: label, reload button, the place of its content, and what is said about it
//! (docs/spec/widgets.md 6 to 8). Static markup like sections and tiles; [`crate::browser`] brings it to life.
//!
//! What stands in the frame is written here for both sides: by the server into the page, by the browser when an answer
//! comes.

use config::dashboard::{WidgetPlace, WidgetView};
use leptos::prelude::*;
use widgets::Moment;

use crate::{
    backend::{PanelAnswer, PanelState},
    parts::{Surroundings, datum, markup::Markup, phrase, symbols},
};

/// The frame of one widget. `section` is the position of its section in the file, `address` that of the widget's own
/// page.
pub fn frame(widget: &WidgetView, section: usize, address: Option<String>) -> impl IntoView + use<> {
    let mut class = format!("widget-base widget-{}", widget.kind);
    for more in &widget.classes {
        class.push(' ');
        class.push_str(more);
    }
    let label_id = widget.label.is_some().then(|| format!("{}-label", widget.id));
    let name = widget.label.is_none().then(|| widget.kind.clone());
    view! {
        <article
            class=class
            id=widget.id.clone()
            aria-labelledby=label_id
            aria-label=name
            data-widget=format!("{section}-{}", widget.index)
            data-kind=widget.kind.clone()
            data-place=widget.place.word()
            data-refresh=widget.refresh.map(|seconds| seconds.to_string())
            data-quiet=widget.ignore_errors.then_some("")
            inner_html=inside(widget, section, address.as_deref())
        ></article>
    }
}

fn inside(widget: &WidgetView, section: usize, address: Option<&str>) -> String {
    let surroundings = Surroundings::default();
    let mut m = Markup::new(&surroundings);
    if let Some(label) = &widget.label {
        m.open("header", "widget-head");
        m.open("h3", "widget-label");
        m.attr("id", &format!("{}-label", widget.id));
        m.text(label);
        m.close();
        tools(widget, address, &mut m);
        m.close();
    }
    match widget.place {
        WidgetPlace::Server => m.trusted(&marker(section, widget.index)),
        WidgetPlace::Browser => m.trusted(&body(None, None)),
        WidgetPlace::Local => {
            let answer =
                PanelAnswer { state: PanelState::Content, html: Some(widget.html.clone()), ..PanelAnswer::default() };
            m.trusted(&body(Some(&answer), None));
        }
        WidgetPlace::Broken => write_body(PanelState::Broken, None, None, &mut m, |m| m.trusted(&widget.html)),
    }
    if widget.label.is_none() {
        tools(widget, address, &mut m);
    }
    m.finish()
}

/// What stands in a rendered page where the server puts the [`body`] of a slot that it looks up.
#[must_use]
pub fn marker(section: usize, widget: usize) -> String {
    format!("<!--slot {section}-{widget}-->")
}

/// What can be done with the widget as a whole: load it again, open it alone.
fn tools(widget: &WidgetView, address: Option<&str>, m: &mut Markup) {
    if !widget.controls && address.is_none() {
        return;
    }
    let name = widget.label.as_deref().unwrap_or(&widget.kind);
    m.open("div", "widget-tools");
    if widget.controls {
        m.open("button", "widget-reload");
        m.fixed(r#"type="button""#);
        m.attr("aria-label", &format!("{} {name}", phrase::ours("Reload")));
        m.trusted(symbols::RELOAD);
        m.close();
    }
    if let Some(address) = address {
        m.open("a", "widget-open");
        m.attr("href", address);
        m.attr("aria-label", &format!("{} {name}", phrase::ours("Full size:")));
        m.trusted(symbols::EXPAND);
        m.close();
    }
    m.close();
}

/// The content of a frame, and the line below it. Without an answer nothing is known yet. `name` says whose problem a
/// problem is, for a widget without a label.
#[must_use]
pub fn body(answer: Option<&PanelAnswer>, name: Option<&str>) -> String {
    let surroundings = Surroundings::default();
    let mut m = Markup::new(&surroundings);
    match answer {
        Some(PanelAnswer { state, html: Some(html), version, at, note, .. }) => {
            write_body(*state, Some((*version, *at)), note.as_deref(), &mut m, |m| m.trusted(&panel(html)));
            if let Some(at) = at.filter(|_| *state == PanelState::Content) {
                write_age_without_scripts(at, &mut m);
            }
        }
        Some(PanelAnswer { state: state @ (PanelState::Error | PanelState::Broken), note, detail, .. }) => {
            let sentence = note.clone().unwrap_or_default();
            let problem = problem(name, &[sentence], detail.as_deref(), *state == PanelState::Error);
            write_body(*state, None, None, &mut m, |m| m.trusted(&problem));
        }
        _ => write_body(PanelState::Pending, None, None, &mut m, write_skeleton),
    }
    m.finish()
}

fn write_body(
    state: PanelState,
    known: Option<(u64, Option<i64>)>,
    note: Option<&str>,
    m: &mut Markup,
    content: impl FnOnce(&mut Markup),
) {
    m.open("div", "widget-body");
    m.attr("data-state", state.word());
    if let Some((version, at)) = known {
        m.attr("data-version", &version.to_string());
        if let Some(at) = at {
            m.number_attr("data-at", at);
        }
    }
    if state == PanelState::Pending {
        m.attr("aria-busy", "true");
    }
    content(m);
    m.close();
    m.open("p", "widget-note");
    m.trusted(&self::note(known.and_then(|(_, at)| at), note.filter(|_| state == PanelState::Stale)));
    m.close();
}

/// Without scripts the panel is that of the last visit, and nothing comes in its place.
fn write_age_without_scripts(at: i64, m: &mut Markup) {
    m.open("noscript", "");
    m.open("p", "widget-note");
    m.text(phrase::ours("As of "));
    m.text(&plain_time(Moment::from_millis(at)));
    m.text(".");
    m.close();
    m.close();
}

/// A time as it is read without scripts, which know the viewer's zone.
fn plain_time(at: Moment) -> String {
    let iso = datum::iso(at);
    let (date, time) = iso.split_once('T').unwrap_or_default();
    [date, " ", time.get(..5).unwrap_or_default(), " UTC"].concat()
}

/// Something moves where the content will be. Without a script nothing will come by itself.
fn write_skeleton(m: &mut Markup) {
    m.open("div", "widget-skeleton");
    for _ in 0..3 {
        m.open("i", "");
        m.close();
    }
    m.close();
    // The style sheet shows one of the two.
    m.element("p", "widget-missing", phrase::ours("Not there yet. Reload the page in a moment."));
}

/// The element of a panel around what [`crate::parts::html`] writes; nothing for an empty one.
pub(crate) fn panel(html: &str) -> String {
    if html.is_empty() {
        return String::new();
    }
    let surroundings = Surroundings::default();
    let mut m = Markup::new(&surroundings);
    m.open("div", "panel");
    m.trusted(html);
    m.finish()
}

/// A box that says why there is nothing to show: sentences for the person, a detail for who looks for the cause. `name`
/// stands before them where no label says whose box it is.
#[must_use]
pub fn problem(name: Option<&str>, sentences: &[String], detail: Option<&str>, can_retry: bool) -> String {
    let surroundings = Surroundings::default();
    let mut m = Markup::new(&surroundings);
    m.open("div", "widget-problem");
    m.attr("role", "alert");
    m.trusted(symbols::WARNING);
    m.open("div", "widget-reason");
    for (position, sentence) in sentences.iter().enumerate() {
        m.open("p", "");
        if let Some(name) = name.filter(|_| position == 0) {
            m.element("b", "", name);
            m.text(": ");
        }
        m.text(sentence);
        m.close();
    }
    if let Some(detail) = detail {
        m.element("code", "", detail);
    }
    if can_retry {
        m.open("button", "widget-retry");
        m.fixed(r#"type="button""#);
        m.text(phrase::ours("Retry"));
        m.close();
    }
    m.finish()
}

/// What stands in the line below a panel: how old it is, and why there is no newer one, if there is a reason. The reason
/// alone is read aloud, and once: the age changes each minute.
pub(crate) fn note(at: Option<i64>, reason: Option<&str>) -> String {
    let surroundings = Surroundings::default();
    let mut m = Markup::new(&surroundings);
    m.open("span", "widget-age");
    if reason.is_some() {
        m.trusted(symbols::WARNING);
    }
    if let Some(at) = at.filter(|_| reason.is_some()).map(Moment::from_millis) {
        m.text(phrase::ours("Last update "));
        datum::open_time(at, "relative", None, &mut m);
        m.text(&plain_time(at));
        m.close();
        m.text(". ");
    }
    m.close();
    m.open("span", "");
    m.attr("role", "status");
    m.text(reason.unwrap_or_default());
    m.finish()
}
