//! What an export gives: its files, or why there are none.

use std::collections::{BTreeMap, BTreeSet};

use http::StatusCode;

/// Why there is no export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Guests see nothing.
    #[error(
        "guests see nothing of this dashboard, so there is nothing to export; set `appConfig.auth.enableGuestAccess: true`, or \
         export a copy of the config without `auth`"
    )]
    NoGuests,
    /// The first page cannot be rendered.
    #[error("the first page cannot be rendered ({0}); `portico validate` says why")]
    FirstPage(StatusCode),
    /// No page has this name, or guests do not see it.
    #[error("guests see no page `{name}`; `--page` takes {known}")]
    PageNotFound {
        /// The name.
        name: String,
        /// The names of the others.
        known: String,
    },
}

/// The files of an export.
#[derive(Debug, Default)]
pub struct Export {
    /// The content by the path below the folder.
    pub files: BTreeMap<String, Vec<u8>>,
    /// How many of them are pages.
    pub pages: usize,
    /// Labels or types of widgets that had no data in time.
    pub without_data: BTreeSet<String>,
    /// Labels or types of widgets that are left out, because they say something about the viewer.
    pub left_out: BTreeSet<String>,
    /// The addresses of pages to which others link, but which are not exported.
    pub missing: BTreeSet<String>,
}
