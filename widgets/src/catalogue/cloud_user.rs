//! `cloud-user`: an account on a cloud-storage server, and how much of its space is used.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::Bounded,
    panel::{Datum, Fact, Facts, Heading, Meter, Part, Phrase, Picture, Style, Tone},
    services::{
        cloud::{Capabilities, Cloud},
        tolerant,
    },
};

/// Shows a cloud-storage server (Nextcloud) and your account on it: name, last login, disk space or quota.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CloudUser {
    #[serde(flatten)]
    cloud: Cloud,
    /// For how many seconds the server's capabilities are remembered.
    capabilities_ttl: Bounded<60, 3600, 86_400>,
}

impl Widget for CloudUser {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 12;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.cloud.check(problems);
        self.capabilities_ttl.check("capabilitiesTtl", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(120))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let life = Duration::from_secs(self.capabilities_ttl.get().unsigned_abs());
        // One after the other: with a wrong password, both would count towards a lockout.
        let server = self.cloud.capabilities(life, context).await?;
        let user: UserReply = self.cloud.read("/cloud/user", &[], context).await?.unwrap_or_default();
        let mut parts: Vec<Part> = vec![Facts { facts: user.facts(&server) }.into()];
        if let Some(quota) = &user.quota {
            parts.extend(quota.parts());
        }
        Ok(Panel::new(parts).titled(self.title(&server)))
    }
}

impl CloudUser {
    fn title(&self, server: &Capabilities) -> Heading {
        let theming = &server.theming;
        let address = self.cloud.address();
        let name = theming.name.as_deref().unwrap_or_else(|| address.host());
        let heading = Heading {
            picture: theming.logo.as_deref().and_then(Picture::parse),
            subtitle: theming.slogan.as_deref().map(Phrase::foreign),
            ..Heading::new(Phrase::foreign(name))
        };
        heading.linked(theming.url.as_deref().unwrap_or_default())
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UserReply {
    #[serde(deserialize_with = "tolerant::text")]
    id: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    displayname: Option<String>,
    #[serde(rename = "display-name", deserialize_with = "tolerant::text")]
    display_name: Option<String>,
    /// In milliseconds; zero for never.
    #[serde(rename = "lastLogin", deserialize_with = "tolerant::number")]
    last_login: Option<f64>,
    #[serde(deserialize_with = "tolerant::part")]
    quota: Option<QuotaReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct QuotaReply {
    #[serde(deserialize_with = "tolerant::number")]
    used: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    free: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    total: Option<f64>,
    /// In percent; above 100 if the quota was lowered.
    #[serde(deserialize_with = "tolerant::number")]
    relative: Option<f64>,
    /// In bytes; a negative number or a word if there is none.
    #[serde(deserialize_with = "tolerant::number")]
    quota: Option<f64>,
}

impl UserReply {
    fn facts(&self, server: &Capabilities) -> Vec<Fact> {
        let version = Fact::new("Version", server.version.as_deref());
        let name = self.displayname.as_deref().or(self.display_name.as_deref());
        let account = match (name, self.id.as_deref()) {
            (Some(name), Some(id)) if name != id => Datum::text(&format!("{name} ({id})")),
            (name, id) => name.or(id).into(),
        };
        let login = self.last_login.map(|at| {
            if at <= 0.0 {
                return Phrase::from("never").into();
            }
            // The cast saturates; times outside the calendar become a dash.
            Datum::time(Moment::from_millis(at as i64), Style::Relative)
        });
        let version = Some(version).filter(|version| !version.value.is_missing());
        let others = [Fact::new("Account", account), Fact::new("Last login", login)];
        version.into_iter().chain(others).collect()
    }
}

impl QuotaReply {
    /// The bar and the sizes; only the used size if nothing else is known.
    fn parts(&self) -> Vec<Part> {
        let bytes = |bytes: Option<f64>| Datum::from(bytes.map(|bytes| Datum::bytes(bytes.max(0.0))));
        let has_quota = self.quota.is_some_and(|quota| quota > 0.0);
        // Without a quota, the server reports the free space of its disk.
        let (label, about): (&'static str, &'static str) = if has_quota {
            ("Disk quota", "{used} used, {free} free, {total} in all; a quota is set")
        } else {
            ("Disk space", "{used} used, {free} free, {total} in all; no quota is set")
        };
        let about = Phrase::from(about)
            .with("used", bytes(self.used))
            .with("free", bytes(self.free))
            .with("total", bytes(self.total));
        let fact = |label: &'static str, value| Fact { hint: Some(about.clone()), ..Fact::new(label, value) };
        let Some(total) = self.total.filter(|total| *total > 0.0) else {
            return vec![Facts { facts: vec![fact("Used", bytes(self.used))] }.into()];
        };
        let percent = self.relative.or_else(|| Some(self.used? / total * 100.0));
        let percent = percent.map(|percent| (percent.max(0.0) * 100.0).round() / 100.0);
        let meter = Meter {
            label: label.into(),
            share: (percent.unwrap_or_default() * 100.0).round() / 10_000.0,
            text: Some(
                Phrase::from("{percent} of {total}")
                    .with("percent", percent.map(Datum::percent))
                    .with("total", Datum::bytes(total)),
            ),
            tone: percent.map_or(Tone::Neutral, tone),
            ..Meter::default()
        };
        vec![meter.into(), Facts { facts: vec![fact("Free", bytes(self.free))] }.into()]
    }
}

fn tone(percent: f64) -> Tone {
    match percent {
        percent if percent < 75.0 => Tone::Plain,
        percent if percent < 95.0 => Tone::Warning,
        _ => Tone::Danger,
    }
}
