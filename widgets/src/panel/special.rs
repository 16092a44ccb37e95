//! Parts that only one or two widgets use: weather, clock, search, picture, frame.

use serde::{Deserialize, Serialize};

use super::{Datum, Phrase, SafeUrl, is_default};

/// The current weather of a place, or that of a day.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WeatherSummary {
    /// What the sky looks like.
    pub icon: WeatherIcon,
    /// Whether it is night there.
    #[serde(skip_serializing_if = "is_default")]
    pub night: bool,
    /// The temperature.
    pub temperature: Datum,
    /// The lower end, for a day.
    #[serde(skip_serializing_if = "is_default")]
    pub lowest: Option<Datum>,
    /// The weather as text.
    #[serde(skip_serializing_if = "is_default")]
    pub description: Phrase,
    /// The place or the day.
    #[serde(skip_serializing_if = "is_default")]
    pub label: Datum,
    /// The temperatures of the whole day, drawn as columns.
    #[serde(skip_serializing_if = "is_default")]
    pub day: Option<WeatherDay>,
}

/// A day from midnight to midnight at its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WeatherDay {
    /// One temperature for each piece of the day, all of the same length, in the unit of the summary.
    pub temperatures: Vec<Option<f64>>,
    /// What share of the day has passed, from 0 to 1.
    pub now: f64,
    /// When the sun rises and sets, as shares of the day.
    #[serde(skip_serializing_if = "is_default")]
    pub sun: Option<(f64, f64)>,
}

/// What the sky looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeatherIcon {
    /// No clouds.
    Clear,
    /// Few clouds.
    FewClouds,
    /// Scattered clouds.
    Clouds,
    /// An overcast sky.
    Overcast,
    /// Fog or mist.
    Fog,
    /// Drizzle.
    Drizzle,
    /// Showers.
    Showers,
    /// Rain.
    Rain,
    /// Rain that freezes.
    FreezingRain,
    /// Snow.
    Snow,
    /// A thunderstorm.
    Thunderstorm,
    /// Not known.
    #[default]
    Unknown,
}

/// A running clock. The page draws it after hydration, with the time zones and languages of the browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Clock {
    /// The IANA name of the zone; `None` means the browser's.
    #[serde(skip_serializing_if = "is_default")]
    pub time_zone: Option<String>,
    /// The language as a BCP 47 tag; `None` means the browser's.
    #[serde(skip_serializing_if = "is_default")]
    pub locale: Option<String>,
    /// The place; `None` means that of the browser's zone.
    #[serde(skip_serializing_if = "is_default")]
    pub city: Option<String>,
    /// Whether the line with date and place is hidden.
    #[serde(skip_serializing_if = "is_default")]
    pub hide_date: bool,
    /// Whether the seconds are hidden.
    #[serde(skip_serializing_if = "is_default")]
    pub hide_seconds: bool,
    /// Whether to use the 12-hour format; `None` means the convention of the language.
    #[serde(skip_serializing_if = "is_default")]
    pub twelve_hours: Option<bool>,
}

/// A field for a web search. The browser sends the text directly to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SearchBox {
    /// The engines; Enter uses the first.
    pub engines: Vec<SearchEngine>,
    /// The placeholder of the empty field.
    #[serde(skip_serializing_if = "is_default")]
    pub placeholder: Option<String>,
    /// Where the result opens.
    #[serde(skip_serializing_if = "is_default")]
    pub opening_method: SearchTarget,
}

/// One engine of a search field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchEngine {
    /// Its name.
    pub title: String,
    /// The address to which the encoded text is appended, or in which it replaces `%s`.
    pub url: SafeUrl,
}

/// Where a page opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SearchTarget {
    /// In a new tab.
    #[default]
    NewTab,
    /// In this tab.
    SameTab,
    /// In the workspace, next to the sidebar.
    Workspace,
}

/// A picture as the content of a widget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// Its address: on the web, or a path on this server, to which the page adds its base path.
    pub url: SafeUrl,
    /// Where it comes from, shown if it cannot be loaded: its path on this server, or its host.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: String,
    /// What it shows; empty means the label of the widget, or else the file name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alt: String,
    /// The file name, for display.
    #[serde(default, skip_serializing_if = "is_default")]
    pub file_name: String,
    /// The width; `None` fits the widget.
    #[serde(default, skip_serializing_if = "is_default")]
    pub width: Option<Size>,
    /// The height; `None` fits the widget.
    #[serde(default, skip_serializing_if = "is_default")]
    pub height: Option<Size>,
    /// The caption.
    #[serde(default, skip_serializing_if = "is_default")]
    pub caption: Option<Phrase>,
    /// The link that a click follows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub link: Option<SafeUrl>,
}

/// Another page in a frame, with the permissions of a third-party page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// The page.
    #[serde(default, skip_serializing_if = "is_default")]
    pub url: Option<SafeUrl>,
    /// A page written in the config file. The server gives it an address and puts that into `url`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub embedded: Option<Embedded>,
    /// What it is, for screen readers; empty means the label of the widget.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: Phrase,
    /// The height.
    #[serde(default, skip_serializing_if = "is_default")]
    pub height: Option<Size>,
    /// The value of the `sandbox` attribute, or `false` for no sandbox; `None` means the usual permissions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sandbox: Option<String>,
}

/// A page written in the config file, for a frame without access to our pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Embedded {
    /// Style rules.
    #[serde(skip_serializing_if = "is_default")]
    pub css: Option<String>,
    /// The markup of its body.
    #[serde(skip_serializing_if = "is_default")]
    pub html: Option<String>,
    /// Where markup is loaded from that takes the place of `html`: on the web, or one of the user's files.
    #[serde(skip_serializing_if = "is_default")]
    pub html_src: Option<SafeUrl>,
    /// A script that runs after the markup: on the web, or one of the user's files.
    #[serde(skip_serializing_if = "is_default")]
    pub script_src: Option<SafeUrl>,
    /// A script that runs last.
    #[serde(skip_serializing_if = "is_default")]
    pub script: Option<String>,
}

pub use crate::option_types::Size;
