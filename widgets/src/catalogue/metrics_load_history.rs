//! `metrics-load-history`: the load average of a machine in the last minutes, from a metrics server.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::ChartStyle,
    panel::{Chart, ChartShape, Datum, Decimals, Phrase, Series, Stat, Stats, Unit},
    services::metrics_server::MetricsServer,
};

/// Draws the load average of a machine over the last ten minutes: how many processes ran or waited.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MetricsLoadHistory {
    #[serde(flatten)]
    server: MetricsServer,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for MetricsLoadHistory {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 20;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.server.check(problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let history = self.server.chart("system.load", context).await?;
        let Some(newest) = history.newest() else { return Ok(Panel::empty("No data yet")) };
        let names = history.names.iter().map(|name| window(name));
        let stats = names.zip(newest).map(|(name, load)| {
            let load = load.map(|load| Datum::number(load, Unit::None).decimals(Decimals::Exactly(2)));
            Stat::new(name, load)
        });
        let stats = Stats { stats: stats.collect() };
        let title = history.title("Load history", "Load history: past {time}");
        let series = history.names.iter().enumerate().map(|(index, name)| Series {
            name: window(name),
            color: self.chart.color_of_list(index),
            points: history.points(index),
            ..Series::default()
        });
        let chart = Chart {
            title: title.clone(),
            shape: ChartShape::Line,
            series: series.collect(),
            decimals: Decimals::Exactly(2),
            height: self.chart.height(),
            from_zero: true,
            ..Chart::default()
        };
        Ok(Panel::new(vec![stats.into(), chart.into()]).titled(title))
    }
}

/// The time over which a series is averaged. Other systems may have other series.
fn window(name: &str) -> Phrase {
    match name {
        "load1" => "1 min".into(),
        "load5" => "5 min".into(),
        "load15" => "15 min".into(),
        other => Phrase::foreign(other),
    }
}
