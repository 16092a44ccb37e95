//! `cloud-notifications`: the account's notifications on a cloud-storage server, with buttons to delete them.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use crate::{
    Action, ActionOutcome, Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Text},
    panel::{self, ActionButton, Datum, Entries, Link, Part, Phrase, Picture, SafeUrl, Style, Tone},
    services::{cloud::Cloud, tolerant},
};

/// The path of the notifications.
const PATH: &str = "/apps/notifications/api/v2/notifications";
/// The largest value of `limit`.
const MAX_LIMIT: f64 = 1000.0;
/// How long a server without an app that sends notifications is not queried again.
const HOUR: Duration = Duration::from_secs(3600);
/// The buttons, each with the server's name for the ability that it needs.
const DELETE: &str = "delete";
const DELETE_ALL: &str = "delete-all";

/// Lists your notifications on a cloud-storage server (Nextcloud), newest first, with buttons to delete one or all.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CloudNotifications {
    #[serde(flatten)]
    cloud: Cloud,
    /// How many are shown, such as {example}, or how old they may be, such as `30m`, `6h` or `1d`. Without it, all are shown.
    #[schemars(extend("x-example" = "5"))]
    limit: Text,
    /// For how many seconds the server's capabilities are remembered.
    capabilities_ttl: Bounded<60, 3600, 86_400>,
}

/// Which notifications are shown.
#[derive(Clone, Copy)]
enum Limit {
    Count(f64),
    Age(Duration),
}

impl Widget for CloudNotifications {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 12;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.cloud.check(problems);
        self.capabilities_ttl.check("capabilitiesTtl", problems);
        match self.limit() {
            None if self.limit.is_set() => problems.error("limit must be a number or an age such as 30m, 6h or 1d."),
            Some(Limit::Count(count)) if !(1.0..=MAX_LIMIT).contains(&count) => {
                let counts = count.clamp(1.0, MAX_LIMIT);
                problems.note(format!("limit must be between 1 and {MAX_LIMIT}; {counts} is used."));
            }
            _ => {}
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let abilities = self.abilities(context).await?;
        if abilities.is_empty() {
            return Ok(Panel::empty("This server has no notifications"));
        }
        let key = self.cloud.key("nothing-notifies");
        if context.recall(&key).is_some() {
            return Ok(Panel::empty(NOTHING_NOTIFIES));
        }
        let Some(list) = self.cloud.read::<Value>(PATH, &[], context).await? else {
            context.remember(&key, json!(true), HOUR);
            return Ok(Panel::empty(NOTHING_NOTIFIES));
        };
        let mut notifications: Vec<NotificationReply> = tolerant::as_entries(list);
        notifications.sort_by_key(|notification| std::cmp::Reverse(notification.at()));
        self.cut(&mut notifications, context.now());
        if notifications.is_empty() {
            return Ok(Panel::empty("No notifications"));
        }
        let can = |what: &str| abilities.iter().any(|ability| ability == what);
        let base = Url::parse(&format!("{}/", self.cloud.address().public())).ok();
        let entry = |notification: &NotificationReply| notification.entry(base.as_ref(), can(DELETE));
        let mut parts: Vec<Part> = vec![Entries::new(notifications.iter().map(entry).collect()).into()];
        if can(DELETE_ALL) {
            let question = "Delete all notifications on the server, also those that are not shown here?";
            let button = ActionButton { question: Some(question.into()), ..button(DELETE_ALL, "", "Delete all") };
            parts.push(button.into());
        }
        Ok(Panel::new(parts))
    }

    async fn act(&self, action: &Action, context: &dyn WidgetContext) -> Result<ActionOutcome, FetchError> {
        let Action { name, target } = action;
        let is_known = match name.as_str() {
            DELETE => !target.is_empty() && target.len() < 20 && target.bytes().all(|byte| byte.is_ascii_digit()),
            DELETE_ALL => target.is_empty(),
            _ => false,
        };
        if !is_known || !self.abilities(context).await?.contains(name) {
            return Err(FetchError::message(format!("There is no action {name}.")));
        }
        let done = if name == DELETE {
            self.cloud.delete(&format!("{PATH}/{{}}"), &[target], context).await
        } else {
            self.cloud.delete(PATH, &[], context).await
        };
        match done {
            // Somebody else has deleted it already.
            Err(FetchError::UnknownAddress { .. }) => Ok(ActionOutcome::Changed),
            done => done.map(|_| ActionOutcome::Changed),
        }
    }
}

const NOTHING_NOTIFIES: &str = "Nothing on this server sends notifications";

impl CloudNotifications {
    fn limit(&self) -> Option<Limit> {
        let written = self.limit.get()?.to_ascii_lowercase();
        let units = [("m", 60.0), ("h", 3600.0), ("d", 86_400.0)];
        let aged = units.iter().find_map(|(suffix, seconds)| Some((written.strip_suffix(suffix)?, seconds)));
        let (number, seconds) = aged.map_or((written.as_str(), None), |(number, seconds)| (number, Some(*seconds)));
        let number = number.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some(match seconds {
            // A hundred years are as good as forever.
            Some(seconds) => Limit::Age(Duration::from_secs_f64((number * seconds).clamp(60.0, 3.2e9))),
            None => Limit::Count(number),
        })
    }

    fn cut(&self, notifications: &mut Vec<NotificationReply>, now: Moment) {
        match self.limit() {
            // The cast saturates, and the clamp leaves small whole numbers.
            Some(Limit::Count(count)) => notifications.truncate(count.clamp(1.0, MAX_LIMIT).round() as usize),
            Some(Limit::Age(age)) => {
                let oldest = now.before(age);
                notifications.retain(|notification| notification.at().is_some_and(|at| at >= oldest));
            }
            None => {}
        }
    }

    /// What the server can do with notifications.
    async fn abilities(&self, context: &dyn WidgetContext) -> Result<Vec<String>, FetchError> {
        let life = Duration::from_secs(self.capabilities_ttl.get().unsigned_abs());
        Ok(self.cloud.capabilities(life, context).await?.notifications)
    }
}

fn button(name: &str, target: &str, label: &'static str) -> ActionButton {
    let action = Action { name: name.to_owned(), target: target.to_owned() };
    ActionButton { action, label: label.into(), tone: Tone::Danger, ..ActionButton::default() }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NotificationReply {
    #[serde(deserialize_with = "tolerant::text")]
    notification_id: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    datetime: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    subject: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    link: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    icon: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    actions: Vec<ActionReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ActionReply {
    #[serde(deserialize_with = "tolerant::text")]
    label: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    link: Option<String>,
    #[serde(rename = "type", deserialize_with = "tolerant::text")]
    method: Option<String>,
}

impl NotificationReply {
    fn at(&self) -> Option<Moment> {
        self.datetime.as_deref().and_then(Moment::parse).filter(|at| at.is_dated())
    }

    fn entry(&self, base: Option<&Url>, can_delete: bool) -> panel::ListEntry {
        let title = self.subject.as_deref().map_or_else(|| "Notification".into(), Phrase::foreign);
        let icon = resolve(self.icon.as_deref(), base);
        let delete = self.notification_id.as_deref().filter(|_| can_delete);
        panel::ListEntry {
            url: resolve(self.link.as_deref(), base).as_deref().and_then(SafeUrl::parse),
            text: self.message.as_deref().map(Phrase::foreign),
            opens: true,
            date: self.at(),
            date_style: Style::Relative,
            picture: icon.as_deref().and_then(Picture::parse),
            values: self.actions.iter().filter_map(|action| action.link(base)).collect(),
            action: delete.map(|id| ActionButton {
                question: Some("Delete this notification on the server?".into()),
                ..button(DELETE, id, "Delete")
            }),
            ..panel::ListEntry::new(title)
        }
    }
}

impl ActionReply {
    /// The link of an action that opens a page. Other actions change something on the server, which a link must not do.
    fn link(&self, base: Option<&Url>) -> Option<Datum> {
        let opens_page = matches!(self.method.as_deref(), Some("WEB" | "GET"));
        let url = resolve(self.link.as_deref().filter(|_| opens_page), base)?;
        Link::parse(Phrase::foreign(self.label.as_deref()?), &url).map(Datum::from)
    }
}

/// The full form of an address that may be relative to the server's.
fn resolve(link: Option<&str>, base: Option<&Url>) -> Option<String> {
    let url = base?.join(link?).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}
