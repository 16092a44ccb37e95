//! `cloud-php-cache`: how well the PHP code cache of a cloud-storage server works.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Decimals, Fact, Facts, Meter, Notice, Part, Phrase, Style, Tone, Unit},
    services::{cloud::ServerInfo, tolerant},
};

/// Shows how well the PHP code cache of a cloud-storage server (Nextcloud) works: hit rate, memory, interned strings. The
/// account must be an administrator.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CloudPhpCache {
    #[serde(flatten)]
    server: ServerInfo,
}

impl Widget for CloudPhpCache {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 11;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.server.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let info: InfoReply = self.server.read(context).await?;
        let cache = info.server.and_then(|server| server.php).and_then(|php| php.opcache);
        Ok(match cache {
            Some(cache) => cache.panel(),
            None => Panel::empty("PHP opcache information is not available on this server"),
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InfoReply {
    #[serde(deserialize_with = "tolerant::part")]
    server: Option<ServerReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ServerReply {
    #[serde(deserialize_with = "tolerant::part")]
    php: Option<PhpReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PhpReply {
    /// An empty list if the extension is missing, or its status is not available.
    #[serde(deserialize_with = "tolerant::part")]
    opcache: Option<CacheReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CacheReply {
    #[serde(deserialize_with = "tolerant::flag")]
    opcache_enabled: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    cache_full: Option<bool>,
    #[serde(deserialize_with = "tolerant::part")]
    memory_usage: Option<MemoryReply>,
    #[serde(deserialize_with = "tolerant::part")]
    interned_strings_usage: Option<StringsReply>,
    #[serde(deserialize_with = "tolerant::part")]
    opcache_statistics: Option<StatisticsReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MemoryReply {
    #[serde(deserialize_with = "tolerant::number")]
    used_memory: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    free_memory: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    wasted_memory: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StringsReply {
    #[serde(deserialize_with = "tolerant::number")]
    buffer_size: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    used_memory: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    number_of_strings: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatisticsReply {
    #[serde(deserialize_with = "tolerant::number")]
    hits: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    misses: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_cached_scripts: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_cached_keys: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    max_cached_keys: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    start_time: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    last_restart_time: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    opcache_hit_rate: Option<f64>,
}

impl CacheReply {
    fn panel(&self) -> Panel {
        let no_statistics = StatisticsReply::default();
        let statistics = self.opcache_statistics.as_ref().unwrap_or(&no_statistics);
        let state = match self.opcache_enabled {
            Some(true) => Fact::new("PHP opcache", Phrase::from("enabled")).toned(Tone::Success),
            Some(false) => Fact::new("PHP opcache", Phrase::from("disabled")).toned(Tone::Danger),
            None => Fact::new("PHP opcache", Datum::Missing),
        };
        let mut facts = vec![Fact { hint: Some(statistics.times()), ..state }];
        facts.extend(statistics.facts());
        let mut parts: Vec<Part> = Vec::new();
        if self.cache_full == Some(true) {
            parts.push(Notice::warning("The cache is full").into());
        }
        parts.push(Facts { facts }.into());
        parts.extend(self.memory_usage.as_ref().map(MemoryReply::part));
        parts.extend(self.interned_strings_usage.as_ref().map(StringsReply::part));
        Panel::new(parts)
    }
}

impl StatisticsReply {
    fn facts(&self) -> [Fact; 3] {
        let keys = Phrase::from("{scripts} scripts, {keys} of {max} keys")
            .with("scripts", number(self.num_cached_scripts))
            .with("keys", number(self.num_cached_keys))
            .with("max", number(self.max_cached_keys));
        let rate = self.opcache_hit_rate.map(|rate| {
            Datum::percent((rate.clamp(0.0, 100.0) * 1000.0).round() / 1000.0).decimals(Decimals::Exactly(3))
        });
        let count =
            |label: &'static str, count: Option<f64>| Fact::new(label, count.map(|count| Datum::short(count.max(0.0))));
        let rate = Fact { hint: Some(keys), ..Fact::new("Hit rate", rate) };
        [rate, count("Hits", self.hits), count("Misses", self.misses)]
    }

    /// When the counting began, and when the cache was last emptied.
    fn times(&self) -> Phrase {
        let time = |seconds: Option<f64>| {
            // Zero means never. The cast saturates; times outside the calendar become a dash.
            let seconds = seconds.filter(|seconds| *seconds > 0.0)? as i64;
            Some(Datum::time(Moment::from_seconds(seconds), Style::DateTime))
        };
        let started = Phrase::from("Started {start}").with("start", time(self.start_time));
        match time(self.last_restart_time) {
            Some(restart) => Phrase::from("Started {start}, last restart {restart}")
                .with("start", time(self.start_time))
                .with("restart", restart),
            None => started,
        }
    }
}

impl MemoryReply {
    fn part(&self) -> Part {
        let all = [self.used_memory, self.free_memory, self.wasted_memory];
        let total = all.iter().flatten().map(|bytes| bytes.max(0.0)).reduce(|sum, bytes| sum + bytes);
        let size = |bytes: Option<f64>| Datum::from(bytes.map(|bytes| Datum::bytes(bytes.max(0.0))));
        let mut text = Phrase::from("{percent} of {total} used").with("total", size(total));
        if self.wasted_memory.is_some_and(|wasted| wasted > 0.0) {
            text = Phrase::from("{percent} of {total} used, {wasted} wasted")
                .with("total", size(total))
                .with("wasted", size(self.wasted_memory));
        }
        let sizes = Phrase::from("{used} used, {free} free, {wasted} wasted, {total} in all")
            .with("used", size(self.used_memory))
            .with("free", size(self.free_memory))
            .with("wasted", size(self.wasted_memory))
            .with("total", size(total));
        Meter { hint: Some(sizes), ..meter("Memory", self.used_memory, total, text) }.into()
    }
}

impl StringsReply {
    fn part(&self) -> Part {
        let text = Phrase::from("{count} use {percent} of {total}")
            .with("count", self.number_of_strings.map(|count| Datum::short(count.max(0.0))))
            .with("total", self.buffer_size.map(|bytes| Datum::bytes(bytes.max(0.0))));
        meter("Strings", self.used_memory, self.buffer_size, text).into()
    }
}

/// A bar with a share of a size. The share is unknown if the size is unknown or zero.
fn meter(label: &'static str, used: Option<f64>, total: Option<f64>, text: Phrase) -> Meter {
    let share = used.zip(total.filter(|total| *total > 0.0)).map(|(used, total)| (used / total).clamp(0.0, 1.0));
    let percent = share.map(|share| Datum::percent((share * 1000.0).round() / 10.0));
    let tone = if share.is_some() { Tone::Plain } else { Tone::Neutral };
    let share = (share.unwrap_or_default() * 10_000.0).round() / 10_000.0;
    Meter { label: label.into(), share, text: Some(text.with("percent", percent)), tone, ..Meter::default() }
}

fn number(count: Option<f64>) -> Datum {
    count.map_or(Datum::Missing, |count| Datum::number(count.max(0.0), Unit::None))
}
