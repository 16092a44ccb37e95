//! The config that a new user starts with.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    ConfigFile, Store, new_folder,
    temporary::{FileAccess, Temporary},
};
use crate::platform::io_error::reason_not_to_write;

const TEMPLATE: &str = include_str!("starter.yml");
/// The path of the gallery of widgets, without the path prefix.
pub const GALLERY_PATH: &str = "/widget-gallery";
/// Stands in the text for where the file is.
const FILE_MARKER: &str = "__FILE__";

/// Stands in the text for the address of the gallery of widgets.
const GALLERY_MARKER: &str = "__GALLERY__";

/// Stands in the text for the section with the load of this machine.
const MACHINE_MARKER: &str = "__MACHINE__\n";

/// That section, and what to write where this machine does not tell its load.
const MACHINE: &str = "  - name: This machine
    icon: mdi-server
    widgets:
      - type: system-info
        updateInterval: 30

";
const NO_MACHINE: &str =
    "  # A container or a virtual machine does not tell the load of its host. Glances on the host does:
  # - name: This machine
  #   widgets:
  #     - type: system-load
  #       options:
  #         hostname: http://192.168.1.2:61208

";

/// Text of the starter config, which says where it is, for a machine that tells its load or does not. `base` is the path prefix.
fn text(path: &Path, base: &str, has_machine: bool) -> String {
    let machine = if has_machine { MACHINE } else { NO_MACHINE };
    // A string of JSON is one of YAML too, whatever is in it.
    TEMPLATE
        .replace(MACHINE_MARKER, machine)
        .replace(GALLERY_MARKER, &format!("{base}{GALLERY_PATH}"))
        .replace(FILE_MARKER, &serde_json::Value::from(path.to_string_lossy()).to_string())
}

impl Store {
    /// The text of the starter config.
    pub(super) fn starter(&self) -> String {
        // In a database, the file has only a name, which is the same for all servers.
        let path = if self.replica.is_some() {
            PathBuf::from(&self.main)
        } else {
            let path = self.directory().join(&self.main);
            std::path::absolute(&path).unwrap_or(path)
        };
        text(&path, &self.base, self.has_machine)
    }

    /// Whether a file is still the starter config.
    pub fn is_starter(&self, file: &ConfigFile) -> bool {
        file.name == self.main && file.bytes == self.starter().as_bytes()
    }

    /// Whether the folder is new: there is no trace of a config.
    pub(super) async fn is_new_folder(&self) -> bool {
        // The config of such a folder is elsewhere, and may let nobody in.
        // The same holds for a database that was filled before.
        if self.main_is_copy || self.replica.is_some() {
            return false;
        }
        let (directory, main, backups) =
            (self.directory().to_owned(), self.main.clone(), self.folder.backup_directory.clone());
        let look = move || new_folder::is_new(&directory, &main, &backups);
        tokio::task::spawn_blocking(look).await.unwrap_or(false)
    }

    /// Writes the starter config if the folder is new.
    pub(super) async fn write_starter(&self) {
        if !self.is_new_folder().await {
            return;
        }
        let path = self.directory().join(&self.main);
        let (disk, target, text) = (Arc::clone(&self.folder.disk), path.clone(), self.starter());
        let write = move || {
            let folder = target.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            let name = target.file_name().unwrap_or_default().to_string_lossy();
            Temporary::write(&*disk, folder, &name, text.as_bytes(), FileAccess::NEW)?.replace(&*disk, &target)
        };
        let written = tokio::task::spawn_blocking(write).await.unwrap_or_else(|error| Err(io::Error::other(error)));
        match written {
            Ok(()) => tracing::info!("wrote a starter config to {}", path.display()),
            Err(error) => tracing::warn!(
                "there is no config and {} cannot be written ({}): a starter page is shown from memory",
                path.display(),
                reason_not_to_write(&error, self.directory())
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use config::{Config, Document};

    use super::*;

    #[test]
    fn the_starter_shows_the_load_of_a_machine_that_tells_it() {
        for (has_machine, expected) in
            [(true, &["system-info", "clock", "weather"][..]), (false, &["clock", "weather"])]
        {
            let text = text(Path::new("/data/a: b/conf.yml"), "/start", has_machine);
            assert!(!text.contains("__") && text.contains("url: \"/data/a: b/conf.yml\""), "{text}");
            assert!(text.contains("url: /start/widget-gallery\n"), "{text}");
            let document = Document::parse(text.as_bytes()).unwrap();
            let config = Config::read(&document).unwrap();
            let widgets = config.sections.iter().flat_map(|section| &section.widgets);
            let types: Vec<_> = widgets.map(|widget| widget.kind.as_str()).collect();
            assert_eq!(types, expected);
        }
    }
}
