//! The widgets of the page: which is refreshed when (docs/spec/widgets.md 3 and 6). One runtime for all frames, and one
//! timer; a frame is only an entry in a list.

mod by_browser;
mod by_server;
mod frame;
mod runtime;

use std::time::Duration;

use js_sys::Date;
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::JsCast as _;
use web_sys::{Document, Element, Event};
use widgets::Action;

use self::{
    frame::{Clicked, LiveFrame, Refresher},
    runtime::{RUNTIME, Runtime, refresh_due, with},
};
use super::{CHANGED, closest, elements, listen};
use crate::{
    backend::PanelState,
    page::{PageSettings, PageState},
    parts::live,
};

/// Milliseconds between two refreshes of a widget requested by a user.
const REQUEST_PAUSE: f64 = 1000.0;

/// The event of a widget that is outdated, from `frontend/stream.js`. Its detail is the id of the widget.
const OUTDATED: &str = "portico:panel";

/// The event of a page that is in another language now, from `frontend/dialogs/src/translate.rs`. Its detail is the page as a document.
const TRANSLATED: &str = "portico:language";

/// The panel of a widget, and the line below it.
const BODY: &str = ".widget-body";
const NOTE: &str = ".widget-note";

/// Starts the widgets of the page; without any, does nothing.
pub(super) fn install(state: PageState, settings: &PageSettings) {
    let elements = frame::elements();
    if elements.is_empty() {
        return;
    }
    live::start(act);
    listen(&document(), CHANGED, false, |event: Event| show_panels_of(&event, "[data-kind=notes]"));
    listen(&document(), TRANSLATED, false, |event: Event| {
        show_panels_of(&event, "[data-widget]");
        with(|runtime| runtime.frames.iter_mut().for_each(LiveFrame::start_again));
        refresh_due();
    });
    // In an export no server has news. Pictures and frames from elsewhere can be loaded again.
    let may_refresh = |frame: &LiveFrame| !settings.is_static || frame.place == Refresher::Local;
    let runtime = Runtime {
        frames: elements.into_iter().filter_map(LiveFrame::of).filter(may_refresh).collect(),
        page: settings.slug.clone(),
        base: settings.base.clone(),
        viewer: live::viewer_hints(),
        state,
        timer: None,
        questions: 0,
        failures: 0,
        paused_until: 0.0,
        look_up,
    };
    if runtime.frames.is_empty() {
        return;
    }
    RUNTIME.set(Some(runtime));
    listen(&document(), "click", false, |event: Event| {
        if let Some(button) = closest(&event, ".widget-reload, .widget-retry") {
            request_refresh(&button);
        }
    });
    listen(&document(), OUTDATED, false, |event: Event| refresh_outdated(&event));
    listen(&document(), "visibilitychange", false, |_: Event| refresh_due());
    // A section was opened or closed; the event does not bubble.
    listen(&document(), "toggle", true, |_: Event| refresh_due());
    listen(&window(), "pageshow", false, |_: Event| refresh_due());
    listen(&window(), "online", false, |_: Event| {
        with(|runtime| runtime.paused_until = 0.0);
        refresh_due();
    });
    Effect::new(move |_| {
        state.found.track();
        // After the search has hidden the others.
        set_timeout(refresh_due, Duration::ZERO);
    });
}

/// Shows panels of the page that an event brings. Other changes of widgets than a tick in a note or another language reload the
/// page. A panel that the page does not have yet stays as it is until the next call.
fn show_panels_of(event: &Event, selector: &str) {
    let Ok(page) = live::property(event, "detail").dyn_into::<Document>() else { return };
    let part = |of: &Element, class: &str| of.query_selector(class).ok().flatten();
    for article in elements(selector) {
        let Some(fresh) = page.get_element_by_id(&article.id()) else { continue };
        let (Some(body), Some(new)) = (part(&article, BODY), part(&fresh, BODY)) else { continue };
        let is_pending = new.get_attribute("data-state").as_deref() == Some(PanelState::Pending.word());
        if is_pending {
            _ = body.remove_attribute("data-version");
            continue;
        }
        live::replace(&body, &new.inner_html());
        for name in ["data-state", "data-version", "data-at"] {
            match new.get_attribute(name) {
                Some(value) => _ = body.set_attribute(name, &value),
                None => _ = body.remove_attribute(name),
            }
        }
        if let (Some(note), Some(new)) = (part(&article, NOTE), part(&fresh, NOTE)) {
            live::replace(&note, &new.inner_html());
        }
    }
}

/// Refreshes the widget that an event names. An answer that is on its way may be too old.
fn refresh_outdated(event: &Event) {
    let id = live::property(event, "detail").as_string();
    with(|runtime| {
        let outdated = |frame: &&mut LiveFrame| frame.due.is_finite() && Some(frame.element.id()) == id;
        for frame in runtime.frames.iter_mut().filter(outdated) {
            frame.due = 0.0;
            frame.outdated = frame.asking;
        }
    });
    refresh_due();
}

fn look_up(position: usize) {
    let place = with(|runtime| runtime.frames[position].place);
    match place {
        Some(Refresher::Server) => by_server::look_up(position),
        Some(Refresher::Browser) => spawn_local(by_browser::look_up(position)),
        Some(Refresher::Local) | None => {}
    }
}

/// Handles a user's request to refresh a widget.
fn request_refresh(button: &Element) {
    with(|runtime| {
        let Some(position) = runtime.position(button) else { return };
        let frame = &mut runtime.frames[position];
        let now = Date::now();
        if frame.asking || now - frame.wished < REQUEST_PAUSE {
            return;
        }
        frame.wished = now;
        frame.forced = true;
        frame.reloads = true;
        frame.due = 0.0;
        frame.show_busy(true);
        runtime.paused_until = 0.0;
    });
    refresh_due();
}

/// Handles a click on a button or a checkbox of a panel. Returns false if it does nothing now.
fn act(button: &Element, action: Action) -> bool {
    let found = with(|runtime| {
        let position = runtime.position(button)?;
        let frame = &mut runtime.frames[position];
        if frame.place == Refresher::Browser {
            return None;
        }
        // The answer of a call in progress would be older than the action, so the action waits for it. A button waits only for
        // a refresh: a second click on it is one too many.
        if frame.asking {
            if button.tag_name() == "INPUT" || !(frame.acting || frame.clicked.iter().any(|clicked| clicked.is(button)))
            {
                frame.clicked.extend(Clicked::new(button));
                frame.show_busy(true);
            }
            return None;
        }
        frame.asking = true;
        frame.acting = true;
        // Other calls are not counted when they return.
        runtime.questions += usize::from(frame.place == Refresher::Server);
        frame.show_busy(true);
        Some(position)
    });
    let found = found.flatten();
    if let Some(position) = found {
        by_server::act(position, action);
    }
    found.is_some()
}
