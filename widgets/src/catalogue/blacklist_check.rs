//! `blacklist-check`: on which blacklists an address is.
//!
//! While a check runs, the frame shows the same placeholder as for every other widget. That a check with a key takes up to
//! a minute is in the description and in a note, where people can do something about it.

use std::{net::IpAddr, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext, address,
    option_types::{Lenient, Secret, Text, WebAddress},
    panel::{Cell, Column, Datum, Details, Headline, Link, Notice, Paragraph, Part, Phrase, Row, Style, Table, Tone},
    services::{
        dns_blacklists::{self, Verdict},
        tolerant,
    },
};

/// A timeout that is long enough for most checks of the service.
const LONG_CHECK: Duration = Duration::from_secs(30);

/// Lists of whole ranges of addresses that should not send mail, such as those of homes or of whole providers.
const POLICY_LISTS: [&str; 2] = ["pbl.spamhaus.org", "dnsbl-3.uceprotect.net"];

/// Shows on how many blacklists of spam and abuse an address or a host name is, and on which. Without a key, the lists
/// are queried over DNS. With a key of blacklistchecker.com, that service checks many more, which takes up to a minute:
/// set `timeout` to 60000.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BlacklistCheck {
    /// IP address, host name or, with a key, email address. Without it, the public address of the server.
    ip_address: Text,
    /// Key of blacklistchecker.com, or the name of an environment variable. Optional: `dnsbl` needs none.
    api_key: Secret,
    /// Which service is used: `dnsbl` or `blacklistchecker`. Without it, blacklistchecker if there is a key, otherwise
    /// the lists over DNS.
    provider: Lenient<Provider>,
    /// Address of a resolver for DNS over HTTPS in JSON, used by `dnsbl`. Many lists refuse large public resolvers, so
    /// your own finds more. Without it, that of Cloudflare.
    resolver: WebAddress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Provider {
    Blacklistchecker,
    Dnsbl,
}

/// The results of a check.
struct Findings {
    /// What was checked.
    subject: String,
    lists: Vec<(String, Verdict)>,
    /// The number of detections according to the service.
    detections: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckReply {
    #[serde(deserialize_with = "tolerant::text")]
    input_raw: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    detections: Option<f64>,
    #[serde(deserialize_with = "tolerant::entries")]
    blacklists: Vec<ListReply>,
}

#[derive(Deserialize)]
struct ListReply {
    name: String,
    #[serde(default, deserialize_with = "tolerant::flag")]
    detected: Option<bool>,
}

impl Widget for BlacklistCheck {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 11;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        if let Some(written) = self.provider.unknown() {
            problems.note(format!("provider '{written}' is unknown. Use dnsbl or blacklistchecker."));
        }
        let is_checker = self.provider() == Provider::Blacklistchecker;
        let has_key = !is_checker || self.api_key.is_set();
        problems.require_option(has_key, "apiKey", "a key of blacklistchecker.com (or set provider: dnsbl)");
        if let Some(subject) = self.ip_address.get() {
            let is_plain = |character: char| character.is_alphanumeric() || ".-_:@+".contains(character);
            match subject.parse::<IpAddr>() {
                Ok(address) if !is_public(address) => {
                    problems.error(format!("{subject} is a private address and is on no public list."));
                }
                Ok(_) => {}
                Err(_) if !subject.chars().all(is_plain) => {
                    problems.error("ipAddress must be an IP address, a host name or a mail address.");
                }
                Err(_) if subject.contains('@') && !is_checker => problems.error(
                    "Blacklists over DNS do not list mail addresses: set a host name, or an apiKey for blacklistchecker.com.",
                ),
                Err(_) => {}
            }
        }
        if is_checker && entry.timeout < LONG_CHECK {
            problems.note("blacklistchecker.com takes 10 to 60 seconds for a check: set timeout to 60000.");
        }
        if entry.refreshes_more_often_than(Duration::from_secs(3600)) {
            problems.note("Few checks are free: an updateInterval below 3600 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(12 * 3600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let subject = match self.ip_address.get() {
            Some(subject) => subject.to_owned(),
            None => own_address(context).await?,
        };
        let (findings, credit) = match self.provider() {
            Provider::Blacklistchecker => (
                self.of_checker(&subject, context).await?,
                Link::parse("blacklistchecker.com", "https://blacklistchecker.com/"),
            ),
            Provider::Dnsbl => (self.of_lists(&subject, context).await?, None),
        };
        let mut panel = findings.panel(context.now());
        if credit.is_none() {
            let text = Phrase::from(
                "Checked over DNS, with {resolver}. An apiKey for blacklistchecker.com checks more lists.",
            )
            .with("resolver", address::host(self.resolver()));
            panel.parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Ok(Panel { credit, ..panel })
    }
}

impl BlacklistCheck {
    fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::Blacklistchecker } else { Provider::Dnsbl };
        self.provider.get().copied().unwrap_or(usual)
    }

    /// The address of the resolver.
    fn resolver(&self) -> &str {
        if self.resolver.is_set() { self.resolver.url() } else { dns_blacklists::RESOLVER }
    }

    async fn of_checker(&self, subject: &str, context: &dyn WidgetContext) -> Result<Findings, FetchError> {
        let url = format!("https://api.blacklistchecker.com/check/{}", address::encode(subject));
        // The key is the user, and the password is empty.
        let request = Request::get(url).basic(self.api_key.reveal(), &Secret::default());
        let reply = context.exchange(request).await?;
        match reply.status {
            401 | 403 => {
                return Err(FetchError::login_refused(
                    "blacklistchecker.com refused the key: check the option apiKey, or set provider: dnsbl.",
                ));
            }
            402 | 429 => {
                return Err(FetchError::Message {
                    sentence: "This key for blacklistchecker.com has no checks left. Set provider: dnsbl, which needs \
                        no key."
                        .to_owned(),
                    retry_at: reply.retry_at(),
                });
            }
            400 | 422 => {
                return Err(FetchError::message(format!(
                    "blacklistchecker.com cannot check {subject}: check the option ipAddress."
                )));
            }
            _ => {}
        }
        let body: CheckReply = reply.json()?;
        if body.detections.is_none() && body.blacklists.is_empty() {
            return Err(reply.unexpected("data of another shape"));
        }
        let verdict = |list: &ListReply| match list.detected {
            Some(true) if POLICY_LISTS.contains(&list.name.as_str()) => Verdict::Policy,
            Some(true) => Verdict::Listed,
            Some(false) => Verdict::Clean,
            None => Verdict::Unknown,
        };
        Ok(Findings {
            subject: body.input_raw.unwrap_or_else(|| subject.to_owned()),
            lists: body.blacklists.into_iter().map(|list| (list.name.clone(), verdict(&list))).collect(),
            // The number is small and whole.
            detections: body.detections.map(|count| count.max(0.0) as usize),
        })
    }

    async fn of_lists(&self, subject: &str, context: &dyn WidgetContext) -> Result<Findings, FetchError> {
        let resolver = self.resolver();
        let (addresses, host) = match subject.parse::<IpAddr>() {
            Ok(address) => (vec![address], None),
            Err(_) => (dns_blacklists::resolve(subject, is_public, resolver, context).await?, Some(subject)),
        };
        if addresses.is_empty() {
            return Err(FetchError::message(format!("{subject} has no public address: check the option ipAddress.")));
        }
        let name = match host {
            Some(host) => {
                let written: Vec<String> = addresses.iter().map(IpAddr::to_string).collect();
                format!("{host} ({})", written.join(", "))
            }
            None => subject.to_owned(),
        };
        let lists = dns_blacklists::check(&addresses, host, resolver, context).await;
        if lists.iter().all(|(_, verdict)| *verdict == Verdict::Unknown) {
            return Err(FetchError::message(format!(
                "No blacklist answers {}: they refuse many public resolvers. Set resolver to one of your own, or an \
                 apiKey for blacklistchecker.com.",
                address::host(resolver)
            )));
        }
        let lists = lists.into_iter().map(|(zone, verdict)| (zone.to_owned(), verdict)).collect();
        Ok(Findings { subject: name, lists, detections: None })
    }
}

/// The address under which the internet sees this server.
async fn own_address(context: &dyn WidgetContext) -> Result<String, FetchError> {
    let unknown = || FetchError::message("The public address of the server could not be determined: set ipAddress.");
    let body: Value = context.get_json("https://api.ipify.org?format=json").await.map_err(|_| unknown())?;
    let address = body.get("ip").and_then(Value::as_str).and_then(|ip| ip.parse::<IpAddr>().ok());
    address.map(|address| address.to_string()).ok_or_else(unknown)
}

/// Whether an address is public.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            let is_reserved = first == 0 || first >= 240;
            !(address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || is_reserved
                || is_shared)
        }
        IpAddr::V6(address) => {
            if let Some(mapped) = address.to_ipv4_mapped() {
                return is_public(mapped.into());
            }
            !(address.is_loopback()
                || address.is_unspecified()
                || address.is_multicast()
                || address.is_unique_local()
                || address.is_unicast_link_local())
        }
    }
}

impl Findings {
    fn panel(mut self, now: crate::Moment) -> Panel {
        let order = |verdict: Verdict| match verdict {
            Verdict::Listed => 0,
            Verdict::Policy => 1,
            Verdict::Unknown => 2,
            Verdict::Clean => 3,
        };
        self.lists.sort_by(|one, other| (order(one.1), &one.0).cmp(&(order(other.1), &other.0)));
        let is_detected = |verdict: Verdict| matches!(verdict, Verdict::Listed | Verdict::Policy);
        let detected = self.lists.iter().filter(|(_, verdict)| is_detected(*verdict)).count();
        let count = self.detections.unwrap_or(detected);
        // Being on a policy list is no sign of abuse.
        let policies = self.lists.iter().filter(|(_, verdict)| *verdict == Verdict::Policy).count();
        let found = if count > policies { Tone::Danger } else { Tone::Warning };
        let (words, tone) = match count {
            0 => (Phrase::from("No detections"), Tone::Success),
            1 => (Phrase::from("1 detection"), found),
            count => (Phrase::from("{count} detections").with("count", Datum::count(count)), found),
        };
        let caption = Phrase::from("for {subject}").with("subject", self.subject.as_str());
        let mut parts: Vec<Part> = vec![Headline { tone, caption: Some(caption), ..Headline::new(words) }.into()];
        let rest = self.lists.split_off(detected);
        if !self.lists.is_empty() {
            parts.push(table(&self.lists));
        }
        if policies > 0 {
            parts.push(
                Notice::empty(
                    "Policy lists contain home addresses, which should not send mail. That is not a problem.",
                )
                .into(),
            );
        }
        if !rest.is_empty() {
            parts.push(Details::rest(rest.len(), vec![table(&rest)]).into());
        }
        let text = Phrase::from("Checked {time}").with("time", Datum::time(now, Style::Relative));
        parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        Panel::new(parts)
    }
}

fn table(lists: &[(String, Verdict)]) -> Part {
    let rows = lists.iter().map(|(name, verdict)| {
        let (words, tone): (&'static str, Tone) = match verdict {
            Verdict::Listed => ("Listed", Tone::Danger),
            Verdict::Policy => ("Policy list", Tone::Warning),
            Verdict::Clean => ("Not listed", Tone::Success),
            Verdict::Unknown => ("Not checked", Tone::Neutral),
        };
        let state = Cell { tone, ..Cell::from(Datum::from(Phrase::from(words))) };
        Row { cells: vec![Datum::text(name).into(), state], ..Row::default() }
    });
    let columns = vec![Column::text("List"), Column::text("State")];
    Table { columns, rows: rows.collect(), ..Table::default() }.into()
}
