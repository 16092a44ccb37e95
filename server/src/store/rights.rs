//! Whether the server can write to the user-data folder, and what to do if it cannot.

use std::{
    fs::{self, OpenOptions},
    io,
    path::Path,
};

use crate::{platform::io_error, settings::Settings};

/// What keeps the server from changing its files, with the line that mends it; `None` if it can change them. Looks at the disk.
pub fn problem(settings: &Settings) -> Option<String> {
    let folder = std::path::absolute(&settings.user_data).unwrap_or_else(|_| settings.user_data.clone());
    if let Err(error) = tempfile::tempfile_in(&folder) {
        let lost = "backups and cached icons are not stored, and changes of the config only if its file can be written";
        return Some(explain(&folder, &error, lost, settings));
    }
    let main = folder.join(&settings.main_config);
    if !is_mounted_alone(&main) {
        // Another file takes its place.
        return None;
    }
    let error = OpenOptions::new().write(true).open(&main).err()?;
    Some(explain(&main, &error, "it cannot be changed in the page", settings))
}

fn explain(path: &Path, error: &io::Error, lost: &str, settings: &Settings) -> String {
    let name = path.display();
    let mut text = format!("`{name}` cannot be written ({}): {lost}. Everything else works.", io_error::reason(error));
    match error.kind() {
        io::ErrorKind::ReadOnlyFilesystem => text.push_str(" If that is not intended, mount it without `ro`."),
        io::ErrorKind::PermissionDenied => text.push_str(&advice(path, settings)),
        _ => {}
    }
    text
}

/// Who runs the server, whose the file is, and the command that changes it.
#[cfg(unix)]
fn advice(path: &Path, settings: &Settings) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let (uid, gid) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let user = match fs::metadata(path).map(|about| (about.uid(), about.gid())) {
        Ok((owner, group)) => {
            format!("The server runs as uid {uid}, gid {gid}; it belongs to uid {owner}, gid {group}.")
        }
        Err(_) => format!("The server runs as uid {uid}, gid {gid}."),
    };
    let name = path.display();
    let command = match settings.container.as_deref() {
        Some("podman") => {
            format!("On the host, for what is mounted at `{name}`: podman unshare chown -R {uid}:{gid} PATH")
        }
        Some(_) => format!("On the host, for what is mounted at `{name}`: sudo chown -R {uid}:{gid} PATH"),
        None => format!("To change that: sudo chown -R {uid}:{gid} '{name}'"),
    };
    format!(" {user} {command}")
}

#[cfg(not(unix))]
fn advice(_: &Path, _: &Settings) -> String {
    String::new()
}

/// Whether a file is a mount of its own, so that no other file can take its place.
#[cfg(unix)]
fn is_mounted_alone(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let device = |path: Option<&Path>| fs::metadata(path?).ok().map(|about| about.dev());
    let (file, folder) = (device(Some(path)), device(path.parent()));
    file.is_some() && file != folder
}

#[cfg(not(unix))]
fn is_mounted_alone(_: &Path) -> bool {
    false
}
