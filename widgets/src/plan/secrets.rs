//! Which options of an entry hold secrets.

use serde_json::Value;

use crate::{
    Entry, Kind,
    address::{self, AddressKeys},
    placeholder::names_a_variable,
};

/// Secrets that anybody who reads the file could use: keys and passwords, also inside addresses. Returns a description
/// of each, and the name of its option.
pub(super) fn plain_secrets(kind: Kind, as_written: &Entry) -> Vec<(String, String)> {
    if as_written.options.is_empty() {
        return Vec::new();
    }
    let mut secret = kind.secret_options();
    // The body of a request may contain a key, but usually does not.
    secret.retain(|name| address::names_secret(name));
    let is_plain = |name: &String, value: &Value| {
        let is_secret = secret.contains(name);
        let texts = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        texts.iter().any(|value| match value {
            Value::String(text) if names_a_variable(text) || text.trim().is_empty() => false,
            Value::String(text) => is_secret || !AddressKeys::of(text).certain.is_empty(),
            value => is_secret && value.is_number(),
        })
    };
    let plain = as_written.options.iter().filter(|(name, value)| is_plain(name, value));
    let subject = |name: &String| if secret.contains(name) { name.clone() } else { format!("The key in {name}") };
    let named = |name: &String| if secret.contains(name) { name.clone() } else { format!("{name}Key") };
    plain.map(|(name, _)| (subject(name), named(name))).collect()
}

/// Whether a secret option is set, or an address that may contain a key.
pub(super) fn holds_secret(kind: Kind, entry: &Entry) -> bool {
    let secret = kind.secret_options();
    entry.options.iter().any(|(name, value)| {
        let is_set = !matches!(value, Value::Null | Value::Bool(_)) && value != "";
        is_set && secret.iter().any(|secret| secret == name) || carries_key(value)
    })
}

fn carries_key(value: &Value) -> bool {
    match value {
        Value::String(text) => address::has_user(text) || !AddressKeys::of(text).is_empty(),
        Value::Array(values) => values.iter().any(carries_key),
        Value::Object(values) => values.values().any(carries_key),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
