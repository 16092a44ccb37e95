//! Data of the editor: config files, and the files of other dashboards.

use config::json::FromJson;
use serde::{Deserialize, Serialize};

/// A config file: the root, or that of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "camelCase")]
pub struct ConfigFileSummary {
    /// The page, as its address names it; `None` for the root.
    pub page: Option<String>,
    /// Name of the file, or the address of one on another host.
    pub file: String,
    /// The name of the page.
    pub title: String,
    /// Whether it is on another host, and so cannot be edited here.
    pub remote: bool,
    /// Whether it has comments, which are lost when a section is copied to it.
    pub comments: bool,
    /// The number of sections.
    pub sections: usize,
    /// The number of items.
    pub items: usize,
    /// The number of widgets.
    pub widgets: usize,
    /// Its problems, each with its line.
    pub problems: Vec<String>,
    /// Why it cannot be read. The numbers are then those of its last valid version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

/// A file to convert.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFile {
    /// Its name without folders; empty for text that was pasted.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// The converted sections of another dashboard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ImportedSections {
    /// The sections as a JSON list, as in the config.
    pub sections: String,
    /// Where they come from and what they contain, as a sentence.
    pub summary: String,
    /// What could not be imported, each with its position in the files.
    pub lost: Vec<String>,
    /// What differs or is left to do, each with its position in the files.
    pub changed: Vec<String>,
}
