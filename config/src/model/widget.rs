//! A widget's entry in a section (config.md 9). What its options mean is not known here.

use super::{
    cursor::Cursor,
    shape::{ANY_NUMBER, Others, Preset, Rule, Shape, flag, nullable, optional, required},
};

/// Most characters of a caption.
const LONGEST_LABEL: usize = 200;

/// What a page needs of a widget's entry; the rest is read by the widgets themselves. The shared fields may stand beside
/// `options` or in them; the inner one wins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Widget {
    /// Zero-based position in the list; broken widgets before it are counted.
    pub index: usize,
    /// Type as written; compared without regard to case.
    pub kind: String,
    /// No error box.
    pub ignore_errors: bool,
    /// Caption, at most 200 characters.
    pub label: Option<String>,
    /// No reload button.
    pub hide_controls: bool,
}

pub(crate) const WIDGET: Shape = Shape {
    title: "Widget",
    name: "a widget",
    about: "A widget: something that changes, such as the time, the weather or the state of a service. \
            `updateInterval`, `useProxy`, `timeout`, `ignoreErrors` and `label` may also stand inside `options`, where \
            they win.",
    fields: &[
        required("type", Rule::Text, "What kind of widget it is, in upper or lower case.")
            .examples(&["clock", "weather", "rss-feed"]),
        nullable(
            "options",
            Rule::Map,
            "Settings of this type of widget. The name of an environment variable that begins with `PORTICO_`, `DASHY_`, \
             `VITE_APP_` or `VUE_APP_` stands for its value, so that no key need be in the file; with `_FILE` at its \
             end, the variable names a file that holds the value.",
        )
        .like(Preset::EmptyMapping),
        optional(
            "updateInterval",
            Rule::NumberOrFlag,
            "Seconds between two look-ups. Below 2 it acts as 2, above 7200 as 7200; `true` means 30, `false` or 0 never.",
        )
        .means("as this type of widget usually does"),
        optional("useProxy", Rule::Flag, "The server looks things up, not the browser.")
            .means("`appConfig.widgetsAlwaysUseProxy`"),
        optional(
            "timeout",
            ANY_NUMBER,
            "Time limit of one look-up in milliseconds. Below 100 it acts as 100, above 60000 as 60000.",
        )
        .like(Preset::Number(10_000)),
        flag(
            "ignoreErrors",
            "Shows nothing in place of an error. Admins still see wrong options and refused logins, which they can mend.",
        ),
        optional("label", Rule::Text, "Caption above the widget, at most 200 characters."),
        flag("hideControls", "Hides the button that looks again, not the link to the widget's own page."),
        optional("class", Rule::Text, "CSS classes that its element gets besides its own."),
        optional(
            "id",
            Rule::Any,
            "Id of its element. Letters, digits, `-` and `_` are kept; a second one with the same id gets a number.",
        )
        .means("`widget-` with the positions of section and widget"),
        flag("insecure", "Accepts certificates that nobody vouches for. Only for services in your own network."),
    ],
    others: Others::Allowed,
    demands: &[],
};

impl Widget {
    pub(super) fn read(index: usize, cursor: &Cursor<'_>) -> Self {
        let written = cursor.key("options");
        // Anything else is no options; that is said here, once.
        written.mapping();
        let inner = |key| !written.key(key).is_null();
        // The inner field wins wherever it is set.
        let from = |key| if inner(key) { written } else { *cursor };
        Self {
            index,
            kind: cursor.key("type").filled_text().unwrap_or_default(),
            ignore_errors: from("ignoreErrors").key("ignoreErrors").is_on(),
            label: from("label").key("label").filled_text().map(|label| label.chars().take(LONGEST_LABEL).collect()),
            hide_controls: cursor.key("hideControls").is_on(),
        }
    }
}
