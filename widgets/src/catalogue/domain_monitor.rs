//! `domain-monitor`: when a domain name expires.
//!
//! A month and half a year before that, the warning is the same: tones have no orange beside the yellow, and the caption
//! says how much time is left.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Flag, Lenient, Secret, Text},
    panel::{Datum, Details, Fact, Facts, Headline, Link, Notice, Paragraph, Part, Phrase, Style, Tone, Unit},
    services::domains::{DomainSource, Registration, rdap::Rdap, whoapi::Whoapi},
};

const DAY: i64 = 86_400;
/// With fewer remaining days than this, it is urgent to renew the domain.
const URGENT: i64 = 7;
/// With fewer than this, it is worth a warning.
const SOON: i64 = 180;
/// From this many days on, the remaining time is shown in months.
const MONTHS_FROM: i64 = 90;
/// How long a response is kept for all viewers: few requests are allowed, and registrations rarely change.
const LIFE: Duration = Duration::from_secs(6 * 3600);

/// Shows when a domain name expires, with its registrar and its name servers. Without a key, the registry itself is
/// queried over RDAP, the successor of WHOIS. A key of WhoAPI covers the few country domains whose registries lack
/// RDAP.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DomainMonitor {
    /// The domain, such as {example}, or the name of an environment variable.
    #[schemars(extend("x-required" = true, "x-example" = "example.com"))]
    domain: Text,
    /// Key of WhoAPI, or the name of an environment variable. Optional: RDAP needs none.
    api_key: Secret,
    /// Expands the details.
    show_full_info: Flag,
    /// Which service is used: `rdap` or `whoapi`. Without it, WhoAPI if there is a key, otherwise RDAP.
    provider: Lenient<Provider>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Provider {
    Rdap,
    Whoapi,
}

impl Widget for DomainMonitor {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 23;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.domain.is_set(), "domain", "the domain to watch");
        if self.domain.is_set() && name(&self.domain).is_none() {
            problems.error("domain must be a domain name such as example.com.");
        }
        if let Some(written) = self.provider.unknown() {
            problems.note(format!("provider '{written}' is unknown. Use rdap or whoapi."));
        }
        let has_key = self.provider() == Provider::Rdap || self.api_key.is_set();
        problems.require_option(has_key, "apiKey", "a key of WhoAPI (or set provider: rdap)");
        if entry.refreshes_more_often_than(Duration::from_secs(3600)) {
            problems.note("Registrations change seldom: an updateInterval below 3600 uses up requests for nothing.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(12 * 3600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let domain = name(&self.domain).unwrap_or_default();
        let (key, by) = match self.provider() {
            Provider::Rdap => ("rdap", Link::parse("RDAP", "https://about.rdap.org/")),
            Provider::Whoapi => ("whoapi", Link::parse("WhoAPI", "https://whoapi.com/")),
        };
        let key = format!("domain-monitor/{key}/{domain}");
        let registration = match context.recall(&key).and_then(|kept| serde_json::from_value(kept).ok()) {
            Some(kept) => kept,
            None => {
                let registration = match self.provider() {
                    Provider::Rdap => Rdap.registration(&domain, context).await?,
                    Provider::Whoapi => Whoapi { key: &self.api_key }.registration(&domain, context).await?,
                };
                // People who wait for a name to become free, or have just bought it, want to know at once.
                if registration.is_registered {
                    context.remember(&key, json!(registration), LIFE);
                }
                registration
            }
        };
        let mut parts = self.parts(&domain, &registration, context.now());
        if self.provider() == Provider::Rdap {
            let text = "From the registry, over RDAP. An apiKey of WhoAPI adds registries without RDAP.";
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        let panel = Panel::new(parts);
        Ok(Panel { credit: by, ..panel.titled(Phrase::foreign(domain)) })
    }
}

impl DomainMonitor {
    fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::Whoapi } else { Provider::Rdap };
        self.provider.get().copied().unwrap_or(usual)
    }

    fn parts(&self, domain: &str, registration: &Registration, now: Moment) -> Vec<Part> {
        if !registration.is_registered {
            let mut parts: Vec<Part> =
                vec![Headline { tone: Tone::Neutral, ..Headline::new(Phrase::from("Not registered")) }.into()];
            if domain.matches('.').count() > 1 {
                let help = "Registries know only the name that was registered: example.co.uk, not app.example.co.uk.";
                parts.push(Notice::empty(help).into());
            }
            return parts;
        }
        let mut parts = vec![registration.headline(now)];
        let ending = registration.status.iter().filter(|status| is_ending(status));
        parts.extend(ending.map(|status| {
            let text = Phrase::from("State at the registry: {status}").with("status", status.as_str());
            Part::from(Notice { text, tone: Tone::Danger })
        }));
        let facts = registration.facts();
        if !facts.facts.is_empty() {
            let open = self.show_full_info.is_on();
            parts.push(Details { open, parts: vec![facts.into()], ..Details::default() }.into());
        }
        parts
    }
}

/// The name as registries know it: lower case and ASCII, without the rest of a copied address.
fn name(written: &str) -> Option<String> {
    let written = written.split_once("://").map_or(written, |(_, rest)| rest);
    let written = written.split(['/', '?', '#', ':']).next()?.trim().trim_end_matches('.');
    let host = match url::Host::parse(written).ok()? {
        url::Host::Domain(host) => host,
        url::Host::Ipv4(_) | url::Host::Ipv6(_) => return None,
    };
    let host = host.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(&host);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    (host.contains('.') && host.len() <= 253 && host.split('.').all(is_label)).then(|| host.to_owned())
}

/// Whether a state means that the domain is about to be deleted.
fn is_ending(status: &str) -> bool {
    let status: String = status.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    ["redemption", "pendingdelete", "autorenew", "pendingrestore"].iter().any(|word| status.contains(word))
}

impl Registration {
    fn headline(&self, now: Moment) -> Part {
        let Some(expires) = self.expires_at_registrar.or(self.expires) else {
            let caption = Some("The registry does not say when it expires".into());
            return Headline { tone: Tone::Neutral, caption, ..Headline::new(Phrase::from("Registered")) }.into();
        };
        let seconds = expires.seconds() - now.seconds();
        let days = seconds.div_euclid(DAY);
        let tone = match days {
            days if days < URGENT => Tone::Danger,
            days if days < SOON => Tone::Warning,
            _ => Tone::Success,
        };
        let count = |days: i64| Datum::number(days as f64, Unit::None);
        let caption = match days {
            -1 => "Expired less than a day ago".into(),
            ..-1 => Phrase::from("Expired {days} days ago").with("days", count(-days - 1)),
            0 => Phrase::from("Expires today, in {time}").with("time", Datum::seconds(seconds as f64)),
            1 => "Expires in 1 day".into(),
            // So far ahead, days are too fine a unit.
            days if days >= MONTHS_FROM => {
                Phrase::from("Expires in {months} months").with("months", count(days * 48 / 1461))
            }
            days => Phrase::from("Expires in {days} days").with("days", count(days)),
        };
        Headline { tone, caption: Some(caption), ..Headline::new(Datum::time(expires, Style::Date)) }.into()
    }

    fn facts(&self) -> Facts {
        let date = |at: Option<Moment>| Datum::from(at.map(|at| Datum::time(at, Style::Date)));
        let signed = self.is_signed.map(|signed| Phrase::from(if signed { "signed" } else { "not signed" }));
        let name_servers = self.name_servers.iter().zip(1..).map(|(server, number): (_, i32)| {
            Fact::new(Phrase::from("Name server {number}").with("number", Datum::count(number)), server.as_str())
        });
        let before = [
            Fact::new("Created", date(self.created)),
            Fact::new("Updated", date(self.updated)),
            Fact::new("Expires at the registry", date(self.expires)),
            Fact::new("Expires at the registrar", date(self.expires_at_registrar)),
        ];
        let after = [
            Fact::new("Domain ID", self.id.clone()),
            Fact::new("Registrar", self.registrar.clone()),
            Fact::new("Holder", self.holder.clone()),
            Fact::new("Status", self.status.join(", ")),
            Fact::new("DNSSEC", signed),
        ];
        Facts::present(before.into_iter().chain(name_servers).chain(after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_registries_know() {
        for (written, expected) in [
            ("https://www.Example.com/path?x", Some("example.com")),
            ("münchen.de.", Some("xn--mnchen-3ya.de")),
            ("www.com", Some("www.com")),
            ("example.com:8080", Some("example.com")),
            ("app.example.co.uk", Some("app.example.co.uk")),
            ("localhost", None),
            ("192.168.1.1", None),
            ("exa mple.com", None),
            ("a/../b", None),
        ] {
            assert_eq!(name(written).as_deref(), expected, "{written}");
        }
    }
}
