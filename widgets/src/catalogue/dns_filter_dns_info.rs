//! `dns-filter-dns-info`: whether a DNS filter's protection is on, and how it resolves names.

use std::time::Duration;

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::Flag,
    panel::{Datum, Details, Fact, Facts, Notice, Part, Phrase, Style, Tone, Unit},
    services::{dns_filter::Filter, tolerant},
};

/// The settings that are never folded.
const IN_SIGHT: [&str; 3] = ["Blocking mode", "DNSSEC", "Version"];

/// Shows whether the protection of a DNS filter is on, and its DNS settings.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsFilterDnsInfo {
    #[serde(flatten)]
    filter: Filter,
    /// Shows the settings expanded.
    show_full_info: Flag,
}

impl Widget for DnsFilterDnsInfo {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 8;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.filter.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let (status, info) = join(
            self.filter.read::<StatusReply>("/status", context),
            self.filter.read::<InfoReply>("/dns_info", context),
        )
        .await;
        let (status, info, failure) = match (status, info) {
            (Ok(status), Ok(info)) => (Some(status), Some(info), None),
            (Ok(status), Err(error)) => (Some(status), None, Some(error)),
            (Err(error), Ok(info)) => (None, Some(info), Some(error)),
            (Err(error), Err(_)) => return Err(error),
        };
        let notice = failure.map(|error| {
            let reason = Phrase::message(error.to_string());
            Notice::warning(Phrase::from("Part of it is missing: {reason}").with("reason", reason)).into()
        });
        let is_stopped = status.as_ref().is_some_and(|status| status.running == Some(false));
        let stopped = is_stopped.then(|| Notice::warning("The DNS server is not running").into());
        let mut settings = settings(status.as_ref(), info.as_ref());
        let mut facts = vec![protection(status.as_ref(), info.as_ref(), context.now())];
        facts.extend(settings.extract_if(.., |fact| IN_SIGHT.iter().any(|label| fact.label == Phrase::from(*label))));
        let head = Facts { facts };
        let details = Details {
            open: self.show_full_info.is_on(),
            parts: vec![Facts { facts: settings }.into()],
            ..Details::default()
        };
        let parts: [Option<Part>; 4] = [Some(head.into()), stopped, notice, Some(details.into())];
        Ok(Panel::new(parts.into_iter().flatten().collect()))
    }
}

/// Whether the protection is on. Both responses say so, and both may say when a pause ends.
fn protection(status: Option<&StatusReply>, info: Option<&InfoReply>, now: Moment) -> Fact {
    let enabled = status.and_then(|status| status.protection_enabled).or(info.and_then(|info| info.protection_enabled));
    let left = status.and_then(|status| status.protection_disabled_duration).filter(|left| *left > 0.0);
    // The cast saturates; times outside the calendar are not shown.
    let ends = left.map(|left| now.after(Duration::from_millis(left as u64)));
    let until = info.and_then(|info| info.protection_disabled_until.as_deref()).and_then(Moment::parse);
    let ends = ends.or(until.filter(|until| *until > now));
    let (words, tone) = match (enabled, ends) {
        (Some(true), _) => ("Enabled".into(), Tone::Success),
        (Some(false), Some(ends)) => {
            // More than half a day ahead, the time alone does not say which day is meant.
            let style = if ends.since(now) < Duration::from_secs(12 * 3600) { Style::Time } else { Style::DateTime };
            (Phrase::from("Paused, on again at {time}").with("time", Datum::time(ends, style)), Tone::Warning)
        }
        (Some(false), None) => ("Disabled".into(), Tone::Danger),
        (None, _) => ("Unknown".into(), Tone::Neutral),
    };
    Fact::new("Protection", words).toned(tone)
}

fn settings(status: Option<&StatusReply>, info: Option<&InfoReply>) -> Vec<Fact> {
    let mut facts = Vec::new();
    let number = |number: Option<f64>| Datum::from(number.map(|number| Phrase::foreign(format!("{number}"))));
    let text = |text: &Option<String>| Datum::from(text.as_deref());
    if let Some(status) = status {
        facts.extend(each("DNS address", "DNS address {number}", &status.dns_addresses));
        facts.push(Fact::new("DNS port", number(status.dns_port)));
        facts.push(Fact::new("HTTP port", number(status.http_port)));
    }
    if let Some(info) = info {
        let flag = |flag: Option<bool>| Datum::from(flag.map(Datum::Flag));
        facts.push(Fact::new("Blocking mode", text(&info.blocking_mode)));
        facts.push(Fact::new("Cache size", info.cache_size.map(|size| Datum::number(size.max(0.0), Unit::Bytes))));
        facts.push(Fact::new("IPv6", flag(info.disable_ipv6.map(|disabled| !disabled))));
        facts.push(Fact::new("DNSSEC", flag(info.dnssec_enabled)));
        facts.push(Fact::new("EDNS client subnet", flag(info.edns_cs_enabled)));
        facts.push(Fact::new("Private PTR", flag(info.use_private_ptr_resolvers)));
        facts.extend(each("Upstream DNS", "Upstream DNS {number}", &info.upstream_dns));
        facts.extend(each("PTR upstream", "PTR upstream {number}", &info.local_ptr_upstreams));
        facts.extend(each("Bootstrap DNS", "Bootstrap DNS {number}", &info.bootstrap_dns));
    }
    if let Some(status) = status {
        facts.push(Fact::new("Version", text(&status.version)));
    }
    facts
}

/// One line per value; `numbered` is the label if there are several. Comments are skipped.
fn each(label: &'static str, numbered: &'static str, values: &[Value]) -> Vec<Fact> {
    let values: Vec<&str> = values
        .iter()
        .filter_map(Value::as_str)
        .map(str::trim)
        .filter(|value| !value.is_empty() && !value.starts_with('#'))
        .collect();
    match values.as_slice() {
        [] => vec![Fact::new(label, Phrase::from("N/A"))],
        [value] => vec![Fact::new(label, *value)],
        values => {
            let label = |index: usize| Phrase::from(numbered).with("number", Datum::count(index + 1));
            values.iter().enumerate().map(|(index, value)| Fact::new(label(index), *value)).collect()
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusReply {
    #[serde(deserialize_with = "tolerant::flag")]
    protection_enabled: Option<bool>,
    /// Remaining milliseconds of a pause.
    #[serde(deserialize_with = "tolerant::number")]
    protection_disabled_duration: Option<f64>,
    #[serde(deserialize_with = "tolerant::flag")]
    running: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    version: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    dns_addresses: Vec<Value>,
    #[serde(deserialize_with = "tolerant::number")]
    dns_port: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    http_port: Option<f64>,
}

/// Lists may be null.
#[derive(Default, Deserialize)]
#[serde(default)]
struct InfoReply {
    #[serde(deserialize_with = "tolerant::flag")]
    protection_enabled: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    protection_disabled_until: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    blocking_mode: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    cache_size: Option<f64>,
    #[serde(deserialize_with = "tolerant::flag")]
    disable_ipv6: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    dnssec_enabled: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    edns_cs_enabled: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    use_private_ptr_resolvers: Option<bool>,
    #[serde(deserialize_with = "tolerant::entries")]
    upstream_dns: Vec<Value>,
    #[serde(deserialize_with = "tolerant::entries")]
    local_ptr_upstreams: Vec<Value>,
    #[serde(deserialize_with = "tolerant::entries")]
    bootstrap_dns: Vec<Value>,
}
