//! The style sheets of the dialogs, and of themes.

use std::cell::RefCell;

use js_sys::Promise;
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlLinkElement;

use crate::host;

thread_local! {
    /// The names of the sheets that have been loaded.
    static LOADED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Adds a link to a style sheet, and waits for it.
///
/// # Errors
///
/// It cannot be loaded; the link stays.
pub async fn add(link: &HtmlLinkElement) -> Result<(), JsValue> {
    link.set_rel("stylesheet");
    let loaded = Promise::new(&mut |done, failed| {
        link.set_onload(Some(&done));
        link.set_onerror(Some(&failed));
    });
    if let Some(head) = document().head() {
        _ = head.append_child(link);
    }
    JsFuture::from(loaded).await.map(drop)
}

/// A link to a style sheet, not yet in the page.
pub fn link(address: &str) -> Option<HtmlLinkElement> {
    let link: HtmlLinkElement = document().create_element("link").ok()?.unchecked_into();
    link.set_href(address);
    Some(link)
}

/// Loads style sheets of dialogs by their names, each once.
///
/// # Errors
///
/// One cannot be loaded.
pub async fn load(names: &[&'static str]) -> Result<(), JsValue> {
    for &name in names {
        if LOADED.with_borrow(|loaded| loaded.contains(&name)) {
            continue;
        }
        let Some(link) = link(&host::sheet(name)) else { continue };
        if let Err(error) = add(&link).await {
            // The next attempt loads it again.
            link.remove();
            return Err(error);
        }
        LOADED.with_borrow_mut(|loaded| loaded.push(name));
    }
    Ok(())
}
