//! What a chart says in words and numbers, for those who do not see the drawing and for those who point at it.

use widgets::{
    Moment,
    panel::{Axis, Chart, Point},
};

use super::{
    chart::{Places, title, value},
    datum,
    markup::Markup,
    phrase,
};

/// Up to so many places all values are given as a table.
const SHORT: usize = 24;

const DAY: i64 = 86_400_000;

/// What the drawing says, in words: the latest, lowest and highest value of each series, and all of them if they are
/// few.
pub fn alternative(chart: &Chart, places: &Places, m: &mut Markup) {
    m.open("figcaption", "visually-hidden");
    for series in &chart.series {
        m.open("p", "");
        if !series.name.is_empty() {
            phrase::write(&series.name, m);
            m.text(": ");
        }
        let values = series.points.iter().filter_map(value);
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
            let style = if places.last - places.first < 20 * DAY { "exact" } else { "date" };
            datum::write_time(Moment::from_millis(at), style, None, m);
        }
        Axis::Labels(labels) => {
            if let Some(label) = usize::try_from(at).ok().and_then(|at| labels.get(at)) {
                phrase::write(label, m);
            }
        }
    }
}

/// What the chart says at one place: the place, and the value of each series there or nearby.
#[cfg(feature = "hydrate")]
pub fn reading(chart: &Chart, places: &Places, at: i64, m: &mut Markup) {
    m.open("p", "reading-place");
    write_place(at, chart, places, m);
    m.close();
    for (position, series) in chart.series.iter().enumerate() {
        let nearest = series.points.iter().min_by_key(|point| point.0.abs_diff(at));
        let Some(point) = nearest.filter(|point| places.slot(point.0) == places.slot(at)) else { continue };
        m.open("p", "reading-value");
        super::chart::swatch(chart, position, series, m);
        m.open("span", "");
        phrase::write(&series.name, m);
        m.close();
        m.open("strong", "");
        match value(point) {
            Some(value) => datum::write_number(value, &chart.unit, chart.decimals, false, m),
            None => m.text(datum::DASH),
        }
        m.close();
        m.close();
    }
}
