//! The protocol of Dashy's cloud backups, with an endpoint of the user's (docs/spec/behavior.md 17). There is one address:
//! `POST` stores a copy and returns its id, `PUT` replaces it, `GET` returns it, `DELETE` deletes it.
//!
//! The endpoint gets an encrypted copy ([`crate::encrypted_file`]) and a proof that the sender knows the password. Neither reveals
//! the password: guessing it from the proof is as slow as guessing it from the copy, and the two have different salts.

#[cfg(target_arch = "wasm32")]
mod client;
#[cfg(test)]
mod tests;

use serde_json::Value;

#[cfg(target_arch = "wasm32")]
pub use self::client::{host_of, load, remove, store};
use crate::texts::{digits, fill, t};

/// The groups of an id, and the characters of each.
const GROUPS: usize = 4;
const GROUP_LENGTH: usize = 4;

/// Whether a text has the form of Dashy's ids.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let is_group = |group: &str| group.len() == GROUP_LENGTH && group.chars().all(|char| char.is_ascii_alphanumeric());
    text.split('-').count() == GROUPS && text.split('-').all(is_group)
}

/// An id that a user typed.
///
/// # Errors
///
/// It is none, in a sentence for the user.
pub fn checked(id: &str) -> Result<String, String> {
    let id = id.trim();
    if is_id(id) { Ok(id.to_owned()) } else { Err(t("An id has the form `xxxx-xxxx-xxxx-xxxx`.")) }
}

/// The body of a response, which is null if it is no JSON.
///
/// # Errors
///
/// The endpoint refuses the request, in a sentence for the user.
pub fn answer(host: &str, status: u16, body: &str) -> Result<Value, String> {
    let answer = serde_json::from_str::<Value>(body).unwrap_or_default();
    let is_ok = (200..300).contains(&status);
    let said = |name: &str| answer[name].as_str().filter(|text| !text.is_empty());
    if let Some(text) = said("errorMsg").or_else(|| said("message").filter(|_| !is_ok)) {
        return Err(fill("`{host}` says: {text}", &[("host", host), ("text", text)]));
    }
    if !is_ok {
        let text = "`{host}` answers {status}. Check the id and the password.";
        return Err(fill(text, &[("host", host), ("status", &digits(status))]));
    }
    Ok(answer)
}

/// The id of a new copy.
///
/// # Errors
///
/// The endpoint gives none, in a sentence for the user.
pub fn new_id(answer: &Value) -> Result<String, String> {
    let id = answer["backupId"].as_str().filter(|id| is_id(id)).map(str::to_owned);
    let text = "The endpoint gives no id for the copy, so it could not be found again. Check that it speaks the protocol of Dashy’s backups.";
    id.ok_or_else(|| t(text))
}

/// The copy in a response.
///
/// # Errors
///
/// There is none, in a sentence for the user.
pub fn copy(answer: &Value) -> Result<String, String> {
    let data = &answer["userData"];
    // Dashy's own service returns the whole record.
    let copy = data["userData"].as_str().or(data.as_str()).filter(|copy| !copy.is_empty());
    copy.map(str::to_owned).ok_or_else(|| t("The endpoint has no copy with this id and password."))
}
