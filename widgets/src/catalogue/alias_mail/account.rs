//! The figures of an account.

use serde::Deserialize;

use crate::{
    panel::{Datum, Donut, Fact, Facts, Meter, Part, Phrase, Slice, Tone, Unit},
    services::tolerant,
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct AccountReply {
    #[serde(deserialize_with = "tolerant::part")]
    pub(super) data: Option<FiguresReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FiguresReply {
    #[serde(deserialize_with = "tolerant::number")]
    bandwidth: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    bandwidth_limit: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    username_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    username_limit: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    active_domain_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    active_domain_limit: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    active_shared_domain_alias_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    active_shared_domain_alias_limit: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    total_emails_forwarded: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    total_emails_blocked: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    total_emails_replied: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    total_emails_sent: Option<f64>,
}

/// A count, or a dash.
pub(super) fn count(value: Option<f64>) -> Datum {
    value.map_or(Datum::Missing, |value| Datum::number(value, Unit::None))
}

/// A count with its limit, if there is one: `3 of 10`.
fn limited(label: &'static str, value: Option<f64>, limit: Option<f64>) -> Fact {
    let limit = limit.filter(|limit| *limit > 0.0);
    let value = match (value, limit) {
        (Some(_), Some(_)) => {
            Phrase::from("{count} of {limit}").with("count", count(value)).with("limit", count(limit)).into()
        }
        (value, _) => count(value),
    };
    Fact::new(label, value)
}

impl FiguresReply {
    /// The mail, and what is used of the limits.
    pub(super) fn parts(&self) -> Vec<Part> {
        let slices = [
            ("Forwarded", self.total_emails_forwarded, Tone::Plain, 0),
            ("Blocked", self.total_emails_blocked, Tone::Danger, 0),
            ("Replies", self.total_emails_replied, Tone::Plain, 1),
            ("Sent", self.total_emails_sent, Tone::Plain, 2),
        ];
        let slices = slices.map(|(label, value, tone, place)| Slice {
            label: label.into(),
            size: value.unwrap_or_default().max(0.0),
            value: Some(count(value)),
            tone,
            palette: Some(place),
            ..Slice::default()
        });
        let mail = Donut { title: "Mail".into(), slices: slices.into(), flat: true, ..Donut::default() };
        let mut parts: Vec<Part> = vec![mail.into()];
        let limit = self.bandwidth_limit.filter(|limit| *limit > 0.0);
        match (self.bandwidth, limit) {
            (Some(used), Some(limit)) => {
                let text = Phrase::from("{used} of {limit}")
                    .with("used", Datum::bytes(used))
                    .with("limit", Datum::bytes(limit));
                let share = (used / limit * 1000.0).round() / 1000.0;
                parts.push(
                    Meter { label: "Bandwidth this month".into(), share, text: Some(text), ..Meter::default() }.into(),
                );
            }
            (Some(used), None) => {
                let value = Phrase::from("{used} of unlimited").with("used", Datum::bytes(used));
                parts.push(Facts { facts: vec![Fact::new("Bandwidth this month", Datum::from(value))] }.into());
            }
            (None, _) => {}
        }
        let facts = Facts::present([
            limited("Active domains", self.active_domain_count, self.active_domain_limit),
            limited(
                "Aliases of shared domains",
                self.active_shared_domain_alias_count,
                self.active_shared_domain_alias_limit,
            ),
            limited("Usernames", self.username_count, self.username_limit),
        ]);
        if !facts.facts.is_empty() {
            parts.push(facts.into());
        }
        parts
    }
}
