//! The scheduled jobs that report to a monitoring service, for the keys of one or more projects.

use std::time::Duration;

use futures_util::future::join_all;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{
    Entry, FetchError, Moment, OptionProblems, Panel, Request, Response, WidgetContext,
    address::encode,
    option_types::{BaseAddress, OneOrMany, Secret, Text},
    panel::{Datum, Entries, Headline, ListEntry, Notice, Part, Phrase, SafeUrl, Style, Tone},
};

/// The public service, for people who do not host it themselves.
const HOST: &str = "https://healthchecks.io";
/// Default refresh interval.
pub(crate) const REFRESH: Duration = Duration::from_secs(60);
/// Number of characters in a key.
const KEY_LENGTH: usize = 32;
/// How long it is remembered that an instance only has the first version of the API.
const DAY: Duration = Duration::from_secs(86_400);

/// The options of all widgets of scheduled jobs, flattened into theirs.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Projects {
    /// Address of your own instance, with `http://` or `https://`. Without it, `https://healthchecks.io`.
    host: Text,
    /// Key of the project, or a list with one key per project. A read-only key is enough.
    #[schemars(extend("x-required" = true))]
    #[schemars(with = "OneOrMany<Secret>")]
    api_key: Keys,
}

impl Projects {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.api_key.check(problems);
        let has_scheme = self.host.is_empty() || self.host.contains("://");
        let sentence = "host must begin with http:// or https://, for example https://checks.example.org.";
        problems.require(has_scheme && self.address().is_some(), sentence);
        if entry.refreshes_more_often_than(Duration::from_secs(30)) {
            problems.note("The service allows about 100 requests a minute; an updateInterval below 30 is too short.");
        }
    }

    /// Fetches the jobs for all keys at once, and shows them.
    ///
    /// # Errors
    ///
    /// No key works: the error of the first one.
    pub(crate) async fn panel(&self, order: Order, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let host = self.address().unwrap_or_default();
        let results = join_all(self.api_key.0.iter().map(|key| checks(&host, key.as_ref(), context))).await;
        let mut checks = Vec::new();
        let mut failures = Vec::new();
        for (index, result) in results.into_iter().enumerate() {
            match result {
                Ok(more) => checks.extend(more),
                Err(error) => failures.push((index + 1, error)),
            }
        }
        if failures.len() == self.api_key.0.len() && !failures.is_empty() {
            return Err(match failures.swap_remove(0).1 {
                FetchError::Refused { host } => FetchError::login_refused(format!(
                    "{host} refused the key: check the option apiKey (project settings, API access)."
                )),
                error => error,
            });
        }
        checks.sort_by_cached_key(|check| {
            let urgency = if order == Order::UrgentFirst { check.urgency() } else { 0 };
            (urgency, check.label().to_lowercase())
        });
        let mut parts: Vec<Part> = failures.iter().map(|(number, error)| failure(*number, error).into()).collect();
        if checks.is_empty() {
            parts.push(Notice::empty("No checks in this project").into());
        } else {
            parts.extend(counts(&checks).map(Part::from));
            let entries = checks.iter().map(|check| check.entry(&host)).collect();
            parts.push(Entries::new(entries).into());
        }
        Ok(Panel::new(parts))
    }

    fn address(&self) -> Option<BaseAddress> {
        BaseAddress::parse(self.host.get().unwrap_or(HOST)).ok()
    }
}

/// Which jobs come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By name.
    Name,
    /// Those that are down first, then those that are late, then the others; each by name.
    UrgentFirst,
}

/// The keys of one or more projects. Of an entry that cannot be a key, only its position is kept.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
struct Keys(Vec<Option<Secret>>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = OneOrMany::<Value>::deserialize(deserializer)?;
        let written = written.iter().map(|key| Secret::deserialize(key).ok());
        let is_key = |key: &Secret| key.reveal().chars().count() == KEY_LENGTH;
        let set = written.filter(|key| key.as_ref().is_none_or(Secret::is_set));
        Ok(Self(set.map(|key| key.filter(is_key)).collect()))
    }
}

impl Keys {
    /// Reports what is wrong with the keys. One that cannot be a key costs the widget only if no other key is left.
    fn check(&self, problems: &mut OptionProblems) {
        let purpose = "a read-only key of Healthchecks (project settings, API access)";
        problems.require_option(!self.0.is_empty(), "apiKey", purpose);
        let has_good_one = self.0.iter().any(Option::is_some);
        for (index, _) in self.0.iter().enumerate().filter(|(_, key)| key.is_none()) {
            let which = if self.0.len() > 1 { format!("apiKey {}", index + 1) } else { "apiKey".to_owned() };
            let sentence = format!(
                "{which} must be a key of Healthchecks, of {KEY_LENGTH} characters (project settings, API access)."
            );
            if has_good_one { problems.note(sentence) } else { problems.error(sentence) }
        }
    }
}

async fn checks(
    host: &BaseAddress,
    key: Option<&Secret>,
    context: &dyn WidgetContext,
) -> Result<Vec<CheckReply>, FetchError> {
    let Some(key) = key else {
        return Err(FetchError::message(format!("it does not have {KEY_LENGTH} characters. Check the option apiKey.")));
    };
    // Self-hosted instances from years ago only have the first version.
    let memory = format!("cron-projects/{}/first-version", host.public());
    let is_old = context.recall(&memory).is_some();
    let (usual, other) = if is_old { ("v1", "v3") } else { ("v3", "v1") };
    let mut reply = get(host, usual, key, context).await?;
    if reply.status == 404 {
        reply = get(host, other, key, context).await?;
        match is_old {
            true => context.forget(&memory),
            false if reply.status != 404 => context.remember(&memory, Value::from(true), DAY),
            false => {}
        }
    }
    Ok(reply.json::<ChecksReply>()?.checks)
}

async fn get(
    host: &BaseAddress,
    version: &str,
    key: &Secret,
    context: &dyn WidgetContext,
) -> Result<Response, FetchError> {
    // Without the trailing slash, the server redirects first.
    let request = Request::get(host.join(&format!("/api/{version}/checks/"), &[]))
        .secret_header("X-Api-Key", key)
        .header("Accept", "application/json");
    context.exchange(request).await
}

/// Names a key by its position, never by its value.
fn failure(number: usize, error: &FetchError) -> Notice {
    Notice::warning(match error {
        FetchError::Refused { .. } => Phrase::from("Key {number}: wrong API key").with("number", Datum::count(number)),
        error => Phrase::from("Key {number}: {reason}")
            .with("number", Datum::count(number))
            .with("reason", Phrase::message(error.to_string())),
    })
}

/// How many jobs are in each state, the most urgent one large; states without jobs are left out.
fn counts(checks: &[CheckReply]) -> Option<Headline> {
    let states = ["down", "grace", "started", "new", "paused", "up"];
    let mut counts = states.iter().filter_map(|state| {
        let count = checks.iter().filter(|check| check.status == *state).count();
        let (word, tone) = state_of(state);
        let words = Phrase::from("{count} {state}").with("count", Datum::count(count)).with("state", word);
        (count > 0).then_some((words, tone))
    });
    let (first, tone) = counts.next()?;
    let others = Phrase::joined(counts.map(|(words, _)| words));
    Some(Headline { tone, caption: (!others.is_empty()).then_some(others), ..Headline::new(first) })
}

/// The word for a state, and its tone.
fn state_of(status: &str) -> (Phrase, Tone) {
    match status {
        "up" => ("Up".into(), Tone::Success),
        "grace" => ("Late".into(), Tone::Warning),
        "down" => ("Down".into(), Tone::Danger),
        "new" => ("New".into(), Tone::Info),
        "paused" => ("Paused".into(), Tone::Neutral),
        // In the first version this hides the actual state.
        "started" => ("Running".into(), Tone::Info),
        "" => ("Unknown".into(), Tone::Neutral),
        other => (Phrase::foreign(other), Tone::Neutral),
    }
}

#[derive(Deserialize)]
struct ChecksReply {
    checks: Vec<CheckReply>,
}

/// What is shown of a job. Anybody who knows its ping addresses can report for it, so they are not even read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckReply {
    name: String,
    slug: Option<String>,
    tags: Option<String>,
    desc: Option<String>,
    status: String,
    started: bool,
    n_pings: Option<u64>,
    last_ping: Option<String>,
    next_ping: Option<String>,
    last_duration: Option<f64>,
    grace: Option<f64>,
    timeout: Option<f64>,
    schedule: Option<String>,
    tz: Option<String>,
    uuid: Option<String>,
    unique_key: Option<String>,
}

impl CheckReply {
    /// Lower is more urgent.
    fn urgency(&self) -> u8 {
        match self.status.as_str() {
            "down" => 0,
            "grace" => 1,
            _ => 2,
        }
    }

    /// The name, or else its short form used in addresses; empty if there is neither.
    fn label(&self) -> &str {
        let slug = self.slug.as_deref().unwrap_or_default().trim();
        Some(self.name.trim()).filter(|name| !name.is_empty()).unwrap_or(slug)
    }

    fn entry(&self, host: &BaseAddress) -> ListEntry {
        let (word, tone) = state_of(&self.status);
        let is_running = self.started && self.status != "started";
        let state = if is_running { Phrase::from("{state}, running").with("state", word) } else { word };
        let description = self.desc.as_deref().map(str::trim).filter(|text| !text.is_empty());
        ListEntry {
            title: if self.label().is_empty() { "unnamed".into() } else { Phrase::foreign(self.label()) },
            url: self.page(host).as_deref().and_then(SafeUrl::parse),
            text: description.map(Phrase::foreign),
            state: Some(state),
            hint: self.details(),
            values: self.values(),
            tone,
            ..ListEntry::default()
        }
    }

    /// When it has reported, and when it will.
    fn values(&self) -> Vec<Datum> {
        let at = |time: &Option<String>| time.as_deref().and_then(Moment::parse);
        let relative = |at: Moment| Datum::time(at, Style::Relative);
        let last = match at(&self.last_ping) {
            Some(at) => Some(relative(at)),
            None if self.n_pings.is_none_or(|count| count == 0) => Some(Phrase::from("never pinged").into()),
            None => None,
        };
        let next = at(&self.next_ping).map(|at| Phrase::from("next {time}").with("time", relative(at)).into());
        last.into_iter().chain(next).collect()
    }

    /// Details that are looked up now and then: the plan, the pings, the last duration, the tags.
    fn details(&self) -> Option<Phrase> {
        let pings = self.n_pings.map(|count| Phrase::from("Pings: {count}").with("count", Datum::count(count)));
        let duration = self.last_duration;
        let duration = duration.map(|time| Phrase::from("Last duration: {time}").with("time", Datum::seconds(time)));
        let tags = Datum::text(self.tags.as_deref().unwrap_or_default());
        let tags = (!tags.is_missing()).then(|| Phrase::from("Tags: {tags}").with("tags", tags));
        let details = Phrase::joined([self.plan(), pings, duration, tags].into_iter().flatten());
        (!details.is_empty()).then_some(details)
    }

    /// When the job should report.
    fn plan(&self) -> Option<Phrase> {
        let plan = match (&self.schedule, self.timeout) {
            (Some(schedule), _) => Phrase::from("{schedule} ({zone}), grace {grace}")
                .with("schedule", Datum::text(schedule))
                .with("zone", Datum::text(self.tz.as_deref().unwrap_or("UTC"))),
            (None, Some(period)) => {
                Phrase::from("every {period}, grace {grace}").with("period", Datum::seconds(period))
            }
            (None, None) => return None,
        };
        Some(plan.with("grace", self.grace.map(Datum::seconds)))
    }

    fn page(&self, host: &BaseAddress) -> Option<String> {
        let set = |id: &Option<String>| id.as_deref().filter(|id| !id.is_empty()).map(encode);
        let details = set(&self.uuid).map(|id| format!("{}/checks/{id}/details/", host.public()));
        details.or_else(|| set(&self.unique_key).map(|key| format!("{}/cloaked/{key}/", host.public())))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::Recorded;

    #[test]
    fn an_old_instance_is_not_asked_twice_each_time() {
        let to = |version: &str, status: u16| {
            json!({ "request": { "url": format!("http://cron.lan/api/{version}/checks/") },
                    "response": { "status": status, "body": { "checks": [] } } })
        };
        // A second request to the newer version would find another response.
        let exchanges = json!([to("v3", 404), to("v3", 500), to("v1", 200)]);
        let context = Recorded::new(serde_json::from_value(exchanges).unwrap(), Moment::from_seconds(0));
        let options = json!({ "host": "http://cron.lan", "apiKey": "0123456789abcdef0123456789abcdef" });
        let projects: Projects = serde_json::from_value(options).unwrap();
        for _ in 0..2 {
            assert!(projects.panel(Order::Name, &context).now_or_never().unwrap().is_ok());
        }
        assert_eq!(context.unused().len(), 1);
    }
}
