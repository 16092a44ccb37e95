//! `system-memory-history`: the recent memory usage of a machine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, ChartStyle},
    panel::{Chart, ChartShape, Decimals, Heading, Phrase, Series, Unit},
    services::system_monitor::{
        Monitor,
        dial::percent,
        history::{HistoryReply, Rows},
    },
};

/// Draws how full the memory of a machine has been recently, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemMemoryHistory {
    #[serde(flatten)]
    monitor: Monitor,
    /// Maximum number of points.
    limit: Bounded<2, 100, 100_000>,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for SystemMemoryHistory {
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
        let path = format!("mem/history/{}", self.limit.get());
        let history: HistoryReply = self.monitor.read("mem", &path, context).await?;
        let Some(rows) = Rows::of(&history, ["percent"], context.now()) else {
            return Ok(Panel::empty("No history yet"));
        };
        let title = rows.title("Memory history", "Memory history: past {time}");
        let now = rows.newest(0).map(|share| Phrase::from("{share} in use").with("share", percent(share)));
        let chart = Chart {
            title: title.clone(),
            shape: ChartShape::Area,
            series: vec![Series {
                name: "Memory".into(),
                color: self.chart.color(0),
                points: rows.points(0),
                ..Series::default()
            }],
            unit: Unit::Percent,
            decimals: Decimals::Exactly(1),
            height: self.chart.height(),
            from_zero: true,
            highest: Some(100.0),
            ..Chart::default()
        };
        Ok(Panel::new(vec![chart.into()]).titled(Heading { subtitle: now, ..Heading::new(title) }))
    }
}
