//! `cloud-stats`: the usage of a cloud-storage server.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Fact, Facts, Notice, Part, Phrase, Tone, Unit},
    services::{cloud::ServerInfo, tolerant},
};

/// How long data about updates is kept: the server queries the app store for it, which is slow.
const HOUR: Duration = Duration::from_secs(3600);
/// Maximum number of updates that are named.
const MAX_NAMED: usize = 20;

/// Shows how much a cloud-storage server (Nextcloud) is used: users, apps and their updates, files, free space, shares.
/// The account must be an administrator. The server looks for updates itself once an hour, which can take longer than the
/// usual `timeout`; 30000 is enough.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CloudStats {
    #[serde(flatten)]
    server: ServerInfo,
}

impl Widget for CloudStats {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 12;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.server.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(300))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let (info, updates) = self.fetch_replies(context).await?;
        Ok(panel(&info, &updates))
    }
}

impl CloudStats {
    /// The state of the server, and the available updates, which are fetched once an hour.
    async fn fetch_replies(&self, context: &dyn WidgetContext) -> Result<(InfoReply, UpdatesReply), FetchError> {
        let key = self.server.key("updates");
        if let Some(kept) = context.recall(&key) {
            return Ok((self.server.read(context).await?, serde_json::from_value(kept).unwrap_or_default()));
        }
        match self.server.read_with_updates::<InfoReply>(context).await {
            Ok(info) => {
                let updates = info.system().map(SystemReply::updates).unwrap_or_default();
                context.remember(&key, json!(updates), HOUR);
                Ok((info, updates))
            }
            // Everything else is available without the app store. The next attempt is in an hour.
            Err(FetchError::TimedOut { .. }) => {
                context.log("looking up updates took longer than the option timeout allows");
                context.remember(&key, json!(UpdatesReply::default()), HOUR);
                Ok((self.server.read(context).await?, UpdatesReply::default()))
            }
            Err(error) => Err(error),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InfoReply {
    #[serde(deserialize_with = "tolerant::part")]
    nextcloud: Option<NextcloudReply>,
    #[serde(rename = "activeUsers", deserialize_with = "tolerant::part")]
    active_users: Option<ActiveReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NextcloudReply {
    #[serde(deserialize_with = "tolerant::part")]
    system: Option<SystemReply>,
    #[serde(deserialize_with = "tolerant::part")]
    storage: Option<StorageReply>,
    #[serde(deserialize_with = "tolerant::part")]
    shares: Option<SharesReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SystemReply {
    #[serde(deserialize_with = "tolerant::number")]
    freespace: Option<f64>,
    #[serde(deserialize_with = "tolerant::part")]
    apps: Option<AppsReply>,
    #[serde(deserialize_with = "tolerant::part")]
    update: Option<UpdateReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AppsReply {
    #[serde(deserialize_with = "tolerant::number")]
    num_installed: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_updates_available: Option<f64>,
    /// Versions by app; an empty list if there are none.
    app_updates: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UpdateReply {
    #[serde(deserialize_with = "tolerant::flag")]
    available: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    available_version: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StorageReply {
    #[serde(deserialize_with = "tolerant::number")]
    num_users: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_files: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_storages: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_storages_local: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_storages_home: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_storages_other: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SharesReply {
    #[serde(deserialize_with = "tolerant::number")]
    num_shares: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_shares_user: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_shares_groups: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_shares_link: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_shares_mail: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_shares_room: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_fed_shares_sent: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_fed_shares_received: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ActiveReply {
    #[serde(deserialize_with = "tolerant::number")]
    last5minutes: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    last1hour: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    last24hours: Option<f64>,
}

/// The remembered data about apps and updates.
#[derive(Default, Serialize, Deserialize)]
struct UpdatesReply {
    installed: Option<f64>,
    available: Option<f64>,
    names: Map<String, Value>,
    /// The version to which the server can be updated.
    server: Option<String>,
}

impl InfoReply {
    fn system(&self) -> Option<&SystemReply> {
        self.nextcloud.as_ref()?.system.as_ref()
    }
}

impl SystemReply {
    fn updates(&self) -> UpdatesReply {
        let apps = self.apps.as_ref();
        let update = self.update.as_ref().filter(|update| update.available == Some(true));
        UpdatesReply {
            installed: apps.and_then(|apps| apps.num_installed),
            available: apps.and_then(|apps| apps.num_updates_available),
            names: apps.and_then(|apps| apps.app_updates.as_object()).cloned().unwrap_or_default(),
            server: update.and_then(|update| update.available_version.clone()),
        }
    }
}

fn panel(info: &InfoReply, updates: &UpdatesReply) -> Panel {
    let nextcloud = info.nextcloud.as_ref();
    let mut facts = users(nextcloud.and_then(|nextcloud| nextcloud.storage.as_ref()), info.active_users.as_ref());
    facts.extend(updates.facts());
    facts.extend(files(nextcloud.and_then(|nextcloud| nextcloud.storage.as_ref())));
    let free = info.system().and_then(|system| system.freespace);
    facts.push(Fact::new("Free space", free.map(|bytes| Datum::bytes(bytes.max(0.0)))));
    facts.push(shares(nextcloud.and_then(|nextcloud| nextcloud.shares.as_ref())));
    let mut parts: Vec<Part> = vec![Facts { facts }.into()];
    if let Some(version) = &updates.server {
        let text = Phrase::from("Nextcloud {version} can be installed").with("version", version.as_str());
        parts.push(Notice { text, tone: Tone::Info }.into());
    }
    Panel::new(parts)
}

/// A count in short form, or a dash.
fn count(count: Option<f64>) -> Datum {
    count.map(|count| Datum::short(count.max(0.0))).into()
}

/// A count with all its digits, or a dash.
fn exact(count: Option<f64>) -> Datum {
    count.map(|count| Datum::number(count.max(0.0), Unit::None)).into()
}

fn users(storage: Option<&StorageReply>, active: Option<&ActiveReply>) -> Vec<Fact> {
    let hint = active.map(|active| {
        Phrase::from("{minutes} in the last 5 minutes, {hour} in the last hour")
            .with("minutes", exact(active.last5minutes))
            .with("hour", exact(active.last1hour))
    });
    let active = active.and_then(|active| active.last24hours);
    vec![
        Fact::new("Users", count(storage.and_then(|storage| storage.num_users))),
        Fact { hint, ..Fact::new("Active in 24 hours", count(active)) },
    ]
}

impl UpdatesReply {
    /// `None` if the server does not say, which is not the same as no updates.
    fn facts(&self) -> Vec<Fact> {
        let apps = self.installed.map(|installed| Fact::new("Apps", count(Some(installed))));
        let updates = self.available.map(|available| {
            if available < 1.0 {
                return Fact::new("Updates", Phrase::from("no pending updates"));
            }
            let version = |version: &Value| version.as_str().unwrap_or_default().to_owned();
            let named = self.names.iter().take(MAX_NAMED);
            let names: Vec<String> =
                named.map(|(app, of)| format!("{app} {}", version(of)).trim().to_owned()).collect();
            let hint = (!names.is_empty()).then(|| Phrase::foreign(names.join(", ")));
            Fact { hint, ..Fact::new("Updates", count(Some(available))).toned(Tone::Warning) }
        });
        apps.into_iter().chain(updates).collect()
    }
}

fn files(storage: Option<&StorageReply>) -> Option<Fact> {
    let storage = storage?;
    let hint = Phrase::from("{files} files; storages: {local} local, {home} home, {other} others")
        .with("files", exact(storage.num_files))
        .with("local", exact(storage.num_storages_local))
        .with("home", exact(storage.num_storages_home))
        .with("other", exact(storage.num_storages_other));
    let storages = Phrase::from("in {count} storages").with("count", count(storage.num_storages));
    Some(Fact { more: vec![storages.into()], hint: Some(hint), ..Fact::new("Files", count(storage.num_files)) })
}

fn shares(shares: Option<&SharesReply>) -> Fact {
    let Some(shares) = shares else { return Fact::new("Shares", Datum::Missing) };
    let federated = [shares.num_fed_shares_sent, shares.num_fed_shares_received];
    let is_known = federated.iter().any(Option::is_some);
    let federated = is_known.then(|| federated.iter().flatten().sum());
    let hint = Phrase::from("With users {users}, groups {groups}, by link {links}, mail {mail}, rooms {rooms}")
        .with("users", exact(shares.num_shares_user))
        .with("groups", exact(shares.num_shares_groups))
        .with("links", exact(shares.num_shares_link))
        .with("mail", exact(shares.num_shares_mail))
        .with("rooms", exact(shares.num_shares_room));
    let federated = Phrase::from("and {count} federated").with("count", count(federated));
    Fact { more: vec![federated.into()], hint: Some(hint), ..Fact::new("Local shares", count(shares.num_shares)) }
}
