//! `cron-monitor`: the state of scheduled jobs, most urgent first.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    services::cron_projects::{self, Order, Projects},
};

/// Shows the state of the scheduled jobs of one or more Healthchecks projects; those that are down or late come first.
/// Otherwise the same as `cron-checks`, which sorts only by name.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CronMonitor {
    #[serde(flatten)]
    projects: Projects,
}

impl Widget for CronMonitor {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 14;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.projects.check(entry, problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(cron_projects::REFRESH)
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        self.projects.panel(Order::UrgentFirst, context).await
    }
}
