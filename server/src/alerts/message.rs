//! The words of a message, in the language of the config.

use jiff::{Timestamp, tz::TimeZone};
use languages::{Locale, current_locale, fill, message, t, with_locale};
use serde_json::{Value, json};

use super::outages::{Batch, Outage, Recovery};
use crate::platform::time_zone;

/// Maximum number of services that a message names.
const MAX_NAMED: usize = 50;

/// A message to a target.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Message {
    /// The essence, on one line.
    pub title: String,
    /// One line for each service.
    pub text: String,
    pub status: Status,
    /// The services for programs.
    pub services: Value,
    /// The title of the dashboard.
    pub dashboard: String,
}

/// What a message is about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Status {
    Down,
    Up,
    /// Some services are down, and others are up again.
    Mixed,
    Test,
}

impl Status {
    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
            Self::Mixed => "mixed",
            Self::Test => "test",
        }
    }

    /// Whether something is down.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Down | Self::Mixed)
    }
}

impl Message {
    /// The message about outages and recoveries.
    pub fn of(batch: &Batch, dashboard: &str, locale: &Locale, zone: &TimeZone) -> Self {
        with_locale(locale, || {
            let (down, up) = (batch.down.len(), batch.up.len());
            let status = match (down, up) {
                (_, 0) => Status::Down,
                (0, _) => Status::Up,
                _ => Status::Mixed,
            };
            let title = match (batch.down.as_slice(), batch.up.as_slice()) {
                ([only], []) => fill("{name} is down", &[("name", &only.service.name)]),
                ([], [only]) => fill("{name} is up again", &[("name", &only.service.name)]),
                (_, []) => fill("Services down: {count}", &[("count", &down.to_string())]),
                ([], _) => fill("Services up again: {count}", &[("count", &up.to_string())]),
                _ => [
                    fill("Services down: {count}", &[("count", &down.to_string())]),
                    fill("Services up again: {count}", &[("count", &up.to_string())]),
                ]
                .join(" · "),
            };
            let lines = batch.down.iter().map(|outage| line_of_outage(outage, zone));
            let mut lines: Vec<String> = lines.chain(batch.up.iter().map(line_of_recovery)).collect();
            if lines.len() > MAX_NAMED {
                let more = (lines.len() - MAX_NAMED).to_string();
                lines.truncate(MAX_NAMED);
                lines.push(fill("and {count} more", &[("count", &more)]));
            }
            let services = batch.down.iter().map(json_of_outage).chain(batch.up.iter().map(json_of_recovery));
            let services = services.take(MAX_NAMED).collect();
            Self { title, text: lines.join("\n"), status, services, dashboard: dashboard.to_owned() }
        })
    }

    /// The message that tests a target.
    pub fn test(dashboard: &str, locale: &Locale) -> Self {
        with_locale(locale, || Self {
            title: fill("Test message from {name}", &[("name", dashboard)]),
            text: t("Alerts of this dashboard arrive here.").to_owned(),
            status: Status::Test,
            services: json!([]),
            dashboard: dashboard.to_owned(),
        })
    }

    /// The message for programs.
    pub fn json(&self) -> Value {
        json!({
            "title": self.title,
            "message": self.text,
            "status": self.status.word(),
            "dashboard": self.dashboard,
            "services": self.services,
        })
    }
}

fn line_of_outage(outage: &Outage, zone: &TimeZone) -> String {
    let name = called(&outage.service.name, &outage.service.section);
    fill(
        "{name}: down since {time} ({reason})",
        &[("name", &name), ("time", &time_in(outage.since, zone)), ("reason", &message(&outage.reason))],
    )
}

fn line_of_recovery(recovery: &Recovery) -> String {
    let name = called(&recovery.service.name, &recovery.service.section);
    let length = length(recovery.until.saturating_sub(recovery.since));
    fill("{name}: up again, was down for {duration}", &[("name", &name), ("duration", &length)])
}

fn called(name: &str, section: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{name} ({section})") }
}

fn json_of_outage(outage: &Outage) -> Value {
    json!({
        "name": outage.service.name,
        "section": outage.service.section,
        "status": Status::Down.word(),
        "since": timestamp(outage.since).to_string(),
        "reason": outage.reason,
    })
}

fn json_of_recovery(recovery: &Recovery) -> Value {
    json!({
        "name": recovery.service.name,
        "section": recovery.service.section,
        "status": Status::Up.word(),
        "since": timestamp(recovery.since).to_string(),
        "until": timestamp(recovery.until).to_string(),
        "seconds": recovery.until.saturating_sub(recovery.since),
    })
}

fn timestamp(seconds: u64) -> Timestamp {
    Timestamp::from_second(i64::try_from(seconds).unwrap_or(i64::MAX)).unwrap_or_default()
}

/// A date and a time of day.
fn time_in(seconds: u64, zone: &TimeZone) -> String {
    let at = timestamp(seconds).to_zoned(zone.clone());
    let written = current_locale().date("exact", time_zone::local(&at));
    // Some languages separate the parts with spaces that e-mail programs show as boxes.
    written.unwrap_or_else(|| at.strftime("%Y-%m-%d %H:%M").to_string()).replace(['\u{a0}', '\u{202f}'], " ")
}

/// A duration in its two largest units.
fn length(seconds: u64) -> String {
    const UNITS: [(u64, &str, &str); 4] =
        [(86_400, "day", "d"), (3600, "hour", "h"), (60, "minute", "min"), (1, "second", "s")];
    let first = UNITS.iter().position(|(size, ..)| seconds >= *size).unwrap_or(UNITS.len() - 1);
    let mut rest = seconds;
    let mut pieces = Vec::new();
    for (size, unit, sign) in UNITS.into_iter().skip(first).take(2) {
        let count = rest / size;
        rest %= size;
        if count > 0 || pieces.is_empty() {
            pieces.push(languages::duration(count, unit).unwrap_or_else(|| format!("{count} {sign}")));
        }
    }
    pieces.join(" ").replace(['\u{a0}', '\u{202f}'], " ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use languages::Language;
    use tokio::time::Instant;

    use super::{
        super::outages::{Outages, Seen, Service, Wish},
        *,
    };

    /// What a target gets after these services have failed at 2026-11-21 14:05 UTC, and after those have recovered that are
    /// named in `up`.
    fn batches(names: &[&str], up: &[(&str, u64)]) -> [Batch; 2] {
        const SINCE: u64 = 1_795_269_900;
        let mut outages = Outages::default();
        let target = "t".to_owned();
        let targets = [(target.clone(), Wish { failures: 1, quiet_hours: None })];
        let now = Instant::now();
        let note = |outages: &mut Outages, name: &str, seen| {
            let service = Service { name: name.to_owned(), section: "Media".to_owned() };
            outages.note(&name.to_owned(), &service, Duration::from_secs(60), seen, &targets, now);
        };
        for name in names {
            let reason = "connection refused".to_owned();
            note(&mut outages, name, Seen::Down { failures: 1, since: SINCE, reason });
        }
        let first = outages.take(&target);
        outages.sent(&target, &first, true, now);
        for (name, seconds) in up {
            note(&mut outages, name, Seen::Up { now: SINCE + seconds });
        }
        [first, outages.take(&target)]
    }

    fn written(batch: &Batch, code: &str) -> (String, String, &'static str) {
        let locale = Language::of_code(code).unwrap().into();
        let message = Message::of(batch, "Home", &locale, &TimeZone::UTC);
        (message.title, message.text, message.status.word())
    }

    #[test]
    fn messages_are_in_the_language_of_the_config() {
        let [down, up] = batches(&["Jellyfin"], &[("Jellyfin", 3900)]);
        for (batch, code, title, text) in [
            (
                &down,
                "en",
                "Jellyfin is down",
                "Jellyfin (Media): down since Nov 21, 2026, 2:05 PM (connection refused)",
            ),
            (&up, "en", "Jellyfin is up again", "Jellyfin (Media): up again, was down for 1 h 5 min"),
            (
                &down,
                "de",
                "Jellyfin ist ausgefallen",
                "Jellyfin (Media): ausgefallen seit 21.11.2026, 14:05 (Verbindung abgelehnt)",
            ),
            (&up, "de", "Jellyfin läuft wieder", "Jellyfin (Media): läuft wieder, Ausfall dauerte 1 Std. 5 Min."),
        ] {
            let written = written(batch, code);
            assert_eq!((written.0.as_str(), written.1.as_str()), (title, text));
        }
    }

    #[test]
    fn many_services_are_one_message() {
        let names: Vec<String> = (0..60).map(|number| format!("s{number:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let [down, up] = batches(&names, &[("s00", 59), ("s01", 90_000)]);
        let (title, text, status) = written(&down, "en");
        assert_eq!((title.as_str(), status), ("Services down: 60", "down"));
        assert!(text.lines().count() == 51 && text.ends_with("\nand 10 more"), "{text}");
        let (title, text, status) = written(&up, "en");
        assert_eq!((title.as_str(), status), ("Services up again: 2", "up"));
        assert!(text.contains("was down for 59 s\n") && text.ends_with("was down for 1 d 1 h"), "{text}");
    }
}
