//! Path prefixes of reverse proxies: a proxy that removes a prefix before it passes a request on says so with
//! `X-Forwarded-Prefix`, and all addresses in a page must begin with it again (docs/spec/behaviour.md 1).
//!
//! Anyone can make up prefixes: browsers in the same network count as proxies unless the proxies are named, and some
//! proxies pass on whatever a browser sends. So every prefix works, but only a few are cached with their pages; the
//! routes of others are created for one request and dropped. Everything that costs memory or requests to services
//! (panels, icons, sessions) is the same for all prefixes.

use std::{
    sync::{Arc, Mutex, Once, PoisonError},
    time::Duration,
};

use axum::{Router, extract::Request, response::Response};
use http::{Extensions, HeaderMap, HeaderName, Uri};
use tokio::{sync::Semaphore, time::Instant};

use super::{mount::Mount, peer::peer, portico::Portico};
use crate::settings::path_prefix;

const HEADER: HeaderName = HeaderName::from_static("x-forwarded-prefix");
/// Maximum number of cached prefixes. Each has its own pages, and people have one or two proxies.
const MAX_KEPT: usize = 4;
/// Maximum number of concurrent requests under prefixes that are not cached; others wait.
const MAX_PASSING: usize = 16;
/// How long a prefix must be unused before another one may take its place.
const IDLE: Duration = Duration::from_secs(600);
/// Maximum length of a prefix, in bytes.
const MAX_LENGTH: usize = 200;

/// The routes for each prefix.
pub struct Prefixes {
    portico: Arc<Portico>,
    usual: Mount,
    /// Those of proxies, the most recently used first.
    others: Mutex<Vec<KeptMount>>,
    passing: Semaphore,
    /// Set once the log has said that there are too many.
    told: Once,
}

/// The product below a prefix of a proxy, and when it was last used.
struct KeptMount {
    base: String,
    mount: Arc<Mount>,
    used: Instant,
}

impl Prefixes {
    /// The product under the prefix of its settings, with room for others.
    pub fn new(portico: Arc<Portico>) -> Self {
        let usual = Mount::new(Arc::clone(&portico));
        let passing = Semaphore::new(MAX_PASSING);
        Self { portico, usual, others: Mutex::default(), passing, told: Once::new() }
    }

    /// The product below a prefix; `None` if the maximum number of others is in use.
    fn cached(&self, base: &str) -> Option<Arc<Mount>> {
        let used = Instant::now();
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let mount = match others.iter().position(|other| other.base == base) {
            Some(at) => others.remove(at).mount,
            None => {
                if others.get(MAX_KEPT - 1).is_some_and(|oldest| used.duration_since(oldest.used) < IDLE) {
                    return None;
                }
                Arc::new(Mount::new(self.portico.below(base)))
            }
        };
        others.insert(0, KeptMount { base: base.to_owned(), mount: Arc::clone(&mount), used });
        others.truncate(MAX_KEPT);
        Some(mount)
    }

    async fn respond(&self, mut request: Request) -> Response {
        let own = &self.portico.settings.base;
        // A proxy may name the prefix of the settings without removing it, which changes nothing.
        let prefix = self.prefix(request.headers(), request.extensions()).filter(|prefix| prefix != own);
        let Some(prefix) = prefix else { return self.usual.respond(request).await };
        put_in_front(request.uri_mut(), &prefix);
        let base = format!("{prefix}{own}");
        if let Some(mount) = self.cached(&base) {
            return mount.respond(request).await;
        }
        self.told.call_once(|| {
            tracing::warn!(
                "`{HEADER}` names more than {MAX_KEPT} path prefixes at a time: pages under further ones are slower. If \
                 you have no more than that, name your proxies in TRUSTED_PROXIES"
            );
        });
        // It is never closed; if it were, that would be no reason to fail.
        let _turn = self.passing.acquire().await.ok();
        Mount::new(self.portico.below(&base)).respond(request).await
    }

    /// The prefix that a trusted proxy has removed. Several proxies each add their own, the outermost first.
    fn prefix(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<String> {
        let mut values = headers.get_all(HEADER).iter().peekable();
        values.peek()?;
        let peer = peer(extensions)?;
        if !self.portico.settings.trusted_proxies.cover(peer) {
            return None;
        }
        let mut prefix = String::new();
        for value in values {
            for part in value.to_str().ok()?.split(',') {
                prefix += &path_prefix(part.trim())?;
            }
        }
        (!prefix.is_empty() && prefix.len() <= MAX_LENGTH).then_some(prefix)
    }
}

impl From<Prefixes> for Router {
    fn from(prefixes: Prefixes) -> Self {
        let prefixes = Arc::new(prefixes);
        Self::new().fallback(move |request: Request| {
            let prefixes = Arc::clone(&prefixes);
            async move { prefixes.respond(request).await }
        })
    }
}

/// Puts a path prefix in front of the path of an address.
pub(super) fn put_in_front(uri: &mut Uri, prefix: &str) {
    let mut parts = uri.clone().into_parts();
    let rest = parts.path_and_query.as_ref().map_or("/", |path| path.as_str());
    parts.path_and_query = format!("{prefix}{rest}").parse().ok();
    if let Ok(longer) = Uri::from_parts(parts) {
        *uri = longer;
    }
}
