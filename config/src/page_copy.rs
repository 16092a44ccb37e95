//! What saving a draft also writes to the files of other pages.

use serde::{Deserialize, Serialize};

use crate::json::{FromJson, Json, member};

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

impl FromJson for PageCopy {
    fn from_json(json: &impl Json) -> Option<Self> {
        if let Some(page) = json.member("page") {
            return Some(Self::Page { file: member(&page, "file"), of: member(&page, "of") });
        }
        let section = json.member("section")?;
        Some(Self::Section {
            file: member(&section, "file"),
            comments: member(&section, "comments"),
            section: member(&section, "section"),
            moved: member(&section, "moved"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_read_as_they_are_written() {
        for copy in [
            PageCopy::Page { file: "b.yml".to_owned(), of: "a.yml".to_owned() },
            PageCopy::Section { file: "a.yml".to_owned(), comments: true, section: "{}".to_owned(), moved: true },
        ] {
            let json = serde_json::to_value(&copy).unwrap();
            assert_eq!(PageCopy::from_json(&json), Some(copy));
        }
        assert_eq!(PageCopy::from_json(&serde_json::json!({ "other": {} })), None);
    }
}
