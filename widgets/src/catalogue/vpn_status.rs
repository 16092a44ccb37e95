//! `vpn-status`: whether the connection runs through Mullvad VPN.
//!
//! The IP address has no button to copy it: it is short, and facts are plain text that can be selected.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Audience, Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Side, Widget, WidgetContext,
    panel::{Datum, Fact, Facts, Headline, Phrase, Tone},
    services::tolerant,
};

const ORIGIN: &str = "https://am.i.mullvad.net";
/// More frequent requests are impolite.
const SHORTEST_UPDATE: Duration = Duration::from_secs(60);

/// Shows whether the connection runs through Mullvad VPN, and its exit location. It is the visitor's connection; with
/// `useProxy` it is that of the server.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VpnStatus {}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusReply {
    #[serde(deserialize_with = "tolerant::text")]
    ip: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    country: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    city: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    mullvad_exit_ip: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    mullvad_exit_ip_hostname: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    mullvad_server_type: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    organization: Option<String>,
    // Newer responses leave it out.
    #[serde(deserialize_with = "tolerant::part")]
    blacklisted: Option<BlacklistsReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BlacklistsReply {
    #[serde(deserialize_with = "tolerant::flag")]
    blacklisted: Option<bool>,
    #[serde(deserialize_with = "tolerant::entries")]
    results: Vec<BlacklistReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BlacklistReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    blacklisted: Option<bool>,
}

impl Widget for VpnStatus {
    const REACH: Reach = Reach::BrowserByDefault;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 12;
    const AUDIENCE: Audience = Audience::Viewer;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note("An `updateInterval` below 60 may exceed the fair-use limit of am.i.mullvad.net.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(3 * 60))
    }

    fn origins(&self) -> Vec<String> {
        vec![ORIGIN.to_owned()]
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let outcome = context.exchange(Request::get(format!("{ORIGIN}/json"))).await;
        let reply = outcome.map_err(|error| unchecked(error, context.side()))?;
        let status: StatusReply = reply.json()?;
        let Some(is_connected) = status.mullvad_exit_ip else {
            return Err(reply.unexpected("an answer without the state"));
        };
        Ok(status.panel(is_connected, context.side()))
    }
}

/// A failed check says nothing about the connection; in a browser, the cause is often an ad blocker.
fn unchecked(error: FetchError, side: Side) -> FetchError {
    match error {
        FetchError::CallBlocked { host } | FetchError::Unreachable { host, .. } if side == Side::Browser => {
            FetchError::message(format!(
                "{host} could not be reached from this browser, so the state of the VPN is unknown. Some ad blockers \
                 block this host; allow it there, or set useProxy to true to check the server's connection."
            ))
        }
        error => error,
    }
}

impl StatusReply {
    fn panel(self, is_connected: bool, side: Side) -> Panel {
        let (words, tone) = if is_connected {
            ("Connected to Mullvad", Tone::Success)
        } else {
            // It may be another VPN.
            ("Not connected to Mullvad", Tone::Danger)
        };
        let caption: &'static str = match side {
            Side::Browser => "Connection of this browser",
            Side::Server => "Connection of the server",
        };
        let headline = Headline { tone, caption: Some(caption.into()), ..Headline::new(Phrase::from(words)) };
        let place: Vec<&str> = [&self.city, &self.country].into_iter().flatten().map(String::as_str).collect();
        let facts = Facts::present(
            [
                Fact::new("IP", self.ip.clone()),
                Fact::new("Host", self.mullvad_exit_ip_hostname.clone()),
                Fact::new("Owner", self.organization.clone()),
                Fact::new("Type", self.mullvad_server_type.clone()),
                Fact::new("Location", place.join(", ")),
            ]
            .into_iter()
            .chain(self.blacklisted.as_ref().and_then(BlacklistsReply::fact)),
        );
        let facts = (!facts.facts.is_empty()).then(|| facts.into());
        Panel::new([headline.into()].into_iter().chain(facts).collect())
    }
}

impl BlacklistsReply {
    fn fact(&self) -> Option<Fact> {
        if !self.blacklisted? {
            return Some(Fact::new("On blacklists", Phrase::from("No")).toned(Tone::Success));
        }
        let listed = self.results.iter().filter(|list| list.blacklisted == Some(true));
        let names: Vec<&str> = listed.filter_map(|list| list.name.as_deref()).collect();
        let more = if names.is_empty() { Vec::new() } else { vec![Datum::text(&names.join(", "))] };
        Some(Fact { more, ..Fact::new("On blacklists", Phrase::from("Yes")).toned(Tone::Danger) })
    }
}
