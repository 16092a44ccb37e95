//! `uptime-ping`: the services of an uptime monitor, with their uptime and response times.
//!
//! What is expanded is toggled by `<details>`, not by buttons: that works without scripts, and outlasts a refresh.

use std::time::Duration;

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, Flag, Lenient, Number},
    panel::{Columns, Datum, Decimals, Details, Fact, Facts, Meter, Part, Phrase, Style, Tone, Unit},
    services::tolerant,
};

/// What the monitor writes for "never": the first day of the year 1.
const NEVER: i64 = -62_135_596_800 + 86_400;

/// Shows the services of a Statping monitor: whether they are online, their uptime in the last day and week, and how
/// fast they respond.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UptimePing {
    /// Address of the monitor, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.5:8080"))]
    hostname: Lenient<BaseAddress>,
    /// Number of the group whose services are shown; 0 shows all.
    #[schemars(extend("default" = 0))]
    group_id: Lenient<Number>,
    /// Whether the uptime of each service is expanded.
    show_chart: Flag<true>,
    /// Whether the details of each service are expanded.
    show_info: Flag,
    /// Maximum number of services; 0 shows all.
    limit: Bounded<0, 0, 1000>,
}

impl Widget for UptimePing {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 22;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.hostname.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "hostname", "the address of Statping");
        let is_group = |number: &Number| number.get() >= 0.0 && number.get().fract() == 0.0;
        let is_wrong = self.group_id.unknown().is_some() || !self.group_id.get().is_none_or(is_group);
        problems.require(!is_wrong, "groupId must be a number (0 shows all).");
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let address = self.hostname.get().cloned().unwrap_or_default();
        let group = self.group_id.or_default().get();
        let name = async { if group == 0.0 { None } else { group_name(&address, group, context).await } };
        let (reply, name) = join(context.exchange(request(&address, "/api/services")), name).await;
        let reply = reply?;
        if reply.status == 401 {
            let host = &reply.host;
            return Err(FetchError::message(format!(
                "{host} shows its services to its users only: make them public in Statping."
            )));
        }
        // If nothing is public, there is no list at all.
        let list = reply.json::<Option<Vec<Value>>>()?.unwrap_or_default();
        let was_empty = list.is_empty();
        let mut services: Vec<ServiceReply> = tolerant::as_entries(list.into_iter().filter(Value::is_object).collect());
        services.retain(|service| service.name.is_some() || service.online.is_some());
        if services.is_empty() && !was_empty {
            return Err(reply.unexpected("data of another shape"));
        }
        services.retain(|service| group == 0.0 || service.group_id == Some(group));
        services.sort_by_cached_key(|service| (service.position(), service.name.as_deref().map(str::to_lowercase)));
        if self.limit.count() > 0 {
            services.truncate(self.limit.count());
        }
        if services.is_empty() {
            let group_label = name.map_or_else(|| Datum::number(group, Unit::None), |name| Datum::text(&name));
            let in_group = Phrase::from("No services in group {group}").with("group", group_label);
            return Ok(Panel::empty(if group == 0.0 { "No public services".into() } else { in_group }));
        }
        let panel = Panel::new(services.iter().flat_map(|service| self.parts(service)).collect());
        Ok(match name {
            Some(name) => panel.titled(Phrase::foreign(name)),
            None => panel,
        })
    }
}

impl UptimePing {
    fn parts(&self, service: &ServiceReply) -> [Part; 3] {
        let (state, tone) = match service.online {
            Some(true) => ("Online", Tone::Success),
            Some(false) => ("Offline", Tone::Danger),
            None => ("Unknown", Tone::Neutral),
        };
        let name = service.name.as_deref().map_or_else(|| Phrase::from("unnamed"), Phrase::foreign);
        let name = Fact::new(name, Phrase::from(state)).toned(tone);
        let meters = [("24 hours", service.online_24_hours), ("7 days", service.online_7_days)];
        let columns = meters.map(|(label, percent)| vec![meter(label, percent).into()]).to_vec();
        let details = |summary: &'static str, open: bool, part: Part| {
            Part::from(Details { summary: summary.into(), open, parts: vec![part], ..Details::default() })
        };
        [
            Facts { facts: vec![name] }.into(),
            details("Uptime", self.show_chart.is_on(), Columns { columns }.into()),
            details("Details", self.show_info.is_on(), Facts { facts: service.facts() }.into()),
        ]
    }
}

fn request(address: &BaseAddress, path: &str) -> Request {
    Request::get(address.join(path, &[])).header("Accept", "application/json")
}

/// The name of a group. Private groups are not listed; without a name, the services are still shown.
async fn group_name(address: &BaseAddress, id: f64, context: &dyn WidgetContext) -> Option<String> {
    let reply = context.exchange(request(address, "/api/groups")).await.ok()?;
    let groups: Vec<GroupReply> = tolerant::as_entries(reply.json::<Value>().ok()?);
    groups.into_iter().find(|group| group.id == Some(id))?.name
}

/// The uptime of a service: online is green, offline is red.
fn meter(label: &'static str, percent: Option<f64>) -> Meter {
    let percent = percent.map(|percent| (percent.clamp(0.0, 100.0) * 100.0).round() / 100.0);
    Meter {
        label: label.into(),
        share: (percent.unwrap_or_default() * 10.0).round() / 1000.0,
        text: Some(Phrase::from("{percent}").with("percent", percent.map(Datum::percent))),
        pieces: percent.map(|_| (Tone::Success, Tone::Danger)),
        ..Meter::default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GroupReply {
    #[serde(deserialize_with = "tolerant::number")]
    id: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ServiceReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    order_id: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    group_id: Option<f64>,
    #[serde(deserialize_with = "tolerant::flag")]
    online: Option<bool>,
    #[serde(deserialize_with = "tolerant::number")]
    online_24_hours: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    online_7_days: Option<f64>,
    /// In microseconds.
    #[serde(deserialize_with = "tolerant::number")]
    avg_response: Option<f64>,
    #[serde(deserialize_with = "tolerant::part")]
    stats: Option<StatsReply>,
    #[serde(deserialize_with = "tolerant::text")]
    last_success: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    last_error: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatsReply {
    #[serde(deserialize_with = "tolerant::number")]
    failures: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    hits: Option<f64>,
}

impl ServiceReply {
    /// Its place in the monitor's own list. Services without one come last.
    fn position(&self) -> i64 {
        // The cast saturates.
        self.order_id.map_or(i64::MAX, |position| position as i64)
    }

    fn facts(&self) -> Vec<Fact> {
        let failed = self.stats.as_ref().map(|stats| {
            let count = |count: Option<f64>| count.map(|count| Datum::number(count, Unit::None));
            Phrase::from("{failures} of {checks}")
                .with("failures", count(stats.failures))
                .with("checks", count(stats.hits))
        });
        vec![
            Fact::new("Failed pings", failed),
            Fact::new("Last success", time(self.last_success.as_deref())),
            Fact::new("Last failure", time(self.last_error.as_deref())),
            Fact::new("Average response", self.avg_response.map(response)),
        ]
    }
}

/// The time, or a word for "never".
fn time(written: Option<&str>) -> Datum {
    match written.and_then(Moment::parse) {
        Some(at) if at.seconds() < NEVER => Phrase::from("never").into(),
        Some(at) => Datum::time(at, Style::Relative),
        None => Datum::Missing,
    }
}

/// Converts microseconds to a readable unit.
fn response(microseconds: f64) -> Datum {
    let milliseconds = microseconds.max(0.0) / 1000.0;
    if milliseconds < 1.0 {
        return Datum::number(microseconds.max(0.0).round(), Unit::Sign("µs".to_owned()));
    }
    Datum::number(milliseconds.round(), Unit::Milliseconds).decimals(Decimals::Exactly(0))
}
