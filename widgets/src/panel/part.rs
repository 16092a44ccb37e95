//! The parts of a panel, and those that contain others.

use serde::{Deserialize, Serialize};

use super::{
    ActionButton, Chart, Clock, Datum, Donut, Entries, Facts, Frame, Gauge, Heading, Headline, HeatMap, Image, Meter,
    Month, Notice, Paragraph, Phrase, QrCode, Rates, RichText, SearchBox, Space, Sparkline, Stats, Table, Timeline,
    WeatherIcon, WeatherSummary, is_default,
};

macro_rules! parts {
    ($( $(#[doc = $doc:literal])* $variant:ident($part:ty), )*) => {
        /// One part of a panel.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum Part {
            $( $(#[doc = $doc])* $variant($part), )*
        }

        impl Part {
            /// The names of all parts.
            pub const NAMES: &[&str] = &[$( stringify!($variant) ),*];

            /// The name of this part, one of [`Part::NAMES`].
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant(_) => stringify!($variant), )*
                }
            }
        }

        $(
            impl From<$part> for Part {
                fn from(part: $part) -> Self {
                    Self::$variant(part)
                }
            }
        )*
    };
}

parts! {
    /// A title inside the panel.
    Heading(Heading),
    /// A few sentences.
    Paragraph(Paragraph),
    /// Markup from a service.
    RichText(RichText),
    /// One large value.
    Headline(Headline),
    /// A few numbers with labels, side by side.
    Stats(Stats),
    /// Labels and values, one below the other.
    Facts(Facts),
    /// Titles with links, texts, dates and pictures.
    Entries(Entries),
    /// Rows and columns.
    Table(Table),
    /// The value of one unit of a currency in others.
    Rates(Rates),
    /// A bar that is partly full.
    Meter(Meter),
    /// A dial.
    Gauge(Gauge),
    /// Lines, areas or bars above an axis.
    Chart(Chart),
    /// Shares of a whole.
    Donut(Donut),
    /// A small line chart without axes.
    Sparkline(Sparkline),
    /// A sequence of states.
    Timeline(Timeline),
    /// Days colored by how much happened on them.
    HeatMap(HeatMap),
    /// A QR code.
    QrCode(QrCode),
    /// A picture.
    Image(Image),
    /// The weather of a place.
    Weather(WeatherSummary),
    /// The weather of several days.
    Forecast(Forecast),
    /// The days of a month.
    Month(Month),
    /// A running clock.
    Clock(Clock),
    /// A field for a web search.
    Search(SearchBox),
    /// Another page in a frame.
    Frame(Frame),
    /// Parts that can be collapsed.
    Details(Details),
    /// A button that changes something.
    Action(ActionButton),
    /// A sentence about a state.
    Notice(Notice),
    /// Parts side by side.
    Columns(Columns),
    /// Empty space.
    Space(Space),
}

/// Parts that can be collapsed ("Show more").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Details {
    /// The text that stays visible; empty for "Show more" and "Show less".
    #[serde(skip_serializing_if = "is_default")]
    pub summary: Phrase,
    /// If this is the rest of a list, how many rows it has: without a summary, it then says "Show 4 more".
    #[serde(skip_serializing_if = "is_default")]
    pub rows: Option<usize>,
    /// Whether it is open initially.
    #[serde(skip_serializing_if = "is_default")]
    pub open: bool,
    /// The collapsible parts.
    pub parts: Vec<Part>,
}

impl Details {
    /// The rest of a list: so many rows, behind "Show 4 more".
    #[must_use]
    pub fn rest(rows: usize, parts: Vec<Part>) -> Self {
        Self { rows: Some(rows), parts, ..Self::default() }
    }
}

/// Parts side by side if there is room, otherwise one below the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Columns {
    /// The columns, each with its parts.
    pub columns: Vec<Vec<Part>>,
}

/// The weather of several days, one below the other. The bars from the lowest to the highest
/// temperature have the same scale for all days.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Forecast {
    /// The days, in order.
    pub days: Vec<ForecastDay>,
    /// How many days are visible before "Show 4 more", set by [`super::Panel::new`]; `None` means all.
    #[serde(skip_serializing_if = "is_default")]
    pub folded_after: Option<usize>,
}

/// The weather of one day.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ForecastDay {
    /// Which day it is.
    pub label: Datum,
    /// What the sky looks like.
    pub icon: WeatherIcon,
    /// The weather as text.
    #[serde(skip_serializing_if = "is_default")]
    pub description: Phrase,
    /// The lowest temperature; all days have the same unit.
    #[serde(skip_serializing_if = "is_default")]
    pub lowest: Datum,
    /// The highest temperature.
    #[serde(skip_serializing_if = "is_default")]
    pub highest: Datum,
    /// The probability of rain; missing if there is none.
    #[serde(skip_serializing_if = "is_default")]
    pub rain: Datum,
    /// The details that a click on the day opens; empty if the day cannot be clicked.
    #[serde(skip_serializing_if = "is_default")]
    pub parts: Vec<Part>,
}
