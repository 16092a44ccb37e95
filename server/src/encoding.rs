//! Content codings: which one a client takes, and bodies that are compressed once and served many times.

use std::{io::Write as _, sync::OnceLock};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};

/// Bodies below this many bytes are not worth compressing.
const SMALLEST: usize = 1024;
/// Brotli's quality for pages: most of what 11 reaches, at a hundredth of the time.
const BROTLI_QUALITY: i32 = 5;
const ZSTD_LEVEL: i32 = 6;

/// A content coding.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Encoding {
    /// The bytes as they are.
    Identity,
    /// `br`.
    Brotli,
    /// `zstd`.
    Zstd,
    /// `gzip`.
    Gzip,
}

impl Encoding {
    /// The best coding that the request takes: Brotli, Zstandard, gzip, in this order. Codings with `q=0` are out;
    /// other weights are not compared, since clients that send them do not mean them.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let mut accepted = [false; 3];
        for value in headers.get_all(header::ACCEPT_ENCODING) {
            let Ok(value) = value.to_str() else { continue };
            for entry in value.split(',') {
                let (name, parameters) = entry.split_once(';').unwrap_or((entry, ""));
                let weight = parameters.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
                let take = weight.is_none_or(|weight| weight > 0.0);
                match name.trim() {
                    "br" => accepted[0] = take,
                    "zstd" => accepted[1] = take,
                    "gzip" | "x-gzip" => accepted[2] = take,
                    _ => {}
                }
            }
        }
        match accepted {
            [true, ..] => Self::Brotli,
            [_, true, _] => Self::Zstd,
            [_, _, true] => Self::Gzip,
            _ => Self::Identity,
        }
    }

    /// The value of `Content-Encoding`; none for the identity.
    pub fn header(self) -> Option<HeaderValue> {
        match self {
            Self::Identity => None,
            Self::Brotli => Some(HeaderValue::from_static("br")),
            Self::Zstd => Some(HeaderValue::from_static("zstd")),
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
        }
    }

    fn compress(self, body: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(body.len() / 4);
        match self {
            Self::Identity => return None,
            Self::Brotli => {
                let parameters = brotli::enc::BrotliEncoderParams {
                    quality: BROTLI_QUALITY,
                    // No larger than the body, nor than a mebibyte: the encoder takes twice as much memory, and what
                    // is alike in a page stands nearer than that.
                    lgwin: body.len().next_power_of_two().ilog2().clamp(16, 20).cast_signed(),
                    size_hint: body.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &body[..], &mut out, &parameters).ok()?;
            }
            Self::Zstd => out = zstd::bulk::compress(body, ZSTD_LEVEL).ok()?,
            Self::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::default());
                encoder.write_all(body).ok()?;
                out = encoder.finish().ok()?;
            }
        }
        // Kept for long, and a fraction of what was set aside for it.
        out.shrink_to_fit();
        Some(out)
    }
}

/// A body with its compressed forms, each made when it is first asked for and then kept.
#[derive(Debug)]
pub struct EncodedBody {
    plain: Bytes,
    brotli: OnceLock<Bytes>,
    zstd: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl EncodedBody {
    /// Wraps a body that is not compressed yet.
    pub fn new(plain: Bytes) -> Self {
        Self { plain, brotli: OnceLock::new(), zstd: OnceLock::new(), gzip: OnceLock::new() }
    }

    /// Whether a body is long enough to be compressed at all.
    pub fn is_worth_it(plain: &Bytes) -> bool {
        plain.len() >= SMALLEST
    }

    /// The uncompressed bytes.
    pub fn plain(&self) -> &Bytes {
        &self.plain
    }

    /// The body in a coding, or uncompressed where compressing gains nothing. The first call for a coding takes time
    /// in proportion to the body; see [`EncodedBody::is_ready`].
    pub fn get(&self, encoding: Encoding) -> (Bytes, Encoding) {
        if !Self::is_worth_it(&self.plain) {
            return (self.plain.clone(), Encoding::Identity);
        }
        let Some(slot) = self.slot(encoding) else { return (self.plain.clone(), Encoding::Identity) };
        let body = slot.get_or_init(|| encoding.compress(&self.plain).map_or_else(|| self.plain.clone(), Bytes::from));
        if body.len() >= self.plain.len() { (self.plain.clone(), Encoding::Identity) } else { (body.clone(), encoding) }
    }

    /// Whether [`EncodedBody::get`] answers at once.
    pub fn is_ready(&self, encoding: Encoding) -> bool {
        !Self::is_worth_it(&self.plain) || self.slot(encoding).is_none_or(|slot| slot.get().is_some())
    }

    fn slot(&self, encoding: Encoding) -> Option<&OnceLock<Bytes>> {
        match encoding {
            Encoding::Identity => None,
            Encoding::Brotli => Some(&self.brotli),
            Encoding::Zstd => Some(&self.zstd),
            Encoding::Gzip => Some(&self.gzip),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use bytes::Bytes;
    use http::{HeaderMap, HeaderValue, header};

    use super::{EncodedBody, Encoding};

    #[test]
    fn takes_what_the_client_takes() {
        for (value, expected) in [
            ("", Encoding::Identity),
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip, deflate", Encoding::Gzip),
            ("zstd;q=1, gzip", Encoding::Zstd),
            ("br;q=0, gzip;q=0.5", Encoding::Gzip),
            ("identity", Encoding::Identity),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            assert_eq!(Encoding::accepted(&headers), expected, "{value}");
        }
    }

    #[test]
    fn every_coding_gives_the_same_bytes_back() {
        let text = "a start page is what you see first. ".repeat(200);
        let body = EncodedBody::new(Bytes::from(text.clone()));
        assert!(!body.is_ready(Encoding::Brotli));
        let (brotli, _) = body.get(Encoding::Brotli);
        assert!(body.is_ready(Encoding::Brotli));
        let mut out = String::new();
        brotli::Decompressor::new(&brotli[..], 4096).read_to_string(&mut out).unwrap();
        assert_eq!(out, text);
        let (gzip, _) = body.get(Encoding::Gzip);
        let mut out = String::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut out).unwrap();
        assert_eq!(out, text);
        let (zstd, _) = body.get(Encoding::Zstd);
        assert_eq!(zstd::bulk::decompress(&zstd, 1 << 20).unwrap(), text.as_bytes());
        assert_eq!(EncodedBody::new(Bytes::from("short")).get(Encoding::Brotli).1, Encoding::Identity);
    }
}
