//! The program's own files: the browser bundle, style sheet, fonts and marks, with compressed forms made at build time.
//! Embedded in the release binary; read from a folder during development.

use std::{
    collections::HashMap,
    io,
    path::Path,
    sync::{Arc, LazyLock, OnceLock},
};

use app::page::Bundle;
use bytes::Bytes;
use flate2::{
    Compression,
    read::{GzDecoder, GzEncoder},
};
use http::HeaderValue;

use crate::platform::{
    encoding::{Encoding, SharedBytes},
    entity_tag,
    page_files::{FONT, HashedFile},
};

/// One file of the program.
#[derive(Clone, Debug)]
pub struct Asset {
    /// `None` if there is a compressed form: hardly anybody requests the uncompressed one, so the program need not
    /// contain it.
    plain: Option<Bytes>,
    brotli: Option<Bytes>,
    /// Empty until it is requested, if the program contains only the Brotli form.
    gzip: OnceLock<Bytes>,
    /// The file as it was built, while it is being sent.
    restored: Arc<SharedBytes>,
    /// The value of `Content-Type`.
    pub content_type: HeaderValue,
    /// The value of `ETag`.
    pub etag: HeaderValue,
    /// Whether the name contains a hash of the content, so that it may be cached forever.
    pub immutable: bool,
}

impl Asset {
    /// The same as [`Asset::body`], if that takes no time.
    pub fn ready(&self, accepted: Encoding) -> Option<(Bytes, Encoding)> {
        match (accepted, &self.brotli) {
            (Encoding::Brotli, Some(body)) => Some((body.clone(), Encoding::Brotli)),
            (Encoding::Gzip | Encoding::Zstd, Some(_)) => Some((self.gzip.get()?.clone(), Encoding::Gzip)),
            _ => Some((self.plain.clone().or_else(|| self.restored.in_use())?, Encoding::Identity)),
        }
    }

    /// The file in the best available encoding that the client accepts. Takes time in proportion to its length if the program
    /// has only another form.
    pub fn body(&self, accepted: Encoding) -> (Bytes, Encoding) {
        match (accepted, &self.brotli) {
            (Encoding::Brotli, Some(body)) => (body.clone(), Encoding::Brotli),
            // Clients that accept Zstandard but not Brotli also accept gzip.
            (Encoding::Gzip | Encoding::Zstd, Some(_)) => (self.gzip(), Encoding::Gzip),
            _ => (self.plain(), Encoding::Identity),
        }
    }

    /// The gzip form; cached if it is not part of the program.
    fn gzip(&self) -> Bytes {
        self.gzip.get_or_init(|| read_all(GzEncoder::new(&*self.plain(), Compression::default())).into()).clone()
    }

    /// The file as it was built.
    fn plain(&self) -> Bytes {
        if let Some(plain) = &self.plain {
            return plain.clone();
        }
        self.restored.get_or_make(|| match (self.gzip.get(), &self.brotli) {
            (Some(gzip), _) => read_all(GzDecoder::new(&**gzip)),
            (None, Some(brotli)) => read_all(brotli::Decompressor::new(&**brotli, BROTLI_BUFFER)),
            (None, None) => Vec::new(),
        })
    }
}

/// The size of the buffer for decompressing Brotli, in bytes.
const BROTLI_BUFFER: usize = 4096;

/// The other form of a file of this program.
fn read_all(mut form: impl io::Read) -> Vec<u8> {
    let mut content = Vec::new();
    if let Err(error) = form.read_to_end(&mut content) {
        tracing::error!(%error, "a file of this program is damaged");
    }
    content
}

/// All files of the program.
#[derive(Debug)]
pub struct Assets {
    files: Arc<HashMap<String, Arc<Asset>>>,
    icon_pack: Bytes,
    page: app::document::PageAssets,
}

/// The build lacks a file that every page needs.
#[derive(Debug, thiserror::Error)]
pub enum AssetsError {
    /// The directory cannot be read.
    #[error("the browser bundle in `{directory}` cannot be read (run `make build`)")]
    Unreadable {
        /// The expected directory.
        directory: String,
        /// The error.
        source: io::Error,
    },
    /// A file is missing.
    #[error("the browser bundle has no {what} (run `make build`)")]
    Missing {
        /// The kind of file.
        what: &'static str,
    },
}

/// The files that a program contains: `tools/finish-dist.mjs` writes the list.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFiles {
    /// The files of `dist/`.
    pub files: &'static [EmbeddedFile],
    /// The pack of all icons.
    pub icon_pack: &'static [u8],
}

/// A file and its compressed forms, as far as the program contains them.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFile {
    /// Its path below `dist/`.
    pub name: &'static str,
    /// As it was built.
    pub plain: Option<&'static [u8]>,
    /// Its Brotli form.
    pub brotli: Option<&'static [u8]>,
    /// Its gzip form.
    pub gzip: Option<&'static [u8]>,
    /// Its entity tag, with quotes, as [`entity_tag::of`] computes it. It is part of the list, so that the program need not
    /// read what it may never send.
    pub etag: &'static str,
}

/// A file and its compressed forms.
struct FileForms {
    plain: Option<Bytes>,
    brotli: Option<Bytes>,
    gzip: Option<Bytes>,
    etag: HeaderValue,
}

impl Assets {
    /// The files that the program contains, or else those that [`development_folder`] names.
    ///
    /// # Errors
    ///
    /// [`AssetsError`] if the browser bundle has not been built.
    pub fn load(embedded: Option<EmbeddedFiles>, base: &str) -> Result<Self, AssetsError> {
        let Some(EmbeddedFiles { files, icon_pack }) = embedded else { return Self::read(development_folder(), base) };
        let files = files.iter().map(|file| {
            let [plain, brotli, gzip] = [file.plain, file.brotli, file.gzip].map(|form| form.map(Bytes::from_static));
            (file.name.to_owned(), FileForms { plain, brotli, gzip, etag: HeaderValue::from_static(file.etag) })
        });
        Self::new(files.collect(), Bytes::from_static(icon_pack), base)
    }

    /// The files of a directory that `make build` has filled.
    ///
    /// # Errors
    ///
    /// [`AssetsError`] if the directory cannot be read or lacks a file that every page needs.
    pub fn read(directory: &Path, base: &str) -> Result<Self, AssetsError> {
        let unreadable = |source| AssetsError::Unreadable { directory: directory.display().to_string(), source };
        let mut found = HashMap::new();
        collect(directory, "", &mut found).map_err(unreadable)?;
        let icon_pack = found.remove("icons.pack").unwrap_or_default();
        let names: Vec<String> =
            found.keys().filter(|name| !name.ends_with(".br") && !name.ends_with(".gz")).cloned().collect();
        let files = names
            .into_iter()
            .map(|name| {
                let brotli = found.get(&format!("{name}.br")).cloned();
                let gzip = found.get(&format!("{name}.gz")).cloned();
                let plain = found[&name].clone();
                let etag = etag(&plain);
                (name, FileForms { plain: Some(plain), brotli, gzip, etag })
            })
            .collect();
        Self::new(files, icon_pack, base)
    }

    fn new(files: HashMap<String, FileForms>, icon_pack: Bytes, base: &str) -> Result<Self, AssetsError> {
        if icon_pack.is_empty() {
            return Err(AssetsError::Missing { what: "icon pack" });
        }
        let files = files
            .into_iter()
            .map(|(name, FileForms { plain, brotli, gzip, etag })| {
                let gzip = gzip.map(OnceLock::from).unwrap_or_default();
                let (content_type, immutable) = (content_type(&name), is_hashed(&name));
                let asset = Asset { content_type, etag, immutable, plain, brotli, gzip, restored: Arc::default() };
                (name, Arc::new(asset))
            })
            .collect();
        let page = addresses(&files, base)?;
        Ok(Self { files: Arc::new(files), icon_pack, page })
    }

    /// The same files under another path prefix.
    #[must_use]
    pub fn below(&self, base: &str) -> Self {
        let page = addresses(&self.files, base).unwrap_or_else(|_| self.page.clone());
        Self { files: Arc::clone(&self.files), icon_pack: self.icon_pack.clone(), page }
    }

    /// Without the script that keeps a page up to date, for pages that never change.
    #[must_use]
    pub fn without_stream(mut self) -> Self {
        Arc::make_mut(&mut self.files).retain(|name, _| !HashedFile::STREAM.is(name));
        self.page.stream.clear();
        self
    }

    /// A file by its path without the leading slash.
    pub fn get(&self, path: &str) -> Option<&Arc<Asset>> {
        self.files.get(path)
    }

    /// The paths of all files, without the leading slash.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The pack of all bundled icons.
    pub fn icon_pack(&self) -> Bytes {
        self.icon_pack.clone()
    }

    /// The addresses that a page refers to.
    pub fn page(&self) -> &app::document::PageAssets {
        &self.page
    }
}

/// Where a program without embedded files finds them: `dist/` in the working directory, or else `dev/dist/` of the sources
/// that it was built from, which `make dev` and `make test` fill.
fn development_folder() -> &'static Path {
    let here = Path::new("dist");
    if here.is_dir() { here } else { Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../dev/dist")) }
}

fn collect(directory: &Path, prefix: &str, found: &mut HashMap<String, Bytes>) -> io::Result<()> {
    for entry in directory.read_dir()? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), found)?;
        } else if name != "index.html" && !name.starts_with('.') {
            found.insert(name, std::fs::read(entry.path())?.into());
        }
    }
    Ok(())
}

/// Whether the name ends in a hash: as Trunk writes it, `main-0f1e2d3c4b5a6978.css`, or as esbuild does, `menu-2QZ7ABCD.js`.
fn is_hashed(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches("_bg");
    // Sixteen hexadecimal digits without leading zeros.
    let is_hexadecimal =
        |hash: &str| (10..=16).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_base32 = |hash: &str| hash.len() == 8 && hash.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
    stem.rsplit_once('-').is_some_and(|(_, hash)| is_hexadecimal(hash) || is_base32(hash) && name.ends_with(".js"))
        || name.starts_with("fonts/") && name.ends_with(".woff2")
}

/// The addresses that pages refer to.
fn addresses(files: &HashMap<String, Arc<Asset>>, base: &str) -> Result<app::document::PageAssets, AssetsError> {
    let name = |file: HashedFile| {
        let found = files.keys().find(|name| file.is(name));
        found.ok_or(AssetsError::Missing { what: file.what })
    };
    let find = |file| name(file).map(|name| format!("{base}/{name}"));
    let bundle = |[script, wasm]: [HashedFile; 2]| Ok(Bundle { script: find(script)?, wasm: find(wasm)? });
    let style_sheet = name(HashedFile::STYLES)?;
    if !files.contains_key(FONT) {
        return Err(AssetsError::Missing { what: "font" });
    }
    Ok(app::document::PageAssets {
        base: base.to_owned(),
        themes: format!("{base}/themes/{}/", theme_version()),
        styles: inline_styles(&String::from_utf8_lossy(&files[style_sheet].plain()), base).into(),
        style_sheet: format!("{base}/{style_sheet}"),
        widget_style_sheet: find(HashedFile::WIDGET_STYLES)?,
        font: format!("{base}/{FONT}"),
        view_style_sheet: find(HashedFile::VIEW_STYLES)?,
        menu: find(HashedFile::MENU)?,
        view: find(HashedFile::VIEW)?,
        bundle: bundle(HashedFile::FRONTEND)?,
        live: bundle(HashedFile::LIVE)?,
        stream: find(HashedFile::STREAM).unwrap_or_default(),
        editor: find(HashedFile::EDITOR).unwrap_or_default(),
    })
}

/// A hash of all themes for their addresses, so that they may be cached forever: it changes as soon as any theme does.
pub fn theme_version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let all: String =
            themes::all().iter().map(|theme| format!("{}{}{}", theme.name, theme.about, theme.css)).collect();
        entity_tag::of(all.as_bytes()).trim_matches('"').chars().take(12).collect()
    });
    &VERSION
}

/// A style sheet for inlining into pages: addresses relative to the sheet become relative to the root.
fn inline_styles(sheet: &str, base: &str) -> String {
    sheet.trim().replace("url(\"fonts/", &format!("url(\"{base}/fonts/"))
}

/// The value of `Content-Type` for a file name.
pub fn content_type(name: &str) -> HeaderValue {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    HeaderValue::from_static(match extension.as_str() {
        "avif" => "image/avif",
        "css" => "text/css; charset=utf-8",
        "gif" => "image/gif",
        "html" | "htm" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "jpg" | "jpeg" => "image/jpeg",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "mp4" => "video/mp4",
        "otf" => "font/otf",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "ttf" => "font/ttf",
        "txt" | "md" | "log" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webm" => "video/webm",
        "webmanifest" => "application/manifest+json",
        "webp" => "image/webp",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "xml" => "application/xml",
        "yml" | "yaml" => "application/yaml; charset=utf-8",
        _ => "application/octet-stream",
    })
}

/// A strong `ETag` computed from the content.
pub fn etag(content: &[u8]) -> HeaderValue {
    HeaderValue::from_str(&entity_tag::of(content)).expect("hexadecimal digits are a valid header value")
}

#[cfg(test)]
mod tests {
    use super::{inline_styles, is_hashed};

    #[test]
    fn addresses_in_inline_styles_begin_at_the_root() {
        let sheet = "@font-face{src:url(\"fonts/a.woff2\")}b{mask:url(\"data:image/svg+xml,%3Csvg/%3E\")}\n";
        let expected = "@font-face{src:url(\"/dash/fonts/a.woff2\")}b{mask:url(\"data:image/svg+xml,%3Csvg/%3E\")}";
        assert_eq!(inline_styles(sheet, "/dash"), expected);
    }

    #[test]
    fn only_names_with_a_hash_are_cached_for_ever() {
        for (name, expected) in [
            ("frontend-c8d0789e41ad7b02.js", true),
            ("frontend-891045255107b6c.js", true),
            ("frontend-c8d0789e41ad7b02_bg.wasm", true),
            ("main-671fbe1bc8c403ab.css", true),
            ("menu-QY2ZDA7B.js", true),
            ("editor-raw-QY2ZDA7B.js", true),
            ("menu-QY2ZDA7B.css", false),
            ("menu-qy2zda7b.js", false),
            ("favicon.svg", false),
            ("widgets-list.css", false),
            ("icons/icon-512.png", false),
            ("fonts/text-1.woff2", true),
        ] {
            assert_eq!(is_hashed(name), expected, "{name}");
        }
    }
}
