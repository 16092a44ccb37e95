//! `system-gpu`: the load, memory and temperature of the graphics cards of a machine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::Lenient,
    panel::{Datum, Decimals, Fact, Facts, Heading, Meter, Part, Phrase, Tone, Unit},
    services::system_monitor::{Monitor, Readings, Units},
};

/// Temperatures in °C from which a graphics card is hot, and too hot.
const HOT: f64 = 80.0;
const TOO_HOT: f64 = 90.0;

/// Shows the load, the memory and the temperature of each graphics card (GPU) of a machine, from its system monitor
/// (Glances, with the packages for its graphics cards).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemGpu {
    #[serde(flatten)]
    monitor: Monitor,
    /// The unit of temperatures.
    #[schemars(extend("default" = "C"))]
    units: Lenient<Units>,
}

impl Widget for SystemGpu {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 9;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
        problems.require(self.units.unknown().is_none(), "units must be C or F.");
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let cards = self.monitor.list("gpu", context).await?;
        if cards.is_empty() {
            return Ok(Panel::empty("Glances finds no graphics card on this machine"));
        }
        Ok(Panel::new(cards.iter().flat_map(|readings| card(readings, self.units.or_default())).collect()))
    }
}

/// One graphics card. Which of the values there are depends on its driver.
fn card(card: &Readings, units: Units) -> Vec<Part> {
    let name = card.text("name").or(card.text("gpu_id"));
    let name = name.map_or_else(|| Phrase::from("Graphics card"), Phrase::foreign);
    let mut parts: Vec<Part> = vec![Heading::new(name).into()];
    parts.extend(meter("Load", card.number("proc")));
    parts.extend(meter("Memory", card.number("mem")));
    let temperature = card.number("temperature").map(|degrees| {
        let tone = match degrees {
            degrees if degrees >= TOO_HOT => Tone::Danger,
            degrees if degrees >= HOT => Tone::Warning,
            _ => Tone::Success,
        };
        let shown = match units {
            Units::C => whole(degrees, Unit::Celsius),
            Units::F => whole(degrees * 1.8 + 32.0, Unit::Fahrenheit),
        };
        Fact::new("Temperature", shown).toned(tone)
    });
    let fan = card.number("fan_speed").map(|percent| Fact::new("Fan", whole(percent, Unit::Percent)));
    let facts: Vec<Fact> = [temperature, fan].into_iter().flatten().collect();
    if !facts.is_empty() {
        parts.push(Facts { facts }.into());
    }
    if parts.len() == 1 {
        parts.push(Facts { facts: vec![Fact::new("Load", Datum::Missing)] }.into());
    }
    parts
}

fn meter(label: &'static str, percent: Option<f64>) -> Option<Part> {
    let percent = percent?.clamp(0.0, 100.0).round();
    let tone = match percent {
        percent if percent < 50.0 => Tone::Success,
        percent if percent <= 90.0 => Tone::Warning,
        _ => Tone::Danger,
    };
    Some(Meter { label: label.into(), share: percent / 100.0, tone, ..Meter::default() }.into())
}

fn whole(value: f64, unit: Unit) -> Datum {
    Datum::number(value.round(), unit).decimals(Decimals::Exactly(0))
}
