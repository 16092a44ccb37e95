//! An account at a service: what is remembered of its sessions, and of logins that were refused.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use crate::{
    FetchError, Outside,
    option_types::{BaseAddress, Secret},
};

/// A user of a service at one address, with one password.
///
/// Services lock out who tries wrong passwords too often, and the lock-out hits everybody behind the same address. So a
/// refusal is remembered for all widgets that use the account.
pub(crate) struct Account {
    key: String,
}

impl Account {
    /// The account of a user; the user is empty for services that know a password only.
    pub(crate) fn new(service: &str, address: &BaseAddress, user: &str, password: &Secret) -> Self {
        // With another password it is another account, or else correcting it would change nothing for a while. The hash
        // keeps the password itself out of the key.
        let mut hasher = DefaultHasher::new();
        password.reveal().hash(&mut hasher);
        Self { key: format!("{service}/{}/{user}/{:x}", address.public(), hasher.finish()) }
    }

    /// The key under which something of this account is remembered.
    pub(crate) fn key(&self, what: &str) -> String {
        format!("{}/{what}", self.key)
    }

    /// Refuses at once what has been refused a moment ago.
    ///
    /// # Errors
    ///
    /// The error of then.
    pub(crate) fn refused_before(&self, outside: &impl Outside) -> Result<(), FetchError> {
        let kept = outside.recall(&self.key("refused"));
        kept.and_then(|kept| serde_json::from_value(kept).ok()).map_or(Ok(()), Err)
    }

    /// Remembers that a login was refused, and returns the error that says so.
    pub(crate) fn refuse(&self, outside: &impl Outside, sentence: impl Into<String>, pause: Duration) -> FetchError {
        let error = FetchError::Told { sentence: sentence.into(), retry_at: Some(outside.now().after(pause)) };
        if let Ok(kept) = serde_json::to_value(&error) {
            outside.remember(&self.key("refused"), kept, pause);
        }
        error
    }
}
