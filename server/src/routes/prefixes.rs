//! Path prefixes of reverse proxies: a proxy that removes a prefix before it passes a request on says so with
//! `X-Forwarded-Prefix`, and all addresses in a page must begin with it again (docs/spec/behavior.md 1).
//!
//! Anyone can make up prefixes: browsers in the same network count as proxies unless the proxies are named, and some
//! proxies pass on whatever a browser sends. So every prefix works, but only a few are cached with their pages; the
//! routes of others are created for one request and dropped. Everything that costs memory or requests to services
//! (panels, icons, sessions) is the same for all prefixes.
//!
//! Nobody can keep others from a prefix that is not in use yet: whoever keeps many prefixes gives one up for a new client,
//! and a request under a prefix that is not kept never waits for a place, but takes that of the client with the most.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, Once, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse as _, Response},
};
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{app_state::AppState, error::ApiError, mount::Mount, peer::peer};
use crate::settings::path_prefix;

const HEADER: HeaderName = HeaderName::from_static("x-forwarded-prefix");
/// Maximum number of cached prefixes. Each has its own pages, and people have one or two proxies.
const MAX_KEPT: usize = 4;
/// How many of them one client keeps for certain while they are in use.
const KEPT_FOR_CERTAIN: usize = 2;
/// Maximum number of concurrent requests under prefixes that are not cached.
const MAX_PASSING: usize = 16;
/// How long a prefix must be unused before another one may take its place.
const IDLE: Duration = Duration::from_secs(600);
/// Maximum length of a prefix, in bytes.
const MAX_LENGTH: usize = 200;

/// The routes for each prefix.
pub struct Prefixes {
    portico: Arc<AppState>,
    usual: Mount,
    /// Those of proxies, the most recently used first.
    others: Mutex<Vec<KeptMount>>,
    /// The requests under prefixes that are not cached, the oldest first.
    passing: Mutex<Vec<PassingRequest>>,
    /// Set once the log has reported that there are too many.
    told: Once,
}

/// The product below a prefix of a proxy, and when it was last used.
struct KeptMount {
    base: String,
    /// Who used it first.
    client: IpAddr,
    mount: Arc<Mount>,
    used: Instant,
}

/// A request under a prefix that is not cached.
struct PassingRequest {
    client: IpAddr,
    /// Ends the request.
    place: CancellationToken,
}

/// Gives the place of a request back when it ends.
struct Place<'a> {
    passing: &'a Mutex<Vec<PassingRequest>>,
    token: CancellationToken,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        // Marks the own place, which has no other name.
        self.token.cancel();
        let mut passing = self.passing.lock().unwrap_or_else(PoisonError::into_inner);
        passing.retain(|other| !other.place.is_cancelled());
    }
}

impl Prefixes {
    /// The product under the prefix of its settings, with room for others.
    pub fn new(portico: Arc<AppState>) -> Self {
        let usual = Mount::new(Arc::clone(&portico));
        Self { portico, usual, others: Mutex::default(), passing: Mutex::default(), told: Once::new() }
    }

    /// The product below a prefix; `None` if the maximum number of others is in use.
    fn cached(&self, base: &str, client: IpAddr) -> Option<Arc<Mount>> {
        let used = Instant::now();
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match others.iter().position(|other| other.base == base) {
            Some(at) => KeptMount { used, ..others.remove(at) },
            None => {
                if others.len() >= MAX_KEPT {
                    let least = least_needed(&others, client, used)?;
                    others.remove(least);
                }
                let mount = Arc::new(Mount::new(self.portico.below(base)));
                KeptMount { base: base.to_owned(), client, mount, used }
            }
        };
        let mount = Arc::clone(&kept.mount);
        others.insert(0, kept);
        Some(mount)
    }

    /// A place for a request under a prefix that is not cached. If all are taken, the client with the most of them
    /// loses its oldest.
    fn place(&self, client: IpAddr) -> Place<'_> {
        let mut passing = self.passing.lock().unwrap_or_else(PoisonError::into_inner);
        if passing.len() >= MAX_PASSING {
            let mut counts: HashMap<IpAddr, usize> = HashMap::new();
            for other in passing.iter() {
                *counts.entry(other.client).or_default() += 1;
            }
            let most = counts.values().copied().max().unwrap_or_default();
            if let Some(at) = passing.iter().position(|other| counts[&other.client] == most) {
                passing.remove(at).place.cancel();
            }
        }
        let token = CancellationToken::new();
        passing.push(PassingRequest { client, place: token.clone() });
        Place { passing: &self.passing, token }
    }

    async fn respond(&self, mut request: Request) -> Response {
        let own = &self.portico.settings.base;
        // A proxy may name the prefix of the settings without removing it, which changes nothing.
        let prefix = self.prefix(request.headers(), request.extensions()).filter(|(prefix, _)| prefix != own);
        let Some((prefix, client)) = prefix else { return self.usual.respond(request).await };
        put_in_front(request.uri_mut(), &prefix);
        let base = format!("{prefix}{own}");
        if let Some(mount) = self.cached(&base, client) {
            return mount.respond(request).await;
        }
        self.told.call_once(|| {
            tracing::warn!(
                "`{HEADER}` names more than {MAX_KEPT} path prefixes at a time: pages under further ones are slower. If \
                 you have no more than that, name your proxies in TRUSTED_PROXIES"
            );
        });
        let place = self.place(client);
        let mount = Mount::new(self.portico.below(&base));
        tokio::select! {
            response = mount.respond(request) => response,
            () = place.token.cancelled() => {
                let reason = "too many requests under path prefixes that are not in use";
                let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, reason);
                error.with_header(header::RETRY_AFTER, HeaderValue::from_static("1")).into_response()
            }
        }
    }

    /// The prefix that a trusted proxy has removed, and the client that asks. Several proxies each add their own prefix,
    /// the outermost first.
    fn prefix(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<(String, IpAddr)> {
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
        let client = self.portico.settings.trusted_proxies.client(peer, headers);
        (!prefix.is_empty() && prefix.len() <= MAX_LENGTH).then_some((prefix, client))
    }
}

/// The prefix that makes room for one of a new client: one that nobody has used for long, or one of a client that keeps
/// more than its share. They are ordered by their last use.
fn least_needed(kept: &[KeptMount], client: IpAddr, now: Instant) -> Option<usize> {
    let owned = |client: IpAddr| kept.iter().filter(|other| other.client == client).count();
    let is_idle = |other: &KeptMount| now.duration_since(other.used) >= IDLE;
    let is_beyond_share = |other: &KeptMount| other.client != client && owned(other.client) > KEPT_FOR_CERTAIN;
    let has_room = owned(client) < KEPT_FOR_CERTAIN;
    kept.iter().rposition(is_idle).or_else(|| kept.iter().rposition(is_beyond_share).filter(|_| has_room))
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
