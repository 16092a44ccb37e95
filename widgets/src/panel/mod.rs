//! The result of a widget: a small tree of parts. The page renders each kind of part in one way, for all widgets.
//!
//! Everything is data: numbers have units, times are moments, and our words are separate from the words of services, so
//! that the page can format them in the viewer's language. Only [`RichText`] contains markup, which is sanitized.

mod chart;
mod datum;
mod fold;
mod forecast;
mod heat_map;
mod layout;
mod link;
mod list;
#[cfg(feature = "server")]
mod markup;
mod measure;
mod month;
mod phrase;
#[cfg(feature = "server")]
mod pictures;
#[cfg(feature = "server")]
mod plain_text;
mod qr_code;
mod rates;
mod rich_text;
mod special;
#[cfg(feature = "server")]
mod texts;

use serde::{Deserialize, Serialize};

pub use chart::{Axis, Chart, ChartShape, Point, Series, Sparkline, State, Timeline, TimelineState};
pub use datum::{Datum, Decimals, Length, RelativeLength, Style, TimeFormat, TimeParts, Unit};
pub use fold::{VISIBLE_ROWS, rows};
pub use forecast::{Forecast, ForecastDay};
pub use heat_map::{HeatDay, HeatMap};
pub use layout::{ActionButton, Columns, Details, Heading, Notice, Paragraph, Space};
pub use link::{Link, Picture, SafeUrl};
pub use list::{Cell, Column, Entries, Fact, Facts, ListEntry, Row, Stat, Stats, Step, Table};
pub use measure::{Donut, Gauge, Headline, Meter, Slice};
pub use month::{Month, MonthDay, MonthEvent};
pub use phrase::Phrase;
#[cfg(feature = "server")]
pub use pictures::Role;
#[cfg(feature = "server")]
pub use plain_text::{PlainText, teaser};
pub use qr_code::QrCode;
pub use rates::{Rate, Rates};
pub use rich_text::RichText;
pub use special::{
    Clock, Embedded, Frame, Image, SearchBox, SearchEngine, SearchTarget, Size, WeatherDay, WeatherIcon, WeatherSummary,
};

/// What one widget shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Panel {
    /// The title above the parts, below the entry's own label.
    #[serde(skip_serializing_if = "is_default")]
    pub title: Option<Heading>,
    /// The parts, from top to bottom.
    pub parts: Vec<Part>,
    /// The source of the data, for services that must be credited. Shown below, small.
    #[serde(skip_serializing_if = "is_default")]
    pub credit: Option<Link>,
}

impl Panel {
    /// A panel with these parts. The points of charts are reduced to the number that is drawn, and long lists are folded
    /// after [`VISIBLE_ROWS`].
    #[must_use]
    pub fn new(mut parts: Vec<Part>) -> Self {
        for part in &mut parts {
            if let Part::Chart(chart) = part {
                chart.thin();
            }
        }
        fold::fold(&mut parts);
        Self { parts, ..Self::default() }
    }

    /// A panel that says that there is nothing to show.
    #[must_use]
    pub fn empty(sentence: impl Into<Phrase>) -> Self {
        Self::new(vec![Notice::empty(sentence).into()])
    }

    /// Sets the title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<Heading>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the credit below.
    #[must_use]
    pub fn credited(mut self, credit: Link) -> Self {
        self.credit = Some(credit);
        self
    }
}

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

/// The meaning of a value, which determines its color (`--success`, `--warning`, ... of docs/spec/widgets.md 8).
///
/// There is one tone between good and bad, not a yellow and an orange one: themes define one such color, and in many of
/// them two could not be told apart. If the degree matters, the value names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Tone {
    /// No particular meaning.
    #[default]
    Plain,
    /// Good.
    Success,
    /// Not good yet.
    Warning,
    /// Bad.
    Danger,
    /// Worth knowing.
    Info,
    /// Off or unknown.
    Neutral,
    /// Black, because the config says so; no meaning.
    Black,
    /// White, because the config says so; no meaning.
    White,
}

/// Omits defaults from the data sent to a browser.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
