//! The user's own files: which of them are served, and to whom.

use std::{
    fs::Metadata,
    path::{Component, Path, PathBuf},
};

use bytes::Bytes;
use config::Viewer;
use http::HeaderValue;
use percent_encoding::percent_decode_str;

use super::{KEY_FILE, SIGN_OUTS_FILE};
use crate::platform::assets::content_type;

/// The folder of the backups made before each write; these are never served as files.
const BACKUPS: &str = "config-backups";

/// Endings of leftovers that editors and people create beside a file.
const COPY_ENDINGS: [&str; 11] =
    ["bak", "backup", "old", "orig", "save", "swp", "swo", "tmp", "rej", "copy", "disabled"];

/// What a name reveals about a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NameKind {
    /// A config file: each viewer gets a filtered view of it.
    Config,
    /// A copy of a config file, or of another file: only for viewers who may see everything.
    Copy,
    /// Something that pages are made of, such as a picture: for everyone who may see a page.
    Web,
    /// Data that a widget may show: for admins and for widgets.
    Data,
    /// Anything else: for admins.
    Other,
}

/// Endings of the files that pages are made of.
const WEB_ENDINGS: [&str; 25] = [
    "apng",
    "avif",
    "bmp",
    "gif",
    "ico",
    "jpeg",
    "jpg",
    "jxl",
    "png",
    "svg",
    "webp", // pictures
    "otf",
    "ttf",
    "woff",
    "woff2", // fonts
    "css",
    "htm",
    "html",
    "webmanifest", // documents that pages refer to or frame
    "m4a",
    "mp3",
    "mp4",
    "ogg",
    "wav",
    "webm", // sound and film
];

/// File names that browsers and crawlers request by themselves.
const WEB_NAMES: [&str; 4] = ["humans.txt", "manifest.json", "robots.txt", "security.txt"];

/// Endings of the files that a widget may read on the server.
const DATA_ENDINGS: [&str; 8] = ["atom", "csv", "ics", "json", "md", "rss", "txt", "xml"];

impl NameKind {
    /// Classifies a path by its last component. Case does not matter, nor do trailing dots and spaces: some file
    /// systems treat such names as equal.
    pub fn of(path: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase();
        let bare = name.trim_end_matches(['.', ' ']);
        let ending = bare.rsplit_once('.').map_or("", |(_, ending)| ending);
        if matches!(ending, "yml" | "yaml") {
            Self::Config
        } else if name.contains(".yml")
            || name.contains(".yaml")
            || name.ends_with('~')
            || COPY_ENDINGS.contains(&ending)
        {
            Self::Copy
        } else if WEB_NAMES.contains(&bare) || WEB_ENDINGS.contains(&ending) {
            Self::Web
        } else if DATA_ENDINGS.contains(&ending) {
            Self::Data
        } else {
            Self::Other
        }
    }

    /// The stricter of two classes.
    fn stricter(self, other: Self) -> Self {
        let strictness = |kind| match kind {
            Self::Web => 0,
            Self::Data => 1,
            Self::Other => 2,
            Self::Copy => 3,
            // A config file as such is not secret: each viewer gets a filtered view of it.
            Self::Config => 4,
        };
        if strictness(self) >= strictness(other) { self } else { other }
    }
}

/// A file in the user-data directory.
#[derive(Debug)]
pub struct UserFile {
    pub(crate) path: PathBuf,
    pub(crate) metadata: Metadata,
    /// Its path below the directory with all links followed, with `/` as separator.
    pub true_name: String,
    kind: NameKind,
}

impl UserFile {
    /// The file at a syntactically safe path. Links are followed as long as they stay inside, and cannot weaken the
    /// class of a file: it is the stricter of those of its name and its real name.
    pub async fn find(directory: &Path, path: &str) -> Option<Self> {
        let root = tokio::fs::canonicalize(directory).await.ok()?;
        let file = tokio::fs::canonicalize(directory.join(path)).await.ok()?;
        let metadata = tokio::fs::metadata(&file).await.ok()?;
        let below = file.strip_prefix(&root).ok()?;
        let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
        let is_private =
            |name: &str| [KEY_FILE, SIGN_OUTS_FILE].iter().any(|private| name.eq_ignore_ascii_case(private));
        let is_key = names.last().is_some_and(|name| is_private(name));
        let is_backup = names.first().is_some_and(|name| name.eq_ignore_ascii_case(BACKUPS));
        // Whatever a link is called, it must not lead to a hidden file. Orchestrators mount files through links to
        // `..data`.
        let is_hidden = names.iter().any(|name| name.starts_with('.') && !name.starts_with(".."));
        if !metadata.is_file() || is_key || is_backup || is_hidden {
            return None;
        }
        let true_name = names.join("/");
        let kind = NameKind::of(path).stricter(NameKind::of(&true_name));
        Some(Self { path: file, metadata, true_name, kind })
    }

    /// Whether it is a config file under any name.
    pub fn is_config(&self) -> bool {
        self.kind == NameKind::Config
    }

    /// Whether a viewer may get it unfiltered.
    pub fn is_for(&self, viewer: &Viewer) -> bool {
        match self.kind {
            NameKind::Web => *viewer != Viewer::Anonymous,
            NameKind::Config | NameKind::Copy | NameKind::Data | NameKind::Other => viewer.is_admin(),
        }
    }
}

/// A percent-decoded path without its leading slash that names nothing hidden and stays below its root. There is nothing below
/// an empty name, such as after a doubled slash.
pub fn relative_path(path: &str) -> Option<String> {
    let decoded = percent_decode_str(path.strip_prefix('/').unwrap_or(path)).decode_utf8().ok()?;
    let is_plain =
        |part: Component<'_>| matches!(part, Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
    let safe = !decoded.is_empty()
        && !decoded.contains(['\\', '\0'])
        && !decoded.contains("//")
        && Path::new(decoded.as_ref()).components().all(is_plain);
    safe.then(|| decoded.into_owned())
}

/// Whether a path encodes what need not be encoded: letters, digits, and `-._~/` (RFC 3986, section 2.3). Browsers and
/// programs do not; whoever does may want to get past a rule of a proxy.
pub fn hides_plain_text(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let codes = path.split('%').skip(1).filter_map(|code| u8::from_str_radix(code.get(..2)?, 16).ok());
    codes.into_iter().any(is_plain)
}

/// The content of a user file for a widget: files that pages are made of, and data, up to a size.
pub async fn content(directory: &Path, path: &str, max_bytes: usize) -> Option<(Bytes, HeaderValue)> {
    let path = relative_path(path)?;
    let file = UserFile::find(directory, &path).await?;
    if !matches!(file.kind, NameKind::Web | NameKind::Data) || usize::try_from(file.metadata.len()).ok()? > max_bytes {
        return None;
    }
    let bytes = tokio::fs::read(&file.path).await.ok()?;
    Some((bytes.into(), content_type(&path)))
}

/// A script or a page among the user's files that a widget names, up to a size. Its name must end in one of `endings`.
pub async fn source(directory: &Path, address: &str, endings: &[&str], max_bytes: usize) -> Option<String> {
    let has_ending = |name: &str| endings.iter().any(|ending| name.to_ascii_lowercase().ends_with(ending));
    let path = relative_path(address.split(['?', '#']).next().unwrap_or_default())?;
    let file = UserFile::find(directory, &path).await?;
    let is_source =
        has_ending(&path) && has_ending(&file.true_name) && matches!(file.kind, NameKind::Other | NameKind::Web);
    if !is_source || usize::try_from(file.metadata.len()).ok()? > max_bytes {
        return None;
    }
    let bytes = tokio::fs::read(&file.path).await.ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{NameKind, relative_path};

    #[test]
    fn names_tell_config_files_and_their_copies() {
        for (path, expected) in [
            ("conf.yml", NameKind::Config),
            ("sub/lab.YAML", NameKind::Config),
            ("CONF.YML", NameKind::Config),
            ("conf.yml.", NameKind::Config),
            ("conf.yml ", NameKind::Config),
            ("CONF~1.YML", NameKind::Config),
            ("conf-1700000000000.backup.yml", NameKind::Config),
            ("conf.yml.bak", NameKind::Copy),
            ("conf.yml~", NameKind::Copy),
            ("a/#conf.yml#", NameKind::Copy),
            ("conf.yml::$DATA", NameKind::Copy),
            ("conf.yaml.2024", NameKind::Copy),
            ("conf.bak", NameKind::Copy),
            ("conf.OLD", NameKind::Copy),
            ("item-icons/yml.png", NameKind::Web),
            ("a.yml/picture.PNG", NameKind::Web),
            ("Robots.txt", NameKind::Web),
            ("manifest.json", NameKind::Web),
            ("notes.txt", NameKind::Data),
            ("conf.txt", NameKind::Data),
            ("json-data/releases.json", NameKind::Data),
            ("yml", NameKind::Other),
            ("env", NameKind::Other),
            ("prod.env", NameKind::Other),
            ("dump.sqlite3", NameKind::Other),
            ("id_ed25519", NameKind::Other),
            ("photo.png.zip", NameKind::Other),
            ("own.js", NameKind::Other),
        ] {
            assert_eq!(NameKind::of(path), expected, "{path}");
        }
        assert_eq!(NameKind::Web.stricter(NameKind::Data), NameKind::Data);
        assert_eq!(NameKind::Config.stricter(NameKind::Web), NameKind::Config);
    }

    #[test]
    fn paths_stay_below_their_root() {
        for (path, expected) in [
            ("/item-icons/a.png", Some("item-icons/a.png")),
            ("/Gr%C3%B6%C3%9Fe.png", Some("Größe.png")),
            ("/", None),
            ("/../etc/passwd", None),
            ("/%2e%2e/etc/passwd", None),
            ("/a/..%2f..%2fetc/passwd", None),
            ("/a/./b", Some("a/./b")),
            ("/.cache/x", None),
            ("/a/.hidden", None),
            ("/a//b", None),
            ("//conf.yml", None),
            ("/%2Fconf.yml", None),
            ("/a%5Cb", None),
            ("/a%00b", None),
            ("/%ff", None),
        ] {
            assert_eq!(relative_path(path).as_deref(), expected, "{path}");
        }
    }
}
