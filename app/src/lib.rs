//! The pages and components of Portico, shared by the server and the browser.
//!
//! With the feature `ssr` they render to HTML on the server. With `hydrate`, the live parts of that HTML are hydrated
//! in the browser from the same data, so that the first render is equal on both sides.

#![cfg_attr(test, allow(clippy::unwrap_used))]
// A page is one deeply nested view type.
#![recursion_limit = "256"]

#[cfg(feature = "ssr")]
pub mod any_view;
pub mod backend;
#[cfg(feature = "hydrate")]
pub mod browser;
#[cfg(feature = "hydrate")]
pub mod built_view;
pub mod config_files;
#[cfg(feature = "ssr")]
pub mod document;
pub mod editing;
mod editor_data;
pub mod editor_files;
#[cfg(feature = "ssr")]
pub mod fallback;
pub mod importing;
#[cfg(feature = "ssr")]
pub mod manage;
pub mod page;
#[cfg(feature = "ssr")]
pub mod page_style;
pub mod parts;
pub mod search;
#[cfg(feature = "ssr")]
pub mod sign_in;
#[cfg(feature = "hydrate")]
mod timeout;
mod words;

/// A view of any type, in the browser.
#[cfg(not(feature = "ssr"))]
pub mod any_view {
    pub use leptos::prelude::{AnyView, IntoAny};
}

#[cfg(feature = "hydrate")]
pub use {
    browser::{JsJson, start, start_live},
    parts::live::{follow_frames, in_digits, plural_category, property, viewer_hints, write_texts},
    words::{t_count_for_script, t_for_script},
};

pub use config::PRODUCT;

/// Id of the element that contains the page's [`page::PageSettings`] as JSON.
pub const SETTINGS_ELEMENT: &str = "settings";
