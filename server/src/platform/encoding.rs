//! Content encodings: which one a client accepts, and bodies that are compressed once and served many times.

use std::{
    io::{Read as _, Write as _},
    sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};

use super::blocking_pool;

/// Bodies below this many bytes are not worth compressing.
const SMALLEST: usize = 1024;
/// Brotli's quality for pages: a seventh larger than at level 11, in a fiftieth of the time.
const BROTLI_QUALITY: i32 = 6;
const ZSTD_LEVEL: i32 = 6;
/// Larger uncompressed bodies (in bytes) are not kept beside their compressed forms.
const MAX_PLAIN: usize = 256 * 1024;

/// A content encoding.
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
    /// The best encoding that the request accepts: Brotli, Zstandard, gzip, in this order. Encodings with `q=0` are
    /// excluded; other weights are ignored, because clients that send them do not mean them.
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

    /// The value of `Content-Encoding`; `None` for identity.
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
                    // No larger than the body, and at most one mebibyte: the encoder needs twice as much memory, and
                    // repeated text in a page is closer together than that.
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
        // Kept for long, so give back the unused capacity.
        out.shrink_to_fit();
        Some(out)
    }

    /// Decompresses `compressed`, made by [`Encoding::compress`] from a body of `length` bytes.
    fn expand(self, compressed: &Bytes, length: usize) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(length);
        match self {
            Self::Identity => return Some(compressed.to_vec()),
            Self::Brotli => _ = brotli::Decompressor::new(&compressed[..], 4096).read_to_end(&mut out).ok()?,
            Self::Zstd => out = zstd::bulk::decompress(compressed, length).ok()?,
            Self::Gzip => _ = flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut out).ok()?,
        }
        Some(out)
    }
}

/// Bytes that are in memory only while they are in use, shared by all users.
#[derive(Debug, Default)]
pub struct SharedBytes(Mutex<Weak<Vec<u8>>>);

/// Keeps the bytes of [`SharedBytes`].
struct SharedUse(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedUse {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl SharedBytes {
    /// The bytes, if they are in use.
    pub fn in_use(&self) -> Option<Bytes> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        kept.map(|kept| Bytes::from_owner(SharedUse(kept)))
    }

    /// The bytes, made if they are not in use. Others who want them meanwhile wait.
    pub fn get_or_make(&self, make: impl FnOnce() -> Vec<u8>) -> Bytes {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = kept.upgrade().unwrap_or_else(|| {
            let made = Arc::new(make());
            *kept = Arc::downgrade(&made);
            made
        });
        Bytes::from_owner(SharedUse(bytes))
    }
}

/// A body with its compressed forms, each made on first use and then cached.
#[derive(Debug)]
pub struct EncodedBody {
    /// The uncompressed bytes; `None` once they were dropped.
    plain: RwLock<Option<Bytes>>,
    /// The same, restored for clients that accept nothing else.
    restored: SharedBytes,
    /// Held by the task that makes a form, so that it is made only once.
    turn: tokio::sync::Mutex<()>,
    /// The uncompressed length.
    length: usize,
    brotli: OnceLock<Bytes>,
    zstd: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl EncodedBody {
    /// Wraps an uncompressed body.
    pub fn new(plain: Bytes) -> Self {
        Self {
            length: plain.len(),
            plain: RwLock::new(Some(plain)),
            restored: SharedBytes::default(),
            turn: tokio::sync::Mutex::default(),
            brotli: OnceLock::new(),
            zstd: OnceLock::new(),
            gzip: OnceLock::new(),
        }
    }

    /// Whether a body is long enough to be compressed at all.
    pub fn is_worth_it(plain: &Bytes) -> bool {
        plain.len() >= SMALLEST
    }

    /// How much memory a body of this length takes at most once it was compressed, in bytes.
    pub fn size_of(length: usize) -> usize {
        let plain = if length > MAX_PLAIN { 0 } else { length };
        plain + length / 2
    }

    /// The body of `owner` in an encoding, made beside the threads that serve requests, and once for all who wait for it.
    pub async fn encoded<T: Send + Sync + 'static>(
        owner: &Arc<T>,
        of: fn(&T) -> &Self,
        encoding: Encoding,
    ) -> (Bytes, Encoding) {
        let body = of(owner);
        if body.is_ready(encoding) {
            return body.get(encoding);
        }
        let _turn = body.turn.lock().await;
        if body.is_ready(encoding) {
            return body.get(encoding);
        }
        let owner = Arc::clone(owner);
        let make = move || {
            let body = of(&owner);
            let made = body.get(encoding);
            body.drop_uncompressed();
            made
        };
        blocking_pool::compute(make).await.unwrap_or_else(|_| (Bytes::new(), Encoding::Identity))
    }

    /// How many uncompressed bytes there are.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The uncompressed bytes. Takes time in proportion to their length once they were dropped.
    pub fn plain(&self) -> Bytes {
        let kept = self.plain.read().unwrap_or_else(PoisonError::into_inner).clone();
        kept.unwrap_or_else(|| {
            let restore = || {
                let form = self.compressed();
                form.and_then(|(compressed, encoding)| encoding.expand(compressed, self.length)).unwrap_or_default()
            };
            self.restored.get_or_make(restore)
        })
    }

    /// The body in an encoding, or uncompressed if compression gains nothing. The first call for an encoding takes time
    /// in proportion to the body; see [`EncodedBody::is_ready`].
    pub fn get(&self, encoding: Encoding) -> (Bytes, Encoding) {
        let slot = self.slot(encoding).filter(|_| self.length >= SMALLEST);
        let Some(slot) = slot else { return (self.plain(), Encoding::Identity) };
        let body = slot.get_or_init(|| {
            let plain = self.plain();
            encoding.compress(&plain).map_or(plain, Bytes::from)
        });
        if body.len() >= self.length { (self.plain(), Encoding::Identity) } else { (body.clone(), encoding) }
    }

    /// Whether [`EncodedBody::get`] returns at once.
    pub fn is_ready(&self, encoding: Encoding) -> bool {
        match self.slot(encoding).filter(|_| self.length >= SMALLEST) {
            Some(slot) => slot.get().is_some(),
            None => {
                self.plain.read().unwrap_or_else(PoisonError::into_inner).is_some() || self.restored.in_use().is_some()
            }
        }
    }

    /// Drops the uncompressed bytes if they are large and a compressed form exists: hardly any client requests them,
    /// and they can be restored from that form.
    pub fn drop_uncompressed(&self) {
        if self.length > MAX_PLAIN && self.compressed().is_some() {
            *self.plain.write().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// An existing compressed form that is really compressed.
    fn compressed(&self) -> Option<(&Bytes, Encoding)> {
        [Encoding::Zstd, Encoding::Gzip, Encoding::Brotli].into_iter().find_map(|encoding| {
            let body = self.slot(encoding)?.get().filter(|body| body.len() < self.length)?;
            Some((body, encoding))
        })
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

    #[test]
    fn a_long_body_is_made_of_any_of_its_compressed_forms() {
        let text = Bytes::from("a start page is what you see first. ".repeat(20_000));
        for encoding in [Encoding::Brotli, Encoding::Zstd, Encoding::Gzip] {
            let body = EncodedBody::new(text.clone());
            body.drop_uncompressed();
            assert!(body.is_ready(Encoding::Identity), "there is nothing yet that it could be made of");
            let (compressed, _) = body.get(encoding);
            body.drop_uncompressed();
            assert!(!body.is_ready(Encoding::Identity));
            assert_eq!(body.get(Encoding::Identity), (text.clone(), Encoding::Identity), "{encoding:?}");
            assert_eq!(body.get(encoding), (compressed, encoding), "the compressed form stays");
            for other in [Encoding::Brotli, Encoding::Zstd, Encoding::Gzip] {
                assert_eq!(EncodedBody::new(text.clone()).get(other), body.get(other), "{encoding:?} to {other:?}");
            }
        }
    }

    #[test]
    fn a_short_body_stays_as_it_is() {
        let body = EncodedBody::new(Bytes::from("a start page is what you see first. ".repeat(200)));
        body.get(Encoding::Brotli);
        body.drop_uncompressed();
        assert!(body.is_ready(Encoding::Identity));
    }
}
