//! A widget's entry in a section (docs/spec/config.md 9). This crate does not know what its options mean.

use serde_json::{Map, Value};

use super::{
    block::{Block, Described},
    words::words,
};

/// A widget: something that changes, such as the time, the weather or the state of a service. `updateInterval`,
/// `useProxy`, `timeout`, `ignoreErrors` and `label` may also be inside `options`, where they take precedence.
///
/// Only its position, its type, its place and its tab are read here. `widgets::Entry` reads the rest, from the raw entry.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "Widget", name = "a widget", other_keys)]
pub struct WidgetEntry {
    /// Zero-based position in the list, counting broken widgets before it.
    #[config(computed = |entry| entry.index())]
    pub index: usize,
    /// Type of the widget, in upper or lower case.
    #[config(key = "type", required, examples("clock", "weather", "rss-feed"))]
    pub kind: String,
    /// Settings of this type of widget. The name of an environment variable that begins with `PORTICO_`, `DASHY_`,
    /// `VITE_APP_` or `VUE_APP_` stands for its value, so that keys need not be in the file. If the name ends with
    /// `_FILE`, the variable names a file that contains the value.
    #[config(nullable, elsewhere)]
    pub options: Described<Map<String, Value>>,
    /// Seconds between two refreshes. `true` means 30; `false` and 0 mean never.
    #[config(
        elsewhere,
        rule = Rule::NumberOrFlag,
        limit = ReadLimit::Clamped((2, 7200)),
        unset = "depends on the type"
    )]
    pub update_interval: Described<u32>,
    /// Fetches the data on the server, not in the browser.
    #[config(elsewhere, unset = "`appConfig.widgetsAlwaysUseProxy`")]
    pub use_proxy: Described<bool>,
    /// Timeout of one refresh in milliseconds.
    #[config(elsewhere, limit = ReadLimit::Clamped((100, 60_000)), default = 10_000)]
    pub timeout: Described<u32>,
    /// Hides errors. Admins still see wrong options and rejected credentials, since they can fix them.
    #[config(elsewhere)]
    pub ignore_errors: Described<bool>,
    /// Caption above the widget.
    #[config(elsewhere, max_chars = 200)]
    pub label: Described<String>,
    /// Where the widget is shown: as a card in its section, or as a small fact in the bar below the header. A fact shows
    /// only the most important values, such as the temperature, the share of memory in use or the next event.
    pub place: WidgetSpot,
    /// Name of the tab that the widget stands in. The widgets of a section with a tab form one group, in which one tab is
    /// visible at a time; widgets with the same name share a tab.
    #[config(max_chars = 60)]
    pub tab: Option<String>,
    /// Hides the refresh button, but not the link to the widget's own page.
    #[config(elsewhere)]
    pub hide_controls: Described<bool>,
    /// Additional CSS classes of its element.
    #[config(elsewhere)]
    pub class: Described<String>,
    /// Id of its element. Letters, digits, `-` and `_` are kept; if the id is already used, a number is added.
    #[config(elsewhere, rule = Rule::Any, unset = "`widget-` with the positions of section and widget")]
    pub id: Described<String>,
    /// Accepts certificates that cannot be verified. Use this only for services in your own network.
    #[config(elsewhere)]
    pub insecure: Described<bool>,
    /// Another name of `insecure`, which takes precedence.
    #[config(elsewhere)]
    pub allow_insecure: Described<bool>,
}

/// Where a widget is shown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum WidgetSpot {
    /// As a card in its section.
    #[default]
    Section,
    /// As a small fact in the bar below the header.
    Header,
}

words!(WidgetSpot: "section" => Section, "header" => Header);
