//! The config that a new user starts with.

use std::{io, path::Path, sync::Arc};

use super::{
    ConfigFile, Store, new_folder,
    temporary::{FileAccess, Temporary},
};
use crate::platform::io_error::reason;

const TEMPLATE: &str = include_str!("starter.yml");
/// Stands in the text for where the file is.
const FILE_MARKER: &str = "__FILE__";

/// Text of the starter `conf.yml`, which says where it is.
pub(super) fn text(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // A string of JSON is one of YAML too, whatever is in it.
    TEMPLATE.replace(FILE_MARKER, &serde_json::Value::from(path.to_string_lossy()).to_string())
}

impl Store {
    /// Whether a file is still the starter config.
    pub fn is_starter(&self, file: &ConfigFile) -> bool {
        file.name == self.main && file.bytes == text(&self.directory.join(&self.main)).as_bytes()
    }

    /// Whether the folder is new: there is no trace of a config.
    pub(super) async fn is_new_folder(&self) -> bool {
        // The config of such a folder is elsewhere, and may let nobody in.
        if self.main_is_copy {
            return false;
        }
        let (directory, main, backups) = (self.directory.clone(), self.main.clone(), self.backup_directory.clone());
        let look = move || new_folder::is_new(&directory, &main, &backups);
        tokio::task::spawn_blocking(look).await.unwrap_or(false)
    }

    /// Writes the starter config if the folder is new.
    pub(super) async fn write_starter(&self) {
        if !self.is_new_folder().await {
            return;
        }
        let path = self.directory.join(&self.main);
        let (disk, target) = (Arc::clone(&self.disk), path.clone());
        let write = move || {
            let folder = target.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            let name = target.file_name().unwrap_or_default().to_string_lossy();
            Temporary::write(&*disk, folder, &name, text(&target).as_bytes(), FileAccess::NEW)?.replace(&*disk, &target)
        };
        let written = tokio::task::spawn_blocking(write).await.unwrap_or_else(|error| Err(io::Error::other(error)));
        match written {
            Ok(()) => tracing::info!("wrote a starter config to {}", path.display()),
            Err(error) => tracing::warn!(
                "there is no config and {} cannot be written ({}): a starter page is shown from memory",
                path.display(),
                reason(&error)
            ),
        }
    }
}
