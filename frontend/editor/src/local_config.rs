//! The local config: a config that is saved in this browser and shown instead of the file (docs/editing.md, "Saving locally").
//!
//! It belongs to a page and a user, and [`storage`] keeps it. The server renders the page with it. Each time the page would show
//! the file, the local config is drawn instead.

use std::{cell::RefCell, time::Duration};

use app::{
    JsJson, SETTINGS_ELEMENT,
    browser::{element, elements, listen, root},
    editing::{EditorRejection, RejectionKind},
    property,
};
use config::json::{Json as _, member};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, HtmlElement};

use crate::{
    appearance,
    calls::{Caller, call_by},
    dom::load_style_sheet,
    editor::{host_stream, host_text},
    local_file::ReplacedFile,
    storage::{self, Stored},
    texts::{TextKind, start_loading, t},
    view::{cells, local_badge},
    widget_preview::{EntryPage, fill_loading},
};

/// How long to collect changes of status before the page is drawn again.
const PAUSE: Duration = Duration::from_secs(2);
/// The widgets of a page.
const FRAMES: &str = "#content .widget-base";

#[derive(Default)]
struct State {
    /// The object that `frontend/edit.js` describes as `LocalHost`.
    host: Option<JsValue>,
    /// What is known about the file.
    file: Option<ReplacedFile>,
    /// The number of the newest drawing.
    newest: u32,
    /// Whether the page shows the local config.
    is_shown: bool,
    /// Draws the page again after changes of status.
    later: Option<TimeoutHandle>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

fn is_editing() -> bool {
    root().has_attribute("data-editing")
}

/// Says on the page whether it shows the local config.
fn mark(is_local: bool) {
    let Some(settings) = element(SETTINGS_ELEMENT) else { return };
    _ = if is_local { settings.set_attribute("data-local", "1") } else { settings.remove_attribute("data-local") };
}

/// Shows the local config, if there is one.
pub async fn show(host: JsValue) {
    _ = any_spawner::Executor::init_wasm_bindgen();
    follow(host);
    draw().await;
}

/// Draws the local config each time the page would show the file.
pub fn follow(host: JsValue) {
    let is_followed = STATE.with_borrow_mut(|state| state.host.replace(host).is_some());
    if is_followed {
        return;
    }
    listen(&document(), "portico:change", false, |event: Event| file_changed(&event));
    listen(&document(), "portico:status", false, |_: Event| draw_later());
    listen(&window(), "storage", false, |event: Event| storage_changed(&event));
}

fn file_changed(event: &Event) {
    if is_editing() {
        return;
    }
    if storage::local().is_some() {
        event.prevent_default();
        spawn_local(draw());
    } else if local_badge::is_shown() {
        // The editor has just saved it to disk.
        forget();
    }
}

fn draw_later() {
    let draw = || {
        if !is_editing() {
            spawn_local(draw());
        }
    };
    let later = set_timeout_with_handle(draw, PAUSE).ok();
    if let Some(earlier) = STATE.with_borrow_mut(|state| std::mem::replace(&mut state.later, later)) {
        earlier.clear();
    }
}

/// Another tab has changed the storage.
fn storage_changed(event: &Event) {
    let key = property(event, "key").as_string();
    if is_editing() || !storage::is_local_key(key.as_deref()) {
        return;
    }
    if storage::local().is_some() {
        spawn_local(draw());
    } else {
        _ = window().location().reload();
    }
}

/// Draws the local config on the page, if there is one.
async fn draw() {
    let (Some(stored), Some(host)) = (storage::local(), STATE.with_borrow(|state| state.host.clone())) else { return };
    let number = STATE.with_borrow_mut(|state| {
        state.newest += 1;
        state.newest
    });
    mark(true);
    let base = host_text(&host, "base").unwrap_or_default();
    let texts = start_loading(&base, TextKind::Dialogs);
    let address = element(SETTINGS_ELEMENT).and_then(|settings| settings.get_attribute("data-address"));
    let arguments = json!({ "page": root().get_attribute("data-page"), "text": stored.text, "shown": address });
    let answer = call_by(Caller::LocalConfig, &base, "editor-preview", &arguments).await;
    _ = JsFuture::from(texts).await;
    match answer {
        Ok(preview) => {
            if STATE.with_borrow(|state| state.newest) == number && !is_editing() {
                drawn(&host, stored, &preview);
            }
        }
        Err(rejection) => refused(host, stored, rejection),
    }
}

fn drawn(host: &JsValue, stored: Stored, preview: &JsJson) {
    let file: Option<ReplacedFile> = member(preview, "local");
    STATE.with_borrow_mut(|state| {
        state.file.clone_from(&file);
        state.is_shown = true;
    });
    become_preview(host, preview);
    local_badge::show(host.clone(), stored, file, None);
}

fn refused(host: JsValue, stored: Stored, rejection: EditorRejection) {
    let (is_shown, file) = STATE.with_borrow(|state| (state.is_shown, state.file.clone()));
    if is_shown {
        // An older drawing stays on the page, unless this user may no longer see it.
        if rejection.kind == RejectionKind::Forbidden {
            _ = window().location().reload();
        }
        return;
    }
    mark(false);
    let mut reason = rejection.message;
    if rejection.kind == RejectionKind::SignIn {
        reason = [reason, t("The local config stays stored, and is shown again after you sign in.")].join(" ");
    }
    local_badge::show(host, stored, file, Some(reason));
}

/// Updates the page to what the server has rendered.
fn become_preview(host: &JsValue, preview: &JsJson) {
    let Some(stream) = host_stream(host) else { return };
    let html: String = member(preview, "html");
    let page = stream.parse(&html);
    let others = preview.member("local").and_then(|local| local.member("otherWidgets"));
    let entry = |frame: &HtmlElement| others.as_ref()?.member(&frame.get_attribute("data-widget")?)?.text();
    for frame in elements(FRAMES) {
        // A panel belongs to its entry.
        if frame.get_attribute("data-entry") != entry(&frame) {
            frame.remove();
        }
    }
    let Some(content) = page.document_element() else { return };
    for frame in cells(&content, FRAMES) {
        if let Some(entry) = entry(&frame) {
            give_entry(&frame, &entry);
        }
    }
    for link in cells(&content, "head link[rel=stylesheet][href]") {
        load_style_sheet(&link.get_attribute("href").unwrap_or_default());
    }
    stream.become_page(&page);
    appearance::show_theme(Some(&page));
    if let Ok(changed) = Event::new("portico:changed") {
        _ = document().dispatch_event(&changed);
    }
    let place = EntryPage { base: host_text(host, "base").unwrap_or_default(), page: host_text(host, "page") };
    fill_loading(&place, |frame| frame.has_attribute("data-entry"));
}

/// Prepares a widget whose panel is requested by its entry, not by its position: in the file, another widget has this position.
fn give_entry(frame: &HtmlElement, entry: &str) {
    _ = frame.set_attribute("data-entry", entry);
    if frame.get_attribute("data-place").as_deref() != Some("local") {
        _ = frame.remove_attribute("data-place");
    }
    if let Ok(Some(reload)) = frame.query_selector(".widget-reload") {
        reload.remove();
    }
}

/// Removes the badge and the theme of the local config.
fn forget() {
    STATE.with_borrow_mut(|state| {
        state.newest += 1;
        state.is_shown = false;
    });
    local_badge::remove();
    mark(false);
    appearance::show_theme(None);
}
