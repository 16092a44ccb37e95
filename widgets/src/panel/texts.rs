//! The texts of a panel that are not ours, so that the server can search them for keys.

use super::{
    ActionButton, Axis, Cell, Chart, Column, Columns, Datum, Details, Donut, Entries, Fact, Facts, Forecast,
    ForecastDay, Frame, Gauge, Heading, Headline, HeatDay, HeatMap, Image, Link, ListEntry, Meter, Month, MonthDay,
    MonthEvent, Notice, Panel, Paragraph, Part, Phrase, Picture, QrCode, Rate, Rates, RichText, Row, SafeUrl, Series,
    Slice, Space, Sparkline, Stat, Stats, Step, Table, Timeline, TimelineState, Unit, WeatherSummary,
};
use crate::Action;

/// Called with each text.
type TextVisitor<'a> = &'a mut dyn FnMut(&mut String);

impl Panel {
    /// Calls `change` with every text that may come from a service, including addresses and markup. This excludes our
    /// own words, numbers and times, and also what comes only from the config file and is needed in the browser:
    /// engines, clocks, frames, and the link of a picture.
    pub fn change_texts(&mut self, change: &mut dyn FnMut(&mut String)) {
        let Self { title, parts, credit } = self;
        title.texts(change);
        parts.texts(change);
        credit.texts(change);
    }
}

/// A value that may contain texts.
trait Texts {
    fn texts(&mut self, change: TextVisitor<'_>);

    /// Whether nothing useful is left, as for an address that is no longer valid.
    fn is_lost(&self) -> bool {
        false
    }
}

impl<T: Texts> Texts for Option<T> {
    fn texts(&mut self, change: TextVisitor<'_>) {
        self.iter_mut().for_each(|inner| inner.texts(change));
        self.take_if(|inner| inner.is_lost());
    }
}

impl<T: Texts> Texts for Vec<T> {
    fn texts(&mut self, change: TextVisitor<'_>) {
        self.iter_mut().for_each(|inner| inner.texts(change));
    }
}

impl<T: Texts> Texts for Box<T> {
    fn texts(&mut self, change: TextVisitor<'_>) {
        self.as_mut().texts(change);
    }
}

impl Texts for String {
    fn texts(&mut self, change: TextVisitor<'_>) {
        change(self);
    }
}

/// Fields with texts; after the semicolon, those without. All are listed, so that a new one cannot be forgotten.
macro_rules! texts {
    ($( $type:ident { $($field:ident),* ; $($other:ident),* } )*) => {
        $(
            impl Texts for $type {
                fn texts(&mut self, change: TextVisitor<'_>) {
                    let Self { $($field,)* $($other: _),* } = self;
                    $( $field.texts(change); )*
                }
            }
        )*
    };
}

texts! {
    Action { name, target; }
    ActionButton { action, label, question; tone }
    Cell { value, line, shares, picture, hint; tone, change }
    Chart { title, series, axis, unit, narrow; shape, decimals, height, from_zero, highest, stacked }
    Column { name; numeric, sortable }
    Columns { columns; }
    Details { summary, parts; open, rows }
    Donut { title, center, slices; flat }
    Entries { entries; folded_after }
    ListEntry {
        title, url, source, day, state, text, author, picture, opposite, values, steps, tags, hint, action;
        copyable, opens, goes_on, date, date_style, tag_action, tone, color, highlighted
    }
    Fact { label, value, more, hint; tone }
    Facts { facts; }
    Forecast { days; folded_after }
    ForecastDay { label, description, lowest, highest, rain, parts; icon }
    Frame { title; url, embedded, height, sandbox }
    Gauge { label, value; share, steps, wide }
    Heading { text, url, picture, subtitle; }
    Headline { value, caption, change; tone, copyable }
    HeatDay { value; day, level }
    HeatMap { title, days; first_row }
    Image { url, source, alt, file_name, caption; width, height, link }
    Meter { label, text, hint; share, tone, color, pieces }
    Month { weeks; month }
    MonthDay { events; day, number, outside, today, more }
    MonthEvent { title; at, offset, color }
    Notice { text; tone }
    Paragraph { text; tone, small, quote, monospace }
    QrCode { label; rows }
    Rate { code; value }
    Rates { base, rates; }
    Row { cells, url, action; tone }
    Series { name; color, tone, palette, below, points }
    Slice { label, value, hint; size, tone, color, palette }
    Space { text; height }
    Sparkline { title; values, color, tone }
    Stat { label, value, more, hint; tone, course }
    Stats { stats; }
    Step { text; color }
    Table { columns, rows; folded_after, headless, one_line }
    Timeline { title, states; }
    TimelineState { hint; state, at }
    WeatherSummary { temperature, lowest, description, label; icon, night, day }
}

impl Texts for Part {
    fn texts(&mut self, change: TextVisitor<'_>) {
        match self {
            Self::Heading(part) => part.texts(change),
            Self::Paragraph(part) => part.texts(change),
            Self::RichText(part) => part.texts(change),
            Self::Headline(part) => part.texts(change),
            Self::Stats(part) => part.texts(change),
            Self::Facts(part) => part.texts(change),
            Self::Entries(part) => part.texts(change),
            Self::Table(part) => part.texts(change),
            Self::Rates(part) => part.texts(change),
            Self::Meter(part) => part.texts(change),
            Self::Gauge(part) => part.texts(change),
            Self::Chart(part) => part.texts(change),
            Self::Donut(part) => part.texts(change),
            Self::Sparkline(part) => part.texts(change),
            Self::Timeline(part) => part.texts(change),
            Self::Image(part) => part.texts(change),
            Self::Weather(part) => part.texts(change),
            Self::Forecast(part) => part.texts(change),
            Self::Month(part) => part.texts(change),
            Self::HeatMap(part) => part.texts(change),
            Self::QrCode(part) => part.texts(change),
            Self::Frame(part) => part.texts(change),
            Self::Details(part) => part.texts(change),
            Self::Action(part) => part.texts(change),
            Self::Notice(part) => part.texts(change),
            Self::Columns(part) => part.texts(change),
            Self::Space(part) => part.texts(change),
            Self::Clock(_) | Self::Search(_) => {}
        }
    }
}

impl Texts for Phrase {
    fn texts(&mut self, change: TextVisitor<'_>) {
        match self {
            Self::Ours(_) => {}
            Self::Filled { words: _, with } => with.values_mut().for_each(|value| value.texts(change)),
            Self::Foreign { foreign: text } | Self::Message { message: text } => change(text),
        }
    }
}

impl Texts for Datum {
    fn texts(&mut self, change: TextVisitor<'_>) {
        match self {
            Self::Text(text) => change(text),
            Self::Words(words) => words.texts(change),
            Self::Strong { text, meaning } => {
                change(text);
                meaning.texts(change);
            }
            Self::Number { value, unit, .. } => {
                // A number whose digits were all removed was a key.
                let mut digits = value.to_string();
                change(&mut digits);
                if digits.bytes().any(|byte| byte.is_ascii_digit()) {
                    unit.texts(change);
                } else {
                    *self = Self::Text(digits);
                }
            }
            Self::Link(link) => {
                link.texts(change);
                if link.is_lost() {
                    *self = Self::Words(std::mem::take(&mut link.text));
                }
            }
            Self::Toned { value, tone: _ } => value.texts(change),
            Self::Missing | Self::Time { .. } | Self::FormattedTime { .. } | Self::Days { .. } | Self::Flag(_) => {}
        }
    }
}

impl Texts for Unit {
    fn texts(&mut self, change: TextVisitor<'_>) {
        if let Self::Currency(sign) | Self::Sign(sign) = self {
            change(sign);
        }
    }
}

impl Texts for Axis {
    fn texts(&mut self, change: TextVisitor<'_>) {
        match self {
            Self::Time => {}
            Self::Labels(labels) => labels.texts(change),
        }
    }
}

impl Texts for SafeUrl {
    fn texts(&mut self, change: TextVisitor<'_>) {
        // Paths on this server have generated names.
        if self.is_remote() {
            self.change(change);
        }
    }

    fn is_lost(&self) -> bool {
        self.as_str().is_empty()
    }
}

impl Texts for Link {
    fn texts(&mut self, change: TextVisitor<'_>) {
        let Self { text, url } = self;
        text.texts(change);
        url.texts(change);
    }

    fn is_lost(&self) -> bool {
        self.url.is_lost()
    }
}

impl Texts for Picture {
    fn texts(&mut self, change: TextVisitor<'_>) {
        let Self { url, alt } = self;
        url.texts(change);
        alt.texts(change);
    }

    fn is_lost(&self) -> bool {
        self.url.is_lost()
    }
}

impl Texts for RichText {
    fn texts(&mut self, change: TextVisitor<'_>) {
        self.change_texts(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panel::{SearchBox, SearchEngine, Tone};

    #[test]
    fn what_is_an_address_no_longer_is_no_link() {
        let link = || Link::parse(Phrase::foreign("A post"), "https://a.example/?key=1").unwrap();
        let row = Row { url: Some(link().url), ..Row::new([link().into(), Datum::count(12_345_678), Datum::count(5)]) };
        let panel = Panel::new(vec![Table { rows: vec![row], ..Table::default() }.into()]);
        let mut panel = Panel { credit: Some(link()), ..panel };
        panel.change_texts(&mut |text| {
            for secret in ["https://a.example/?key=1", "12345678"] {
                *text = text.replace(secret, "***");
            }
        });
        let words = Datum::Words(Phrase::foreign("A post"));
        let row = Row::new([words, Datum::Text("***".to_owned()), Datum::count(5)]);
        assert_eq!(panel, Panel::new(vec![Table { rows: vec![row], ..Table::default() }.into()]));
    }

    #[test]
    fn texts_of_others_are_passed_on_and_nothing_else() {
        let link = |text: &str| Link::parse(Phrase::foreign(text), "https://a.example/?key=s3cret-key");
        let cell = Cell { hint: Some(Phrase::foreign("s3cret-key")), ..Datum::text("s3cret-key").into() };
        let engine = SearchEngine {
            title: "Find".to_owned(),
            url: SafeUrl::parse("https://find.example/?token=s3cret-key&q=").unwrap(),
        };
        let chart = Chart {
            series: vec![Series { name: Phrase::foreign("s3cret-key"), ..Series::default() }],
            axis: Axis::Labels(vec![Phrase::foreign("s3cret-key"), "s3cret-key of ours".into()]),
            ..Chart::default()
        };
        let entry = ListEntry {
            url: link("").map(|link| link.url),
            picture: Picture::parse("https://a.example/s3cret-key.png"),
            values: vec![Phrase::from("s3cret-key by {who}").with("who", "s3cret-key").into()],
            ..ListEntry::new(Phrase::foreign("s3cret-key"))
        };
        let markup = r#"<p>s3cret-key &lt; <a href="https://a.example/?s3cret-key" rel="nofollow">s3cret-key</a></p>"#;
        let panel = Panel::new(vec![
            Details { parts: vec![chart.into(), RichText::clean(markup).into()], ..Details::default() }.into(),
            Entries::new(vec![entry]).into(),
            Table { rows: vec![Row { cells: vec![cell], tone: Tone::Danger, ..Row::default() }], ..Table::default() }
                .into(),
            SearchBox { engines: vec![engine], ..SearchBox::default() }.into(),
        ]);
        let mut panel = Panel { credit: link("s3cret-key"), ..panel };
        let mut count = 0;
        panel.change_texts(&mut |text| {
            count += text.matches("s3cret-key").count();
            *text = text.replace("s3cret-key", "***");
        });
        let written = serde_json::to_string(&panel).unwrap();
        // What remains is our own words and the address of an engine.
        assert_eq!((count, written.matches("s3cret-key").count()), (13, 3), "{written}");
        assert!(written.contains(r#"<p>*** &lt; <a href=\"https://a.example/?***\" "#), "{written}");
    }
}
