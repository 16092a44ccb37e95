//! The secrets of one entry, and texts without them. Widgets never put one into a panel or an error; but a service may
//! repeat what it was sent, and then nobody shall read it.

use std::borrow::Cow;

use serde_json::Value;
use widgets::{Entry, Kind};

/// Shorter texts are no secrets that are worth it, and would blank half of what a service says.
const SHORTEST: usize = 6;
/// What stands in the place of a secret.
const BLANK: &str = "***";
/// Names of parameters in addresses that hold secrets contain one of these.
const SECRET_NAMES: [&str; 7] = ["key", "token", "secret", "pass", "auth", "sid", "pwd"];

/// The secrets of one entry, longest first. Never printed.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Those in the options of an entry, and those that came from the environment.
    pub fn of(kind: Option<Kind>, entry: &Entry, from_environment: Vec<String>) -> Self {
        let mut found = from_environment;
        let named = kind.map(Kind::secret_options).unwrap_or_default();
        for (name, value) in &entry.options {
            if named.contains(name) || name.eq_ignore_ascii_case("headers") {
                add_texts(value, &mut found);
            }
            add_of_addresses(value, &mut found);
        }
        found.retain(|secret| secret.len() >= SHORTEST);
        found.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        found.dedup();
        Self(found)
    }

    /// A text with the secrets blanked, also where they are written as markup writes them.
    pub fn blank<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in &self.0 {
            for form in [Cow::Borrowed(secret.as_str()), escaped(secret)] {
                if text.contains(form.as_ref()) {
                    text = Cow::Owned(text.replace(form.as_ref(), BLANK));
                }
            }
        }
        text
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(BLANK)
    }
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    Cow::Owned(text)
}

fn add_texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            found.push(text.trim().to_owned());
            // `Bearer` and `Basic` are no part of the secret.
            found.extend(text.trim().split_once(' ').map(|(_, rest)| rest.trim().to_owned()));
        }
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| add_texts(value, found)),
        Value::Object(values) => values.values().for_each(|value| add_texts(value, found)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Passwords and keys in addresses.
fn add_of_addresses(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let Ok(url) = url::Url::parse(text.trim()) else { return };
            found.extend(url.password().map(str::to_owned));
            let is_secret = |name: &str| SECRET_NAMES.iter().any(|part| name.to_ascii_lowercase().contains(part));
            let pairs = url.query_pairs().filter(|(name, _)| is_secret(name));
            found.extend(pairs.map(|(_, value)| value.into_owned()));
        }
        Value::Array(values) => values.iter().for_each(|value| add_of_addresses(value, found)),
        Value::Object(values) => values.values().for_each(|value| add_of_addresses(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use widgets::Problems;

    use super::*;

    #[test]
    fn what_a_service_repeats_is_blanked() {
        let options = json!({ "options": {
            "url": "http://anna:pass&word@nas.lan/x?api_key=in-the-query&city=Berlin-Mitte",
            "headers": { "Authorization": "Bearer the-token", "Accept": "*/*" },
            "label": "Not a secret",
        } });
        let entry = Entry::read(&options, false, &mut Problems::default());
        let secrets = Secrets::of(Kind::parse("api-response"), &entry, vec!["of-the-environment".to_owned()]);
        for (text, expected) in [
            ("invalid key in-the-query", "invalid key ***"),
            ("no such token: the-token", "no such token: ***"),
            ("<p>pass&amp;word</p>", "<p>***</p>"),
            ("of-the-environment, Berlin-Mitte, Not a secret */*", "***, Berlin-Mitte, Not a secret */*"),
        ] {
            assert_eq!(secrets.blank(text), expected);
        }
        assert_eq!(format!("{secrets:?}"), "***");
    }

    #[test]
    fn options_of_the_type_that_hold_secrets_count() {
        let entry = Entry::read(&json!({ "options": { "apiKey": 12345678 } }), false, &mut Problems::default());
        let secrets = Secrets::of(Kind::parse("cron-checks"), &entry, Vec::new());
        assert_eq!(secrets.blank("12345678 is wrong"), "*** is wrong");
    }
}
