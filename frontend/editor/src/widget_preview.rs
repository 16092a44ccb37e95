//! The panels of widgets that are not saved yet, which the server draws from their entries.

use std::time::Duration;

use app::{
    editing::{EditorRejection, WidgetPreview},
    follow_frames, viewer_hints, write_texts,
};
use js_sys::Array;
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};
use serde_json::json;
use web_sys::{Element, HtmlElement};

use crate::{
    calls::call,
    dom::{load_style_sheet, wait},
    view::cells,
};

/// How often the server is asked again about a service that has not responded.
const MAX_ATTEMPTS: u32 = 20;
/// How long typing has to pause before the server is asked.
pub const PAUSE: Duration = Duration::from_millis(400);
/// The widgets of the page.
const FRAMES: &str = "#content .widget-base";
/// A panel that has not arrived.
const LOADING: &str = ":scope > .widget-body[data-state=loading]";

/// Where entries belong.
#[derive(Clone, Debug)]
pub struct EntryPage {
    /// Path prefix of the product.
    pub base: String,
    /// The page, as its address names it.
    pub page: Option<String>,
}

/// Asks for the preview of an entry in JSON until its service has responded. `on_answer` gets each answer, and returns whether to
/// go on.
///
/// # Errors
///
/// The server refused the call, or cannot be reached.
pub async fn poll(
    place: &EntryPage,
    entry: &str,
    mut on_answer: impl FnMut(&WidgetPreview) -> bool,
) -> Result<(), EditorRejection> {
    let viewer = viewer_hints();
    let arguments = json!({ "page": place.page, "entry": entry, "locale": viewer.locale, "zone": viewer.time_zone });
    for _ in 0..MAX_ATTEMPTS {
        let answer = call::<WidgetPreview>(&place.base, "editor-panel", &arguments).await?;
        let goes_on = on_answer(&answer);
        match answer.next {
            Some(seconds) if goes_on && seconds > 0 => wait(Duration::from_secs(seconds.into())).await,
            _ => break,
        }
    }
    Ok(())
}

/// The content of the frame of a widget.
pub fn content(answer: &WidgetPreview) -> Array {
    let empty = r#"<div class="widget-body" data-state="content"></div><p class="widget-note"></p>"#;
    let Ok(content) = document().create_element("div") else { return Array::new() };
    load_style_sheet(&answer.style_sheet);
    content.set_inner_html(answer.html.as_deref().unwrap_or(empty));
    if let (Some(note), Ok(Some(place))) = (&answer.note, content.query_selector(".widget-note")) {
        place.set_text_content(Some(note));
    }
    // Screen readers would announce it after each letter; and the next letter retries anyway.
    for alert in cells(&content, "[role=alert]") {
        _ = alert.remove_attribute("role");
    }
    for retry in cells(&content, ".widget-retry") {
        retry.remove();
    }
    write_texts(&content);
    let children = content.child_nodes();
    (0..children.length()).filter_map(|at| children.get(at)).collect()
}

/// Fills the widgets of the page that nothing else fills: those that are new in the draft.
#[derive(Clone, Copy)]
pub struct NewWidgets {
    /// The frames that the bundle of the page keeps up to date.
    followed: StoredValue<Vec<HtmlElement>, LocalStorage>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl NewWidgets {
    /// For the page as it is now, whose widgets the bundle of the page keeps up to date.
    pub fn new() -> Self {
        let followed = document().document_element().map(|page| cells(&page, FRAMES)).unwrap_or_default();
        Self { followed: StoredValue::new_local(followed), timer: StoredValue::new(None) }
    }

    /// Fills those whose panels have not arrived, once the page has not changed for a moment.
    pub fn fill(self, place: EntryPage) {
        follow_frames();
        if let Some(timer) = self.timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
        let is_new = move |frame: &HtmlElement| {
            self.followed.try_with_value(|followed| !followed.contains(frame)).unwrap_or_default()
        };
        let fill = move || fill_loading(&place, is_new);
        self.timer.set_value(set_timeout_with_handle(fill, PAUSE).ok());
    }
}

/// Fills the widgets of the page whose panels have not arrived.
pub fn fill_loading(place: &EntryPage, is_ours: impl Fn(&HtmlElement) -> bool) {
    let Some(page) = document().document_element() else { return };
    for frame in cells(&page, FRAMES) {
        if is_ours(&frame) && is_loading(&frame) {
            spawn_local(fill_one(frame, place.clone()));
        }
    }
}

fn is_loading(frame: &Element) -> bool {
    frame.query_selector(LOADING).is_ok_and(|body| body.is_some())
}

/// Fills a frame with the panel of the entry in its `data-entry`. If the server cannot be reached, the page itself says so.
async fn fill_one(frame: HtmlElement, place: EntryPage) {
    let entry = || frame.get_attribute("data-entry");
    let Some(asked) = entry() else { return };
    _ = poll(&place, &asked, |answer| {
        let body = frame.query_selector(LOADING).ok().flatten();
        // The entry has changed, or the panel has arrived another way.
        let Some(body) = body.filter(|_| frame.is_connected() && entry().as_ref() == Some(&asked)) else {
            return false;
        };
        if answer.next.is_some_and(|next| next > 0) {
            return true;
        }
        if let Ok(Some(note)) = frame.query_selector(".widget-note") {
            note.remove();
        }
        _ = body.replace_with_with_node(&content(answer));
        follow_frames();
        false
    })
    .await;
}
