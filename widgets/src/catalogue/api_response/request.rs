//! The request to an address given by the user: which options it has, and how it is built.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::{
    Body, Method, OptionProblems, Request, address,
    option_types::{Secret, Text},
};

/// Maximum number of bytes of a response.
const MAX_BYTES: usize = 1024 * 1024;
/// Headers that belong to the connection and cannot be set by options.
const OWN_HEADERS: [&str; 4] = ["host", "content-length", "connection", "transfer-encoding"];

/// A full address. It may contain a key, so `Debug` shows only the host.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct SecretAddress(Text);

impl SecretAddress {
    pub(super) fn check(&self, problems: &mut OptionProblems) {
        problems.require_option(self.0.is_set(), "url", "the full address of the service");
        let (scheme, rest) = self.0.split_once("://").unwrap_or_default();
        let is_web = ["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
        if self.0.is_set() && (!is_web || address::host(&self.0).is_empty() || rest.contains(char::is_whitespace)) {
            problems.error("url must begin with http:// or https://, for example https://api.example.com/status.");
        }
    }
}

impl SecretAddress {
    /// Scheme, host and port, in the form of a browser's policy.
    pub(super) fn origin(&self) -> Option<String> {
        let url = url::Url::parse(&self.0).ok()?;
        Some(url.origin().ascii_serialization())
    }
}

impl fmt::Debug for SecretAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", address::host(&self.0))
    }
}

impl Serialize for SecretAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(address::host(&self.0))
    }
}

/// Headers by name. Each of them may be a key.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Headers(BTreeMap<String, Secret>);

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Value::deserialize(deserializer)?;
        let written: Result<BTreeMap<String, Value>, _> = serde_json::from_value(written);
        let written = written
            .map_err(|_| de::Error::custom("must be a mapping of names and texts, such as { Accept: text/plain }"))?;
        // A value of another type is kept as a blank one, to note it.
        let secret = |value: Value| serde_json::from_value(value).unwrap_or_default();
        Ok(Self(written.into_iter().map(|(name, value)| (name, secret(value))).collect()))
    }
}

impl Headers {
    pub(super) fn check(&self, problems: &mut OptionProblems) {
        for (name, value) in &self.0 {
            if !is_header_name(name) {
                problems.note(format!("headers: '{}' is not a header name, and is not sent.", name.escape_debug()));
            } else if value.reveal().contains(char::is_control) {
                problems.note(format!("headers: {name} is not sent, because its value contains line breaks."));
            } else if !value.is_set() {
                problems.note(format!("headers: {name} is not sent, because it has no text."));
            } else if OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
                problems.note(format!("headers: {name} is never sent."));
            }
        }
    }

    /// Those that can be sent.
    fn sent(&self) -> impl Iterator<Item = (&str, &Secret)> {
        let is_sent = |(name, value): &(&String, &Secret)| {
            is_header_name(name) && value.is_set() && !value.reveal().contains(char::is_control)
        };
        self.0.iter().filter(is_sent).map(|(name, value)| (name.as_str(), value))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.sent().find(|(written, _)| written.eq_ignore_ascii_case(name)).map(|(_, value)| value.reveal())
    }
}

fn is_header_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_plain)
}

/// The body: a text as it is, anything else as JSON. It may contain a key.
#[derive(Clone, Default)]
pub(super) struct Payload(Option<Value>);

impl fmt::Debug for Payload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_none()
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Some(Value::deserialize(deserializer)?).filter(|value| !value.is_null())))
    }
}

impl Payload {
    pub(super) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn body(&self, content_type: Option<&str>) -> Option<Body> {
        let (bytes, usual) = match self.0.as_ref()? {
            Value::String(text) => {
                let is_json = serde_json::from_str::<Value>(text).is_ok();
                (text.clone().into_bytes(), if is_json { "application/json" } else { "text/plain" })
            }
            value => (value.to_string().into_bytes(), "application/json"),
        };
        Some(Body { content_type: content_type.unwrap_or(usual).to_owned(), bytes })
    }
}

/// The method of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// Reads, or only checks whether there is a response.
    Read(Method),
    /// Sends.
    Send(Method),
}

impl Verb {
    /// The method with this name; GET if none is given.
    pub(super) fn parse(written: &str) -> Option<Self> {
        match written.to_ascii_uppercase().as_str() {
            "" | "GET" => Some(Self::Read(Method::Get)),
            "HEAD" => Some(Self::Read(Method::Head)),
            "POST" => Some(Self::Send(Method::Post)),
            "PUT" => Some(Self::Send(Method::Put)),
            "PATCH" => Some(Self::Send(Method::Patch)),
            _ => None,
        }
    }
}

/// The request for these options.
pub(super) fn request(
    verb: Verb,
    url: &SecretAddress,
    headers: &Headers,
    payload: &Payload,
    (username, password): (&Text, &Secret),
) -> Request {
    let (Verb::Read(method) | Verb::Send(method)) = verb;
    let mut request = Request::new(method, &*url.0);
    request.max_bytes = Some(MAX_BYTES);
    if matches!(verb, Verb::Send(_)) {
        request.body = payload.body(headers.get("content-type"));
    }
    for (name, value) in headers.sent() {
        let lower = name.to_ascii_lowercase();
        // `Content-Type` is part of the body, if there is one.
        let is_of_body = lower == "content-type" && request.body.is_some();
        if !OWN_HEADERS.contains(&lower.as_str()) && !is_of_body {
            request = request.secret_header(name, value);
        }
    }
    if username.is_set() && password.is_set() && headers.get("authorization").is_none() {
        request = request.basic(username, password);
    }
    request
}

/// Whether a text contains one of the secrets of these options, and so must not be shown.
pub(super) fn repeats_secret(text: &str, url: &SecretAddress, headers: &Headers, password: &Secret) -> bool {
    let query = url.0.split_once('?').map_or("", |(_, query)| query);
    let values = query.split('&').filter_map(|parameter| parameter.split_once('=')).map(|(_, value)| value);
    let secrets = headers.0.values().chain([password]).map(Secret::reveal).flat_map(str::split_whitespace);
    secrets.chain(values).any(|secret| secret.len() >= 4 && text.contains(secret))
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn content_is_sent_as_what_it_is_called() {
        for (payload, content_type, expected) in [
            (json!({ "a": 1 }), None, "application/json"),
            (json!("{\"a\": 1}"), None, "application/json"),
            (json!("a = 1"), None, "text/plain"),
            (json!("a: 1"), Some("application/yaml"), "application/yaml"),
            (json!({ "a": 1 }), Some("application/vnd.api+json; ext=x"), "application/vnd.api+json; ext=x"),
        ] {
            let headers: Headers = from_value(json!({ "content-type": content_type.unwrap_or_default() })).unwrap();
            let payload: Payload = from_value(payload).unwrap();
            let access = (&Text::default(), &Secret::default());
            let request = request(Verb::Send(Method::Post), &SecretAddress::default(), &headers, &payload, access);
            assert_eq!(request.body.map(|body| body.content_type).as_deref(), Some(expected));
            assert_eq!(request.headers, []);
        }
    }
}
