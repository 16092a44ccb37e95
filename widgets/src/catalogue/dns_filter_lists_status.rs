//! `dns-filter-lists-status`: the block lists of a DNS filter.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::Flag,
    panel::{self, Datum, Entries, Fact, Facts, Heading, Link, Notice, Paragraph, Part, Phrase, Style, Tone, Unit},
    services::{dns_filter::Filter, tolerant},
};

/// Shows whether a DNS filter's filtering is on, and its lists with their number of rules and last update.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsFilterListsStatus {
    #[serde(flatten)]
    filter: Filter,
    /// Shows only whether filtering is on, without the lists.
    show_on_off_status_only: Flag,
}

impl Widget for DnsFilterListsStatus {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 12;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.filter.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let reply: FilteringReply = self.filter.read("/filtering/status", context).await?;
        let (word, tone) = match reply.enabled {
            Some(true) => ("Enabled", Tone::Success),
            Some(false) => ("Disabled", Tone::Danger),
            None => ("Unknown", Tone::Neutral),
        };
        let status = Fact::new("Status", Phrase::from(word)).toned(tone);
        let mut parts: Vec<Part> = vec![Facts { facts: vec![status] }.into()];
        if !self.show_on_off_status_only.is_on() {
            parts.extend(reply.lists());
        }
        Ok(Panel::new(parts))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FilteringReply {
    #[serde(deserialize_with = "tolerant::flag")]
    enabled: Option<bool>,
    #[serde(deserialize_with = "tolerant::entries")]
    filters: Vec<ListReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    whitelist_filters: Vec<ListReply>,
}

impl FilteringReply {
    fn lists(&self) -> Vec<Part> {
        if self.filters.is_empty() && self.whitelist_filters.is_empty() {
            return vec![Notice::empty("No filter lists").into()];
        }
        // While filtering is off, no list has an effect.
        let is_off = self.enabled == Some(false);
        let entries = |lists: &[ListReply]| {
            let entries = lists.iter().map(|list| list.entry(is_off)).collect();
            Part::from(Entries::new(entries))
        };
        let mut parts =
            vec![if self.filters.is_empty() { Notice::empty("No block lists").into() } else { entries(&self.filters) }];
        if !self.whitelist_filters.is_empty() {
            parts.extend([Heading::new("Allow lists").into(), entries(&self.whitelist_filters)]);
        }
        let all = self.filters.iter().chain(&self.whitelist_filters);
        let active: Vec<&ListReply> = all.filter(|list| list.enabled == Some(true)).collect();
        let rules: f64 = active.iter().filter_map(|list| list.rules_count).map(|count| count.max(0.0)).sum();
        let words: &'static str = if active.len() == 1 {
            "{lists} active list, {rules} rules"
        } else {
            "{lists} active lists, {rules} rules"
        };
        let sum = Phrase::from(words)
            .with("lists", Datum::count(active.len()))
            .with("rules", Datum::number(rules, Unit::None));
        parts.push(Paragraph { small: true, ..Paragraph::new(sum) }.into());
        parts
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ListReply {
    #[serde(deserialize_with = "tolerant::flag")]
    enabled: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    /// An address, or the path of a file on that machine.
    #[serde(deserialize_with = "tolerant::text")]
    url: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    rules_count: Option<f64>,
    /// Missing if the list was never fetched.
    #[serde(deserialize_with = "tolerant::text")]
    last_updated: Option<String>,
}

impl ListReply {
    fn entry(&self, is_off: bool) -> panel::ListEntry {
        let (word, tone) = match self.enabled {
            Some(true) => ("On", Tone::Success),
            Some(false) => ("Off", Tone::Danger),
            None => ("Unknown", Tone::Neutral),
        };
        let url = self.url.as_deref();
        let title = match (self.name.as_deref(), url) {
            (Some(name), _) | (None, Some(name)) => Phrase::foreign(name),
            (None, None) => "Unnamed list".into(),
        };
        let rules = self.rules_count.map(|count| Datum::number(count.max(0.0), Unit::None));
        let updated = self.last_updated.as_deref().and_then(Moment::parse);
        let updated = match updated.map(|at| Datum::time(at, Style::Relative)).filter(|at| !at.is_missing()) {
            Some(at) => Phrase::from("Updated {time}").with("time", at),
            None => "Never updated".into(),
        };
        let source = url.map(|url| match Link::parse("View list", url).filter(|link| link.url.is_remote()) {
            Some(link) => Datum::Link(link),
            None => Datum::text(url),
        });
        panel::ListEntry {
            state: Some(word.into()),
            tone: if is_off { Tone::Neutral } else { tone },
            values: [Some(Phrase::from("{count} rules").with("count", rules).into()), Some(updated.into()), source]
                .into_iter()
                .flatten()
                .collect(),
            ..panel::ListEntry::new(title)
        }
    }
}
