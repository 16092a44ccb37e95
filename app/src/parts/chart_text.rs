//! The contents of a chart in words and numbers, for people who do not see the drawing and for those who point at it.

use leptos::prelude::*;
use serde_json::{Map, Value as Json, json};
use widgets::{
    Moment,
    panel::{self, Axis, ChartShape, Decimals, Phrase, Point, Series, Unit},
};

use super::{
    PanelContext,
    chart_legend::SeriesSwatch,
    chart_path::bar_width,
    markup::markup,
    number::Number,
    phrase::ours,
    scale,
    series::value,
    time::Time,
    value::{DASH, Words, plain},
    x_axis::XAxis,
    y_axis::YAxis,
};
use crate::any_view::{AnyView, IntoAny};

/// Up to this number of points, all values are in a table.
const MAX_ROWS: usize = 24;

/// The name of a drawing.
pub fn chart_title(title: &Phrase) -> String {
    if title.is_empty() { ours("Chart").to_owned() } else { plain(title) }
}

/// The latest, lowest and highest of several values.
#[derive(Clone, Copy)]
pub struct Extremes {
    latest: f64,
    /// The lowest.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
}

impl Extremes {
    /// Computes them; `None` if there is no value.
    pub fn of(values: impl DoubleEndedIterator<Item = f64> + Clone) -> Option<Self> {
        let latest = values.clone().next_back()?;
        let lowest = values.clone().fold(latest, f64::min);
        Some(Self { latest, lowest, highest: values.fold(latest, f64::max) })
    }

    /// All three in words.
    pub fn words(self, unit: &Unit, decimals: Decimals) -> impl IntoView + use<> {
        let words =
            [(None, "latest", self.latest), (Some(", "), "lowest", self.lowest), (Some(", "), "highest", self.highest)];
        words.map(|(comma, word, value)| view! { {comma}{ours(word)}" "<Number value unit decimals/> })
    }
}

/// The drawing in words: the latest, lowest and highest value of each series that has any, and all values if they are
/// few.
#[component]
pub fn ChartText<'a>(chart: &'a panel::Chart, axis: &'a XAxis, context: &'a PanelContext) -> impl IntoView {
    let sentence = |series: &'a Series| {
        let values: Vec<f64> = series.points.iter().filter_map(value).collect();
        let extremes = Extremes::of(values.into_iter())?;
        let name = (!series.name.is_empty()).then(|| view! { <Words phrase=&series.name context/> ": " });
        Some(view! { <p>{name}{extremes.words(&chart.unit, chart.decimals)}</p> })
    };
    let longest = chart.series.iter().map(|series| series.points.len()).max().unwrap_or_default();
    view! {
        <figcaption class="visually-hidden">
            {chart.series.iter().filter_map(sentence).collect_view()}
            {(longest <= MAX_ROWS).then(|| view! { <ValuesTable chart axis context/> })}
        </figcaption>
    }
}

#[component]
fn ValuesTable<'a>(chart: &'a panel::Chart, axis: &'a XAxis, context: &'a PanelContext) -> impl IntoView {
    let name = |series: &'a Series| {
        let title = series.name.is_empty().then(|| chart_title(&chart.title));
        view! { <th scope="col">{title}<Words phrase=&series.name context/></th> }
    };
    let row = |Point(at, _): &Point| {
        let cell = |series: &'a Series| {
            let value = series.points.iter().find(|point| point.0 == *at).and_then(value);
            let number = value.map(|value| view! { <Number value unit=&chart.unit decimals=chart.decimals/> });
            view! { <td>{number}{value.is_none().then_some(DASH)}</td> }
        };
        view! {
            <tr>
                <th scope="row"><PointLabel at=*at chart axis context/></th>
                {chart.series.iter().map(cell).collect_view()}
            </tr>
        }
    };
    longest(chart).map(|longest| {
        view! {
            <table>
                <thead><tr><td></td>{chart.series.iter().map(name).collect_view()}</tr></thead>
                <tbody>{longest.points.iter().map(row).collect_view()}</tbody>
            </table>
        }
    })
}

/// The time or the label of a point.
#[component]
fn PointLabel<'a>(at: i64, chart: &'a panel::Chart, axis: &'a XAxis, context: &'a PanelContext) -> AnyView {
    match &chart.axis {
        Axis::Time => view! { <Time at=Moment::from_millis(at) style=axis.time_style()/> }.into_any(),
        Axis::Labels(labels) => label(labels, at).map(|phrase| view! { <Words phrase context/> }).into_any(),
    }
}

fn label(labels: &[Phrase], at: i64) -> Option<&Phrase> {
    usize::try_from(at).ok().and_then(|at| labels.get(at))
}

fn longest(chart: &panel::Chart) -> Option<&Series> {
    chart.series.iter().max_by_key(|series| series.points.len())
}

/// The values to show at any point of the plot, as JSON, in the order of the points of the longest series. The script
/// does not need the chart itself.
pub fn readings(chart: &panel::Chart, x_axis: &XAxis, y_axis: &YAxis, context: &PanelContext) -> Option<String> {
    let longest = longest(chart)?;
    let at: Vec<i64> = longest.points.iter().map(|point| point.0).collect();
    let mut data = Map::new();
    data.insert("x".to_owned(), at.iter().map(|at| x_axis.x(*at, chart)).collect());
    match &chart.axis {
        Axis::Time => {
            // The differences are short and mostly equal, so they compress very well.
            let before = std::iter::once(0).chain(at.iter().copied());
            data.insert("times".to_owned(), at.iter().zip(before).map(|(at, before)| at - before).collect());
            data.insert("style".to_owned(), x_axis.time_style().into());
        }
        Axis::Labels(labels) => {
            let html = |phrase| markup(view! { <Words phrase context/> });
            let written = |at: &i64| label(labels, *at).map(html).unwrap_or_default();
            data.insert("labels".to_owned(), at.iter().map(written).collect());
        }
    }
    data.insert("unit".to_owned(), scale::unit_word(&chart.unit).into());
    match chart.decimals {
        Decimals::Usual => None,
        Decimals::Exactly(count) => data.insert("exactly".to_owned(), count.into()),
        Decimals::Significant(count) => data.insert("significant".to_owned(), count.into()),
    };
    let series = chart.series.iter().enumerate().map(|(position, series)| {
        let mark = markup(view! {
            <SeriesSwatch chart position/>
            <span><Words phrase=&series.name context/></span>
        });
        json!({ "mark": mark, "values": at.iter().map(|at| value_near(series, *at, x_axis)).collect::<Vec<_>>() })
    });
    data.insert("series".to_owned(), series.collect());
    // A stack has a sum, and is redrawn when a series is removed.
    if chart.stacked && chart.series.len() > 1 && !chart.series.iter().any(|series| series.below) {
        let bar = (chart.shape == ChartShape::Bars).then(|| bar_width(x_axis));
        let stack = json!({ "low": y_axis.low, "span": y_axis.span(), "bar": bar, "total": ours("Total") });
        data.insert("stack".to_owned(), stack);
    }
    Some(Json::Object(data).to_string())
}

/// The value of a series at a point or near it, null for a gap, false if the series has nothing there.
fn value_near(series: &Series, at: i64, axis: &XAxis) -> Json {
    let nearest = series.points.iter().min_by_key(|point| point.0.abs_diff(at));
    match nearest.filter(|point| axis.slot(point.0) == axis.slot(at)) {
        Some(point) => value(point).into(),
        None => false.into(),
    }
}
