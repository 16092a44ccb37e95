//! The outages for which messages were sent, in a small file of the user-data folder, so that a restart neither repeats a message
//! nor loses a recovery.

use std::{collections::BTreeMap, fs, io, path::Path};

use serde_json::Value;

use super::outages::{CheckKey, Outage};
use crate::{
    platform::io_error::reason,
    store::{ALERTS_FILE, Store},
};

/// The outages of the last run.
pub(super) fn read(user_data: &Path) -> BTreeMap<CheckKey, Outage> {
    match fs::read(user_data.join(ALERTS_FILE)) {
        Ok(text) => outages(&text).unwrap_or_else(|error| {
            tracing::warn!(
                "`{ALERTS_FILE}` cannot be used ({error}): a service that is still down is announced once more"
            );
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

/// The outages in a file. One of a newer program is left out.
fn outages(text: &[u8]) -> serde_json::Result<BTreeMap<CheckKey, Outage>> {
    let all: BTreeMap<CheckKey, Value> = serde_json::from_slice(text)?;
    Ok(all.into_iter().filter_map(|(key, outage)| Some((key, serde_json::from_value(outage).ok()?))).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_of_a_newer_program_hide_no_others() {
        let outage = |more: &str| format!(r#"{{{more}"name":"NAS","section":"Home","since":1,"announced":["t"]}}"#);
        let text = format!(
            r#"{{"a":{},"b":{},"c":{},"d":{}}}"#,
            outage(""),
            outage(r#""version":1,"more":{},"#),
            outage(r#""version":2,"#),
            r#"{"since":"yesterday"}"#
        );
        let found = outages(text.as_bytes()).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert!(serde_json::to_string(&found["a"]).unwrap().starts_with(r#"{"version":1,"#));
        assert!(outages(b"{\"a\"").is_err());
    }
}
