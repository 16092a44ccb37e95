//! A widget's entry in a section (docs/spec/config.md 9). What its options mean is not known here.

use serde_json::{Map, Value};

use super::block::{Block, Described};

/// A widget: something that changes, such as the time, the weather or the state of a service. `updateInterval`,
/// `useProxy`, `timeout`, `ignoreErrors` and `label` may also stand inside `options`, where they win.
///
/// Only its position and its type are read here. `widgets::Entry` reads the rest, from the raw entry.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "a widget", other_keys)]
pub struct Widget {
    /// Zero-based position in the list; broken widgets before it are counted.
    #[config(computed = |entry| entry.index())]
    pub index: usize,
    /// What kind of widget it is, in upper or lower case.
    #[config(key = "type", required, examples("clock", "weather", "rss-feed"))]
    pub kind: String,
    /// Settings of this type of widget. The name of an environment variable that begins with `PORTICO_`, `DASHY_`,
    /// `VITE_APP_` or `VUE_APP_` stands for its value, so that no key need be in the file; with `_FILE` at its end, the
    /// variable names a file that holds the value.
    #[config(nullable, elsewhere)]
    pub options: Described<Map<String, Value>>,
    /// Seconds between two lookups. `true` means 30, `false` or 0 never.
    #[config(
        elsewhere,
        rule = Rule::NumberOrFlag,
        limit = Limit::Clamped((2, 7200)),
        unset = "as this type of widget usually does"
    )]
    pub update_interval: Described<u32>,
    /// The server looks things up, not the browser.
    #[config(elsewhere, unset = "`appConfig.widgetsAlwaysUseProxy`")]
    pub use_proxy: Described<bool>,
    /// Time limit of one lookup in milliseconds.
    #[config(elsewhere, limit = Limit::Clamped((100, 60_000)), default = 10_000)]
    pub timeout: Described<u32>,
    /// Shows nothing in place of an error. Admins still see wrong options and refused logins, which they can mend.
    #[config(elsewhere)]
    pub ignore_errors: Described<bool>,
    /// Caption above the widget.
    #[config(elsewhere, max_chars = 200)]
    pub label: Described<String>,
    /// Hides the button that looks again, not the link to the widget's own page.
    #[config(elsewhere)]
    pub hide_controls: Described<bool>,
    /// CSS classes that its element gets besides its own.
    #[config(elsewhere)]
    pub class: Described<String>,
    /// Id of its element. Letters, digits, `-` and `_` are kept; a second one with the same id gets a number.
    #[config(elsewhere, rule = Rule::Any, unset = "`widget-` with the positions of section and widget")]
    pub id: Described<String>,
    /// Accepts certificates that nobody vouches for. Only for services in your own network.
    #[config(elsewhere)]
    pub insecure: Described<bool>,
}
