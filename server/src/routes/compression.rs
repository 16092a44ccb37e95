//! Compresses the responses of server functions. A panel that many viewers request is compressed once for all of them.

use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher as _, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    body::{Body, to_bytes},
    response::Response,
};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};

use crate::platform::encoding::{EncodedBody, Encoding};

/// Maximum number of cached bodies, and of their bytes before compression. Many viewers request a body within the second
/// in which it is current, so these suffice for a page of a hundred widgets; more would only use memory.
const MAX_BODIES: usize = 128;
const MAX_BYTES: usize = 1024 * 1024;
/// There are no larger responses; see the limit of a panel.
const LARGEST: usize = 8 * 1024 * 1024;

/// The bodies that were compressed last, by their content. A response changes at most every second, because it contains
/// the number of seconds until the next request.
#[derive(Debug, Default)]
pub struct Compression {
    /// Its keys are random, so nobody can construct bodies with the same hash.
    hasher: RandomState,
    kept: Mutex<CachedBodies>,
}

#[derive(Debug, Default)]
struct CachedBodies {
    bodies: HashMap<u64, Arc<EncodedBody>>,
    /// The hashes, oldest first.
    order: VecDeque<u64>,
    /// Bytes of all of them, uncompressed.
    bytes: usize,
}

impl Compression {
    /// The response in the best encoding that the client accepts. Failures and compressed responses stay as
    /// they are.
    pub async fn apply(&self, mut response: Response, encoding: Encoding) -> Response {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        let is_plain = !response.headers().contains_key(header::CONTENT_ENCODING);
        if encoding == Encoding::Identity || response.status() != StatusCode::OK || !is_plain {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let Ok(plain) = to_bytes(body, LARGEST).await else {
            parts.status = StatusCode::INTERNAL_SERVER_ERROR;
            return Response::from_parts(parts, Body::empty());
        };
        let (bytes, encoding) = self.encoded(plain, encoding).await;
        if let Some(value) = encoding.header() {
            parts.headers.insert(header::CONTENT_ENCODING, value);
            parts.headers.remove(header::CONTENT_LENGTH);
        }
        Response::from_parts(parts, Body::from(bytes))
    }

    async fn encoded(&self, plain: Bytes, encoding: Encoding) -> (Bytes, Encoding) {
        if !EncodedBody::is_worth_it(&plain) {
            return (plain, Encoding::Identity);
        }
        EncodedBody::encoded(&self.body(plain), |body| body, encoding).await
    }

    fn lock(&self) -> MutexGuard<'_, CachedBodies> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cache entry of a body with its compressed forms.
    fn body(&self, plain: Bytes) -> Arc<EncodedBody> {
        let hash = self.hasher.hash_one(&plain);
        let mut kept = self.lock();
        if let Some(body) = kept.bodies.get(&hash).filter(|body| body.plain() == plain) {
            return Arc::clone(body);
        }
        let size = plain.len();
        while kept.order.len() >= MAX_BODIES || (kept.bytes + size > MAX_BYTES && !kept.order.is_empty()) {
            kept.forget_oldest();
        }
        let body = Arc::new(EncodedBody::new(plain));
        if let Some(other) = kept.bodies.insert(hash, Arc::clone(&body)) {
            kept.bytes -= other.length();
        } else {
            kept.order.push_back(hash);
        }
        kept.bytes += size;
        body
    }
}

impl CachedBodies {
    fn forget_oldest(&mut self) {
        let oldest = self.order.pop_front().and_then(|hash| self.bodies.remove(&hash));
        self.bytes -= oldest.map_or(0, |body| body.length());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(text: String) -> Response {
        Response::new(Body::from(text))
    }

    #[tokio::test]
    async fn the_same_body_is_compressed_once() {
        let compression = Compression::default();
        let text = "a panel of a widget. ".repeat(200);
        for encoding in [Encoding::Brotli, Encoding::Gzip, Encoding::Zstd, Encoding::Brotli] {
            let answer = compression.apply(response(text.clone()), encoding).await;
            assert_eq!(answer.headers().get(header::CONTENT_ENCODING), encoding.header().as_ref());
            assert_eq!(answer.headers()[header::VARY], "Accept-Encoding");
            let bytes = to_bytes(answer.into_body(), LARGEST).await.unwrap();
            assert!(bytes.len() < text.len() / 4);
        }
        assert_eq!(compression.lock().bodies.len(), 1);
    }

    #[tokio::test]
    async fn what_is_short_or_a_failure_stays_as_it_is() {
        let compression = Compression::default();
        let mut failure = response("x".repeat(5000));
        *failure.status_mut() = StatusCode::FORBIDDEN;
        for answer in [response("short".to_owned()), failure] {
            let answer = compression.apply(answer, Encoding::Brotli).await;
            assert!(!answer.headers().contains_key(header::CONTENT_ENCODING));
        }
        let answer = compression.apply(response("x".repeat(5000)), Encoding::Identity).await;
        assert!(!answer.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(compression.lock().bodies.len(), 0);
    }

    #[tokio::test]
    async fn bodies_whose_hashes_meet_are_not_taken_for_each_other() {
        let compression = Compression::default();
        let [one, other] = ["a panel. ", "another. "].map(|text| Bytes::from(text.repeat(200)));
        let kept = compression.body(one.clone());
        // As if the other one had the same hash.
        let hash = compression.hasher.hash_one(&other);
        compression.lock().bodies.insert(hash, kept);
        compression.lock().order.push_back(hash);
        assert_eq!(*compression.body(other.clone()).plain(), other);
        assert_eq!(*compression.body(one.clone()).plain(), one);
    }

    #[test]
    fn only_a_little_is_cached() {
        let compression = Compression::default();
        for number in 0..MAX_BODIES + 10 {
            compression.body(Bytes::from(format!("{number:2000}")));
        }
        assert_eq!(compression.lock().order.len(), MAX_BODIES);
        assert_eq!(compression.lock().bodies.len(), MAX_BODIES);
        for number in 0..10 {
            compression.body(Bytes::from(format!("{number}").repeat(300_000)));
        }
        let kept = compression.lock();
        assert!(kept.bytes <= MAX_BYTES);
        assert_eq!(kept.bytes, kept.bodies.values().map(|body| body.length()).sum::<usize>());
    }
}
