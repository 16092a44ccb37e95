//! The secrets of one entry, and texts without them. Widgets never put one into a panel or an error; but a service may
//! repeat what it was sent, and then nobody shall read it.
//!
//! A key in the path of an address looks like any other step of a path, so a step that no person has thought up counts
//! as one. Where it is the name of a thing after all, that name is blanked too: rather that than a key on the page.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str};
use serde_json::Value;
use url::Url;
use widgets::{AddressKeys, Entry, Kind};

/// Shorter texts are no secrets that are worth it, and would blank half of what a service says.
const SHORTEST: usize = 6;
/// Everything but what an address never encodes (RFC 3986 section 2.3).
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// What stands in the place of a secret.
const BLANK: &str = "***";

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
        // As HTTP Basic writes them, which a service repeats with the headers that it got.
        if let Some(user) = entry.options.get("username").and_then(Value::as_str) {
            let pairs: Vec<String> = found.iter().map(|secret| STANDARD.encode(format!("{user}:{secret}"))).collect();
            found.extend(pairs);
        }
        found.retain(|secret| secret.len() >= SHORTEST);
        found.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        found.dedup();
        Self(found)
    }

    /// The markup of a panel, a sentence or a line of the log without them, also where they are written as markup or
    /// addresses write them.
    pub fn blank<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in &self.0 {
            for form in [Cow::Borrowed(secret.as_str()), escaped(secret), encoded(secret)] {
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

fn encoded(text: &str) -> Cow<'_, str> {
    percent_encoding::utf8_percent_encode(text, UNRESERVED).into()
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
            let keys = AddressKeys::of(text);
            found.extend(keys.certain);
            found.extend(keys.likely);
            if let Ok(url) = Url::parse(text.trim())
                && let Some(password) = url.password()
            {
                let pair = format!("{}:{password}", url.username());
                found.push(STANDARD.encode(percent_decode_str(&pair).collect::<Vec<u8>>()));
            }
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
            ("GET /?pass%26word", "GET /?***"),
            ("<p>pass&amp;word</p>", "<p>***</p>"),
            ("of-the-environment, Berlin-Mitte, Not a secret */*", "***, Berlin-Mitte, Not a secret */*"),
        ] {
            assert_eq!(secrets.blank(text), expected);
        }
        assert_eq!(format!("{secrets:?}"), "***");
    }

    #[test]
    fn what_may_be_a_key_in_a_path_is_blanked() {
        let options = json!({ "options": { "url": "http://nas.lan/api/3f2504e04f8911d39a0c/stats" } });
        let entry = Entry::read(&options, false, &mut Problems::default());
        let secrets = Secrets::of(Kind::parse("api-response"), &entry, Vec::new());
        assert_eq!(secrets.blank("no route /api/3f2504e04f8911d39a0c/stats"), "no route /api/***/stats");
    }

    #[test]
    fn options_of_the_type_that_hold_secrets_count() {
        let entry = Entry::read(&json!({ "options": { "apiKey": 12345678 } }), false, &mut Problems::default());
        let secrets = Secrets::of(Kind::parse("cron-checks"), &entry, Vec::new());
        assert_eq!(secrets.blank("12345678 is wrong"), "*** is wrong");
    }
}
