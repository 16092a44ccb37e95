//! `system-load-history`: the recent load average of a machine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, ChartStyle},
    panel::{Chart, ChartShape, Decimals, Series},
    services::system_monitor::{
        Monitor,
        history::{HistoryReply, Rows},
    },
};

/// The series, with the time over which each is averaged.
const SERIES: [&str; 3] = ["1 minute", "5 minutes", "15 minutes"];

/// Draws the recent load average of a machine, from its system monitor (Glances): the number of running and waiting
/// processes.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemLoadHistory {
    #[serde(flatten)]
    monitor: Monitor,
    /// Maximum number of points.
    limit: Bounded<2, 500, 100_000>,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for SystemLoadHistory {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 18;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
        self.limit.check("limit", problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(20))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let path = format!("load/history/{}", self.limit.get());
        let history: HistoryReply = self.monitor.read("load", &path, context).await?;
        let Some(rows) = Rows::of(&history, ["min1", "min5", "min15"], context.now()) else {
            return Ok(Panel::empty("No history yet"));
        };
        let title = rows.title("Load history", "Load history: past {time}");
        let series = SERIES.iter().enumerate().map(|(index, name)| Series {
            name: (*name).into(),
            color: self.chart.color(index),
            points: rows.points(index),
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
        Ok(Panel::new(vec![chart.into()]).titled(title))
    }
}
