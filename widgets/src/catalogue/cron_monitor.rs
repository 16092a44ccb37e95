//! `cron-monitor`: the state of scheduled jobs, most urgent first.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Entry, FetchError, OptionProblems, Outside, Panel, Reach, Widget,
    option_types::{BaseAddress, OneOrMany, Secret, Text},
    services::cron_projects::{self, Keys, Order},
};

/// Shows the state of the scheduled jobs of one or more Healthchecks projects; those that are down or late come first.
/// Otherwise the same as `cron-checks`, which sorts only by name.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CronMonitor {
    /// Address of your own instance, with `http://` or `https://`. Without it, `https://healthchecks.io`.
    host: Text,
    /// Key of the project, or a list with one key per project. A read-only key is enough. Required.
    #[schemars(with = "OneOrMany<Secret>")]
    api_key: Keys,
}

impl Widget for CronMonitor {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.api_key.check(problems);
        let has_scheme = self.host.is_empty() || self.host.contains("://");
        let sentence = "host must begin with http:// or https://, for example https://checks.example.org.";
        problems.require(has_scheme && self.address().is_some(), sentence);
        if entry.refreshes_more_often_than(Duration::from_secs(30)) {
            problems.note("The service allows about 100 requests a minute; an updateInterval below 30 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(cron_projects::REFRESH)
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        cron_projects::panel(&self.address().unwrap_or_default(), &self.api_key, Order::UrgentFirst, outside).await
    }
}

impl CronMonitor {
    fn address(&self) -> Option<BaseAddress> {
        BaseAddress::parse(self.host.get().unwrap_or(cron_projects::HOST)).ok()
    }
}
