//! The user's own files: which of them are handed out, to whom, and how.

use std::{
    fs::Metadata,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use config::Viewer;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio_util::io::ReaderStream;

use crate::{
    access,
    platform::{
        assets::{content_type, etag},
        encoding::{EncodedBody, Encoding},
    },
    routes::{error::ApiError, headers::is_unchanged},
    store::reason,
};

/// Files up to this size are read at once and get an `ETag` of their content.
const READ_AT_ONCE: u64 = 1024 * 1024;
/// The same for texts, which can be compressed only as a whole.
const TEXT_READ_AT_ONCE: u64 = 4 * 1024 * 1024;

/// Foreign pictures and pages run nothing, even when someone opens their address.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; sandbox");

/// The folder of the copies that are made before each write; nobody gets these as files.
const BACKUPS: &str = "config-backups";

/// Endings of what editors and people leave beside a file.
const COPY_ENDINGS: [&str; 11] =
    ["bak", "backup", "old", "orig", "save", "swp", "swo", "tmp", "rej", "copy", "disabled"];

/// What a name says about a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NameKind {
    /// A config file: each viewer has their own view of it.
    Config,
    /// A copy of a config file, or of another one: for those who may see everything.
    Copy,
    /// Something that pages are made of, such as a picture: for everybody who may see a page.
    Web,
    /// Data that a widget may show: for admins, and for widgets.
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

/// Names of files that browsers and crawlers ask for by themselves.
const WEB_NAMES: [&str; 4] = ["humans.txt", "manifest.json", "robots.txt", "security.txt"];

/// Endings of the files that a widget may read on the server.
const DATA_ENDINGS: [&str; 8] = ["atom", "csv", "ics", "json", "md", "rss", "txt", "xml"];

impl NameKind {
    /// Judges a path by its last name. Case does not matter, nor do dots and blanks at the end: there are disks that
    /// make no difference between such names.
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

    /// The stricter of what two names say.
    fn stricter(self, other: Self) -> Self {
        let strictness = |kind| match kind {
            Self::Web => 0,
            Self::Data => 1,
            Self::Other => 2,
            Self::Copy => 3,
            // A config file is no secret as a whole: each viewer has their own view of it.
            Self::Config => 4,
        };
        if strictness(self) >= strictness(other) { self } else { other }
    }
}

/// A file that lies in the user-data directory.
#[derive(Debug)]
pub struct UserFile {
    path: PathBuf,
    metadata: Metadata,
    /// Its path below the directory with all links followed, `/` between the parts.
    pub true_name: String,
    kind: NameKind,
}

impl UserFile {
    /// The file at a path that is safe as words. Links are followed as long as they stay inside, and what a file is
    /// they do not change: it is the stricter of what its name and its true name say.
    pub async fn find(directory: &Path, path: &str) -> Option<Self> {
        let root = tokio::fs::canonicalize(directory).await.ok()?;
        let file = tokio::fs::canonicalize(directory.join(path)).await.ok()?;
        let metadata = tokio::fs::metadata(&file).await.ok()?;
        let below = file.strip_prefix(&root).ok()?;
        let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
        let is_private = |name: &str| {
            [access::KEY_FILE, access::SIGN_OUTS_FILE].iter().any(|private| name.eq_ignore_ascii_case(private))
        };
        let is_key = names.last().is_some_and(|name| is_private(name));
        let is_backup = names.first().is_some_and(|name| name.eq_ignore_ascii_case(BACKUPS));
        // Whatever a link is called, it leads to nothing hidden. Orchestrators mount files through links to `..data`.
        let is_hidden = names.iter().any(|name| name.starts_with('.') && !name.starts_with(".."));
        if !metadata.is_file() || is_key || is_backup || is_hidden {
            return None;
        }
        let true_name = names.join("/");
        let kind = NameKind::of(path).stricter(NameKind::of(&true_name));
        Some(Self { path: file, metadata, true_name, kind })
    }

    /// Whether it is a config file under whatever name.
    pub fn is_config(&self) -> bool {
        self.kind == NameKind::Config
    }

    /// Whether a viewer may have it as it is.
    pub fn is_for(&self, viewer: &Viewer) -> bool {
        match self.kind {
            NameKind::Web => *viewer != Viewer::Anonymous,
            NameKind::Config | NameKind::Copy | NameKind::Data | NameKind::Other => viewer.is_admin(),
        }
    }

    /// Answers with the file. `path` is how it was asked for, which tells what kind of file the browser sees.
    pub async fn response(&self, path: &str, request: &HeaderMap) -> Response {
        let kind = content_type(path);
        let is_text = is_text(&kind);
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
        if is_text {
            headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        let length = self.metadata.len();
        let answer = if length <= READ_AT_ONCE || (is_text && length <= TEXT_READ_AT_ONCE) {
            self.whole(headers, is_text, request).await
        } else {
            self.streamed(headers, request).await
        };
        answer.unwrap_or_else(|error| {
            tracing::warn!("`{path}` cannot be read: {}", reason(&error));
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("`{path}`: {}", reason(&error))).into_response()
        })
    }

    async fn whole(&self, mut headers: HeaderMap, is_text: bool, request: &HeaderMap) -> std::io::Result<Response> {
        let bytes = Bytes::from(tokio::fs::read(&self.path).await?);
        let tag = etag(&bytes);
        headers.insert(header::ETAG, tag.clone());
        if is_unchanged(request, &tag) {
            return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
        }
        let encoding = Encoding::accepted(request);
        if !is_text || encoding == Encoding::Identity {
            return Ok((headers, bytes).into_response());
        }
        let plain = bytes.clone();
        let compress = move || EncodedBody::new(plain).get(encoding);
        let (body, encoding) = tokio::task::spawn_blocking(compress).await.unwrap_or((bytes, Encoding::Identity));
        if let Some(encoding) = encoding.header() {
            headers.insert(header::CONTENT_ENCODING, encoding);
        }
        Ok((headers, body).into_response())
    }

    /// Of a file that is too large to be kept in memory, the tag says what the disk knows about it.
    async fn streamed(&self, mut headers: HeaderMap, request: &HeaderMap) -> std::io::Result<Response> {
        let file = tokio::fs::File::open(&self.path).await?;
        let metadata = file.metadata().await?;
        if let Some(tag) = tag_of(&metadata) {
            headers.insert(header::ETAG, tag.clone());
            if is_unchanged(request, &tag) {
                return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
            }
        }
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(metadata.len()));
        Ok((headers, Body::from_stream(ReaderStream::new(file))).into_response())
    }
}

/// The content of a file of the user, for a widget: of those that pages are made of, and of data, up to a size.
pub async fn content(directory: &Path, path: &str, most_bytes: usize) -> Option<(Bytes, HeaderValue)> {
    let path = crate::routes::files::relative_path(path)?;
    let file = UserFile::find(directory, &path).await?;
    if !matches!(file.kind, NameKind::Web | NameKind::Data) || usize::try_from(file.metadata.len()).ok()? > most_bytes {
        return None;
    }
    let bytes = tokio::fs::read(&file.path).await.ok()?;
    Some((bytes.into(), content_type(&path)))
}

/// Whether compressing gains anything.
fn is_text(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    kind.starts_with("text/")
        || ["application/json", "application/xml", "application/manifest+json", "application/wasm", "image/svg+xml"]
            .iter()
            .any(|text| kind.starts_with(text))
}

/// A weak tag of time, size and number of a file.
fn tag_of(metadata: &Metadata) -> Option<HeaderValue> {
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let number = 0_u64;
    let text = format!("W/\"{:x}-{:x}-{number:x}\"", modified.as_nanos(), metadata.len());
    HeaderValue::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::NameKind;

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
}
