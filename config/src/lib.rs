//! What `conf.yml` means. No I/O, no async, no Leptos.
//!
//! With the feature `read` (the default) this crate parses and reads config files; without it, it holds only what
//! a page is made of ([`Dashboard`] and its parts) and who looks at it ([`Viewer`]), which is all that the browser's
//! bundle needs.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod dashboard;
pub mod json;
pub mod viewer;

// What the derives write names this crate, and so works inside of it too.
extern crate self as config;

#[cfg(feature = "read")]
pub mod address;
#[cfg(feature = "read")]
pub mod check;
#[cfg(feature = "read")]
pub mod css;
#[cfg(feature = "read")]
pub mod document;
#[cfg(feature = "read")]
pub mod footer;
#[cfg(feature = "read")]
pub mod icon;
#[cfg(feature = "read")]
pub mod model;
#[cfg(feature = "read")]
mod natural_order;
#[cfg(feature = "read")]
pub mod problem;
#[cfg(feature = "read")]
mod redacted;
#[cfg(feature = "read")]
pub mod schema;
#[cfg(feature = "read")]
pub mod selector;
#[cfg(feature = "read")]
pub mod slug;

#[cfg(all(test, feature = "read"))]
mod tests;

pub use dashboard::{Dashboard, View};
pub use viewer::{Person, Viewer, Visibility};

#[cfg(feature = "read")]
pub use {
    check::check,
    dashboard::{PageError, PageRequest, PageView, Styles},
    document::{Document, DocumentError, EditError, MAX_READ_BYTES, MAX_WRITTEN_BYTES, TopLevelKey},
    icon::{Icon, IconLookup},
    model::Config,
    problem::{Problem, ProblemKind, Severity},
    schema::{json_schema, json_schema_with},
    selector::Selector,
};
