//! The texts of charts and rings, and the values at which they end.

use widgets::{Moment, Panel, panel::*};

use crate::parts::{PanelContext, html};

const HOUR: i64 = 3600;

fn drawn(part: impl Into<Part>) -> String {
    html(&Panel::new(vec![part.into()]), &PanelContext::default())
}

/// A chart with one point per interval.
fn every(seconds: i64, count: i64) -> Chart {
    let points = (0..count).map(|at| Point::at(Moment::from_seconds(at * seconds), Some(at as f64))).collect();
    Chart { series: vec![Series { points, ..Series::default() }], ..Chart::default() }
}

#[test]
fn the_highest_value_is_the_end_of_the_axis() {
    let series = |value: f64| Series { points: vec![Point(0, Some(value)), Point(1, Some(0.0))], ..Series::default() };
    let chart = Chart {
        shape: ChartShape::Area,
        series: vec![series(60.0), series(45.0)],
        unit: Unit::Percent,
        highest: Some(100.0),
        stacked: true,
        ..Chart::default()
    };
    let html = drawn(chart);
    assert!(html.contains(">100%<") && !html.contains(">150%<") && !html.contains(">125%<"), "{html}");
    // The sum of 105 is drawn at the upper edge.
    assert!(html.contains(r#"d="M0 0L4000 1000""#), "{html}");
}

#[test]
fn a_series_has_the_color_of_its_place_in_the_palette() {
    let series = |palette: Option<u8>| Series { palette, points: vec![Point(0, Some(1.0))], ..Series::default() };
    let chart = |palettes: &[Option<u8>]| Chart {
        shape: ChartShape::Area,
        series: palettes.iter().map(|palette| series(*palette)).collect(),
        ..Chart::default()
    };
    let html = drawn(chart(&[Some(4), None, Some(8)]));
    for (class, is_there) in [("series-5", true), ("series-2", true), ("series-1", false), ("series-3", false)] {
        assert_eq!(html.contains(&format!("class=\"{class}\"")), is_there, "{class}: {html}");
    }
}

#[test]
fn times_below_a_chart_say_what_differs() {
    for (chart, expected) in [
        (every(2, 10), &["seconds"][..]),
        (every(60, 10), &["time"]),
        (every(600, 145), &["time", "short"]),
        (every(HOUR, 72), &["time", "short"]),
        (every(HOUR, 7 * 24), &["short"]),
        (every(HOUR, 30 * 24), &["short"]),
        (every(24 * HOUR, 120), &["day"]),
        (every(24 * HOUR, 900), &["month"]),
    ] {
        let html = drawn(chart);
        let below = html.split("axis-labels").nth(1).and_then(|rest| rest.split("</span>").next()).unwrap();
        let styles: Vec<_> = below.split("data-style=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(styles, expected, "{html}");
    }
}

#[test]
fn a_reading_has_what_tells_it_from_its_neighbors() {
    for (chart, expected) in [
        (every(10, 60), "precise"),
        (every(60, 60), "exact"),
        (every(HOUR, 30 * 24), "exact"),
        (every(6 * HOUR, 120), "exact"),
        (every(24 * HOUR, 7), "date"),
    ] {
        let html = drawn(chart);
        assert!(html.contains(&format!("&quot;style&quot;:&quot;{expected}&quot;")), "{expected}: {html}");
    }
}

#[test]
fn the_only_slice_of_a_ring_is_not_covered_by_those_of_no_size() {
    let slice = |size, tone| Slice { size, tone, ..Slice::default() };
    let slices = vec![slice(5.0, Tone::Danger), slice(0.0, Tone::Success)];
    let html = drawn(Donut { slices, ..Donut::default() });
    let circle = |class: &str| html.split("<circle ").find(|circle| circle.contains(class)).unwrap().to_owned();
    assert!(!circle("tone-danger").contains("dasharray"), "{html}");
    assert!(circle("tone-success").contains("stroke-dasharray=\"0 2000\""), "{html}");
}

#[test]
fn only_a_stack_has_a_sum() {
    let series = |below: bool| Series { below, points: vec![Point(0, Some(1.0))], ..Series::default() };
    for (stacked, below, has_sum) in [(true, false, true), (true, true, false), (false, false, false)] {
        let chart = Chart { stacked, series: vec![series(false), series(below)], ..Chart::default() };
        assert_eq!(drawn(chart).contains("&quot;total&quot;"), has_sum, "{stacked} {below}");
    }
}

#[test]
fn a_chart_for_little_room_stands_beside_the_other() {
    let narrow = Some(Box::new(every(3 * HOUR, 8)));
    let html = drawn(Chart { narrow, ..every(600, 145) });
    let figures: Vec<_> = html.match_indices("<figure class=\"").map(|(at, _)| &html[at..at + 38]).collect();
    assert_eq!(figures.len(), 2, "{html}");
    assert!(figures[0].contains("part-chart roomy") && figures[1].contains("part-chart narrow"), "{figures:?}");
}

#[test]
fn a_ring_of_nothing_keeps_its_legend() {
    let donut = |center| Donut {
        title: "Blocked".into(),
        center,
        slices: vec![Slice { label: "Refused".into(), ..Slice::default() }],
        flat: false,
    };
    let html = drawn(donut(Some(Datum::percent(0.0))));
    assert!(html.contains("ring-track") && html.contains("Refused") && html.contains(">0.0%<"), "{html}");
    assert!(html.contains("<figcaption>Blocked</figcaption>"), "{html}");
    assert!(drawn(donut(None)).contains("No values yet"));
}

#[test]
fn a_flat_whole_is_a_bar_of_its_shares() {
    let slice = |size: f64| Slice { size, palette: Some(4), ..Slice::default() };
    let html = drawn(Donut { slices: vec![slice(3.0), slice(0.0), slice(1.0)], flat: true, ..Donut::default() });
    let rects: Vec<_> = html.split("<rect ").filter(|rect| rect.contains("fill ")).collect();
    assert_eq!(rects.len(), 2, "{html}");
    assert!(rects[1].contains(r#"x="75%" width="25%""#) && rects[1].contains("series-5"), "{html}");
    assert!(!html.contains("<circle"), "{html}");
}

#[test]
fn equal_values_are_a_line_in_the_middle() {
    let chart = |value: f64, from_zero: bool| {
        let points = vec![Point(0, Some(value)), Point(1, Some(value))];
        drawn(Chart { series: vec![Series { points, ..Series::default() }], from_zero, ..Chart::default() })
    };
    for (value, from_zero, line) in [(5.0, false, 500), (0.0, false, 500), (0.0, true, 1000)] {
        let html = chart(value, from_zero);
        let expected = format!(r#"d="M0 {line}L4000 {line}""#);
        assert!(html.contains(&expected), "{expected} is not in {html}");
    }
}

#[test]
fn a_series_without_values_is_not_put_in_words() {
    let series = |name: &'static str, value: Option<f64>| Series {
        name: name.into(),
        points: vec![Point(0, value), Point(1, value)],
        ..Series::default()
    };
    let html = drawn(Chart { series: vec![series("Upload", None), series("Download", Some(5.0))], ..Chart::default() });
    let words = html.split("<figcaption").nth(1).unwrap();
    assert!(words.contains("<p>Download: latest ") && !words.contains("<p>Upload"), "{words}");
}
