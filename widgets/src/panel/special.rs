//! Parts that one or two widgets need: weather, clock, search, picture, frame.

use serde::{Deserialize, Serialize};

use super::{Datum, Phrase, SafeUrl, is_default};

/// The weather of a place in one look.
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
    /// What it is, in words.
    #[serde(skip_serializing_if = "is_default")]
    pub description: Phrase,
    /// Where, or on which day.
    #[serde(skip_serializing_if = "is_default")]
    pub label: Datum,
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

/// A running clock. The page draws it after hydration, with the zones and languages of the browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Clock {
    /// The IANA name of the zone; nothing for that of the browser.
    #[serde(skip_serializing_if = "is_default")]
    pub time_zone: Option<String>,
    /// The language as a BCP 47 tag; nothing for that of the browser.
    #[serde(skip_serializing_if = "is_default")]
    pub locale: Option<String>,
    /// The place; nothing for that of the browser's zone.
    #[serde(skip_serializing_if = "is_default")]
    pub city: Option<String>,
    /// Leaves out the line with date and place.
    #[serde(skip_serializing_if = "is_default")]
    pub hide_date: bool,
    /// Leaves out the seconds.
    #[serde(skip_serializing_if = "is_default")]
    pub hide_seconds: bool,
    /// Twelve or twenty-four hours; nothing for the habit of the language.
    #[serde(skip_serializing_if = "is_default")]
    pub twelve_hours: Option<bool>,
}

/// A field for a web search. The text goes from the browser to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SearchBox {
    /// The engines; the first is asked when Enter is pressed.
    pub engines: Vec<SearchEngine>,
    /// Stands in the empty field.
    #[serde(skip_serializing_if = "is_default")]
    pub placeholder: Option<String>,
    /// Where the result opens.
    #[serde(skip_serializing_if = "is_default")]
    pub opening_method: OpeningMethod,
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
pub enum OpeningMethod {
    /// In a new tab.
    #[default]
    NewTab,
    /// In this tab.
    SameTab,
    /// In the workspace beside the sidebar.
    Workspace,
}

/// A picture as the content of a widget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// Where it is: on the web, or a path of this server, before which the page puts its base.
    pub url: SafeUrl,
    /// What it is called where it cannot be loaded: its path on this server, or the host that has it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: String,
    /// What it shows; empty for the label of the widget, or else the name of the file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alt: String,
    /// The name of the file, as people write it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub file_name: String,
    /// The width; nothing for what fits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub width: Option<Size>,
    /// The height; nothing for what fits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub height: Option<Size>,
    /// Words below.
    #[serde(default, skip_serializing_if = "is_default")]
    pub caption: Option<Phrase>,
    /// Where a click leads.
    #[serde(default, skip_serializing_if = "is_default")]
    pub link: Option<SafeUrl>,
}

/// Another page in a frame, with the rights that a stranger has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// The page.
    #[serde(default, skip_serializing_if = "is_default")]
    pub url: Option<SafeUrl>,
    /// A page that is written in the config file. The server gives it an address and puts that into `url`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub embedded: Option<Embedded>,
    /// What it is, for those who do not see it.
    pub title: Phrase,
    /// The height.
    #[serde(default, skip_serializing_if = "is_default")]
    pub height: Option<Size>,
    /// The rights of the page, as the attribute `sandbox` lists them, or `false` for all of them; none for the usual ones.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sandbox: Option<String>,
}

/// A page that is written in the config file, for a frame without access to ours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Embedded {
    /// Style rules.
    #[serde(skip_serializing_if = "is_default")]
    pub css: Option<String>,
    /// The markup of its body.
    #[serde(skip_serializing_if = "is_default")]
    pub html: Option<String>,
    /// A script that runs after the markup: on the web, or a file of the user's.
    #[serde(skip_serializing_if = "is_default")]
    pub script_src: Option<SafeUrl>,
    /// A script that runs last.
    #[serde(skip_serializing_if = "is_default")]
    pub script: Option<String>,
}

pub use crate::option_types::Size;
