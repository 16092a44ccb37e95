//! One of everything: for the tests and the gallery.

mod days;
mod figures;
mod lists;

use widgets::{Action, Moment, Panel, option_types::Size, panel::*};

use self::{
    days::{forecast, heat_map, month, weather},
    figures::{columns, facts, gauges, headline, meters, rates, stats},
    lists::{emphasis, entries, linked_rows, table, wide_table},
};
use super::drawn::{area, bars, divided, donut, lines, mirrored, sparkline, timelines, traffic};

/// A morning in November.
pub const NOON: Moment = Moment::from_seconds(1_795_262_400);

/// A panel with its name, which is also its widget's label.
pub type Sample = (&'static str, Panel);

/// All parts, in their most common forms.
pub fn all() -> Vec<Sample> {
    let mut samples = vec![
        ("Clock", one(Clock { time_zone: Some("Europe/London".into()), ..Clock::default() })),
        ("Weather", weather()),
        ("Forecast", forecast()),
        ("Month", month()),
        ("Heat map", heat_map()),
        (
            "QR code",
            one(QrCode {
                label: text("The word Portico"),
                rows: ["##.#", "#...", "..##", "####"].map(str::to_owned).to_vec(),
            }),
        ),
        ("Rates", rates()),
        ("Mirrored area", one(mirrored())),
        ("Headline", headline()),
        ("Stats", stats()),
        ("Facts", facts()),
        ("Meters", meters()),
        ("Gauges", gauges()),
        ("Line chart", one(lines())),
        ("Area chart", one(area())),
        ("Bar chart", one(bars())),
        ("Stacked bars", one(Chart { stacked: true, shape: ChartShape::Bars, ..traffic() })),
        ("Stacked area", one(Chart { stacked: true, shape: ChartShape::Area, ..traffic() })),
        ("Ring", donut()),
        ("Sparkline", sparkline()),
        ("Timeline", timelines()),
        ("Entries", entries()),
        ("Table", table()),
        ("Wide table", wide_table()),
        ("Linked rows", linked_rows()),
        ("Divided", divided()),
        ("Words", words()),
        ("Notices", notices()),
        ("Actions", actions()),
        ("Search", search()),
        ("Image", image()),
        ("Frame", frame()),
        ("Columns", columns()),
        ("Space", Panel::new(vec![space("6rem", "Room for the printer"), space("0", "")])),
        ("Emphasis", emphasis()),
        ("Nothing", nothing()),
    ];
    for (_, panel) in &mut samples {
        // Data for a browser goes through JSON.
        let json = serde_json::to_string(panel).unwrap();
        *panel = serde_json::from_str(&json).unwrap();
    }
    samples
}

pub fn one(part: impl Into<Part>) -> Panel {
    Panel::new(vec![part.into()])
}

pub fn text(words: &str) -> Phrase {
    Phrase::foreign(words)
}

fn words() -> Panel {
    let html = r#"{"html":"<p>A <b>sanitized</b> text with a <a href=\"https://example.com/\" target=\"_blank\" rel=\"noopener noreferrer\">link</a>.</p><ul><li>one</li><li>two</li></ul>"}"#;
    Panel::new(vec![
        Heading {
            subtitle: Some(text("Team of the weather station")),
            picture: Picture::parse("https://pictures.example.com/2.jpg"),
            ..Heading::new(text("Anna Lang")).linked("https://example.com/anna")
        }
        .into(),
        Paragraph { quote: true, ..Paragraph::new(text("A watched pot never boils, an unwatched one always does.")) }
            .into(),
        Paragraph::new(
            Phrase::from("{free} of {all} are free, {broken} stays.")
                .with("free", Datum::count(3))
                .with("all", Datum::count(1024)),
        )
        .into(),
        Paragraph { small: true, ..Paragraph::new(text("Small print about where this comes from.")) }.into(),
        Paragraph { monospace: true, ..Paragraph::new(text("{\n  \"state\": \"ok\",\n  \"jobs\": [1, 2, 3]\n}")) }
            .into(),
        serde_json::from_str::<RichText>(html).unwrap().into(),
    ])
    .titled(Heading::new(text("Words")))
}

fn notices() -> Panel {
    Panel::new(vec![
        Notice { text: "All services run".into(), tone: Tone::Success }.into(),
        Notice { text: "The list is older than a day".into(), tone: Tone::Warning }.into(),
        Notice {
            text: "The array has lost a disk; replace it soon, and do not restart before".into(),
            tone: Tone::Danger,
        }
        .into(),
        Notice { text: "A new version can be installed".into(), tone: Tone::Info }.into(),
        Notice::empty("No alerts").into(),
    ])
}

fn actions() -> Panel {
    let action = |name: &str| Action { name: name.into(), target: "dns-1".into() };
    Panel::new(vec![
        ActionButton { action: action("enable"), label: "Enable".into(), ..ActionButton::default() }.into(),
        ActionButton {
            action: action("disable"),
            label: "Disable".into(),
            question: Some("Nothing is blocked then. Disable it?".into()),
            tone: Tone::Danger,
        }
        .into(),
    ])
}

fn search() -> Panel {
    let engine = |title: &str, url: &str| SearchEngine { title: title.into(), url: SafeUrl::parse(url).unwrap() };
    one(SearchBox {
        engines: vec![
            engine("Qwant", "https://www.qwant.com/?q="),
            engine("Wikipedia", "https://en.wikipedia.org/wiki/%s?uselang=en"),
            engine("Own", "https://searx.example.com/?q="),
        ],
        placeholder: Some("Look for something".into()),
        opening_method: SearchTarget::NewTab,
    })
}

fn image() -> Panel {
    Panel::new(vec![
        Image {
            url: SafeUrl::parse("/favicon.svg").unwrap(),
            source: "/favicon.svg".into(),
            alt: String::new(),
            file_name: "favicon.svg".into(),
            width: Some(Size::pixels(96)),
            height: None,
            caption: Some(text("The mark of this house")),
            link: SafeUrl::parse("https://example.com/"),
        }
        .into(),
        Image {
            url: SafeUrl::parse("https://pictures.example.com/lost.png?size=1").unwrap(),
            source: "pictures.example.com".into(),
            alt: "A picture that is gone".into(),
            file_name: "lost.png".into(),
            width: None,
            height: Size::parse("6rem"),
            caption: None,
            link: None,
        }
        .into(),
    ])
}

fn frame() -> Panel {
    one(Frame {
        url: SafeUrl::parse("/widget-frame/home/0/0"),
        embedded: Some(Embedded { html: Some("<p>A page of its own</p>".into()), ..Embedded::default() }),
        title: text("Own page"),
        height: Some(Size::pixels(90)),
        sandbox: None,
    })
}

fn space(height: &str, words: &str) -> Part {
    Space { height: Size::parse(height).unwrap(), text: text(words) }.into()
}

fn nothing() -> Panel {
    Panel::new(vec![
        Stats::default().into(),
        Table::default().into(),
        Chart { height: 200, ..Chart::default() }.into(),
        Donut::default().into(),
        Timeline::default().into(),
        SearchBox::default().into(),
    ])
}
