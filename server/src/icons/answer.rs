//! What the icon addresses answer, before it becomes HTTP.

use bytes::Bytes;
use http::StatusCode;

use super::media::Media;

/// A picture from elsewhere is shown, but may load nothing and run nothing when someone opens its address.
const SANDBOX: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/// The type is what we say and not what a browser makes of the bytes.
const NO_SNIFFING: (&str, &str) = ("x-content-type-options", "nosniff");

/// How long a browser may keep an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lifetime {
    /// The address always has this content.
    Immutable,
    /// Seven days: a real picture from elsewhere.
    Long,
    /// Five minutes: a stand-in for a picture that was not found, or a file that its owner may replace.
    Short,
    /// Not at all: a stand-in for a picture that is being looked up.
    None,
}

impl Lifetime {
    /// The value of `Cache-Control`. Only the bundled icons are the same for everyone.
    pub fn cache_control(self) -> &'static str {
        match self {
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Long => "private, max-age=604800",
            Self::Short => "private, max-age=300",
            Self::None => "no-store",
        }
    }
}

/// One answer. The router adds nothing but the status line, `Content-Type`, `Cache-Control` and `headers`.
#[derive(Clone, Debug)]
pub struct IconResponse {
    /// 200, or 404 where an exact address names nothing.
    pub status: StatusCode,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// How long a browser may keep it.
    pub cache: Lifetime,
    /// Further headers: the policy for foreign SVG, and that the type must not be guessed.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The picture.
    pub body: Bytes,
}

impl IconResponse {
    /// A body of a known kind.
    pub fn of(media: Media, body: Bytes, cache: Lifetime) -> Self {
        let mut headers = vec![NO_SNIFFING];
        if media == Media::Svg {
            headers.push(("content-security-policy", SANDBOX));
        }
        Self { status: StatusCode::OK, content_type: media.content_type(), cache, headers, body }
    }

    /// A picture drawn here. It needs no policy, and glyphs must not have one: a sandboxed file counts as one of
    /// another origin, from which a browser may refuse to use a symbol.
    pub fn drawn(svg: String, cache: Lifetime) -> Self {
        Self { headers: vec![NO_SNIFFING], ..Self::of(Media::Svg, Bytes::from(svg), cache) }
    }

    /// An exact address that names nothing.
    pub fn not_found() -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            content_type: "text/plain; charset=utf-8",
            cache: Lifetime::Short,
            headers: vec![NO_SNIFFING],
            body: Bytes::from_static(b"no such icon\n"),
        }
    }
}
