//! `system-cpu-history`: the recent CPU usage of a machine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, ChartStyle},
    panel::{Chart, ChartShape, Decimals, Series, Unit},
    services::system_monitor::{
        Monitor,
        history::{HistoryReply, Rows},
    },
};

/// The series with their positions in the palette: the accent is for programs, as in the other charts of processors.
const SERIES: [(&str, u8); 2] = [("System", 1), ("User", 0)];

/// Draws how busy the processor of a machine has been recently, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemCpuHistory {
    #[serde(flatten)]
    monitor: Monitor,
    /// Maximum number of points.
    limit: Bounded<2, 100, 100_000>,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for SystemCpuHistory {
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
        let path = format!("cpu/history/{}", self.limit.get());
        let history: HistoryReply = self.monitor.read("cpu", &path, context).await?;
        let Some(rows) = Rows::of(&history, ["system", "user"], context.now()) else {
            return Ok(Panel::empty("No history yet"));
        };
        let title = rows.title("CPU history", "CPU history: past {time}");
        let series = SERIES.iter().enumerate().map(|(index, (name, place))| Series {
            name: (*name).into(),
            color: self.chart.color(index),
            palette: Some(*place),
            points: rows.points(index),
            ..Series::default()
        });
        let chart = Chart {
            title: title.clone(),
            shape: ChartShape::Area,
            series: series.collect(),
            unit: Unit::Percent,
            decimals: Decimals::Exactly(0),
            height: self.chart.height(),
            from_zero: true,
            highest: Some(100.0),
            stacked: true,
            ..Chart::default()
        };
        Ok(Panel::new(vec![chart.into()]).titled(title))
    }
}
