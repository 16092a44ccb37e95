//! `appConfig.alerts` (docs/spec/config.md 5.10).

use super::{
    block::Block,
    cursor::{Cursor, brief},
    shape::Word,
    words::words_of,
};
use crate::{did_you_mean::did_you_mean, effect::Effect, problem::ProblemKind};

/// Minutes of a day.
const DAY: u16 = 24 * 60;

/// Where messages go when services fail and recover. Each text may be, or contain, the name of an environment variable that begins
/// with `PORTICO_`, so that no secret is in the file.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "AlertTarget", name = "a target of alerts")]
pub struct AlertTarget {
    /// What receives the messages. `webhook` is any address that accepts a POST, `apprise` the HTTP API of Apprise, `email` a mail
    /// server.
    ///
    /// `None` if the word is unknown; such a target gets nothing.
    #[config(
        key = "type",
        required,
        rule = Rule::Word(words_of::<AlertKind>),
        read = read_kind
    )]
    pub kind: Option<AlertKind>,
    /// Name of the target in messages to admins.
    #[config(unset = "its type and host")]
    pub name: Option<String>,
    /// Where it is. `ntfy`: the address of the topic. `gotify`: the address of the server. `apprise`: `/notify/KEY` of its API, or
    /// `/notify` with the services in `to`. `email`: `smtp://` or, encrypted from the start, `smtps://`, with host and port.
    #[config(required, examples("https://ntfy.sh/my-topic", "https://gotify.lan", "smtps://mail.example:465"))]
    pub url: String,
    /// Token for `ntfy` (access token) and `gotify` (token of the application). For `webhook` and `apprise` it is sent as
    /// `Authorization: Bearer`.
    #[config(examples("PORTICO_NTFY_TOKEN"))]
    pub token: Option<String>,
    /// User name, where the target wants one.
    pub user: Option<String>,
    /// Password of that user.
    #[config(examples("PORTICO_SMTP_PASSWORD"))]
    pub password: Option<String>,
    /// `email`: the address of the sender.
    #[config(unset = "the first address in `to`")]
    pub from: Option<String>,
    /// `email`: the addresses of the recipients. `apprise` without a key in its address: the services, such as `tgram://…`.
    pub to: Vec<String>,
    /// `apprise`: only the services with this tag get the message.
    pub tag: Option<String>,
    /// `webhook`: additional headers of the request.
    pub headers: Vec<(String, String)>,
    /// `webhook`: the body of the request, with `{title}`, `{message}` and `{status}` (`down`, `up`, `mixed` or `test`). In a template
    /// that begins with `{` or `[`, the values are written as in JSON.
    #[config(unset = "JSON with all fields", examples("{\"text\": \"{title}: {message}\"}"))]
    pub template: Option<String>,
    /// How many checks in a row must fail before a message is sent.
    #[config(default = 3, range(1, 100))]
    pub failures: u8,
    /// When no messages are sent, by the clock of the server. What has happened in the meantime follows at the end.
    #[config(rule = Rule::Text, read = read_quiet_hours, examples("22:00-07:00"))]
    pub quiet_hours: Option<QuietHours>,
}

/// What receives alerts.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum AlertKind {
    /// ntfy.
    Ntfy,
    /// Gotify.
    Gotify,
    /// An address that accepts a POST.
    Webhook,
    /// The HTTP API of Apprise.
    Apprise,
    /// A mail server.
    Email,
}

impl AlertKind {
    /// The word in the config.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

impl Word for AlertKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("ntfy", Self::Ntfy),
        ("gotify", Self::Gotify),
        ("webhook", Self::Webhook),
        ("apprise", Self::Apprise),
        ("email", Self::Email),
    ];
}

/// A time of each day, in minutes since midnight. It may last over midnight.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct QuietHours {
    /// When it begins.
    pub from: u16,
    /// When it ends.
    pub to: u16,
}

impl QuietHours {
    /// Reads a text such as `22:00-07:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once(['-', '–'])?;
        let hours = Self { from: minute_of_day(from)?, to: minute_of_day(to)? };
        (hours.from != hours.to).then_some(hours)
    }

    /// How many minutes they still last at a minute of the day; `None` outside of them.
    pub fn left(self, minute: u16) -> Option<u16> {
        let since = |from: u16, to: u16| (to + DAY - from) % DAY;
        let is_inside = since(self.from, minute) < since(self.from, self.to);
        is_inside.then(|| since(minute, self.to))
    }
}

fn minute_of_day(text: &str) -> Option<u16> {
    let (hour, minute) = text.trim().split_once(':')?;
    let is_number = |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(hour) || !is_number(minute) {
        return None;
    }
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

fn read_kind(cursor: &Cursor<'_>) -> Option<AlertKind> {
    let text = cursor.filled_text()?;
    let kind = AlertKind::from_word(&text.to_ascii_lowercase());
    if kind.is_none() {
        let words = AlertKind::WORDS.iter().map(|(word, _)| *word);
        let meant = did_you_mean(&text, words.clone());
        let known = words.collect::<Vec<_>>().join(", ");
        cursor.warn(
            ProblemKind::NotAllowed,
            format!("`{}` is not one of {known}{meant}", brief(&text)),
            Effect::Ignored,
        );
    }
    kind
}

fn read_quiet_hours(cursor: &Cursor<'_>) -> Option<QuietHours> {
    let text = cursor.filled_text()?;
    let hours = QuietHours::parse(&text);
    if hours.is_none() {
        let message = format!("`{}` is not a time of the day such as `22:00-07:00`", brief(&text));
        cursor.warn(ProblemKind::Malformed, message, Effect::Ignored);
    }
    hours
}

#[cfg(test)]
mod tests {
    use super::QuietHours;

    #[test]
    fn quiet_hours_may_last_over_midnight() {
        for (text, minute, left) in [
            ("22:00-07:00", 22 * 60, Some(540)),
            ("22:00-07:00", 0, Some(420)),
            ("22:00-07:00", 7 * 60, None),
            ("22:00-07:00", 21 * 60 + 59, None),
            ("9:30 - 10:00", 9 * 60 + 59, Some(1)),
            ("9:30 - 10:00", 10 * 60, None),
        ] {
            assert_eq!(QuietHours::parse(text).unwrap().left(minute), left, "{text} at {minute}");
        }
        for text in ["", "22:00", "24:00-07:00", "22:60-07:00", "7:00-7:00", "22-7", "a:b-c:d", "+1:00-2:00"] {
            assert_eq!(QuietHours::parse(text), None, "{text}");
        }
    }
}
