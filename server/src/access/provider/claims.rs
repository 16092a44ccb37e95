//! What an ID token says about a user. Parsing is lenient because providers differ: a malformed claim counts as
//! absent, and the checks decide whether that matters.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::error::words;

/// The claims of a token.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Claims {
    pub issuer: Option<String>,
    pub subject: Option<String>,
    /// Seconds since 1970.
    pub expires: Option<u64>,
    /// Seconds since 1970.
    pub issued: Option<u64>,
    /// Seconds since 1970.
    pub not_before: Option<u64>,
    pub nonce: Option<String>,
    /// What the user is called.
    pub name: String,
    pub groups: Vec<String>,
    pub roles: Vec<String>,
    /// Why the token is not an ID token.
    pub other_use: Option<&'static str>,
}

impl Claims {
    /// Reads claims. `client_id` is ours, and selects the roles for this client.
    pub(crate) fn read(claims: &Map<String, Value>, client_id: &str) -> Self {
        let text = |name: &'static str| claims.get(name).and_then(text_of);
        let name = ["preferred_username", "email", "sub"].into_iter().find_map(text);
        let access = |name: &str| claims.get(name);
        let realm = access("realm_access").and_then(|access| access.get("roles"));
        let client = access("resource_access").and_then(|access| access.get(client_id)?.get("roles"));
        Self {
            issuer: text("iss"),
            subject: text("sub"),
            expires: time_of(claims, "exp"),
            issued: time_of(claims, "iat"),
            not_before: time_of(claims, "nbf"),
            nonce: text("nonce"),
            // The name appears on pages and in the log, so it must be one line.
            name: name.as_deref().map(words).unwrap_or_default(),
            groups: names_in([claims.get("groups"), claims.get("groups_direct")]),
            roles: names_in([claims.get("roles"), realm, client]),
            other_use: other_use(claims),
        }
    }
}

/// Why a token that is signed by the right issuer for the right client is not an ID token. The standards allow a
/// provider to give access tokens the same issuer and audience, so this looks for the marks of access tokens.
fn other_use(claims: &Map<String, Value>) -> Option<&'static str> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    // Keycloak: `ID`, `Bearer`, `Refresh`, `Offline`, `Logout`.
    if text("typ").is_some_and(|kind| !["id", "jwt", "id_token"].contains(&kind.to_ascii_lowercase().as_str())) {
        return Some("it is a token of another kind");
    }
    if text("token_use").is_some_and(|purpose| purpose != "id") {
        return Some("it is an access token");
    }
    if claims.contains_key("events") {
        return Some("it is a message about an event");
    }
    // These appear in access tokens (RFC 9068); an ID token may repeat them, but then it is bound to something.
    let is_bound = ["nonce", "at_hash", "c_hash"].iter().any(|name| claims.contains_key(*name));
    let marks = ["scope", "scp", "client_id", "cid", "cnf"];
    (!is_bound && marks.iter().any(|name| claims.contains_key(*name))).then_some("it is an access token")
}

/// A string, or a number as a string: some providers number their users.
pub(crate) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The names in several claims, without duplicates.
fn names_in<const N: usize>(values: [Option<&Value>; N]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    for name in values.into_iter().flat_map(names) {
        if known.insert(name.clone()) {
            all.push(name);
        }
    }
    all
}

/// The audience of a token: a list or a string.
pub(crate) fn audiences(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(text_of).collect(),
        value => value.and_then(text_of).into_iter().collect(),
    }
}

/// The names in a list, or in one comma-separated string.
fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(text_of).collect(),
        Some(Value::String(text)) if text.contains(',') => {
            // A name that contains a comma, such as an LDAP name, also counts as one name.
            let pieces = text.split(',').map(str::trim).filter(|piece| !piece.is_empty());
            pieces.chain([text.as_str()]).map(str::to_owned).collect()
        }
        Some(value) => text_of(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// A time in seconds since 1970. Fractions are ignored, and times beyond the range of the type saturate.
pub(crate) fn time_of(claims: &Map<String, Value>, name: &str) -> Option<u64> {
    let time = claims.get(name)?.as_f64()?;
    (time >= 0.0).then_some(time as u64)
}
