//! What an ID token says. Read leniently, as providers differ: a claim that is not as it should be counts as absent,
//! and the checks decide whether that matters.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// The claims of a token.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Claims {
    pub issuer: Option<String>,
    pub subject: Option<String>,
    pub audiences: Vec<String>,
    pub authorized_party: Option<String>,
    /// Seconds since 1970, as are the other times.
    pub expires: Option<u64>,
    pub not_before: Option<u64>,
    pub issued_at: Option<u64>,
    pub nonce: Option<String>,
    pub access_token_hash: Option<String>,
    pub code_hash: Option<String>,
    /// What the person is called.
    pub name: String,
    pub groups: Vec<String>,
    pub roles: Vec<String>,
    /// Why the token is none that tells who somebody is.
    pub other_use: Option<&'static str>,
}

impl Claims {
    /// Reads claims. `client_id` is ours, for the roles that are given for it alone.
    pub(super) fn read(claims: &Map<String, Value>, client_id: &str) -> Self {
        let text = |name: &'static str| claims.get(name).and_then(text_of);
        let time = |name: &str| claims.get(name).and_then(Value::as_f64).filter(|time| *time >= 0.0).map(whole);
        let name = ["preferred_username", "email", "sub"].into_iter().find_map(text);
        let access = |name: &str| claims.get(name);
        let realm = access("realm_access").and_then(|access| access.get("roles"));
        let client = access("resource_access").and_then(|access| access.get(client_id)?.get("roles"));
        Self {
            issuer: text("iss"),
            subject: text("sub"),
            audiences: audiences(claims.get("aud")),
            authorized_party: text("azp"),
            expires: time("exp"),
            not_before: time("nbf"),
            issued_at: time("iat"),
            nonce: text("nonce"),
            access_token_hash: text("at_hash"),
            code_hash: text("c_hash"),
            name: name.unwrap_or_default(),
            groups: names_in([claims.get("groups"), claims.get("groups_direct")]),
            roles: names_in([claims.get("roles"), realm, client]),
            other_use: other_use(claims),
        }
    }
}

/// Why a token that is signed by the right issuer for the right client is no ID token. Nothing in the standards keeps
/// a provider from giving access tokens the same issuer and audience, so their marks are looked for.
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
    // These stand in access tokens (RFC 9068); an ID token may repeat them, but then it is bound to something.
    let is_bound = ["nonce", "at_hash", "c_hash"].iter().any(|name| claims.contains_key(*name));
    let marks = ["scope", "scp", "client_id", "cid", "cnf"];
    (!is_bound && marks.iter().any(|name| claims.contains_key(*name))).then_some("it is an access token")
}

/// A text, or a number as text: some providers count their people.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The names in several claims, each once.
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

fn audiences(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(text_of).collect(),
        value => value.and_then(text_of).into_iter().collect(),
    }
}

/// The names in a list, or in one text with commas.
fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(text_of).collect(),
        Some(Value::String(text)) if text.contains(',') => {
            // A name with a comma in it, such as an LDAP name, is one name too.
            let pieces = text.split(',').map(str::trim).filter(|piece| !piece.is_empty());
            pieces.chain([text.as_str()]).map(str::to_owned).collect()
        }
        Some(value) => text_of(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Times may have fractions; these do not matter.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn whole(time: f64) -> u64 {
    time as u64
}
