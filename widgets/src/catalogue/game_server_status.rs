//! `game-server-status`: whether a Minecraft server is online, and who plays there.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    address::encode,
    option_types::{Flag, Text},
    panel::{
        self, Datum, Details, Entries, Fact, Facts, Heading, Headline, Notice, Paragraph, Part, Phrase, Picture,
        SafeUrl, Tone, Unit,
    },
    services::tolerant,
};

/// How long the service keeps its responses.
const KEPT: Duration = Duration::from_secs(60);

/// Shows whether a Minecraft server is online, its version, its message and its players. The server must be reachable
/// from the internet.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GameServerStatus {
    /// Host name or address, such as {example}, with `:port` if it is not the default one.
    #[schemars(extend("x-required" = true, "x-example" = "play.example.com"))]
    server: Text,
    /// Title. Without it, the server.
    title: Text,
    /// Set this for a server of the Bedrock Edition.
    bedrock: Flag,
    /// Lists the players that the server names. Pictures of their heads come from other websites.
    show_players: Flag,
    /// Lists the mods, if there are any.
    show_mods: Flag,
    /// Lists the plugins, if there are any.
    show_plugins: Flag,
}

impl Widget for GameServerStatus {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 16;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.server.is_set(), "server", "the host name or address of a Minecraft server");
        if self.server.contains("://") {
            problems.error("server without http:// (host name or address, optionally with :port).");
        } else if self.server.contains(['/', '\\', '?', '#', ' ']) {
            problems.error("server must be a host name or an address, optionally with :port.");
        }
        if entry.refreshes_more_often_than(KEPT) {
            problems.note("The service keeps its answers for a minute; an updateInterval below 60 brings nothing new.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(300))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let edition = if self.bedrock.is_on() { "bedrock/3" } else { "3" };
        let url = format!("https://api.mcsrvstat.us/{edition}/{}", encode(&self.server));
        let reply = context.exchange(Request::get(url)).await?;
        if reply.status == 403 {
            // There is no key that could be wrong: the service refuses programs and addresses.
            return Err(FetchError::message(format!("{} refuses the requests of this server (403).", reply.host)));
        }
        let status: StatusReply = reply.json()?;
        let is_online = status.online.ok_or_else(|| reply.unexpected("data of another shape"))?;
        let parts = if is_online { self.online(&status) } else { vec![offline(&status)] };
        Ok(Panel::new(parts).titled(self.heading(is_online)))
    }
}

impl GameServerStatus {
    fn heading(&self, online: bool) -> Heading {
        let server = encode(&self.server);
        let has_icon = online && !self.bedrock.is_on();
        let page = if self.bedrock.is_on() { "bedrock" } else { "server" };
        let title = self.title.get().unwrap_or(&self.server);
        Heading {
            picture: has_icon.then(|| Picture::parse(&format!("https://api.mcsrvstat.us/icon/{server}"))).flatten(),
            subtitle: (title != &*self.server).then(|| Phrase::foreign(&*self.server)),
            ..Heading::new(Phrase::foreign(title)).linked(&format!("https://mcsrvstat.us/{page}/{server}"))
        }
    }

    fn online(&self, reply: &StatusReply) -> Vec<Part> {
        let usual = if self.bedrock.is_on() { "Bedrock" } else { "Minecraft" };
        let software = reply.software.as_deref().unwrap_or(usual);
        let version = format!("{software} {}", reply.version.as_deref().unwrap_or_default());
        let status = Phrase::joined(["Online".into(), Phrase::foreign(version.trim())]);
        let mut parts: Vec<Part> = vec![match &reply.players {
            Some(players) => {
                let count = Phrase::from("{online} / {max}")
                    .with("online", count(players.online))
                    .with("max", count(players.max));
                let caption = Phrase::from("players · {status}").with("status", status);
                Headline { tone: Tone::Success, caption: Some(caption), ..Headline::new(count) }.into()
            }
            None => Headline { tone: Tone::Success, ..Headline::new(status) }.into(),
        }];
        let lines: Vec<&str> = reply
            .motd
            .iter()
            .flat_map(|motd| &motd.clean)
            .map(|line| line.trim())
            .filter(|line| !line.is_empty())
            .collect();
        if !lines.is_empty() {
            parts.push(Paragraph { small: true, ..Paragraph::new(Phrase::foreign(lines.join("\n"))) }.into());
        }
        if reply.eula_blocked == Some(true) {
            parts.push(Notice::warning("Mojang blocks this server for breaking the terms of use.").into());
        }
        if self.show_players.is_on() {
            let players = reply.players.iter().flat_map(|players| &players.list).filter_map(PlayerReply::entry);
            parts.extend(list(players));
        }
        if self.show_mods.is_on() {
            parts.extend(extras("Mods ({count})", &reply.mods));
        }
        if self.show_plugins.is_on() {
            parts.extend(extras("Plugins ({count})", &reply.plugins));
        }
        parts
    }
}

fn count(count: Option<f64>) -> Datum {
    count.map(|count| Datum::number(count.max(0.0).round(), Unit::None)).into()
}

/// The game server does not respond; this is not an error of the service that checks it.
fn offline(reply: &StatusReply) -> Part {
    let errors = reply.debug.iter().filter_map(|debug| debug.error.as_object()).flat_map(|errors| errors.values());
    let errors: Vec<&str> = errors.filter_map(Value::as_str).map(|error| error.trim_end_matches('.')).collect();
    let hint = (!errors.is_empty()).then(|| Phrase::foreign(errors.join("; ")));
    let fact = Fact { hint, ..Fact::new("Status", Phrase::from("Server offline")).toned(Tone::Danger) };
    Facts { facts: vec![fact] }.into()
}

/// A list; nothing for an empty one.
fn list(entries: impl Iterator<Item = panel::ListEntry>) -> Option<Part> {
    let entries: Vec<_> = entries.collect();
    (!entries.is_empty()).then(|| Entries::new(entries).into())
}

/// Mods or plugins behind a line that counts them.
fn extras(title: &'static str, extras: &[ExtraReply]) -> Option<Part> {
    let entries: Vec<_> = extras.iter().filter_map(ExtraReply::entry).collect();
    let summary = Phrase::from(title).with("count", Datum::count(entries.len()));
    list(entries.into_iter()).map(|list| Details { summary, parts: vec![list], ..Details::default() }.into())
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusReply {
    /// Without it, the response says nothing about the server.
    #[serde(deserialize_with = "tolerant::flag")]
    online: Option<bool>,
    #[serde(deserialize_with = "tolerant::part")]
    debug: Option<DebugReply>,
    #[serde(deserialize_with = "tolerant::text")]
    version: Option<String>,
    #[serde(deserialize_with = "tolerant::part")]
    players: Option<PlayersReply>,
    #[serde(deserialize_with = "tolerant::part")]
    motd: Option<MotdReply>,
    #[serde(deserialize_with = "tolerant::text")]
    software: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    mods: Vec<ExtraReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    plugins: Vec<ExtraReply>,
    #[serde(deserialize_with = "tolerant::flag")]
    eula_blocked: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DebugReply {
    /// Error messages by what was tried; a list if there are none.
    error: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlayersReply {
    #[serde(deserialize_with = "tolerant::number")]
    online: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    max: Option<f64>,
    #[serde(deserialize_with = "tolerant::entries")]
    list: Vec<PlayerReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlayerReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    uuid: Option<String>,
}

impl PlayerReply {
    /// The player, unless it has no name.
    fn entry(&self) -> Option<panel::ListEntry> {
        let name = self.name.as_deref()?;
        let uuid = self.uuid.as_deref().map(encode);
        let link = uuid.as_ref().map(|uuid| format!("https://minecraftuuid.com/?search={uuid}"));
        let head = uuid.map(|uuid| format!("https://mc-heads.net/avatar/{uuid}/32.png"));
        Some(panel::ListEntry {
            url: link.as_deref().and_then(SafeUrl::parse),
            picture: head.as_deref().and_then(Picture::parse),
            ..panel::ListEntry::new(Phrase::foreign(name))
        })
    }
}

/// A mod or a plugin.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ExtraReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    version: Option<String>,
}

impl ExtraReply {
    /// It with its version, unless it has no name.
    fn entry(&self) -> Option<panel::ListEntry> {
        let name = self.name.as_deref()?;
        let title = format!("{name} {}", self.version.as_deref().unwrap_or_default());
        Some(panel::ListEntry::new(Phrase::foreign(title.trim())))
    }
}

/// The message of the day. Its other forms contain markup, which is not wanted.
#[derive(Default, Deserialize)]
#[serde(default)]
struct MotdReply {
    #[serde(deserialize_with = "tolerant::entries")]
    clean: Vec<String>,
}
