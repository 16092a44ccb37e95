//! Widgets: what their frames show, and where their data is fetched.

use serde::{Deserialize, Serialize};

use super::defaults::is_default;

/// A widget's place in a section. [`Dashboard::for_viewer`] fills in its position and the type as written; the server,
/// which knows the types, fills in the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WidgetView {
    /// Zero-based position in the section's list.
    pub index: usize,
    /// Id of its element, unique on the page.
    pub id: String,
    /// Our name for the type, for the class `widget-…`; derived from the written name if the type is unknown.
    pub kind: String,
    /// The type as written in the file.
    pub written: String,
    /// Caption.
    #[serde(skip_serializing_if = "is_default")]
    pub label: Option<String>,
    /// The name of its tab, if it is in a group of tabs.
    #[serde(skip_serializing_if = "is_default")]
    pub tab: Option<String>,
    /// The last segment of the address of the widget's own page, below the section's address; `None` if it has no page.
    #[serde(skip_serializing_if = "is_default")]
    pub address: Option<String>,
    /// Additional classes of its element, each a plain word.
    #[serde(skip_serializing_if = "is_default")]
    pub classes: Vec<String>,
    /// Where its data is fetched.
    pub place: WidgetState,
    /// Seconds between two refreshes; `None` if it is fetched only once.
    #[serde(skip_serializing_if = "is_default")]
    pub refresh: Option<u32>,
    /// Whether it has a refresh button.
    pub controls: bool,
    /// Whether errors are hidden.
    #[serde(skip_serializing_if = "is_default")]
    pub ignore_errors: bool,
    /// Whether the viewer can change what the widget stores in the config file.
    #[serde(skip_serializing_if = "is_default")]
    pub writable: bool,
    /// What is odd about its options although it works, in sentences for admins.
    #[serde(skip_serializing_if = "is_default")]
    pub hints: Vec<String>,
    /// Markup: the panel of a [`WidgetState::Local`] widget, or the error of a [`WidgetState::Broken`] one.
    #[serde(skip_serializing_if = "is_default")]
    pub html: String,
}

/// A widget in the bar below the header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FactView {
    /// The position of its section in the file.
    pub section: usize,
    /// The widget.
    pub widget: WidgetView,
}

/// Where a widget's data is fetched (docs/spec/widgets.md 2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WidgetState {
    /// On the server.
    Server,
    /// In the browser.
    Browser,
    /// Nowhere: the panel depends only on the options.
    Local,
    /// Nowhere: the options are wrong, or the type is unknown.
    #[default]
    Broken,
}

impl WidgetState {
    /// The value of the attribute `data-place`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Browser => "browser",
            Self::Local => "local",
            Self::Broken => "broken",
        }
    }
}
