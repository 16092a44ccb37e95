//! The frame of a widget: label, reload button, its content, and notes about it (docs/spec/widgets.md 6 to 8). Static
//! markup like sections and tiles; [`crate::browser`] brings it to life.
//!
//! The content of the frame is drawn here for both sides: by the server for the page, and by the browser when a response
//! arrives.

use std::borrow::Cow;

use config::dashboard::{WidgetState, WidgetView};
use leptos::{prelude::*, tachys::html::InertElement};
use widgets::Moment;

use super::{edit_controls, usual_height};
use crate::{
    any_view::IntoAny,
    backend::{PanelResponse, PanelState},
    parts::{
        markup::{markup, text, with_code},
        symbols::{self, Symbol},
        time::iso,
    },
    words::{t, t_for_script, t_for_script_with},
};

/// What a widget is called: its label, or else its type in the language of the page.
#[cfg(feature = "ssr")]
#[must_use]
pub fn widget_name(widget: &WidgetView) -> Cow<'_, str> {
    let of_type = || widgets::Kind::parse(&widget.kind).map(|kind| languages::name_of_type(&kind.title()).to_owned());
    match &widget.label {
        Some(label) => label.into(),
        None => of_type().map_or_else(|| widget.kind.as_str().into(), Cow::Owned),
    }
}

/// Bundles never draw it.
#[cfg(not(feature = "ssr"))]
pub(super) fn widget_name(widget: &WidgetView) -> Cow<'_, str> {
    widget.kind.as_str().into()
}

/// The frame of one widget.
#[component]
pub fn WidgetFrame<'a>(
    /// The widget on the page.
    widget: &'a WidgetView,
    /// The position of its section in the file.
    section: usize,
    /// The address of the widget's own page.
    address: Option<String>,
    /// The numbers of columns of which it begins one, as digits.
    column: String,
    /// Whether the page is being edited.
    editing: bool,
) -> impl IntoView + use<> {
    let mut class = format!("widget-base widget-{}", widget.kind);
    for more in &widget.classes {
        class.push(' ');
        class.push_str(more);
    }
    let label_id = widget.label.is_some().then(|| format!("{}-label", widget.id));
    let name = widget.label.is_none().then(|| widget_name(widget).into_owned());
    let inside = markup(view! { <Inside widget section address editing/> });
    view! {
        <article
            class=class
            id=widget.id.clone()
            aria-labelledby=label_id
            aria-label=name
            data-widget=format!("{section}-{}", widget.index)
            data-kind=widget.kind.clone()
            data-place=widget.place.word()
            data-break=(!column.is_empty()).then_some(column)
            data-refresh=widget.refresh.map(|seconds| seconds.to_string())
            data-quiet=widget.ignore_errors
            data-writable=widget.writable
            inner_html=inside
        ></article>
    }
}

#[component]
fn Inside<'a>(widget: &'a WidgetView, section: usize, address: Option<String>, editing: bool) -> impl IntoView {
    let has_tools = widget.controls || address.is_some() || editing;
    let edited = editing.then_some(section);
    let tools = has_tools.then(|| view! { <Tools widget address edited/> });
    let (head, foot) = match &widget.label {
        Some(label) => {
            let label = view! { <h3 class="widget-label" id=format!("{}-label", widget.id)>{text(label)}</h3> };
            (Some(view! { <header class="widget-head">{label}{tools}</header> }), None)
        }
        None => (None, tools),
    };
    let body = view! { <Content widget section/> };
    let name = widget.label.is_none().then_some(widget.kind.as_str());
    let hints = (!widget.hints.is_empty()).then(|| InertElement::new(problem(name, &widget.hints, None, false)));
    view! { {head}{hints}{body}{foot} }
}

/// The panel of a widget, or what keeps its place until it is there.
#[component]
fn Content<'a>(widget: &'a WidgetView, section: usize) -> impl IntoView {
    match widget.place {
        WidgetState::Server => InertElement::new(marker(section, widget.index)).into_any(),
        WidgetState::Browser => view! { <Pending kind=&widget.kind/> }.into_any(),
        WidgetState::Local => {
            view! { <Body state=PanelState::Content version=Some(0) html=panel(&widget.html)/> }.into_any()
        }
        WidgetState::Broken => view! { <Body state=PanelState::Broken html=widget.html.clone()/> }.into_any(),
    }
}

/// The markup of the panel of a widget, without its frame.
pub(super) fn content(widget: &WidgetView, section: usize) -> String {
    markup(view! { <Content widget section/> })
}

/// The marker in a rendered page that the server replaces with the [`body`] of a slot.
#[must_use]
pub fn marker(section: usize, widget: usize) -> String {
    format!("<!--slot {section}-{widget}-->")
}

/// The buttons for the whole widget: edit, reload, open alone. `edited` is its section while the page is being edited.
#[component]
fn Tools<'a>(widget: &'a WidgetView, address: Option<String>, edited: Option<usize>) -> impl IntoView {
    let name = widget_name(widget);
    let edit = edited.map(|section| {
        let what = format!("widget-{section}-{}", widget.index);
        let menu = edit_controls::menu(what.clone(), t_for_script_with("Menu of widget {name}", &name));
        (menu, edit_controls::edit(what, t_for_script_with("Edit widget {name}", &name)))
    });
    view! {
        <div class="widget-tools">
            {edit}
            {widget.controls.then(|| view! {
                <button class="widget-reload action-btn update-btn" type="button" aria-label=t_for_script_with("Reload {name}", &name)>
                    <Symbol shape=symbols::RELOAD/>
                </button>
            })}
            {address.map(|address| view! {
                <a class="widget-open action-btn open-btn" href=address aria-label=t_for_script_with("Full size: {name}", &name)>
                    <Symbol shape=symbols::EXPAND/>
                </a>
            })}
        </div>
    }
}

/// The content of a frame of this type, and the note about it, at the time `now`. Without an answer, the panel is still
/// pending. `name` identifies a widget without a label in an error message.
#[must_use]
pub fn body(answer: Option<&PanelResponse>, kind: &str, name: Option<&str>, now: Moment) -> String {
    match answer {
        Some(answer @ PanelResponse { state, html: Some(html), version, at, note, .. }) => {
            let (note, next) = (note.clone(), next_try(answer, now.millis()));
            let age = at.filter(|_| *state == PanelState::Content).map(|at| view! { <AgeWithoutScripts at/> });
            markup(view! { <Body state=*state version=Some(*version) at=*at note next html=panel(html)/> {age} })
        }
        Some(PanelResponse { state: state @ (PanelState::Error | PanelState::Broken), note, detail, .. }) => {
            let sentence = note.clone().unwrap_or_default();
            let problem = problem(name, &[sentence], detail.as_deref(), *state == PanelState::Error);
            markup(view! { <Body state=*state html=problem/> })
        }
        _ => markup(view! { <Pending kind/> }),
    }
}

/// When the page asks again, in milliseconds since 1970 like `now`; `None` if it does at once, or never.
pub(crate) fn next_try(answer: &PanelResponse, now: i64) -> Option<i64> {
    answer.next.filter(|seconds| *seconds > 1).map(|seconds| now + i64::from(seconds) * 1000)
}

/// The element of the content, and the note about it.
#[component]
fn Body(
    state: PanelState,
    /// The version of the panel, if it is one.
    #[prop(optional_no_strip)]
    version: Option<u64>,
    /// When the panel was looked up.
    #[prop(optional_no_strip)]
    at: Option<i64>,
    /// Why there is no newer panel.
    #[prop(optional_no_strip)]
    note: Option<String>,
    /// When the page asks again.
    #[prop(optional_no_strip)]
    next: Option<i64>,
    /// The content.
    html: String,
) -> impl IntoView {
    let reason = note.filter(|_| state == PanelState::Stale);
    view! {
        <div
            class="widget-body"
            data-state=state.word()
            data-version=version.map(|version| version.to_string())
            data-at=at.map(|at| at.to_string())
            aria-busy=(state == PanelState::Pending).then_some("true")
            inner_html=html
        ></div>
        <p class="widget-note"><Note at reason=reason.as_deref() next/></p>
    }
}

/// A placeholder about as high as the content, so that little moves when the content arrives. Without scripts, it says to
/// reload the page.
#[component]
fn Pending<'a>(kind: &'a str) -> impl IntoView + use<> {
    let lines = "<i></i>".repeat(usual_height::lines(kind));
    // The style sheet shows one of the two.
    let html = markup(view! {
        <div class="widget-skeleton" inner_html=lines></div>
        <p class="widget-missing">{t("Not there yet. Reload the page in a moment.")}</p>
    });
    view! { <Body state=PanelState::Pending html/> }
}

/// The age of a panel, for browsers without scripts, where it is never refreshed.
#[component]
fn AgeWithoutScripts(at: i64) -> impl IntoView {
    let age = time_text("as of {time}", at);
    view! { <noscript><p class="widget-note"><span class="widget-age">{age}</span></p></noscript> }
}

/// One of our texts with a time in the place of its `{time}`, with the date unless that was in the last hours.
fn time_text(text: &str, at: i64) -> InertElement {
    let words = t_for_script(text);
    let (before, rest) = words.split_once('{').unwrap_or((&words, ""));
    let (_, after) = rest.split_once('}').unwrap_or_default();
    let at = iso(Moment::from_millis(at));
    // In the browser, only one element can be made of markup.
    InertElement::new(
        ["<span>", before, "<time datetime=\"", &at, "\" data-style=\"since\"></time>", after, "</span>"].concat(),
    )
}

/// Wraps the markup of [`crate::parts::html`] in the element of a panel; empty for an empty panel.
pub(crate) fn panel(html: &str) -> String {
    if html.is_empty() { String::new() } else { ["<div class=\"panel\">", html, "</div>"].concat() }
}

/// A box that says why there is nothing to show: sentences for the viewer, and a detail for troubleshooting. `name`
/// precedes them in a widget without a label.
#[must_use]
pub fn problem(name: Option<&str>, sentences: &[String], detail: Option<&str>, can_retry: bool) -> String {
    let sentence = |(position, sentence): (usize, &String)| {
        let name = name.filter(|_| position == 0).map(|name| view! { <b>{text(name)}</b> ": " });
        view! { <p>{name}{with_code(sentence)}</p> }
    };
    markup(view! {
        <div class="widget-problem" role="alert">
            <Symbol shape=symbols::WARNING/>
            <div class="widget-reason">
                {sentences.iter().enumerate().map(sentence).collect_view()}
                {detail.map(|detail| view! { <code>{text(detail)}</code> })}
                {can_retry.then(|| view! { <button class="widget-retry" type="button">{t_for_script("Retry")}</button> })}
            </div>
        </div>
    })
}

/// The markup of the note about a panel: see [`Note`].
#[cfg(feature = "hydrate")]
pub(crate) fn note(at: Option<i64>, reason: Option<&str>, next: Option<i64>) -> String {
    markup(view! { <Note at reason next/> })
}

/// A mark in the corner that says how old a panel is; why there is no newer one appears on hover or focus. Without an age,
/// as after a button that failed, the reason is a line below the panel. Screen readers announce only the reason, and only
/// once: the times change.
#[component]
fn Note<'a>(at: Option<i64>, reason: Option<&'a str>, next: Option<i64>) -> impl IntoView + use<> {
    let sign = || view! { <Symbol shape=symbols::WARNING/> };
    let at = at.filter(|_| reason.is_some());
    let age = at.map(|at| (sign(), time_text("as of {time}", at)));
    let line_sign = reason.filter(|_| at.is_none()).map(|_| sign());
    let next = next.filter(|_| at.is_some()).map(|at| (" ", time_text("Next try: {time}.", at)));
    view! {
        <span class="widget-age" tabindex=at.map(|_| "0")>{age}</span>
        <span class="widget-why">{line_sign}<span role="status">{reason.map(with_code)}</span>{next}</span>
    }
}
