//! `metrics-ram-history`: the memory usage of a machine in the last minutes, from a metrics server.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{ChartStyle, Color},
    panel::{Chart, ChartShape, Datum, Decimals, Donut, Headline, Part, Phrase, Point, Series, Slice, Unit},
    services::metrics_server::{ChartData, MetricsServer},
};

/// The server counts in MiB.
const MIB: f64 = 1_048_576.0;

/// Draws how the memory of a machine was used in the last ten minutes, and how it is split on average.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MetricsRamHistory {
    #[serde(flatten)]
    server: MetricsServer,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for MetricsRamHistory {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 28;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.server.check(problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let history = self.server.chart("system.ram", context).await?;
        let Some(newest) = history.newest() else { return Ok(Panel::empty("No data yet")) };
        let mut parts: Vec<Part> = Vec::new();
        // Cached memory is released when needed, so only used memory counts.
        let used = history.names.iter().position(|name| name == "used").and_then(|used| *newest.get(used)?);
        let total: f64 = newest.iter().flatten().sum();
        if let Some(used) = used.filter(|_| total > 0.0) {
            let percent = Datum::percent((used / total * 1000.0).round() / 10.0).decimals(Decimals::Exactly(1));
            let caption = Phrase::from("{percent} of {total} in use").with("percent", percent);
            let caption = caption.with("total", size(total));
            parts.push(Headline { caption: Some(caption), ..Headline::new(size(used)) }.into());
        }
        parts.extend(self.breakdown(&history).map(Part::from));
        let title = history.title("Memory history", "Memory history: past {time}");
        let series = drawn(&history.names).into_iter().map(|index| Series {
            name: label(&history.names[index]),
            color: self.color(&history, index),
            points: bytes(history.points(index)),
            ..Series::default()
        });
        let chart = Chart {
            title: title.clone(),
            shape: ChartShape::Area,
            series: series.collect(),
            unit: Unit::Bytes,
            decimals: Decimals::Exactly(1),
            height: self.chart.height(),
            from_zero: true,
            stacked: true,
            ..Chart::default()
        };
        parts.push(chart.into());
        Ok(Panel::new(parts).titled(title))
    }
}

impl MetricsRamHistory {
    fn color(&self, history: &ChartData, index: usize) -> Option<Color> {
        self.chart.color_of_list(index).or_else(|| (history.names[index] == "free").then(Color::rest))
    }

    /// How the memory is split on average, in the colors of the history.
    fn breakdown(&self, history: &ChartData) -> Option<Donut> {
        let mean = |index: usize| {
            let values: Vec<f64> = history.points(index).iter().filter_map(|point| point.1).collect();
            // A few dozen rows.
            let count = values.len().max(1) as f64;
            values.iter().sum::<f64>() / count
        };
        let slices = drawn(&history.names).into_iter().map(|index| Slice {
            label: label(&history.names[index]),
            size: (mean(index).max(0.0) * 100.0).round() / 100.0,
            color: self.color(history, index),
            ..Slice::default()
        });
        let slices: Vec<Slice> = slices.collect();
        let sum: f64 = slices.iter().map(|slice| slice.size).sum();
        (sum > 0.0).then(|| Donut { title: "Memory on average".into(), slices, flat: true, ..Donut::default() })
    }
}

/// The positions of the series from bottom to top: used memory first, free memory last.
fn drawn(names: &[String]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..names.len()).collect();
    positions.sort_by_key(|position| match names[*position].as_str() {
        "used" => 0,
        "free" => 2,
        _ => 1,
    });
    positions
}

fn size(mebibytes: f64) -> Datum {
    Datum::bytes((mebibytes * MIB).round()).decimals(Decimals::Exactly(1))
}

fn bytes(points: Vec<Point>) -> Vec<Point> {
    points.into_iter().map(|Point(at, value)| Point(at, value.map(|value| (value * MIB).round()))).collect()
}

fn label(name: &str) -> Phrase {
    match name {
        "used" => "Used".into(),
        "cached" => "Cached".into(),
        "buffers" => "Buffers".into(),
        "free" => "Free".into(),
        other => Phrase::foreign(other),
    }
}
