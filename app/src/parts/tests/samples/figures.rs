//! Parts that show a few numbers.

use widgets::{Panel, option_types::Color, panel::*};

use super::{NOON, one, text};

pub(super) fn stats() -> Panel {
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

fn dutch(parts: TimeParts) -> TimeFormat {
    TimeFormat { locale: Some("nl".to_owned()), parts }
}

pub(super) fn facts() -> Panel {
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
            Fact::new(
                "Checked",
                Datum::formatted_time(
                    NOON,
                    None,
                    dutch(TimeParts::Relative { length: RelativeLength::Short, numeric: true }),
                ),
            )
            .toned(Tone::Black),
            Fact::new(
                "Opened",
                Datum::formatted_time(
                    NOON,
                    Some(0),
                    dutch(TimeParts::Date { date: Length::Full, time: Some(Length::Short) }),
                ),
            )
            .toned(Tone::White),
            Fact::new("Site", Link::parse(text("nas.example.com"), "https://nas.example.com/").unwrap()),
        ],
    })
}

pub(super) fn meters() -> Panel {
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

pub(super) fn gauges() -> Panel {
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

pub(super) fn headline() -> Panel {
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

pub(super) fn rates() -> Panel {
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

pub(super) fn columns() -> Panel {
    let column = |title: &'static str, share| {
        vec![
            Heading::new(title).into(),
            Meter { label: "Used".into(), share, ..Meter::default() }.into(),
            Facts { facts: vec![Fact::new("Temperature", Datum::number(41.5, Unit::Celsius))] }.into(),
        ]
    };
    one(Columns { columns: vec![column("First disk", 0.4), column("Second disk", 0.71)] })
}
