//! The secrets of one entry, and how to remove them from text. Widgets never put a secret into a panel or an error; but
//! a service may echo what it was sent, and secrets must stay on the server.
//!
//! A key in the path of an address looks like any other path segment, so a segment that looks random counts as a
//! secret. If it turns out to be an ordinary name, that name is blanked too, which is better than showing a key.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str};
use serde_json::{Map, Value};
use url::Url;
use widgets::{AddressKeys, Entry, Kind, Panel, is_variable, may_be_secret};

use super::rendered_panel::PREFIX;

/// Shorter texts are not worth protecting, and would blank half of a response.
const SHORTEST: usize = 6;
/// Everything except the characters that an address never encodes (RFC 3986 section 2.3).
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Headers whose values are not secrets.
const HARMLESS_HEADERS: [&str; 11] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "content-language",
    "content-type",
    "origin",
    "prefer",
    "referer",
    "user-agent",
];
/// The replacement for a secret.
const BLANK: &str = "***";

/// The secrets of one entry, in every form in which they may come back, longest first. Never printed.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// The secrets in the options of an entry, and those from the environment.
    pub fn of(kind: Option<Kind>, entry: &Entry, from_environment: Vec<String>) -> Self {
        let mut found = Vec::new();
        let named = kind.map(Kind::secret_options).unwrap_or_default();
        for (name, value) in &entry.options {
            if name.eq_ignore_ascii_case("headers") {
                add_headers(value, &mut found);
            } else if named.contains(name) && may_be_secret(name, "") {
                add_texts(value, &mut found);
            } else if named.contains(name) {
                // A body contains keys among other values, which a service may legitimately repeat.
                add_members(name, value, &mut found);
            }
            add_of_addresses(value, &mut found);
        }
        // The name of a variable that is not set must be shown.
        found.retain(|secret| !is_variable(secret));
        found.extend(from_environment.into_iter().filter(|value| !is_place(value, &entry.options)));
        // As HTTP Basic encodes them; a service may echo the headers it received.
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

    /// Removes secrets from a sentence or a log line.
    pub fn blank<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                text = Cow::Owned(text.replace(secret.as_str(), BLANK));
            }
        }
        text
    }

    /// Removes secrets from the service's text in a panel, and the placeholder for path prefixes too. The markup is
    /// rendered afterwards, so that it stays valid whatever a secret contains, and so that blanked words of our own
    /// cannot reveal a secret.
    pub fn blank_panel(&self, panel: &mut Panel) {
        panel.change_texts(&mut |text| {
            if text.contains(PREFIX) {
                *text = text.replace(PREFIX, "");
            }
            if let Cow::Owned(blanked) = self.blank(text) {
                *text = blanked;
            }
            self.blank_end(text);
        });
    }

    /// Removes secrets from the names and values of JSON that a service sent.
    pub fn blank_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(blanked) = self.blank(text) {
                    *text = blanked;
                }
            }
            Value::Number(number) => {
                if let Cow::Owned(blanked) = self.blank(&number.to_string()) {
                    *value = blanked.into();
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.blank_json(value)),
            Value::Object(members) => {
                let blanked = std::mem::take(members).into_iter().map(|(name, mut value)| {
                    self.blank_json(&mut value);
                    (self.blank(&name).into_owned(), value)
                });
                *members = blanked.collect();
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Removes the beginning of a secret at the end of truncated text.
    fn blank_end(&self, text: &mut String) {
        let Some(kept) = text.strip_suffix('…') else { return };
        let begins = |secret: &String| {
            let lengths = (SHORTEST..secret.len()).rev().filter_map(|length| secret.get(..length));
            lengths.filter(|beginning| kept.ends_with(beginning)).map(str::len).next()
        };
        if let Some(length) = self.0.iter().filter_map(begins).max() {
            *text = format!("{}{BLANK}…", &kept[..kept.len() - length]);
        }
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(BLANK)
    }
}

/// As escaped in markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// As encoded in addresses.
fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, UNRESERVED).to_string()
}

/// As escaped in a JSON string.
fn in_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

fn add_texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            found.push(text.trim().to_owned());
            // `Bearer` and `Basic` are not part of the secret.
            found.extend(text.trim().split_once(' ').map(|(_, rest)| rest.trim().to_owned()));
        }
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| add_texts(value, found)),
        Value::Object(values) => values.values().for_each(|value| add_texts(value, found)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The values of headers, except those that everyone sends.
fn add_headers(value: &Value, found: &mut Vec<String>) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let name = name.to_ascii_lowercase();
        if !HARMLESS_HEADERS.contains(&name.as_str()) && !name.ends_with("version") {
            add_texts(value, found);
        }
    }
}

/// The secrets in a request body: values with a telling name, and values that look random.
fn add_members(name: &str, value: &Value, found: &mut Vec<String>) {
    if may_be_secret(name, "") {
        return add_texts(value, found);
    }
    match value {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => add_members(name, &inner, found),
            _ => add_of_text(text, found),
        },
        Value::Array(values) => values.iter().for_each(|value| add_members(name, value, found)),
        Value::Object(values) => values.iter().for_each(|(name, value)| add_members(name, value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The secrets in a text format: `password=…&`, `<password>…</password>`, `(password: "…")`.
fn add_of_text(text: &str, found: &mut Vec<String>) {
    for (name, value) in url::form_urlencoded::parse(text.as_bytes()) {
        if may_be_secret(&name, "") {
            found.push(value.into_owned());
        }
    }
    let is_between = |character: char| character.is_whitespace() || "\"'`<>=:,;&(){}[]".contains(character);
    let mut after_name = false;
    for word in text.split(is_between).filter(|word| !word.is_empty()) {
        if after_name || may_be_secret("", word) {
            found.push(word.to_owned());
        }
        // `$token` is a variable, followed by its type.
        after_name = may_be_secret(word, "") && !word.starts_with(['$', '/']);
    }
}

/// Whether an environment value is only a host, or an address without keys: people need to see these, and errors name
/// them.
fn is_place(value: &str, options: &Map<String, Value>) -> bool {
    if let Ok(url) = Url::parse(value.trim())
        && url.has_host()
    {
        return url.query().is_none() && url.fragment().is_none() && AddressKeys::of(value).is_empty();
    }
    let is_host = |text: &str| {
        let Some((_, rest)) = text.split_once("://") else { return false };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        host.matches(value).count() == text.matches(value).count()
    };
    let mut texts = Vec::new();
    options.values().for_each(|value| all_texts(value, &mut texts));
    let mut holding = texts.into_iter().filter(|text| text.contains(value)).peekable();
    holding.peek().is_some() && holding.all(is_host)
}

fn all_texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(values) => values.iter().for_each(|value| all_texts(value, found)),
        Value::Object(values) => values.values().for_each(|value| all_texts(value, found)),
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
        OptionProblems,
        panel::{Link, Paragraph, Phrase},
    };

    use super::*;

    #[test]
    fn what_a_service_repeats_is_blanked() {
        let options = json!({ "options": {
            "url": "http://anna:pass&word@nas.lan/x?api_key=in-the-query&city=Berlin-Mitte",
            "headers": { "Authorization": "Bearer the-token", "Accept": "*/*" },
            "label": "Not a secret",
        } });
        let entry = Entry::read(&options, false, &mut OptionProblems::default());
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
        let entry = Entry::read(&options, false, &mut OptionProblems::default());
        let secrets = Secrets::of(Kind::parse("api-response"), &entry, Vec::new());
        assert_eq!(secrets.blank("no route /api/3f2504e04f8911d39a0c/stats"), "no route /api/***/stats");
    }

    #[test]
    fn of_headers_and_bodies_only_what_may_be_a_key_counts() {
        let of = |options: Value| {
            let entry = Entry::read(&json!({ "options": options }), false, &mut OptionProblems::default());
            Secrets::of(Kind::parse("api-response"), &entry, Vec::new())
        };
        let said = "Vienna active details 2022-06-28 s3cret-one 7654321 bQ2xT9rLw4 form-hunter PORTICO_NOT_SET";
        for (options, expected) in [
            (
                json!({ "headers": { "Accept": "details", "Notion-Version": "2022-06-28", "X-Id": "active" } }),
                said.replace("active", "***"),
            ),
            (
                json!({ "requestBody": { "city": "Vienna", "filter": ["active"], "auth": { "n": [1], "apiKey": 7654321 } } }),
                said.replace("7654321", "***"),
            ),
            (json!({ "requestBody": "{\"password\": \"s3cret-one\"}" }), said.replace("s3cret-one", "***")),
            (json!({ "requestBody": "city=Vienna&pwd=form-hunter" }), said.replace("form-hunter", "***")),
            (
                json!({ "requestBody": "<city>Vienna</city><Password>form-hunter</Password>" }),
                said.replace("form-hunter", "***"),
            ),
            (
                json!({ "requestBody": "{ login(pin: \"form-hunter\") { details } }" }),
                said.replace("form-hunter", "***"),
            ),
            (json!({ "requestBody": "query ($token: details) { bQ2xT9rLw4 }" }), said.replace("bQ2xT9rLw4", "***")),
            (
                json!({ "requestBody": { "credentials": { "id": ["form-hunter"] } } }),
                said.replace("form-hunter", "***"),
            ),
            (json!({ "requestBody": "{ status(active: true) { details } }" }), said.to_owned()),
            (json!({ "password": "PORTICO_NOT_SET" }), said.to_owned()),
        ] {
            assert_eq!(of(options.clone()).blank(said), expected, "{options}");
        }
    }

    #[test]
    fn places_are_no_secrets_and_whole_addresses_with_a_key_are() {
        let read = |url: &str, from_environment: &str| {
            let entry = json!({ "options": { "url": url } });
            let entry = Entry::read(&entry, false, &mut OptionProblems::default());
            Secrets::of(Kind::parse("api-response"), &entry, vec![from_environment.to_owned()])
        };
        let link = Link::parse(Phrase::foreign("A post"), "http://nas.lan:5000/feed?auth=s3cret-key&post=1").unwrap();
        for (url, from_environment, expected) in [
            ("http://nas.lan:5000/feed", "nas.lan:5000", Some("http://nas.lan:5000/feed?auth=s3cret-key&post=1")),
            (
                "http://nas.lan:5000/feed",
                "http://nas.lan:5000/feed",
                Some("http://nas.lan:5000/feed?auth=s3cret-key&post=1"),
            ),
            (
                "http://nas.lan:5000/feed?auth=s3cret-key",
                "s3cret-key",
                Some("http://nas.lan:5000/feed?auth=***&post=1"),
            ),
            // The rest of it is not an address.
            ("http://nas.lan:5000/feed?auth=s3cret-key", "http://nas.lan:5000/feed?auth=s3cret-key", None),
            // The value is both the host and a password.
            ("http://a:nas.lan:5000@nas.lan:5000/", "nas.lan:5000", Some("http://***/feed?auth=s3cret-key&post=1")),
        ] {
            let mut panel = Panel { credit: Some(link.clone()), ..Panel::default() };
            read(url, from_environment).blank_panel(&mut panel);
            let left = panel.credit.as_ref().map(|link| link.url.as_str());
            assert_eq!(left, expected, "{url} {from_environment}");
        }
        let value = read("http://nas.lan/", "DASHY_s3cretword");
        assert_eq!(value.blank("a DASHY_s3cretword"), "a ***");
    }

    #[test]
    fn what_is_cut_off_is_blanked_too() {
        let entry =
            Entry::read(&json!({ "options": { "apiKey": "s3cret-key" } }), false, &mut OptionProblems::default());
        let secrets = Secrets::of(Kind::parse("cron-checks"), &entry, Vec::new());
        for (said, expected) in [
            ("key=s3cret-k…", "key=***…"),
            ("key=s3cret…", "key=***…"),
            ("key=s3cre…", "key=s3cre…"),
            ("key=s3cret-kex…", "key=s3cret-kex…"),
            ("s3cret-key is s3cret-", "*** is s3cret-"),
            ("a\u{fdd0}b", "ab"),
        ] {
            let text = |text: &str| Panel::new(vec![Paragraph::new(Phrase::foreign(text)).into()]);
            let mut panel = text(said);
            secrets.blank_panel(&mut panel);
            assert_eq!(panel, text(expected));
        }
    }

    #[test]
    fn names_and_values_of_json_are_blanked() {
        let entry = json!({ "options": { "apiKey": 12345678, "token": "s3cret-key" } });
        let entry = Entry::read(&entry, false, &mut OptionProblems::default());
        let secrets = Secrets::of(Kind::parse("cron-checks"), &entry, vec!["of-the-environment".to_owned()]);
        let mut said =
            json!({ "of-the-environment": [12345678, 1, "key=of-the-environment"], "on": true, "none": null });
        secrets.blank_json(&mut said);
        assert_eq!(said, json!({ "***": ["***", 1, "key=***"], "on": true, "none": null }));
    }

    #[test]
    fn what_a_secret_is_like_harms_no_panel() {
        let entry = json!({ "options": { "password": "legend", "username": "a\"b<&\\c", "token": "a\"b<&\\c" } });
        let entry = Entry::read(&entry, false, &mut OptionProblems::default());
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
        let entry = Entry::read(&json!({ "options": { "apiKey": 12345678 } }), false, &mut OptionProblems::default());
        let secrets = Secrets::of(Kind::parse("cron-checks"), &entry, Vec::new());
        assert_eq!(secrets.blank("12345678 is wrong"), "*** is wrong");
    }
}
