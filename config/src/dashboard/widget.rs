//! Widgets: what their frames show, and where they are looked up.

use serde::{Deserialize, Serialize};

use super::is_default;

/// A widget's place in a section. [`Dashboard::for_viewer`] knows where it stands and what type is written; the server,
/// which knows the types, fills in the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WidgetView {
    /// Zero-based position in the section's list.
    pub index: usize,
    /// Id of its element, unique on the page.
    pub id: String,
    /// Our name of the type, for the class `widget-…`; made of the written one if we do not know it.
    pub kind: String,
    /// The type as it stands in the file.
    pub written: String,
    /// Caption.
    #[serde(skip_serializing_if = "is_default")]
    pub label: Option<String>,
    /// What the address of its own page calls it, below the address of the section; none if nothing leads there.
    #[serde(skip_serializing_if = "is_default")]
    pub address: Option<String>,
    /// Further classes of its element; each is a plain word.
    #[serde(skip_serializing_if = "is_default")]
    pub classes: Vec<String>,
    /// Who looks things up for it.
    pub place: WidgetPlace,
    /// Seconds between two looks; none for one look only.
    #[serde(skip_serializing_if = "is_default")]
    pub refresh: Option<u32>,
    /// Whether it has a button that looks again.
    pub controls: bool,
    /// No error box.
    #[serde(skip_serializing_if = "is_default")]
    pub ignore_errors: bool,
    /// Whether the viewer can change what it keeps in the config file.
    #[serde(skip_serializing_if = "is_default")]
    pub writable: bool,
    /// The panel of a [`WidgetPlace::Local`], or what is wrong with a [`WidgetPlace::Broken`] one, as markup.
    #[serde(skip_serializing_if = "is_default")]
    pub html: String,
}

/// Who looks things up for a widget (docs/spec/widgets.md 2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WidgetPlace {
    /// The server.
    Server,
    /// The browser.
    Browser,
    /// Nobody: the panel follows from the options alone.
    Local,
    /// Nobody: the options are wrong, or the type is unknown.
    #[default]
    Broken,
}

impl WidgetPlace {
    /// The word of the attribute `data-place`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Browser => "browser",
            Self::Local => "local",
            Self::Broken => "broken",
        }
    }
}
