//! What a chart says in words and numbers, for those who do not see the drawing and for those who point at it.

use serde_json::{Map, Value, json};
use widgets::{
    Moment,
    panel::{Axis, Chart, ChartShape, Decimals, Phrase, Point, Series},
};

use super::{
    axis::ValueAxis,
    chart::{bar_width, title, value},
    datum,
    markup::Markup,
    number, phrase,
    places::Places,
};

/// Up to so many places all values are given as a table.
const SHORT: usize = 24;

/// What the drawing says, in words: the latest, lowest and highest value of each series that has any, and all of them if
/// they are few.
pub fn alternative(chart: &Chart, places: &Places, m: &mut Markup) {
    m.open("figcaption", "visually-hidden");
    for series in &chart.series {
        let values = series.points.iter().filter_map(value);
        if values.clone().next().is_none() {
            continue;
        }
        m.open("p", "");
        if !series.name.is_empty() {
            phrase::write(&series.name, m);
            m.text(": ");
        }
        let latest = values.clone().next_back();
        let extremes =
            [("latest", latest), ("lowest", values.clone().reduce(f64::min)), ("highest", values.reduce(f64::max))];
        for (index, (word, value)) in extremes.into_iter().enumerate() {
            let Some(value) = value else { continue };
            m.text(if index > 0 { ", " } else { "" });
            m.text(phrase::ours(word));
            m.text(" ");
            datum::write_number(value, &chart.unit, chart.decimals, false, m);
        }
        m.close();
    }
    let longest = chart.series.iter().map(|series| series.points.len()).max().unwrap_or_default();
    if longest <= SHORT {
        values_table(chart, places, m);
    }
    m.close();
}

fn values_table(chart: &Chart, places: &Places, m: &mut Markup) {
    let Some(longest) = chart.series.iter().max_by_key(|series| series.points.len()) else { return };
    m.open("table", "");
    m.open("thead", "");
    m.open("tr", "");
    m.open("td", "");
    m.close();
    for series in &chart.series {
        m.open("th", "");
        m.attr("scope", "col");
        if series.name.is_empty() {
            m.text(&title(chart));
        } else {
            phrase::write(&series.name, m);
        }
        m.close();
    }
    m.close();
    m.close();
    m.open("tbody", "");
    for Point(at, _) in &longest.points {
        m.open("tr", "");
        m.open("th", "");
        m.attr("scope", "row");
        write_place(*at, chart, places, m);
        m.close();
        for series in &chart.series {
            m.open("td", "");
            match series.points.iter().find(|point| point.0 == *at).and_then(value) {
                Some(value) => datum::write_number(value, &chart.unit, chart.decimals, false, m),
                None => m.text(datum::DASH),
            }
            m.close();
        }
        m.close();
    }
    m.close();
    m.close();
}

fn write_place(at: i64, chart: &Chart, places: &Places, m: &mut Markup) {
    match &chart.axis {
        Axis::Time => {
            datum::write_time(Moment::from_millis(at), places.time_style(), None, m);
        }
        Axis::Labels(labels) => {
            if let Some(label) = usize::try_from(at).ok().and_then(|at| labels.get(at)) {
                phrase::write(label, m);
            }
        }
    }
}

/// Gives the plot what a reading at any of its places says, in the order of the places of the longest series, so that
/// the script needs no chart.
pub fn write_data(chart: &Chart, places: &Places, axis: &ValueAxis, m: &mut Markup) {
    let Some(longest) = chart.series.iter().max_by_key(|series| series.points.len()) else { return };
    let at: Vec<i64> = longest.points.iter().map(|point| point.0).collect();
    let mut data = Map::new();
    data.insert("x".to_owned(), at.iter().map(|at| places.x(*at, chart)).collect());
    match &chart.axis {
        Axis::Time => {
            // Differences are short, and mostly the same, so they cost next to nothing once compressed.
            let before = std::iter::once(0).chain(at.iter().copied());
            data.insert("times".to_owned(), at.iter().zip(before).map(|(at, before)| at - before).collect());
            data.insert("style".to_owned(), places.time_style().into());
        }
        Axis::Labels(labels) => {
            let label = |at: &i64| usize::try_from(*at).ok().and_then(|at| labels.get(at));
            let html = |label: &Phrase| fragment(m, |m| phrase::write(label, m));
            data.insert("labels".to_owned(), at.iter().map(|at| label(at).map(html).unwrap_or_default()).collect());
        }
    }
    data.insert("unit".to_owned(), number::unit_word(&chart.unit).into());
    match chart.decimals {
        Decimals::Usual => None,
        Decimals::Exactly(count) => data.insert("exactly".to_owned(), count.into()),
        Decimals::Significant(count) => data.insert("significant".to_owned(), count.into()),
    };
    let series = chart.series.iter().enumerate().map(|(position, series)| {
        let mark = fragment(m, |m| {
            super::chart::swatch(chart, position, series, m);
            m.open("span", "");
            phrase::write(&series.name, m);
            m.close();
        });
        json!({ "mark": mark, "values": at.iter().map(|at| value_near(series, *at, places)).collect::<Vec<_>>() })
    });
    data.insert("series".to_owned(), series.collect());
    // A stack has a sum, and is drawn anew without a series that was taken out.
    if chart.stacked && chart.series.len() > 1 && !chart.series.iter().any(|series| series.below) {
        let bar = (chart.shape == ChartShape::Bars).then(|| bar_width(places));
        let stack = json!({ "low": axis.low, "span": axis.span(), "bar": bar, "total": phrase::ours("Total") });
        data.insert("stack".to_owned(), stack);
    }
    m.attr("data-readings", &Value::Object(data).to_string());
}

/// The value of a series at a place or nearby, null for a gap, false where the series has nothing.
fn value_near(series: &Series, at: i64, places: &Places) -> Value {
    let nearest = series.points.iter().min_by_key(|point| point.0.abs_diff(at));
    match nearest.filter(|point| places.slot(point.0) == places.slot(at)) {
        Some(point) => value(point).into(),
        None => false.into(),
    }
}

/// Markup by itself, in the same surroundings.
fn fragment(m: &Markup, write: impl FnOnce(&mut Markup)) -> String {
    let mut piece = Markup::new(m.surroundings);
    write(&mut piece);
    piece.finish()
}
