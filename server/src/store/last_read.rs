//! What the config files contained when a server last read them, so that the next start finds changes that were made while no
//! server ran (docs/spec/api.md 9.4).

use std::{
    collections::BTreeMap,
    fs, io,
    path::Path,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{
    ConfigFile, LAST_READ_FILE, LocalDisk, RecordVersion, Site,
    temporary::{FileAccess, Temporary},
};

/// The content of the config files by name.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct LastRead {
    #[serde(default)]
    version: RecordVersion,
    files: BTreeMap<String, String>,
}

impl LastRead {
    /// The files of a site that are on disk.
    pub fn of(site: &Site) -> Self {
        let text = |file: &Arc<ConfigFile>| Some((file.name.clone(), String::from_utf8(file.bytes.to_vec()).ok()?));
        Self { version: RecordVersion, files: site.stored_files().filter_map(text).collect() }
    }

    /// What was saved in a user-data folder; nothing if there is none, or if it cannot be read.
    pub fn load(user_data: &Path) -> Self {
        let text = fs::read(user_data.join(LAST_READ_FILE)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Saves it in a user-data folder.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn save(&self, user_data: &Path) -> io::Result<()> {
        let text = serde_json::to_vec(self)?;
        Temporary::write(&LocalDisk, user_data, LAST_READ_FILE, &text, FileAccess::PRIVATE)?
            .replace(&LocalDisk, &user_data.join(LAST_READ_FILE))
    }

    /// The content of a file.
    pub fn content(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }
}

/// When a file was last changed, in milliseconds since 1970: at the latest now.
pub fn modified(path: &Path) -> u64 {
    let since_1970 = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = since_1970(SystemTime::now());
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified()).map_or(now, since_1970);
    modified.min(now).as_millis().try_into().unwrap_or(u64::MAX)
}
