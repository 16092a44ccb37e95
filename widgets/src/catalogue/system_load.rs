//! `system-load`: the load average of a machine.
//!
//! The bars are horizontal, as in the other widgets of this monitor: label and value share a line, and a full bar
//! means that all cores are busy.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Decimals, Heading, Meter, Part, Phrase, Tone, Unit},
    services::system_monitor::{Monitor, Readings},
};

/// The fields, with the time over which each is averaged.
const AVERAGES: [(&str, &str); 3] = [("min1", "1 min"), ("min5", "5 min"), ("min15", "15 min")];

/// Shows the load average of a machine over 1, 5 and 15 minutes, from its system monitor (Glances): the number of
/// running and waiting processes.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemLoad {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemLoad {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 8;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let load: Readings = self.monitor.read("load", "load", context).await?;
        let averages = AVERAGES.map(|(name, label)| (label, load.number(name).map(|load| load.max(0.0))));
        if averages.iter().all(|(_, load)| load.is_none()) {
            return Ok(Panel::empty("This system has no load average"));
        }
        let cores = load.above_zero("cpucore");
        // If the number of cores is unknown, the highest load is a full bar.
        let highest = averages.iter().filter_map(|(_, load)| *load).fold(0.0, f64::max);
        let full = cores.unwrap_or(highest).max(f64::MIN_POSITIVE);
        let meters = averages.iter().map(|(label, load)| {
            let per_core = load.map(|load| load / full);
            let number = |load| Datum::number(load, Unit::None).decimals(Decimals::Exactly(2));
            Part::from(Meter {
                label: (*label).into(),
                share: per_core.unwrap_or_default(),
                text: Some(Phrase::from("{load}").with("load", load.map(number))),
                tone: per_core.filter(|_| cores.is_some()).map_or(Tone::Plain, tone),
                ..Meter::default()
            })
        });
        Ok(Panel::new(meters.collect()).titled(title(cores)))
    }
}

/// The tone of a load per core, following the monitor's own limits.
fn tone(per_core: f64) -> Tone {
    match per_core {
        load if load < 0.7 => Tone::Success,
        load if load < 5.0 => Tone::Warning,
        _ => Tone::Danger,
    }
}

fn title(cores: Option<f64>) -> Heading {
    let Some(cores) = cores else {
        return Heading { subtitle: Some("Processes that run or wait".into()), ..Heading::new("Load averages") };
    };
    let words: &'static str =
        if cores > 1.0 { "Load averages over {count} cores" } else { "Load averages over one core" };
    let subtitle = "Processes that run or wait; a full bar keeps all cores busy";
    Heading {
        subtitle: Some(subtitle.into()),
        ..Heading::new(Phrase::from(words).with("count", Datum::number(cores, Unit::None)))
    }
}
