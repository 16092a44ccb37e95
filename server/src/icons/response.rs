//! The response of an icon address, before it becomes HTTP.

use bytes::Bytes;
use http::StatusCode;

use super::{media::Media, on_dark::with_light_variant};

/// An external picture is shown, but may not load or run anything if someone opens its address.
const SANDBOX: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/// Browsers must use our content type and not guess one from the bytes.
const NO_SNIFFING: (&str, &str) = ("x-content-type-options", "nosniff");

/// How long a browser may cache a response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lifetime {
    /// The address always has this content.
    Immutable,
    /// Seven days: a real external picture.
    Long,
    /// Five minutes: a placeholder for a picture that was not found, or a file that its owner may replace.
    Short,
    /// Not at all: a placeholder for a picture that is being fetched.
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

/// One response. The router adds only the status line, `Content-Type`, `Cache-Control` and `headers`.
#[derive(Clone, Debug)]
pub struct IconResponse {
    /// 200, or 404 if an exact address does not exist.
    pub status: StatusCode,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// How long a browser may cache it.
    pub cache: Lifetime,
    /// Additional headers: the policy for external SVG, and `nosniff`.
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

    /// The logo of an application, which has a light variant for dark pages if it is black.
    pub fn logo(media: Media, body: Bytes, cache: Lifetime) -> Self {
        let light = (media == Media::Svg).then(|| with_light_variant(&body)).flatten();
        Self::of(media, light.map_or(body, Bytes::from), cache)
    }

    /// A picture drawn here. It needs no policy, and glyphs must not have one: a sandboxed file counts as another
    /// origin, from which a browser may refuse to use a symbol.
    pub fn drawn(svg: String, cache: Lifetime) -> Self {
        Self { headers: vec![NO_SNIFFING], ..Self::of(Media::Svg, Bytes::from(svg), cache) }
    }

    /// An exact address that does not exist.
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
