//! Lists and tables.

use widgets::{Panel, option_types::Color, panel::*};

use super::{NOON, one, text};
use crate::parts::tests::drawn::week;

pub(super) fn entries() -> Panel {
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

pub(super) fn table() -> Panel {
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

pub(super) fn linked_rows() -> Panel {
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

pub(super) fn wide_table() -> Panel {
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

/// What stands out, and what hides something behind it.
pub(super) fn emphasis() -> Panel {
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
        Entries::new(entries).into(),
        Stats { stats: vec![Stat::new("Stars", Datum::short(26_541))] }.into(),
        Donut { slices: vec![slice("Rust", 3.0), slice("Shell", 1.0)], ..Donut::default() }.into(),
    ])
}
