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
use widgets::{AddressKeys, Entry, Kind, Panel, is_variable, may_be_secret};

/// Shorter texts are no secrets that are worth it, and would blank half of what a service says.
const SHORTEST: usize = 6;
/// Everything but what an address never encodes (RFC 3986 section 2.3).
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// What stands in the place of a secret.
const BLANK: &str = "***";

/// The secrets of one entry, in all forms in which they may come back, longest first. Never printed.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Those in the options of an entry, and those that came from the environment.
    pub fn of(kind: Option<Kind>, entry: &Entry, from_environment: Vec<String>) -> Self {
        let mut found = from_environment;
        let named = kind.map(Kind::secret_options).unwrap_or_default();
        for (name, value) in &entry.options {
            if named.contains(name) && may_be_secret(name, "") {
                add_texts(value, &mut found);
            } else if named.contains(name) || name.eq_ignore_ascii_case("headers") {
                // Headers and bodies hold keys among other things, which a service may well say again.
                add_members(name, value, &mut found);
            }
            add_of_addresses(value, &mut found);
        }
        // The name of a variable that is not set is what people must be told.
        found.retain(|secret| !is_variable(secret));
        // As HTTP Basic writes them, which a service repeats with the headers that it got.
        if let Some(user) = entry.options.get("username").and_then(Value::as_str) {
            let pairs: Vec<String> = found.iter().map(|secret| STANDARD.encode(format!("{user}:{secret}"))).collect();
            found.extend(pairs);
        }
        found.retain(|secret| secret.len() >= SHORTEST);
        let forms = found.iter().flat_map(|secret| [escaped(secret), encoded(secret), in_json(secret)]);
        let forms: Vec<String> = forms.collect();
        found.extend(forms);
        found.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        found.dedup();
        Self(found)
    }

    /// A sentence or a line of the log without them.
    pub fn blank<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                text = Cow::Owned(text.replace(secret.as_str(), BLANK));
            }
        }
        text
    }

    /// Takes them out of what a service has said in a panel. The markup is drawn afterwards, so that it stays whole
    /// whatever a secret is like, and so that words of ours that are like one do not tell it.
    pub fn blank_panel(&self, panel: &mut Panel) {
        if self.0.is_empty() {
            return;
        }
        panel.change_texts(&mut |text| {
            if let Cow::Owned(blanked) = self.blank(text) {
                *text = blanked;
            }
        });
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(BLANK)
    }
}

/// As markup writes it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// As addresses write it.
fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, UNRESERVED).to_string()
}

/// As it stands in a text of JSON.
fn in_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
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

/// The secrets among headers, or in the body of a request: what has a telling name, and what no person has thought up.
fn add_members(name: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if may_be_secret(name, text) => add_texts(value, found),
        // A body that is written as it is sent.
        Value::String(text) => match serde_json::from_str(text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => add_members(name, &inner, found),
            _ => {
                for (name, value) in url::form_urlencoded::parse(text.as_bytes()) {
                    if may_be_secret(&name, &value) {
                        found.push(value.into_owned());
                    }
                }
            }
        },
        Value::Number(_) if may_be_secret(name, "") => add_texts(value, found),
        Value::Array(values) => values.iter().for_each(|value| add_members(name, value, found)),
        Value::Object(values) => values.iter().for_each(|(name, value)| add_members(name, value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
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
    use widgets::{
        Problems,
        panel::{Paragraph, Phrase},
    };

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
    fn of_headers_and_bodies_only_what_may_be_a_key_counts() {
        let of = |options: Value| {
            let entry = Entry::read(&json!({ "options": options }), false, &mut Problems::default());
            Secrets::of(Kind::parse("api-response"), &entry, Vec::new())
        };
        let said = "Vienna active details 2022-06-28 s3cret-one 7654321 bQ2xT9rLw4 form-secret PORTICO_NOT_SET";
        for (options, expected) in [
            (
                json!({ "headers": { "X-View": "details", "Notion-Version": "2022-06-28", "X-Id": "bQ2xT9rLw4" } }),
                said.replace("bQ2xT9rLw4", "***"),
            ),
            (
                json!({ "requestBody": { "city": "Vienna", "filter": ["active"], "auth": { "n": [1], "apiKey": 7654321 } } }),
                said.replace("7654321", "***"),
            ),
            (json!({ "requestBody": "{\"password\": \"s3cret-one\"}" }), said.replace("s3cret-one", "***")),
            (json!({ "requestBody": "city=Vienna&pwd=form-secret" }), said.replace("form-secret", "***")),
            (json!({ "requestBody": "{ status(active: true) { details } }" }), said.to_owned()),
            (json!({ "password": "PORTICO_NOT_SET" }), said.to_owned()),
        ] {
            assert_eq!(of(options.clone()).blank(said), expected, "{options}");
        }
    }

    #[test]
    fn what_a_secret_is_like_harms_no_panel() {
        let entry = json!({ "options": { "password": "legend", "username": "a\"b<&\\c", "token": "a\"b<&\\c" } });
        let entry = Entry::read(&entry, false, &mut Problems::default());
        let secrets = Secrets::of(Kind::parse("api-response"), &entry, Vec::new());
        let text = |text: &str| Paragraph::new(Phrase::foreign(text)).into();
        let mut panel = Panel::new(vec![
            text(r#"the legend of a"b<&\c, a\"b<&\\c, a&quot;b&lt;&amp;\c, a%22b%3C%26%5Cc"#),
            Paragraph::new("Show legend").into(),
        ]);
        secrets.blank_panel(&mut panel);
        let expected = vec![text("the *** of ***, ***, ***, ***"), Paragraph::new("Show legend").into()];
        assert_eq!(panel, Panel::new(expected));
    }

    #[test]
    fn options_of_the_type_that_hold_secrets_count() {
        let entry = Entry::read(&json!({ "options": { "apiKey": 12345678 } }), false, &mut Problems::default());
        let secrets = Secrets::of(Kind::parse("cron-checks"), &entry, Vec::new());
        assert_eq!(secrets.blank("12345678 is wrong"), "*** is wrong");
    }
}
