//! What saving a draft also writes to the files of other pages.

use serde::{Deserialize, Serialize};

/// What saving a draft also writes to the file of another page.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageCopy {
    /// The file of a new page begins as a copy of another page's file.
    Page {
        /// Name of the new file.
        file: String,
        /// Name of the file to copy.
        of: String,
    },
    /// A section is added at the end of a page.
    Section {
        /// Name of the page's file.
        file: String,
        /// Whether the file has comments, which are lost.
        comments: bool,
        /// The section, as JSON.
        section: String,
        /// Whether the draft no longer has the section, so that its own file may only be saved after this one.
        #[serde(default)]
        moved: bool,
    },
}
