//! `cloud-user-status`: the presence of people on a cloud-storage server.

use std::{collections::HashMap, time::Duration};

use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient, OneOrMany, Text},
    panel::{self, Datum, Entries, Phrase, Style, Tone},
    services::{cloud::Cloud, tolerant},
};

/// Maximum number of people that are shown.
const MAX_USERS: usize = 100;
/// The path of the statuses.
const PATH: &str = "/apps/user_status/api/v1/statuses";
/// Our word for the presence of a user whose status cannot be read.
const UNKNOWN: &str = "unknown";
const DAY: Duration = Duration::from_secs(86_400);

/// Shows the presence and the status messages of people on a cloud-storage server (Nextcloud).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CloudUserStatus {
    #[serde(flatten)]
    cloud: Cloud,
    /// The accounts of the people, by their ids, such as {example}, up to 100.
    #[schemars(extend("x-required" = true, "x-example" = "[alice, bob]"))]
    users: OneOrMany<Lenient<Text>>,
    /// Also shows people without a message.
    show_empty: Flag<true>,
    /// `AllAtOnce` sends one request for all people; `OneByOne` one for each, which is better on servers with thousands
    /// of accounts. Without it, all at once.
    fetch_strategy: Lenient<Strategy>,
    /// For how many seconds the server's capabilities are remembered.
    capabilities_ttl: Bounded<60, 3600, 86_400>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
enum Strategy {
    #[default]
    #[serde(alias = "allatonce")]
    AllAtOnce,
    #[serde(alias = "onebyone")]
    OneByOne,
}

impl Widget for CloudUserStatus {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 8;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.cloud.check(problems);
        self.capabilities_ttl.check("capabilitiesTtl", problems);
        problems.require_option(self.users().next().is_some(), "users", "a list of account ids at Nextcloud");
        for written in self.users.iter().filter_map(Lenient::unknown) {
            problems.note(format!("users: {written} is not an account id and is left out."));
        }
        let count = self.users.iter().filter_map(Lenient::get).count();
        if count > MAX_USERS {
            problems.note(format!("users has {count} accounts; only the first {MAX_USERS} are used."));
        }
        if let Some(written) = self.fetch_strategy.unknown() {
            problems.note(format!("Unknown fetchStrategy '{written}'; AllAtOnce is used. The other one is OneByOne."));
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let life = Duration::from_secs(self.capabilities_ttl.get().unsigned_abs());
        if !self.cloud.capabilities(life, context).await?.user_status {
            return Ok(Panel::empty("This server has no user status"));
        }
        let statuses = match self.fetch_strategy.or_default() {
            Strategy::AllAtOnce => self.all_at_once(context).await?,
            Strategy::OneByOne => self.one_by_one(context).await?,
        };
        let absent = StatusReply::default();
        let now = context.now();
        let people = self.users().map(|user| (user, statuses.get(user).unwrap_or(&absent)));
        let shown = people.filter(|(_, status)| self.show_empty.is_on() || status.has_message(now));
        let entries: Vec<panel::ListEntry> = shown.map(|(user, status)| status.entry(user, now)).collect();
        if entries.is_empty() {
            return Ok(Panel::empty("Nothing to show at this time"));
        }
        Ok(Panel::new(vec![Entries::new(entries).into()]))
    }
}

impl CloudUserStatus {
    /// The accounts, in the order of the option.
    fn users(&self) -> impl Iterator<Item = &str> {
        self.users.iter().filter_map(Lenient::get).filter_map(Text::get).take(MAX_USERS)
    }

    async fn all_at_once(&self, context: &dyn WidgetContext) -> Result<HashMap<String, StatusReply>, FetchError> {
        let list: Option<Value> = self.cloud.read(PATH, &[], context).await?;
        let statuses: Vec<StatusReply> = tolerant::as_entries(list.unwrap_or_default());
        Ok(statuses.into_iter().filter_map(|status| Some((status.user_id.clone()?, status))).collect())
    }

    async fn one_by_one(&self, context: &dyn WidgetContext) -> Result<HashMap<String, StatusReply>, FetchError> {
        let status_of = async |user: &str| {
            let path = format!("{PATH}/{{}}");
            match self.cloud.read::<Value>(&path, &[user], context).await {
                Ok(status) => Ok(status.map(|status| (user.to_owned(), StatusReply::read(status)))),
                // This user has no status.
                Err(FetchError::UnknownAddress { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        };
        let mut users = self.users();
        let Some(first) = users.next() else { return Ok(HashMap::new()) };
        // The first one alone, so that a rejected password counts once towards a lockout, not a hundred times.
        let mut results = vec![(first, status_of(first).await)];
        if results[0].1.as_ref().is_err_and(FetchError::is_rejection) {
            return results.swap_remove(0).1.map(|_| HashMap::new());
        }
        results.extend(join_all(users.map(async |user| (user, status_of(user).await))).await);
        if results.iter().all(|(_, result)| result.is_err()) {
            return results.swap_remove(0).1.map(|_| HashMap::new());
        }
        // Somebody whose status cannot be read is not offline.
        let unknown = |user: &str| {
            let status = Some(UNKNOWN.to_owned());
            Some((user.to_owned(), StatusReply { status, ..StatusReply::default() }))
        };
        Ok(results.into_iter().filter_map(|(user, result)| result.unwrap_or_else(|_| unknown(user))).collect())
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct StatusReply {
    #[serde(deserialize_with = "tolerant::text")]
    user_id: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    icon: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    clear_at: Option<f64>,
}

impl StatusReply {
    /// One status, which may be in a list by itself.
    fn read(status: Value) -> Self {
        let status = match status {
            Value::Array(list) => list.into_iter().next().unwrap_or_default(),
            status => status,
        };
        serde_json::from_value(status).unwrap_or_default()
    }

    /// When the message is removed.
    fn ends(&self) -> Option<Moment> {
        // The cast saturates.
        self.clear_at.map(|seconds| Moment::from_seconds(seconds as i64))
    }

    /// Whether there is a message that has not expired.
    fn has_message(&self, now: Moment) -> bool {
        (self.message.is_some() || self.icon.is_some()) && self.ends().is_none_or(|end| end > now)
    }

    fn entry(&self, user: &str, now: Moment) -> panel::ListEntry {
        let (word, tone) = match self.status.as_deref() {
            Some("online") => ("Online".into(), Tone::Success),
            Some("away") => ("Away".into(), Tone::Warning),
            Some("dnd") => ("Do not disturb".into(), Tone::Danger),
            Some("busy") => ("Busy".into(), Tone::Danger),
            None | Some("offline" | "invisible") => ("Offline".into(), Tone::Neutral),
            Some(UNKNOWN) => ("Unknown".into(), Tone::Neutral),
            Some(other) => (Phrase::foreign(other), Tone::Neutral),
        };
        let has_message = self.has_message(now);
        let message: Vec<&str> = [&self.icon, &self.message].into_iter().flatten().map(String::as_str).collect();
        let until = self.ends().filter(|_| has_message).map(|end| {
            let style = if end.since(now) < DAY { Style::Time } else { Style::DateTime };
            Datum::from(Phrase::from("until {time}").with("time", Datum::time(end, style)))
        });
        panel::ListEntry {
            state: Some(word),
            tone,
            text: has_message.then(|| Phrase::foreign(message.join(" "))),
            values: until.into_iter().collect(),
            ..panel::ListEntry::new(Phrase::foreign(user))
        }
    }
}
