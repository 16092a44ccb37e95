//! A percentage of a machine as a dial, with collapsed details.

use super::Readings;
use crate::{
    Panel,
    panel::{Datum, Decimals, Details, Fact, Facts, Gauge, Part, Phrase, Tone},
};

/// The tone from each fraction on.
const STEPS: [(f64, Tone); 3] = [(0.0, Tone::Success), (0.5, Tone::Warning), (0.8, Tone::Danger)];

/// What a percentage is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dial {
    /// Half a circle.
    Gauge,
    /// Three quarters of a circle.
    Speedometer,
}

/// The dial for a percentage; a dash if it is unknown.
pub(super) fn panel(dial: Dial, label: Phrase, value: Option<f64>, facts: Vec<Fact>) -> Panel {
    // Rounded as displayed, so that the color matches the number on the dial.
    let value = value.map(|value| (value.clamp(0.0, 100.0) * 10.0).round() / 10.0);
    let gauge = Gauge {
        label,
        value: value.map(percent).into(),
        share: value.unwrap_or_default() / 100.0,
        steps: if value.is_some() { STEPS.to_vec() } else { Vec::new() },
        wide: dial == Dial::Speedometer,
    };
    let mut parts: Vec<Part> = vec![gauge.into()];
    if !facts.is_empty() {
        let details = Details { summary: "Details".into(), parts: vec![Facts { facts }.into()], ..Details::default() };
        parts.push(details.into());
    }
    Panel::new(parts)
}

/// A percentage with one decimal.
pub(crate) fn percent(value: f64) -> Datum {
    Datum::percent((value * 10.0).round() / 10.0).decimals(Decimals::Exactly(1))
}

/// The values above zero, with their labels.
pub(super) fn facts_above_zero(
    readings: &Readings,
    names: &[(&str, &'static str)],
    write: impl Fn(f64) -> Datum,
) -> Vec<Fact> {
    let facts = names.iter().filter_map(|(name, label)| Some(Fact::new(*label, write(readings.above_zero(name)?))));
    facts.collect()
}
