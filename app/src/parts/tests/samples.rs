//! One of everything: for the tests and the gallery.

use widgets::{
    Action, Moment, Panel,
    option_types::{Color, Size},
    panel::*,
};

use super::drawn::{area, bars, divided, donut, lines, mirrored, sparkline, timelines, traffic, week};

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

fn weather() -> Panel {
    let day = |icon, day: i64, high: f64, low: f64| {
        vec![
            WeatherSummary {
                icon,
                temperature: Datum::number(high, Unit::Celsius),
                lowest: Some(Datum::number(low, Unit::Celsius)),
                label: Datum::Time {
                    at: Moment::from_seconds(NOON.seconds() + day * 86_400),
                    style: Style::Weekday,
                    offset: Some(0),
                },
                ..WeatherSummary::default()
            }
            .into(),
        ]
    };
    Panel::new(vec![
        WeatherSummary {
            icon: WeatherIcon::FewClouds,
            temperature: Datum::number(19.0, Unit::Celsius),
            description: text("broken clouds"),
            label: Datum::text("São Paulo, BR"),
            ..WeatherSummary::default()
        }
        .into(),
        Columns {
            columns: vec![
                day(WeatherIcon::Rain, 1, 12.0, 7.0),
                day(WeatherIcon::Thunderstorm, 2, 9.0, 4.0),
                day(WeatherIcon::Snow, 3, 1.0, -3.0),
                day(WeatherIcon::Fog, 4, 6.0, 2.0),
            ],
        }
        .into(),
        Details { parts: vec![facts().parts[0].clone()], ..Details::default() }.into(),
    ])
    .credited(Link::parse(text("Open-Meteo"), "https://open-meteo.com/").unwrap())
}

fn heat_map() -> Panel {
    let day = |position: u8| HeatDay {
        day: Moment::from_seconds(1_793_491_200 + i64::from(position) * 86_400),
        value: if position.is_multiple_of(5) { Datum::Missing } else { Datum::count(usize::from(position)) },
        level: position % 5,
    };
    one(HeatMap { title: text("Points by day"), first_row: 6, days: (0..20).map(day).collect() })
}

fn month() -> Panel {
    let day = |position: i64| {
        let day = Moment::from_seconds(1_793_491_200 + position * 86_400);
        let number = u32::try_from(position).unwrap_or_default() + 1;
        MonthDay { day, number, ..MonthDay::default() }
    };
    let mut days: Vec<MonthDay> = (0..14).map(day).collect();
    let event = |title: &str| MonthEvent { title: text(title), ..MonthEvent::default() };
    days[2].events = vec![MonthEvent { at: Some(NOON), ..event("Lunch with Ada") }];
    days[2].today = true;
    days[3].events = ["One", "Two", "Three", "Four"]
        .map(|title| MonthEvent { color: Color::parse("#2e8b57"), offset: Some(3600), ..event(title) })
        .to_vec();
    days[3].more = 2;
    days[13].outside = true;
    one(Month { month: days[0].day, weeks: days.chunks(7).map(<[MonthDay]>::to_vec).collect() })
}

fn forecast() -> Panel {
    let degrees = |value: f64| Datum::number(value, Unit::Sign("°".to_owned())).decimals(Decimals::Exactly(0));
    let day = |label: Datum, icon, description: &str, (low, high): (f64, f64), rain: f64| ForecastDay {
        label,
        icon,
        description: text(description),
        lowest: degrees(low),
        highest: degrees(high),
        rain: if rain > 0.0 { Datum::percent(rain) } else { Datum::Missing },
        parts: vec![facts().parts[0].clone()],
    };
    let later = |days: i64| Datum::Time {
        at: Moment::from_seconds(NOON.seconds() + days * 86_400),
        style: Style::ShortDate,
        offset: Some(0),
    };
    one(Forecast {
        days: vec![
            day(Phrase::from("Today").into(), WeatherIcon::FewClouds, "broken clouds", (7.0, 14.0), 0.0),
            day(later(1), WeatherIcon::Rain, "heavy rain with strong gusts in the afternoon", (9.0, 12.0), 80.0),
            day(later(2), WeatherIcon::Snow, "light snow", (-3.0, 1.0), 35.0),
            ForecastDay {
                highest: Datum::Missing,
                parts: vec![],
                ..day(later(3), WeatherIcon::Fog, "", (2.0, 2.0), 0.0)
            },
            ForecastDay { label: later(4), icon: WeatherIcon::Clouds, ..ForecastDay::default() },
        ],
    })
}

fn rates() -> Panel {
    let rate = |code: &str, value: f64| Rate::new(code, Some(value));
    one(Rates {
        base: "GBP".into(),
        rates: vec![
            rate("EUR", 1.1446),
            rate("JPY", 207.7),
            rate("VND", 33_452.0),
            rate("XAF", 750.12),
            Rate::new("XXZ", None),
            rate("GBP", 1.0),
        ],
    })
}

fn headline() -> Panel {
    Panel::new(vec![
        Headline {
            copyable: true,
            caption: Some(text("Deutsche Telekom AG, Berlin")),
            ..Headline::new("2003:e1:bf00:1234::17")
        }
        .into(),
        Headline {
            change: Some(Datum::percent(-2.41).signed()),
            caption: Some(text("Bitcoin")),
            ..Headline::new(Datum::number(83_412.5, Unit::Currency("usd".into())))
        }
        .into(),
        Headline {
            change: Some(Datum::percent(0.8).signed()),
            ..Headline::new(
                Datum::number(0.000_012_345, Unit::Currency("EUR".into())).decimals(Decimals::Significant(4)),
            )
        }
        .into(),
    ])
}

fn stats() -> Panel {
    one(Stats {
        stats: vec![
            Stat {
                more: Some(Cell { tone: Tone::Success, ..Datum::percent(12.5).signed().into() }),
                ..Stat::new("Queries", Datum::count(48_211))
            },
            Stat::new("Blocked", Datum::percent(17.25)),
            Stat { hint: Some(text("3 of 14 are late")), ..Stat::new("Jobs", Datum::count(14)).toned(Tone::Warning) },
            Stat::new("Status", text("Enabled")).toned(Tone::Success),
            Stat::new("Free", Datum::bytes(3_435_973_836.0)).toned(Tone::Danger),
            Stat::new("Last backup", Datum::Missing),
        ],
    })
}

fn facts() -> Panel {
    one(Facts {
        facts: vec![
            Fact {
                more: vec![Datum::number(225.0, Unit::Bearing)],
                ..Fact::new("Wind", Datum::number(3.4, Unit::MetersPerSecond))
            },
            Fact::new("Pressure", Datum::number(1024.0, Unit::Hectopascal)),
            Fact {
                hint: Some(text("since the last update of the kernel")),
                ..Fact::new("Uptime", Datum::seconds(187_200.0))
            },
            Fact::new("Certificate", text("6 days left")).toned(Tone::Danger),
            Fact::new("Encrypted", Datum::Flag(true)),
            Fact::new("Guest access", Datum::Flag(false)),
            Fact::new("Down", Datum::number(48_000_000.0, Unit::BitsPerSecond)),
            Fact::new("Updated", Datum::time(NOON, Style::Relative)),
            Fact::new("Site", Link::parse(text("nas.example.com"), "https://nas.example.com/").unwrap()),
        ],
    })
}

fn meters() -> Panel {
    let of = |used: f64, all: f64| {
        Phrase::from("{used} of {all}").with("used", Datum::bytes(used)).with("all", Datum::bytes(all))
    };
    let tebi = f64::from(1 << 30) * 1024.0;
    Panel::new(vec![
        Meter { label: "CPU".into(), share: 0.124, ..Meter::default() }.into(),
        Meter {
            label: text("tank"),
            share: 0.83,
            text: Some(of(6.64 * tebi, 8.0 * tebi)),
            tone: Tone::Warning,
            ..Meter::default()
        }
        .into(),
        Meter { label: text("/"), share: 1.2, tone: Tone::Danger, ..Meter::default() }.into(),
        Meter { label: "Swap".into(), share: 0.5, color: Color::parse("#8a5cf6"), ..Meter::default() }.into(),
        Meter { label: "Disk".into(), share: 0.4, pieces: Some((Tone::Success, Tone::Info)), ..Meter::default() }
            .into(),
    ])
}

fn gauges() -> Panel {
    let steps = vec![(0.0, Tone::Success), (0.6, Tone::Warning), (0.85, Tone::Danger)];
    let gauge = |label: &'static str, share: f64| {
        vec![
            Gauge {
                label: label.into(),
                value: Datum::percent(share * 100.0),
                share,
                steps: steps.clone(),
                wide: false,
            }
            .into(),
        ]
    };
    one(Columns {
        columns: vec![
            gauge("CPU", 0.31),
            gauge("Memory", 0.92),
            vec![
                Gauge {
                    label: "Speed".into(),
                    value: Datum::number(742.0, Unit::KilometersPerHour),
                    share: 0.6,
                    wide: true,
                    ..Gauge::default()
                }
                .into(),
            ],
        ],
    })
}

fn entries() -> Panel {
    let post = |title: &str| ListEntry {
        url: SafeUrl::parse("https://news.example.com/1"),
        date: Some(NOON),
        author: Some("Anna Lang".into()),
        ..ListEntry::new(text(title))
    };
    one(Entries {
        entries: vec![
            ListEntry {
                picture: Picture::parse("https://pictures.example.com/1.jpg"),
                text: Some(text(
                    "After eleven years in orbit the probe sends its last picture of the small moon <b>Io</b>.",
                )),
                highlighted: true,
                ..post("A probe says good-bye")
            },
            ListEntry {
                values: vec![
                    Datum::Words(Phrase::from("{count} points").with("count", Datum::count(1284))),
                    Datum::bytes(734_003_200.0),
                ],
                tags: vec![text("rust"), text("self-hosted")],
                date_style: Style::Relative,
                ..post("Show: a dashboard in one binary, without anything that has to be installed beside it")
            },
            ListEntry {
                tags: vec![text("rye & spelt")],
                tag_action: Some("show".to_owned()),
                ..post("A link with a tag that can be clicked")
            },
            ListEntry { tone: Tone::Danger, ..post("Line 4 is closed between the harbour and the old town") },
            ListEntry { tone: Tone::Neutral, ..post("Line 7 runs as planned") },
            ListEntry {
                tone: Tone::Warning,
                state: Some(text("Minor delays · Reduced service")),
                text: Some(text("Trees on the track.\nBuses stand in between the harbour and the old town.")),
                opens: true,
                ..ListEntry::new(text("Line 9"))
            },
            ListEntry {
                source: Some("news.example.com".into()),
                text: Some(text(&"All work and no play makes a dull sentence. ".repeat(6))),
                opens: true,
                ..post("A long story")
            },
            ListEntry {
                day: Some(Datum::Days { first: NOON, last: NOON.after(std::time::Duration::from_secs(9 * 86_400)) }),
                text: Some(text(&"Nobody works and everybody plays on all of these days. ".repeat(8))),
                opens: true,
                ..ListEntry::new(text("Holidays"))
            },
        ],
        folded_after: Some(3),
    })
}

fn table() -> Panel {
    let coin = |name: &str, price: f64, change: f64| {
        let tone = if change < 0.0 { Tone::Danger } else { Tone::Success };
        let line = Sparkline { title: text(name), values: week(price, change), tone, ..Sparkline::default() };
        Row {
            cells: vec![
                Cell { picture: Picture::parse("https://pictures.example.com/coin.png"), ..Datum::text(name).into() },
                Datum::number(price, Unit::Currency("USD".into())).into(),
                Cell::change(Datum::percent(change)),
                line.into(),
            ],
            ..Row::default()
        }
    };
    one(Table {
        columns: vec![Column::text("Coin"), Column::number("Price"), Column::number("24 h"), Column::lines("7 days")],
        rows: vec![
            coin("Bitcoin", 83_412.5, -2.41),
            coin("Ethereum", 3021.77, 0.8),
            coin("Monero", 214.0, 4.2),
            coin("Cardano", 0.612, -0.3),
        ],
        folded_after: Some(3),
        ..Table::default()
    })
}

fn linked_rows() -> Panel {
    let row = |cells: [Datum; 2]| Row { url: SafeUrl::parse("https://lists.example.com/1"), ..Row::new(cells) };
    let name = "A name of a release that has no room beside its version in any tile";
    let hinted = Cell { hint: Some(text("released in April")), ..Datum::text("v10.10.7 with a long name").into() };
    one(Table {
        columns: vec![Column::text("Name"), Column::number("Version")],
        rows: vec![
            row([Datum::text("dashboard"), Datum::text("v1.2")]),
            row([Datum::text(name), Datum::text("2026-11-21-nightly-build")]),
            Row { cells: vec![Datum::text("media").into(), hinted], ..Row::default() },
            row([Datum::Missing, Datum::text("v0.1")]),
        ],
        headless: true,
        one_line: true,
        ..Table::default()
    })
}

fn wide_table() -> Panel {
    let row = |name: &str, state: &str, tone, memory: f64, uptime: f64| Row {
        cells: vec![
            Datum::text(name).into(),
            Cell { tone, hint: Some(text("asked one minute ago")), ..Datum::text(state).into() },
            Datum::bytes(memory).into(),
            Datum::seconds(uptime).into(),
            Datum::time(NOON, Style::DateTime).into(),
        ],
        ..Row::default()
    };
    one(Table {
        columns: vec![
            Column::text("Machine"),
            Column::text("State"),
            Column::number("Memory"),
            Column::number("Uptime"),
            Column::text("Backup"),
        ],
        rows: vec![
            row("gateway", "running", Tone::Success, 402_653_184.0, 1_036_800.0),
            row("media-server-with-a-long-name", "running", Tone::Success, 8_589_934_592.0, 90_000.0),
            row("backup", "stopped", Tone::Danger, 0.0, 59.0),
        ],
        ..Table::default()
    })
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
        opening_method: OpeningMethod::NewTab,
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

fn columns() -> Panel {
    let column = |title: &'static str, share| {
        vec![
            Heading::new(title).into(),
            Meter { label: "Used".into(), share, ..Meter::default() }.into(),
            Facts { facts: vec![Fact::new("Temperature", Datum::number(41.5, Unit::Celsius))] }.into(),
        ]
    };
    one(Columns { columns: vec![column("First disk", 0.4), column("Second disk", 0.71)] })
}

fn space(height: &str, words: &str) -> Part {
    Space { height: Size::parse(height).unwrap(), text: text(words) }.into()
}

/// What stands out, and what hides something behind it.
fn emphasis() -> Panel {
    let game = Phrase::from("{home} – {away}")
        .with("home", Datum::strong("Harbour United", "winner"))
        .with("away", Datum::text("Hill Rovers"));
    let address =
        Phrase::from("{local}@{domain}").with("local", Datum::strong("post", "")).with("domain", "example.com");
    let step = |words: &str, color: &str| Step { text: text(words), color: Color::parse(color) };
    let entries = vec![
        ListEntry::new(game),
        ListEntry { copyable: true, ..ListEntry::new(address) },
        ListEntry { steps: vec![step("U6", "#0065ae"), step("on foot", "")], ..ListEntry::new("To the lake") },
    ];
    let slice = |words: &str, size: f64| Slice {
        label: text(words),
        size,
        hint: Some(Phrase::from("level {level}").with("level", Datum::count(3))),
        ..Slice::default()
    };
    Panel::new(vec![
        Entries { entries, folded_after: None }.into(),
        Stats { stats: vec![Stat::new("Stars", Datum::short(26_541))] }.into(),
        Donut { slices: vec![slice("Rust", 3.0), slice("Shell", 1.0)], ..Donut::default() }.into(),
    ])
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
