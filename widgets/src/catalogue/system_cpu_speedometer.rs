//! `system-cpu-speedometer`: the CPU usage of a machine, as a speedometer.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    services::system_monitor::{Monitor, cpu, dial::Dial},
};

/// Shows how busy the processor of a machine is on a dial, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemCpuSpeedometer {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemCpuSpeedometer {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 11;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        cpu::panel(&self.monitor, Dial::Speedometer, context).await
    }
}
