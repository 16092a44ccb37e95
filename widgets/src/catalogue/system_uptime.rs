//! `system-uptime`: how long a machine has been running.
//!
//! The value has days and hours, or hours and minutes, so it need not tick: a refresh each minute keeps it right.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Fact, Facts, Style},
    services::system_monitor::{Monitor, uptime},
};

/// Shows how long a machine has been running, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemUptime {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemUptime {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 3;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let written: Value = self.monitor.read("uptime", "uptime", context).await?;
        let facts = match uptime::read(&written) {
            Some(running) => {
                let value = Datum::seconds(running.as_secs_f64());
                let since = Datum::time(context.now().before(running), Style::DateTime);
                vec![Fact::new("Uptime", value), Fact::new("Running since", since)]
            }
            // An unknown form is better than nothing.
            None => vec![Fact::new("Uptime", written.as_str().map(Datum::text))],
        };
        Ok(Panel::new(vec![Facts { facts }.into()]))
    }
}
