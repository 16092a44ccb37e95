//! The pictures named by panels, fetched by the server.
//!
//! The page loads no pictures from other hosts, so services do not learn who views them and when, and pictures from the
//! private network also work from outside. Only addresses that one of our panels named can be fetched, and only with an
//! unguessable token. A host that only a service named, and not the options of the entry, must be on the public
//! internet.

use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher as _, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use bytes::Bytes;
use tokio::time::Instant;
use widgets::panel::SafeUrl;

use super::plans::PanelKey;
use crate::{
    http_client::{HttpClient, HttpRequest, PrivateReach, Purpose},
    icons::media::Media,
};

/// The route, without the path prefix.
pub const ROUTE: &str = "/widget-picture/";

/// Maximum number of addresses that are known at once; the oldest are forgotten first.
const MAX_NAMED: usize = 8192;
/// Maximum total bytes of cached pictures.
const MAX_KEPT_BYTES: usize = 16 * 1024 * 1024;
/// Maximum size of a picture beside text, and of any cached picture (docs/spec/widgets.md 11).
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Maximum size of a widget's main picture, such as that of a camera (widgets/image.md).
const MAX_BYTES_OF_CONTENT: usize = 10 * 1024 * 1024;
/// How long a picture is fresh.
pub(super) const LIFE: Duration = Duration::from_secs(600);
/// How long a picture that should be reloaded is fresh, such as that of a camera.
pub(super) const LIFE_OF_FRESH: Duration = Duration::from_secs(1);
/// How long a failure is cached.
const LIFE_OF_FAILURE: Duration = Duration::from_secs(10);

/// The pictures named by panels.
#[derive(Debug)]
pub struct Pictures {
    secret: PanelKey,
    named: Mutex<Named>,
}

#[derive(Debug, Default)]
struct Named {
    pictures: HashMap<String, Arc<Picture>>,
    /// The tokens, oldest first.
    order: VecDeque<String>,
}

/// How a picture may be fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Accepts any certificate of its host.
    pub insecure: bool,
    /// Its host may be private, because the options of the entry name it.
    pub configured: bool,
    /// It may be as large as a widget's main picture.
    pub is_content: bool,
    /// The time limit for the fetch.
    pub timeout: Duration,
}

/// One picture.
#[derive(Debug)]
pub(super) struct Picture {
    address: String,
    terms: Terms,
    /// The last fetch. The lock is held during a fetch, so that only one runs at a time.
    kept: tokio::sync::Mutex<Option<CachedPicture>>,
}

#[derive(Debug)]
struct CachedPicture {
    /// `None` if the fetch failed or the data is not usable.
    content: Option<(PictureBytes, Media)>,
    since: Instant,
}

/// The bytes of a picture.
#[derive(Debug)]
enum PictureBytes {
    Kept(Bytes),
    /// Kept only while being sent to someone: large pictures would fill the memory of an idle server.
    Lent(Weak<Bytes>),
}

/// Bytes that are shared by everyone they are being sent to.
struct Shared(Arc<Bytes>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl PictureBytes {
    /// Stores bytes; returns them in the form to send.
    fn hold(bytes: Bytes) -> (Self, Bytes) {
        if bytes.len() <= MAX_BYTES {
            return (Self::Kept(bytes.clone()), bytes);
        }
        let shared = Arc::new(bytes);
        (Self::Lent(Arc::downgrade(&shared)), Bytes::from_owner(Shared(shared)))
    }

    /// The bytes, if they are still stored.
    fn bytes(&self) -> Option<Bytes> {
        match self {
            Self::Kept(bytes) => Some(bytes.clone()),
            Self::Lent(shared) => shared.upgrade().map(|shared| Bytes::from_owner(Shared(shared))),
        }
    }
}

impl CachedPicture {
    fn picture(&self) -> Option<(Bytes, Media)> {
        let (held, media) = self.content.as_ref()?;
        Some((held.bytes()?, *media))
    }

    /// How many bytes this keeps in memory.
    fn size(&self) -> usize {
        match &self.content {
            Some((PictureBytes::Kept(bytes), _)) => bytes.len(),
            _ => 0,
        }
    }
}

impl Default for Pictures {
    fn default() -> Self {
        // The standard library's hash tables have random keys, which is enough for the secret.
        let random: Vec<u8> = (0..8).flat_map(|n: u8| RandomState::new().hash_one(n).to_le_bytes()).collect();
        Self { secret: PanelKey::of([&random[..]]), named: Mutex::default() }
    }
}

impl Pictures {
    fn lock(&self) -> MutexGuard<'_, Named> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces an address on another host with one of ours, and remembers the original.
    pub fn replace(&self, url: &mut SafeUrl, terms: Terms) {
        if url.is_remote() {
            self.replace_any(url, terms);
        }
    }

    /// The same, also for addresses of this server.
    pub fn replace_any(&self, url: &mut SafeUrl, terms: Terms) {
        let token = self.token(url.as_str(), terms);
        let Some(own) = SafeUrl::parse(&format!("{ROUTE}{token}")) else { return };
        let mut named = self.lock();
        if !named.pictures.contains_key(&token) {
            if named.order.len() >= MAX_NAMED
                && let Some(oldest) = named.order.pop_front()
            {
                named.pictures.remove(&oldest);
            }
            let picture = Picture { address: url.as_str().to_owned(), terms, kept: tokio::sync::Mutex::default() };
            named.pictures.insert(token.clone(), Arc::new(picture));
            named.order.push_back(token);
        }
        *url = own;
    }

    fn token(&self, address: &str, terms: Terms) -> String {
        hex::encode(&self.secret.with(&[address, &format!("{terms:?}")]).bytes()[..16])
    }

    pub(super) fn find(&self, token: &str) -> Option<Arc<Picture>> {
        self.lock().pictures.get(token).cloned()
    }

    /// Drops the content of pictures, the oldest first, until the rest is within the limit.
    pub(super) fn make_room(&self) {
        let named = self.lock();
        let mut total = 0_usize;
        for picture in named.order.iter().rev().filter_map(|token| named.pictures.get(token)) {
            // A picture that is being fetched now is counted next time.
            let Ok(mut kept) = picture.kept.try_lock() else { continue };
            total += kept.as_ref().map_or(0, CachedPicture::size);
            if total > MAX_KEPT_BYTES {
                *kept = None;
            }
        }
    }
}

impl Picture {
    /// The picture, no older than `life`; an older one if there is no newer one.
    pub(super) async fn content(&self, http_client: &HttpClient, life: Duration) -> (Option<(Bytes, Media)>, bool) {
        let mut kept = self.kept.lock().await;
        let older = kept.as_ref().and_then(CachedPicture::picture);
        if let Some(kept) = kept.as_ref() {
            let has_failed = kept.content.is_none();
            let life = if has_failed { LIFE_OF_FAILURE } else { life };
            // A picture that was only shared may be gone.
            if (has_failed || older.is_some()) && kept.since.elapsed() < life {
                return (older, false);
            }
        }
        let held = self.fetch(http_client).await.or(older).map(|(bytes, media)| (PictureBytes::hold(bytes), media));
        let since = Instant::now();
        let Some(((held, bytes), media)) = held else {
            *kept = Some(CachedPicture { content: None, since });
            return (None, true);
        };
        *kept = Some(CachedPicture { content: Some((held, media)), since });
        (Some((bytes, media)), true)
    }

    async fn fetch(&self, http_client: &HttpClient) -> Option<(Bytes, Media)> {
        let request = HttpRequest {
            max_bytes: if self.terms.is_content { MAX_BYTES_OF_CONTENT } else { MAX_BYTES },
            accept_invalid_certs: self.terms.insecure,
            timeout: self.terms.timeout,
            // Not the redirect target: a service named that one.
            private_reach: if self.terms.configured { PrivateReach::OwnHost } else { PrivateReach::Nowhere },
            ..HttpRequest::get(Purpose::Configured, self.address.as_str())
        };
        let request = request.with_header("Accept", "image/*");
        match http_client.send(request).await {
            Ok(reply) if reply.status.is_success() => {
                let media = Media::of_picture(&reply.body);
                if media.is_none() {
                    tracing::debug!(
                        "what {} sent as a picture is not one",
                        reply.final_url.host_str().unwrap_or_default()
                    );
                }
                media.map(|media| (reply.body, media))
            }
            Ok(reply) => {
                let host = reply.final_url.host_str().unwrap_or_default();
                tracing::debug!("a picture of {host} could not be loaded: {}", reply.status);
                None
            }
            Err(error) => {
                tracing::debug!("a picture of a panel could not be loaded: {error}");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(pictures: &Pictures, address: &str) -> String {
        let mut url = SafeUrl::parse(address).unwrap();
        pictures.replace(&mut url, Terms::default());
        url.as_str().to_owned()
    }

    #[test]
    fn addresses_of_others_get_a_token_that_says_nothing() {
        let pictures = Pictures::default();
        let own = replaced(&pictures, "https://pictures.example/a.png?key=1");
        let token = own.strip_prefix(ROUTE).unwrap();
        assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
        assert_eq!(own, replaced(&pictures, "https://pictures.example/a.png?key=1"));
        assert_ne!(own, replaced(&pictures, "https://pictures.example/a.png?key=2"));
        assert_ne!(own, replaced(&Pictures::default(), "https://pictures.example/a.png?key=1"));
        assert_eq!(replaced(&pictures, "/logo.png"), "/logo.png");
        assert_eq!(pictures.find(token).unwrap().address, "https://pictures.example/a.png?key=1");
        assert!(pictures.find("0123456789abcdef0123456789abcdef").is_none());
    }

    #[test]
    fn one_address_is_two_pictures_if_it_may_be_fetched_in_two_ways() {
        let pictures = Pictures::default();
        let of = |terms: Terms| {
            let mut url = SafeUrl::parse("https://pictures.example/a.png").unwrap();
            pictures.replace(&mut url, terms);
            url.as_str().to_owned()
        };
        let all = [
            Terms::default(),
            Terms { insecure: true, ..Terms::default() },
            Terms { configured: true, ..Terms::default() },
            Terms { is_content: true, ..Terms::default() },
        ];
        assert_eq!(all.map(of).into_iter().collect::<std::collections::HashSet<_>>().len(), all.len());
    }

    #[test]
    fn large_bodies_stay_while_they_are_being_sent() {
        let (small, bytes) = PictureBytes::hold(Bytes::from(vec![1; MAX_BYTES]));
        drop(bytes);
        assert_eq!(small.bytes().map(|bytes| bytes.len()), Some(MAX_BYTES));
        let (large, bytes) = PictureBytes::hold(Bytes::from(vec![1; MAX_BYTES + 1]));
        let second = large.bytes().unwrap();
        assert_eq!(bytes.as_ptr(), second.as_ptr(), "there is one copy");
        drop(bytes);
        assert!(large.bytes().is_some());
        drop(second);
        assert!(large.bytes().is_none());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let pictures = Pictures::default();
        let first = replaced(&pictures, "https://pictures.example/first");
        for number in 0..MAX_NAMED {
            replaced(&pictures, &format!("https://pictures.example/{number}"));
        }
        assert!(pictures.find(first.strip_prefix(ROUTE).unwrap()).is_none());
        assert_eq!(pictures.lock().pictures.len(), MAX_NAMED);
    }
}
