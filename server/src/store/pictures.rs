//! Pictures that people add in the editor: new files among the user's icons, which never overwrite others.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

/// The folder of the user's icons.
pub const ITEM_ICONS: &str = "item-icons";

/// Longest name of a stored picture without its number and its extension, in characters.
const MAX_STEM_LENGTH: usize = 60;
/// More pictures of one name than anyone has.
const MAX_NUMBER: usize = 1000;

/// The result of storing a picture.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeptPicture {
    /// Its name in the folder.
    pub name: String,
    /// Whether it was there already, byte for byte.
    pub was_there: bool,
}

/// The name under which a picture is stored, without its extension: the letters and digits of its original file name.
///
/// Dots are removed: `conf.yml.png` would be taken for a copy of a config file.
pub fn safe_stem(written: &str) -> String {
    let name = written.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut safe = String::new();
    for character in stem.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() || character == '_' {
            safe.push(character);
        } else if !safe.ends_with('-') {
            safe.push('-');
        }
    }
    let safe: String = safe.trim_matches('-').chars().take(MAX_STEM_LENGTH).collect();
    let safe = safe.trim_end_matches('-');
    if safe.is_empty() { "picture".to_owned() } else { safe.to_owned() }
}

/// Stores a picture below a user-data directory, under the first of `logo.png`, `logo-2.png` … that is free or has the same
/// content. Blocks on the disk.
///
/// # Errors
///
/// The folder cannot be created, or the file cannot be written. No new file is left behind.
pub fn keep(directory: &Path, stem: &str, ending: &str, bytes: &[u8]) -> io::Result<KeptPicture> {
    let folder = directory.join(ITEM_ICONS);
    fs::create_dir_all(&folder)?;
    let mut file = new_file(&folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    for name in names(stem, ending) {
        let path = folder.join(&name);
        if is_same(&path, bytes) {
            return Ok(KeptPicture { name, was_there: true });
        }
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(KeptPicture { name, was_there: false }),
            Err(failure) if failure.error.kind() == io::ErrorKind::AlreadyExists => file = failure.file,
            Err(failure) => return Err(failure.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The names that a picture may get, in order of preference.
pub(super) fn names(stem: &str, ending: &str) -> impl Iterator<Item = String> {
    (1..=MAX_NUMBER).map(move |number| {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        format!("{stem}{number}.{ending}")
    })
}

/// A hidden file, which is never served; dropping this value deletes it.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".upload-");
    // Pages show it, so other programs may read it too.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    builder.tempfile_in(folder)
}

fn is_same(path: &Path, bytes: &[u8]) -> bool {
    let is_as_long = fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() == bytes.len() as u64);
    is_as_long && fs::read(path).is_ok_and(|kept| kept == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_whatever_they_were() {
        for (written, safe) in [
            ("logo.png", "logo"),
            ("My Logo (2).final.PNG", "my-logo-2-final"),
            ("../../conf.yml", "conf"),
            ("..\\..\\evil.svg", "evil"),
            ("/etc/passwd", "passwd"),
            (".htaccess", "picture"),
            ("conf.yml.png", "conf-yml"),
            ("a\0b\r\n.png", "a-b"),
            ("a%2fb:c?d#e.png", "a-2fb-c-d-e"),
            ("Größe 日本.png", "größe-日本"),
            ("...", "picture"),
            ("", "picture"),
            ("-rf.png", "rf"),
        ] {
            assert_eq!(safe_stem(written), safe, "{written:?}");
        }
        assert_eq!(safe_stem(&"a".repeat(500)).len(), MAX_STEM_LENGTH);
    }

    #[test]
    fn a_picture_takes_the_place_of_no_other() {
        let directory = tempfile::tempdir().unwrap();
        let kept = |bytes: &[u8]| keep(directory.path(), "logo", "png", bytes).unwrap();
        let expected = |name: &str, was_there| KeptPicture { name: name.to_owned(), was_there };
        assert_eq!(kept(b"one"), expected("logo.png", false));
        assert_eq!(kept(b"two"), expected("logo-2.png", false));
        assert_eq!(kept(b"one"), expected("logo.png", true));
        assert_eq!(kept(b"six"), expected("logo-3.png", false));
        let mut names: Vec<_> =
            fs::read_dir(directory.path().join(ITEM_ICONS)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["logo-2.png", "logo-3.png", "logo.png"], "nothing temporary stays");
        assert_eq!(fs::read(directory.path().join("item-icons/logo.png")).unwrap(), b"one");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_in_the_way_like_a_file() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(ITEM_ICONS)).unwrap();
        fs::write(directory.path().join("conf.yml"), "title: mine").unwrap();
        for (link, target) in [("logo.png", "../conf.yml"), ("logo-2.png", "nowhere")] {
            std::os::unix::fs::symlink(target, directory.path().join(ITEM_ICONS).join(link)).unwrap();
        }
        assert_eq!(keep(directory.path(), "logo", "png", b"one").unwrap().name, "logo-3.png");
        assert_eq!(fs::read_to_string(directory.path().join("conf.yml")).unwrap(), "title: mine");
    }
}
