//! `cron-checks`: the state of scheduled jobs.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    services::cron_projects::{self, Order, Projects},
};

/// Shows the state of the scheduled jobs that report to a Healthchecks project.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CronChecks {
    #[serde(flatten)]
    projects: Projects,
}

impl Widget for CronChecks {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 17;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.projects.check(entry, problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(cron_projects::REFRESH)
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        self.projects.panel(Order::Name, context).await
    }
}
