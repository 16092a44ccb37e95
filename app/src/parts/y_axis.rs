//! The y axis of a chart: round numbers that are easy to read, and their scale.

use leptos::prelude::*;
use widgets::panel::{Chart, Decimals, Unit};

use super::{
    number::ScaledNumber,
    path,
    scale::{NumberStyle, Scale},
};

/// The range in which values are drawn.
pub struct YAxis {
    /// The value at the lower end.
    pub low: f64,
    /// The distance between two lines.
    pub step: f64,
    /// How many steps there are.
    pub steps: usize,
    /// How the values at the lines are shown.
    pub scale: Scale,
    /// Their number of decimals.
    pub decimals: Decimals,
}

impl YAxis {
    /// The axis for values between `low` and `high`.
    pub fn new(low: f64, high: f64, unit: &Unit) -> Self {
        // Equal values get room on both sides; zeros only get room above.
        let (low, high) = match high - low {
            span if span > 0.0 => (low, high),
            _ if low == 0.0 => (0.0, 1.0),
            _ if low > 0.0 => (low - low / 10.0, low + low / 10.0),
            _ => (low + low / 10.0, low - low / 10.0),
        };
        let scale = scale(high.abs().max(low.abs()), unit);
        let (low, high) = (low / scale.divisor, high / scale.divisor);
        let ends = |step: f64| ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let (mut step, mut fraction) = round_step((high - low) / 4.0);
        let (mut first, mut last) = ends(step);
        // If both ends are between two lines, there is one step more than the four that fit.
        if last - first > 4.0 {
            (step, fraction) = round_step(step * 1.01);
            (first, last) = ends(step);
        }
        let steps = (last - first).clamp(1.0, 8.0) as usize;
        // Amounts of money in a column all have the same number of decimals, none if possible.
        let decimals = match scale.kind {
            NumberStyle::Currency(_) => Decimals::Exactly(fraction),
            _ if fraction > 2 => Decimals::Exactly(fraction),
            _ => Decimals::Usual,
        };
        Self { low: first * step * scale.divisor, step: step * scale.divisor, steps, scale, decimals }
    }

    /// The distance between the ends.
    pub fn span(&self) -> f64 {
        // The number is small.
        let steps = self.steps as f64;
        self.step * steps
    }

    /// The y of a value.
    pub fn y(&self, value: f64) -> i64 {
        path::line_of(value, self.low, self.span())
    }

    /// The values at the lines, lowest first.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = f64> {
        (0..=self.steps).map(|position| self.low + self.step * position as f64)
    }
}

/// The labels of the lines, next to the drawing.
#[component]
pub fn YAxisValues<'a>(axis: &'a YAxis, chart: &'a Chart) -> impl IntoView {
    // Values below zero are the opposite direction, not negative amounts.
    let is_mirrored = chart.series.iter().any(|series| series.below);
    let written = |value: f64| if is_mirrored { value.abs() } else { value };
    let value = |value| {
        view! { <span><ScaledNumber value=written(value) scale=&axis.scale decimals=axis.decimals/></span> }
    };
    view! { <div class="axis-values" aria-hidden="true">{axis.values().rev().map(value).collect_view()}</div> }
}

/// The scale of the largest value, so that all lines have the same unit.
fn scale(largest: f64, unit: &Unit) -> Scale {
    let (divisor, sign) = match unit {
        Unit::Seconds if largest >= 172_800.0 => (86_400.0, "\u{a0}d"),
        Unit::Seconds if largest >= 7200.0 => (3600.0, "\u{a0}h"),
        Unit::Seconds if largest >= 120.0 => (60.0, "\u{a0}min"),
        Unit::Bearing => (1.0, "°"),
        Unit::Short => return Scale::short(largest),
        _ => return Scale::of(largest, unit),
    };
    Scale { divisor, sign: sign.to_owned(), kind: NumberStyle::Plain }
}

/// The next larger of 1, 2, 2.5 and 5 times a power of ten, and its number of decimals.
fn round_step(min: f64) -> (f64, u8) {
    if !(1e-15..1e15).contains(&min) {
        return (min.clamp(1e-15, 1e15), 0);
    }
    let (mut power, mut decimals) = (1.0, 0_i8);
    while power > min {
        power /= 10.0;
        decimals += 1;
    }
    while power * 10.0 <= min {
        power *= 10.0;
        decimals -= 1;
    }
    let (factor, more) = [(1.0, 0), (2.0, 0), (2.5, 1), (5.0, 0), (10.0, -1)]
        .into_iter()
        .find(|(factor, _)| power * factor >= min * 0.999_999)
        .unwrap_or((10.0, -1));
    (power * factor, u8::try_from(decimals + more).unwrap_or_default())
}
