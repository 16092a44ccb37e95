//! What `conf.yml` means. No I/O, no async, no Leptos.
//!
//! With the feature `read` (the default) this crate parses and reads config files. Without it, the crate holds only
//! what a page is made of ([`Dashboard`] and its parts), who is looking at it ([`Viewer`]) and the search, which is all that
//! the bundle of a page needs. The feature `document` adds the raw [`Document`], which the editor changes in the browser.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod dashboard;
pub mod json;
mod page_copy;
pub mod viewer;

// The derives generate paths that begin with the crate's name, so it must resolve in here too.
extern crate self as config;

#[cfg(feature = "document")]
pub mod address;
#[cfg(feature = "read")]
pub mod check;
#[cfg(feature = "read")]
pub mod css;
#[cfg(feature = "read")]
mod did_you_mean;
#[cfg(feature = "document")]
pub mod document;
#[cfg(feature = "document")]
mod effect;
#[cfg(feature = "read")]
mod effects;
#[cfg(feature = "read")]
pub mod footer;
#[cfg(feature = "read")]
pub mod icon;
#[cfg(feature = "read")]
pub mod model;
#[cfg(feature = "read")]
mod natural_order;
#[cfg(feature = "document")]
pub mod problem;
#[cfg(feature = "read")]
mod redacted;
#[cfg(feature = "read")]
pub mod schema;
pub mod search;
#[cfg(feature = "document")]
pub mod selector;
#[cfg(feature = "read")]
pub mod slug;
#[cfg(feature = "read")]
pub mod user_name;

#[cfg(all(test, feature = "read"))]
mod tests;

pub use dashboard::{Dashboard, View};
pub use page_copy::PageCopy;
pub use viewer::{Person, Viewer, Visibility};

#[cfg(feature = "read")]
pub use {
    check::check,
    dashboard::{PageError, PageRequest, PageView, Styles},
    effects::Effects,
    icon::{Icon, IconLookup},
    model::Config,
    schema::{json_schema, json_schema_with},
};
#[cfg(feature = "document")]
pub use {
    document::{Change, Document, DocumentError, EditError, MAX_READ_BYTES, MAX_WRITTEN_BYTES, TopLevelKey, ValuePath},
    effect::Effect,
    problem::{Problem, ProblemKind, Severity},
    selector::Selector,
};

/// Name of the product, shown if the config has no title.
pub const PRODUCT: &str = "Portico";
