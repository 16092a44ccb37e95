//! The share of DNS queries that were blocked, as a ring.
//!
//! What is allowed has the accent of the theme, not green: green means a state, and allowing many queries is neither
//! good nor bad.

use crate::panel::{Datum, Decimals, Donut, Phrase, Slice, Tone};

/// How many queries were blocked, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlockedShare {
    /// `None` if the service does not say.
    percent: Option<f64>,
    /// Whether there were queries at all.
    has_queries: bool,
}

impl BlockedShare {
    /// The share that the service reports, or else that of two counts.
    pub(crate) fn of(reported: Option<f64>, blocked: Option<f64>, total: Option<f64>) -> Self {
        let computed =
            blocked.zip(total).map(|(blocked, total)| if total > 0.0 { blocked / total * 100.0 } else { 0.0 });
        let percent = reported.or(computed).map(|percent| (percent.clamp(0.0, 100.0) * 100.0).round() / 100.0);
        let has_queries = total.is_none_or(|total| total > 0.0) || percent.is_some_and(|percent| percent > 0.0);
        Self { percent, has_queries }
    }

    /// The ring; dashes if the share is unknown.
    pub(crate) fn donut(self, title: impl Into<Phrase>) -> Donut {
        let written = |percent: Option<f64>| Datum::from(percent.map(Datum::percent)).decimals(Decimals::Exactly(1));
        let slice = |label: &'static str, percent: Option<f64>, tone: Tone| Slice {
            label: label.into(),
            size: percent.unwrap_or_default(),
            value: Some(written(percent)),
            tone,
            ..Slice::default()
        };
        let allowed = self.percent.map(|percent| if self.has_queries { 100.0 - percent } else { 0.0 });
        Donut {
            title: title.into(),
            center: Some(written(self.percent)),
            slices: vec![slice("Allowed", allowed, Tone::Plain), slice("Blocked", self.percent, Tone::Danger)],
            flat: false,
        }
    }
}
