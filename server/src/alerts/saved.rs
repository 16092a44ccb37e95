//! The outages for which messages were sent, in a small file of the user-data folder, so that a restart neither repeats a message
//! nor loses a recovery.

use std::{collections::BTreeMap, fs, io, path::Path};

use super::outages::{CheckKey, Outage};
use crate::{
    platform::io_error::reason,
    store::{ALERTS_FILE, Store},
};

/// The outages of the last run.
pub(super) fn read(user_data: &Path) -> BTreeMap<CheckKey, Outage> {
    match fs::read(user_data.join(ALERTS_FILE)) {
        Ok(text) => serde_json::from_slice(&text).unwrap_or_else(|_| {
            tracing::warn!("`{ALERTS_FILE}` is damaged: a service that is still down is announced once more");
            BTreeMap::new()
        }),
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                tracing::warn!("`{ALERTS_FILE}` cannot be read: {}", reason(&error));
            }
            BTreeMap::new()
        }
    }
}

/// Saves the outages. A failure costs only the memory of the next run.
pub(super) async fn write(store: &Store, known: BTreeMap<CheckKey, Outage>) {
    let text = serde_json::to_vec(&known).unwrap_or_default();
    if let Err(error) = store.write_own(ALERTS_FILE, text.into()).await {
        tracing::warn!(
            "`{ALERTS_FILE}` cannot be written in the user-data folder ({}): after a restart, outages are announced once more",
            reason(&error)
        );
    }
}
