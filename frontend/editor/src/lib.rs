//! The editor of the config in the page (docs/editing.md). A bundle of its own, which `frontend/edit.js` loads
//! when an admin begins to edit.
//!
//! The draft is a [`config::Document`] here in the browser, with a history of changes. How a page looks with it is drawn by
//! the server, with the components that draw every page, and brought into the open page by `frontend/stream.js`: there is one
//! implementation of what a config looks like.

#![cfg_attr(test, allow(clippy::unwrap_used))]
#![recursion_limit = "256"]

pub mod difference;
pub mod draft;
pub mod edits;
pub mod gestures;
pub mod groups;
pub mod parts;
pub mod schema;

#[cfg(target_arch = "wasm32")]
mod calls;
#[cfg(target_arch = "wasm32")]
mod editor;
#[cfg(target_arch = "wasm32")]
mod form;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod storage;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// Begins to edit the open page. `host` is the object that `frontend/edit.js` describes as `Host`.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub async fn start(host: JsValue) -> String {
    view::start(host).await
}
