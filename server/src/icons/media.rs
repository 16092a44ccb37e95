//! The type of a body, detected from its first bytes. The sender's content type is ignored.

/// The types of files that this module serves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Media {
    /// Vector picture. May contain scripts, so it is only served with a sandboxing policy.
    Svg,
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    WebP,
    /// Windows icon.
    Ico,
    /// AVIF.
    Avif,
    /// Bitmap, which some `/favicon.ico` are.
    Bmp,
    /// Style sheet. Never recognized by its bytes.
    Css,
    /// Compressed font, version 2.
    Woff2,
    /// Compressed font.
    Woff,
    /// TrueType font.
    Ttf,
    /// OpenType font.
    Otf,
}

impl Media {
    const ALL: [Self; 13] = [
        Self::Svg,
        Self::Png,
        Self::Jpeg,
        Self::Gif,
        Self::WebP,
        Self::Ico,
        Self::Avif,
        Self::Bmp,
        Self::Css,
        Self::Woff2,
        Self::Woff,
        Self::Ttf,
        Self::Otf,
    ];

    /// The type of a picture; `None` for anything else, in particular for an error page in place of a picture.
    pub fn of_picture(body: &[u8]) -> Option<Self> {
        let starts = |mark: &[u8]| body.starts_with(mark);
        if starts(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if starts(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if starts(b"GIF87a") || starts(b"GIF89a") {
            Some(Self::Gif)
        } else if starts(b"RIFF") && body.get(8..12) == Some(b"WEBP") {
            Some(Self::WebP)
        } else if starts(b"\0\0\x01\0") {
            Some(Self::Ico)
        } else if body.get(4..8) == Some(b"ftyp") && matches!(body.get(8..12), Some(b"avif" | b"avis")) {
            Some(Self::Avif)
        } else if starts(b"BM") && body.len() > 26 {
            Some(Self::Bmp)
        } else if is_svg(body) {
            Some(Self::Svg)
        } else {
            None
        }
    }

    /// The type of a font; `None` for anything else.
    pub fn of_font(body: &[u8]) -> Option<Self> {
        match body.get(..4)? {
            b"wOF2" => Some(Self::Woff2),
            b"wOFF" => Some(Self::Woff),
            b"\0\x01\0\0" | b"true" => Some(Self::Ttf),
            b"OTTO" => Some(Self::Otf),
            _ => None,
        }
    }

    /// The value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
            Self::Ico => "image/x-icon",
            Self::Avif => "image/avif",
            Self::Bmp => "image/bmp",
            Self::Css => "text/css; charset=utf-8",
            Self::Woff2 => "font/woff2",
            Self::Woff => "font/woff",
            Self::Ttf => "font/ttf",
            Self::Otf => "font/otf",
        }
    }

    /// The word for the type in the disk cache.
    pub fn word(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Gif => "gif",
            Self::WebP => "webp",
            Self::Ico => "ico",
            Self::Avif => "avif",
            Self::Bmp => "bmp",
            Self::Css => "css",
            Self::Woff2 => "woff2",
            Self::Woff => "woff",
            Self::Ttf => "ttf",
            Self::Otf => "otf",
        }
    }

    /// The reverse of [`Media::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|media| media.word() == word)
    }
}

/// Skips everything allowed before the root element: byte order mark, white space, declaration, comments, document
/// type.
fn is_svg(body: &[u8]) -> bool {
    let mut rest = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = if rest.starts_with(b"<?") {
            b"?>"
        } else if rest.starts_with(b"<!--") {
            b"-->"
        } else if rest.starts_with(b"<!DOCTYPE svg") {
            // An internal subset has its own brackets; it ends with `]>`.
            let Some(close) = rest.iter().position(|byte| *byte == b'>') else { return false };
            if rest[..close].contains(&b'[') { b"]>" } else { b">" }
        } else {
            let named = rest.strip_prefix(b"<svg").or_else(|| rest.strip_prefix(b"<svg:svg"));
            return named.is_some_and(|after| {
                matches!(after.first(), Some(b'>' | b'/' | b':')) || after.first().is_some_and(u8::is_ascii_whitespace)
            });
        };
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else { return false };
        rest = rest.get(at + end.len()..).unwrap_or_default();
    }
}
