//! The result of a widget: a small tree of parts. The page renders each kind of part in one way, for all widgets.
//!
//! Everything is data: numbers have units, times are moments, and our words are separate from the words of services, so
//! that the page can format them in the viewer's language. Only [`RichText`] contains markup, which is sanitized.

mod chart;
mod datum;
mod fold;
mod format;
mod heat_map;
mod layout;
mod link;
mod list;
#[cfg(feature = "server")]
mod markup;
mod measure;
mod month;
mod part;
mod phrase;
#[cfg(feature = "server")]
mod pictures;
#[cfg(feature = "server")]
mod plain_text;
mod qr_code;
mod rates;
mod rich_text;
mod safe_url;
mod special;
#[cfg(feature = "server")]
mod texts;
mod tone;

use serde::{Deserialize, Serialize};

pub use chart::{Axis, Chart, ChartShape, Point, Series, Sparkline, State, Timeline, TimelineState};
pub use datum::{Datum, Link, Phrase};
pub use fold::{VISIBLE_ROWS, rows};
pub use format::{Decimals, Length, RelativeLength, Style, TimeFormat, TimeParts, Unit};
pub use heat_map::{HeatDay, HeatMap};
pub use layout::{ActionButton, Heading, Notice, Paragraph, Space};
pub use link::Picture;
pub use list::{Cell, Column, Entries, Fact, Facts, ListEntry, Row, Stat, Stats, Step, Table};
pub use measure::{Donut, Gauge, Headline, Meter, Slice};
pub use month::{Month, MonthDay, MonthEvent};
pub use part::{Columns, Details, Forecast, ForecastDay, Part};
#[cfg(feature = "server")]
pub use pictures::Role;
#[cfg(feature = "server")]
pub use plain_text::{PlainText, teaser};
pub use qr_code::QrCode;
pub use rates::{Rate, Rates};
pub use rich_text::RichText;
pub use safe_url::SafeUrl;
pub use special::{
    Clock, Embedded, Frame, Image, SearchBox, SearchEngine, SearchTarget, Size, WeatherDay, WeatherIcon, WeatherSummary,
};
pub use tone::Tone;
use tone::is_default;

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
