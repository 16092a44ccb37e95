//! Opening items: the methods that a plain link does not support, and the usage counters (docs/spec/behavior.md 4).

use std::sync::Arc;

use js_sys::Reflect;
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlElement, MouseEvent};

use super::{
    closest, listen as listen_to,
    storage::{LAST_USED, MOST_USED, read_object, write_object},
    tiles, toast,
};
use crate::{
    page::{PageSettings, PageState, PopUp},
    parts::live::property,
    search::web::encoded,
    words::{t_for_script, t_for_script_with},
};

/// What can be opened on a page.
const OPENABLE: &str = "#content a.item, #content a.sub-item, .other-pages a, a.web-row, .engine[data-open]";

pub(super) fn install(state: PageState, settings: &Arc<PageSettings>) {
    let count = !settings.disable_smart_sort;
    let settings = Arc::clone(settings);
    listen_to(&document(), "click", false, move |event: MouseEvent| {
        let Some(tile) = closest(&event, OPENABLE) else { return };
        if count {
            count_use(&tile);
        }
        // Ctrl, Cmd and Shift keep their usual meaning.
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            open(state, &settings, &tile, &event);
        }
        state.clear_query();
    });
    listen_to(&document(), "auxclick", false, move |event: MouseEvent| {
        if let Some(tile) = closest(&event, OPENABLE).filter(|_| count && event.button() == 1) {
            count_use(&tile);
        }
    });
}

fn open(state: PageState, settings: &PageSettings, tile: &HtmlElement, event: &MouseEvent) {
    let method = tile.get_attribute("data-open").unwrap_or_default();
    if event.alt_key() || method == "modal" {
        event.prevent_default();
        open_in_frame(state, tile);
    } else if method == "workspace" && is_web(&address(tile)) {
        event.prevent_default();
        open_in_workspace(settings, &address(tile));
    } else if method == "clipboard" {
        event.prevent_default();
        copy(state, address(tile));
    } else if method == "newwindow" {
        event.prevent_default();
        let screen = window().screen().ok();
        let width = screen.as_ref().and_then(|screen| screen.avail_width().ok()).unwrap_or(1200);
        let height = screen.as_ref().and_then(|screen| screen.avail_height().ok()).unwrap_or(800);
        let features = format!("popup,noopener,noreferrer,width={width},height={height}");
        _ = window().open_with_url_and_target_and_features(&address(tile), "_blank", &features);
    }
}

/// Opens the tile's address in the pop-up. Only web pages can be framed; any other address opens like a link.
pub(super) fn open_in_frame(state: PageState, tile: &HtmlElement) {
    let url = address(tile);
    if is_web(&url) {
        state.frame.set(Some(PopUp { title: tiles::title(tile), url }));
    } else {
        _ = window().open_with_url_and_target_and_features(&url, "_blank", "noopener,noreferrer");
    }
}

/// Goes to the workspace view of the page, which opens the address.
pub(super) fn open_in_workspace(settings: &PageSettings, url: &str) {
    let page = if settings.slug == "home" { ["", ""] } else { ["/", settings.slug.trim_end_matches('-')] };
    let address = [&settings.base, "/workspace", page[0], page[1], "?url=", &encoded(url)].concat();
    _ = window().location().set_href(&address);
}

fn is_web(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

fn copy(state: PageState, url: String) {
    if !window().is_secure_context() {
        toast(
            state,
            t_for_script("Copying needs HTTPS or localhost. Long-press or right-click the item to copy its link."),
        );
        return;
    }
    spawn_local(async move {
        let written = JsFuture::from(window().navigator().clipboard().write_text(&url)).await;
        match written {
            Ok(_) => toast(state, t_for_script_with("Copied {address}", &url)),
            Err(_) => {
                toast(state, t_for_script("The browser did not allow copying. Right-click the item to copy its link."))
            }
        }
    });
}

fn address(tile: &HtmlElement) -> String {
    tile.get_attribute("href").unwrap_or_default()
}

fn count_use(tile: &HtmlElement) {
    let Some(id) = tiles::counter_id(tile) else { return };
    for (key, next) in [(MOST_USED, None), (LAST_USED, Some(js_sys::Date::now()))] {
        // Item ids with a count, or with a time in milliseconds since 1970.
        let counts = read_object(key);
        let count = property(&counts, &id).as_f64().unwrap_or_default();
        _ = Reflect::set(&counts, &JsValue::from_str(&id), &next.unwrap_or(count + 1.0).into());
        write_object(key, &counts);
    }
}
