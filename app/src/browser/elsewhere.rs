//! Fetches the items of the other pages when the first search begins.

use gloo_net::http::Request;
use js_sys::Array;
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};

use super::function::{address, send};
use crate::{
    backend::ElsewhereItem,
    page::{PageSettings, PageState},
    parts::live::property,
};

/// Asks the server once; a failure only means that other pages are not searched.
pub(super) fn follow(state: PageState, settings: &PageSettings) {
    if !settings.other_pages {
        return;
    }
    let (base, slug) = (settings.base.clone(), settings.slug.clone());
    Effect::new(move |asked: Option<bool>| {
        if asked == Some(true) || state.query.with(|query| query.trim().is_empty()) {
            return asked.unwrap_or_default();
        }
        let (base, slug) = (base.clone(), slug.clone());
        spawn_local(async move {
            let request = Request::get(&address(&base, "items-elsewhere")).query([("slug", &slug)]);
            match send(request, None).await {
                Some((200, items)) => state.elsewhere.set(Some(read(&items))),
                _ => leptos::logging::warn!("the other pages cannot be searched"),
            }
        });
        true
    });
}

/// What [`crate::backend::items_elsewhere`] answers.
fn read(items: &JsValue) -> Vec<ElsewhereItem> {
    let item = |item: JsValue| {
        let text = |name: &str| property(&item, name).as_string().unwrap_or_default();
        ElsewhereItem { title: text("title"), words: text("words"), url: text("url"), page: text("page") }
    };
    items.dyn_ref::<Array>().map(|items| items.iter().map(item).collect()).unwrap_or_default()
}
