//! `metrics-cpu-history`: the CPU usage of a machine in the last minutes, from a metrics server.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::ChartStyle,
    panel::{Chart, ChartShape, Datum, Decimals, Headline, Phrase, Series, Unit},
    services::metrics_server::{ChartData, MetricsServer},
};

/// Draws how busy the processor of a machine was in the last ten minutes, split by kind of work.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MetricsCpuHistory {
    #[serde(flatten)]
    server: MetricsServer,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for MetricsCpuHistory {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 17;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.server.check(problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let history = self.server.chart("system.cpu", context).await?;
        let Some(now) = total_now(&history) else { return Ok(Panel::empty("No data yet")) };
        let title = history.title("CPU history", "CPU history: past {time}");
        let chart = Chart {
            title: title.clone(),
            shape: ChartShape::Area,
            series: self.series(&history),
            unit: Unit::Percent,
            height: self.chart.height(),
            from_zero: true,
            // Guest time may be counted twice, so the sum can be slightly above.
            highest: Some(100.0),
            stacked: true,
            ..Chart::default()
        };
        let headline = Headline {
            caption: Some("in use".into()),
            ..Headline::new(Datum::percent(now.clamp(0.0, 100.0)).decimals(Decimals::Exactly(1)))
        };
        Ok(Panel::new(vec![headline.into(), chart.into()]).titled(title))
    }
}

impl MetricsCpuHistory {
    /// The kinds of work that occurred; all of them for an idle machine. Each keeps its color by its position among
    /// all, since some come and go between refreshes. User processes, if included, have the first color.
    fn series(&self, history: &ChartData) -> Vec<Series> {
        let is_used = |series: &Series| series.points.iter().any(|point| point.1.is_some_and(|value| value > 0.0));
        let (names, count) = (&history.names, history.names.len());
        let programs = names.iter().position(|name| name == "user").unwrap_or_default();
        let all = names.iter().enumerate().map(|(index, name)| {
            let place = (index + count - programs) % count;
            Series {
                name: Phrase::foreign(&**name),
                color: self.chart.color_of_list(place),
                palette: u8::try_from(place).ok(),
                points: history.points(index),
                ..Series::default()
            }
        });
        let (used, unused): (Vec<_>, Vec<_>) = all.partition(is_used);
        if used.is_empty() { unused } else { used }
    }
}

/// The sum of the newest row with collected data.
fn total_now(history: &ChartData) -> Option<f64> {
    let total: f64 = history.newest()?.iter().flatten().sum();
    Some((total * 100.0).round() / 100.0)
}
