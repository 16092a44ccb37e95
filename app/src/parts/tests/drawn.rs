//! Samples of the parts that are drawn.

use widgets::{Moment, Panel, option_types::Color, panel::*};

use super::samples::{NOON, one, text};

/// A value that looks measured, but is deterministic.
fn wave(position: i64, length: f64) -> f64 {
    let position = f64::from(i32::try_from(position).unwrap());
    (position / length).sin() + 0.4 * (position * 1.7 / length).cos() + 0.15 * (position * 2.9).sin()
}

pub fn lines() -> Chart {
    let series = |name: &'static str, base: f64, length: f64| Series {
        name: name.into(),
        points: (0..120)
            .map(|minute| {
                let is_gap = (50..58).contains(&minute) && name == "User";
                let value = base + 12.0 * wave(minute, length);
                Point::at(Moment::from_seconds(NOON.seconds() + minute * 60), (!is_gap).then_some(value))
            })
            .collect(),
        ..Series::default()
    };
    Chart {
        title: "Load of the processor".into(),
        series: vec![series("User", 40.0, 9.0), series("System", 22.0, 14.0), series("Waiting", 66.0, 23.0)],
        unit: Unit::Percent,
        height: 200,
        from_zero: true,
        highest: Some(100.0),
        ..Chart::default()
    }
}

pub fn area() -> Chart {
    let points = (0..30).map(|day| {
        let at = Moment::from_seconds(NOON.seconds() + (day - 30) * 86_400);
        Point::at(at, Some(83_000.0 + 4000.0 * wave(day, 5.0)))
    });
    Chart {
        title: "Price of Bitcoin".into(),
        shape: ChartShape::Area,
        series: vec![Series { name: text("Bitcoin"), points: points.collect(), ..Series::default() }],
        unit: Unit::Currency("USD".into()),
        height: 160,
        ..Chart::default()
    }
}

pub fn bars() -> Chart {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let hours = [6.5, 7.25, 5.0, 8.1, 4.4, 0.0, 1.2];
    Chart {
        title: "Hours of work".into(),
        shape: ChartShape::Bars,
        series: vec![Series {
            name: "Coding".into(),
            points: (0..).zip(hours).map(|(day, hours)| Point(day, Some(hours * 3600.0))).collect(),
            ..Series::default()
        }],
        axis: Axis::Labels(days.into_iter().map(Phrase::from).collect()),
        unit: Unit::Seconds,
        height: 150,
        ..Chart::default()
    }
}

pub fn traffic() -> Chart {
    let series = |name: &'static str, base: f64, tone| Series {
        name: name.into(),
        tone,
        points: (0..48)
            .map(|slot| {
                let at = Moment::from_seconds(NOON.seconds() + slot * 1800);
                Point::at(at, Some(base * (1.6 + wave(slot, 6.0))))
            })
            .collect(),
        ..Series::default()
    };
    Chart {
        title: "Network".into(),
        series: vec![
            series("Received", 9_000_000.0, Tone::Plain),
            series("Sent", 4_000_000.0, Tone::Plain),
            series("Dropped", 700_000.0, Tone::Danger),
        ],
        unit: Unit::BytesPerSecond,
        height: 160,
        ..Chart::default()
    }
}

/// Incoming values above the axis, outgoing ones below it.
pub fn mirrored() -> Chart {
    let mut chart = Chart { shape: ChartShape::Area, ..traffic() };
    chart.series.truncate(2);
    chart.series[1].below = true;
    chart
}

/// Prices of a week that end at `price`.
pub fn week(price: f64, change: f64) -> Vec<Option<f64>> {
    (-41..=0).map(|at| Some(price * (1.0 + change * 0.002 * f64::from(at as i32) + 0.01 * wave(at, 5.0)))).collect()
}

pub fn donut() -> Panel {
    let slice = |label: &str, size: f64| Slice { label: text(label), size, ..Slice::default() };
    let ring = Donut {
        title: "Kinds of queries".into(),
        center: Some(Datum::count(48_211)),
        slices: vec![
            slice("A", 26_000.0),
            slice("AAAA", 14_500.0),
            slice("HTTPS", 5400.0),
            Slice { color: Color::parse("rebeccapurple"), ..slice("PTR", 1900.0) },
            Slice { tone: Tone::Danger, value: Some(Datum::count(411)), ..slice("Refused", 411.0) },
        ],
        flat: false,
    };
    Panel::new(vec![ring.clone().into(), Donut { flat: true, center: None, ..ring }.into()])
}

/// Bars of shares, and values in a color.
pub fn divided() -> Panel {
    let slice = |label: &str, size: f64| Slice { label: text(label), size, ..Slice::default() };
    let core = |number: i64, user: f64, change: Datum| {
        let bar = Cell {
            shares: vec![slice("User", user), Slice { tone: Tone::Success, ..slice("Idle", 100.0 - user) }],
            hint: Some(text("User and idle")),
            ..Cell::default()
        };
        Row { cells: vec![Datum::count(number).into(), bar, change.into()], ..Row::default() }
    };
    one(Table {
        columns: vec![Column::text("Core"), Column::lines("Time"), Column::number("Change")],
        rows: vec![
            core(1, 40.0, Datum::text("↑").toned(Tone::Success)),
            core(2, 0.0, Datum::Missing.toned(Tone::Danger)),
        ],
        headless: true,
        ..Table::default()
    })
}

pub fn sparkline() -> Panel {
    let values: Vec<Option<f64>> =
        (0..60).map(|at| (!(20..24).contains(&at)).then(|| 30.0 + 8.0 * wave(at, 4.0))).collect();
    Panel::new(vec![
        Sparkline { title: "Response time".into(), values: values.clone(), ..Sparkline::default() }.into(),
        Sparkline { title: "Errors".into(), values, tone: Tone::Danger, ..Sparkline::default() }.into(),
    ])
}

pub fn timelines() -> Panel {
    let states = |bad: std::ops::Range<i64>, state: State| {
        (0..48)
            .map(|beat| TimelineState {
                state: match beat {
                    beat if bad.contains(&beat) => state,
                    0..4 => State::Unknown,
                    20 => State::Maintenance,
                    _ => State::Up,
                },
                at: Some(Moment::from_seconds(NOON.seconds() + beat * 60)),
                hint: (beat > 3).then(|| text("85 ms")),
            })
            .collect()
    };
    Panel::new(vec![
        Timeline { title: text("Router"), states: states(30..33, State::Degraded) }.into(),
        Timeline { title: text("Mail"), states: states(44..48, State::Down) }.into(),
    ])
}
