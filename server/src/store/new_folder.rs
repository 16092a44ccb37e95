//! Whether a user-data folder is new. The starter, which leaves everything open, is only shown in a new folder: a
//! config that was renamed, unmounted or lost must not have the same effect.

use std::{fs, io, path::Path};

use super::{KEY_FILE, backup::is_backup};

/// Folders are searched to this depth.
const MAX_DEPTH: usize = 4;

/// Whether there is no trace of a config: no main file, no other config, no backup, no session key. A folder that
/// cannot be read is not new.
pub(super) fn is_new(directory: &Path, main: &str, backups: &Path) -> bool {
    let is_nothing = |path: &Path| {
        let about = fs::symlink_metadata(path);
        about.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    if is_nothing(directory) {
        return holds_no_backup(backups);
    }
    let stem = Path::new(main).file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    is_nothing(&directory.join(main)) && holds_no_backup(backups) && holds_no_config(directory, &stem, MAX_DEPTH)
}

fn holds_no_backup(directory: &Path) -> bool {
    match directory.read_dir() {
        Ok(mut entries) => {
            !entries.any(|entry| entry.is_ok_and(|entry| is_backup(&entry.file_name().to_string_lossy())))
        }
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Whether no file below a folder is named like a config file, or like a copy of the main one, whose stem is given.
/// A link counts by its own name, not by where it leads.
fn holds_no_config(directory: &Path, stem: &str, depth: usize) -> bool {
    let Ok(entries) = directory.read_dir() else { return false };
    for entry in entries {
        let Ok(entry) = entry else { return false };
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let is_copy = name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
        if name.contains(".yml") || name.contains(".yaml") || is_copy || name == KEY_FILE {
            return false;
        }
        // On a new disk, only root may read the `lost+found` folder.
        let is_open = !name.starts_with('.') && name != "lost+found";
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_open && is_folder && depth > 1 && !holds_no_config(&entry.path(), stem, depth - 1) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::is_new;

    #[test]
    fn a_folder_is_new_without_any_trace_of_a_config() {
        for (made, expected) in [
            (&[][..], true),
            (&["item-icons/a.png", "README.txt", ".gitkeep", "lost+found/"], true),
            (&["pages/lab.yml"], false),
            (&["lab.YAML"], false),
            (&["conf.yml/"], false),
            (&["conf.yml.disabled"], false),
            (&["conf.bak"], false),
            (&["config-backups/conf-1600000000000.backup.yml"], false),
            (&["config-backups/"], true),
            (&[".session-key"], false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for name in made {
                let path = folder.path().join(name);
                if name.ends_with('/') {
                    fs::create_dir_all(path).unwrap();
                } else {
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, "").unwrap();
                }
            }
            let backups = folder.path().join("config-backups");
            assert_eq!(is_new(folder.path(), "conf.yml", &backups), expected, "{made:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let (data, backups) = (folder.path().join("data"), folder.path().join("backups"));
        assert!(is_new(&data, "conf.yml", &backups));
        std::os::unix::fs::symlink("unmounted", &data).unwrap();
        assert!(!is_new(&data, "conf.yml", &backups));
        fs::remove_file(&data).unwrap();
        fs::create_dir(&data).unwrap();
        std::os::unix::fs::symlink("elsewhere", data.join("conf.yml")).unwrap();
        assert!(!is_new(&data, "conf.yml", &backups));
    }
}
