//! A rendered page: its constant part, and the panels that are inserted for each response.
//!
//! Inserting panels and compressing take milliseconds, so a body is kept until one of its panels looks different.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use languages::Locale;
use tokio::sync::OnceCell;

use super::{
    dots::{self, Dot},
    times,
};
use crate::{
    panels::{CachedPanel, Panels, Pieces, PlannedWidget, Slots},
    platform::{
        assets::etag,
        blocking_pool,
        encoding::{EncodedBody, Encoding},
    },
    routes::{app_state::AppState, headers::is_unchanged, known_hosts, language},
    status::ServiceState,
};

/// Maximum number of cached bodies of one page: there are several if panels depend on the language.
const MAX_BODIES: usize = 4;
/// Large pages have fewer: this many bytes, but always one.
const MAX_BODIES_BYTES: usize = 512 * 1024;
/// What a page takes beside its HTML, in bytes.
const PER_PAGE: usize = 4 * 1024;

/// How a panel is taken from the cache: [`Panels::cached`] or [`Panels::cached_without_refresh`].
type FromCache = fn(&Panels, &Arc<PlannedWidget>, Option<&str>, bool) -> Option<CachedPanel>;

/// A rendered page.
#[derive(Debug)]
pub struct Rendered {
    status: StatusCode,
    /// All headers except the encoding, the length and the tag.
    headers: HeaderMap,
    /// The page without its panels, if it has any.
    pieces: Option<Pieces>,
    /// The language of the page.
    locale: Locale,
    /// Whether its viewers may write the config.
    is_admin: bool,
    /// The status dots, whose states are inserted too.
    dots: Vec<Dot>,
    /// After how many seconds it looks different because of its clocks.
    clock_period: Option<u64>,
    /// The name of this version of the page in the markup.
    version: String,
    /// The length of the HTML without its panels, in bytes.
    length: usize,
    /// The last bodies, by the stamps of their panels.
    bodies: Mutex<Vec<(u64, Pending<Body>)>>,
}

/// Complete, in progress, or new.
type Pending<T> = Arc<OnceCell<Arc<T>>>;

/// A page that is ready to be sent.
#[derive(Debug)]
struct Body {
    /// `None` for a page that reports a failure.
    etag: Option<HeaderValue>,
    bytes: EncodedBody,
}

/// Responds with a page and its current panels, and refreshes those that are stale.
pub(super) async fn respond(portico: &AppState, rendered: Arc<Rendered>, asker: &Parts) -> Response {
    let (encoding, request) = (Encoding::accepted(&asker.headers), &asker.headers);
    let from_cache: FromCache =
        if known_hosts::may_send(&asker.extensions) { Panels::cached } else { Panels::cached_without_refresh };
    let panels = rendered.cached_panels(portico, request, from_cache);
    let states = rendered.states(portico);
    let now = portico.access_control.clock.now();
    let slot = rendered.body(&panels, &states, now);
    let body = slot.get_or_init(|| async {
        let rendered = Arc::clone(&rendered);
        let assemble = move || {
            let body = rendered.assembled(&panels, &states, now);
            body.bytes.get(encoding);
            body.bytes.drop_uncompressed();
            Arc::new(body)
        };
        blocking_pool::compute(assemble).await.unwrap_or_else(|_| Arc::new(Body::panicked()))
    });
    let body = Arc::clone(body.await);
    let mut headers = rendered.headers.clone();
    if let Some(etag) = &body.etag {
        headers.insert(header::ETAG, etag.clone());
        if is_unchanged(request, etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
    }
    let (bytes, encoding) = EncodedBody::encoded(&body, |body| &body.bytes, encoding).await;
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (rendered.status, headers, bytes).into_response()
}

impl Rendered {
    /// A page without panels, in the current language of this thread.
    pub(super) fn new(
        portico: &AppState,
        status: StatusCode,
        html: String,
        styles: &[String],
        connect: &[String],
    ) -> Self {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, language::vary(language::follows_browser(&portico.store.site())));
        headers.insert(header::CONTENT_SECURITY_POLICY, portico.policy.header(styles, connect));
        let length = html.len();
        let body = OnceCell::new_with(Some(Arc::new(Body::new(html, status.is_success()))));
        Self {
            status,
            headers,
            pieces: None,
            locale: languages::current_locale(),
            is_admin: false,
            dots: Vec::new(),
            clock_period: None,
            version: String::new(),
            length,
            bodies: Mutex::new(vec![(0, Arc::new(body))]),
        }
    }

    /// The same page with the name of this version in its markup.
    pub(super) fn with_version(self, version: String) -> Self {
        Self { version, ..self }
    }

    /// The same page with the dots in its markup.
    pub(super) fn with_dots(mut self, dots: Vec<Dot>) -> Self {
        if self.pieces.is_none() && !dots.is_empty() {
            let html = self.body(&[], &[], 0).get().map(|body| body.bytes.plain()).unwrap_or_default();
            self.pieces = Some(Pieces::of(&String::from_utf8_lossy(&html), &[]));
            self.bodies = Mutex::default();
        }
        self.dots = dots;
        self
    }

    /// The dots, in the order of the page.
    pub fn dots(&self) -> &[Dot] {
        &self.dots
    }

    /// How much memory it takes at most, in bytes: its HTML, and the bodies with their compressed forms, which are smaller.
    pub(super) fn size(&self) -> usize {
        let bodies = if self.pieces.is_some() { self.max_bodies() } else { 1 };
        let html = if self.pieces.is_some() { self.length } else { 0 };
        PER_PAGE + html + bodies * (EncodedBody::size_of(self.length) + PER_PAGE)
    }

    fn max_bodies(&self) -> usize {
        (MAX_BODIES_BYTES / self.length.max(1)).clamp(1, MAX_BODIES)
    }

    /// The name of this version of the page in the markup.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The same page with the slots in its markup. Admins see errors that others do not.
    pub(super) fn with_slots(mut self, slots: &Slots, is_admin: bool) -> Self {
        self.is_admin = is_admin;
        let html = self.body(&[], &[], 0).get().map(|body| body.bytes.plain()).unwrap_or_default();
        let pieces = Pieces::of(&String::from_utf8_lossy(&html), &slots.looked_up);
        self.clock_period = times::clock_period(&String::from_utf8_lossy(&html));
        if !pieces.slots().is_empty() || self.clock_period.is_some() {
            self.pieces = Some(pieces);
            self.bodies = Mutex::default();
        }
        self
    }

    /// The page for a client that does not wait for panels.
    pub(super) fn at_once(self) -> Response {
        let bytes = match &self.pieces {
            Some(pieces) => Bytes::from(pieces.with(&[], 0)),
            None => self.body(&[], &[], 0).get().map(|body| body.bytes.plain()).unwrap_or_default(),
        };
        (self.status, self.headers, bytes).into_response()
    }

    /// The HTML with the cached panels and states of services. Sends no requests.
    pub(super) fn html_now(&self, portico: &AppState, request: &HeaderMap) -> String {
        let (panels, states) =
            (self.cached_panels(portico, request, Panels::cached_without_refresh), self.states(portico));
        let now = portico.access_control.clock.now();
        let bytes = match &self.pieces {
            Some(_) => self.assembled(&panels, &states, now).bytes.plain(),
            None => self.body(&[], &[], 0).get().map(|body| body.bytes.plain()).unwrap_or_default(),
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The same page with another body, which is final.
    pub(super) fn with_html(&self, html: String) -> Self {
        let length = html.len();
        let body = OnceCell::new_with(Some(Arc::new(Body::new(html, self.status.is_success()))));
        Self {
            status: self.status,
            headers: self.headers.clone(),
            pieces: None,
            locale: self.locale.clone(),
            is_admin: self.is_admin,
            dots: Vec::new(),
            clock_period: None,
            version: self.version.clone(),
            length,
            bodies: Mutex::new(vec![(0, Arc::new(body))]),
        }
    }

    /// The current panels of this page.
    fn cached_panels(
        &self,
        portico: &AppState,
        request: &HeaderMap,
        from_cache: FromCache,
    ) -> Vec<Option<CachedPanel>> {
        let Some(pieces) = &self.pieces else { return Vec::new() };
        let locale = self.locale.format_tag(language::of_browser(request));
        pieces.slots().iter().map(|planned| from_cache(&portico.panels, planned, Some(locale), self.is_admin)).collect()
    }

    /// Those of these figures that have changed within the last `age`, as the data of an event.
    pub fn figures_since(
        &self,
        portico: &AppState,
        request: &HeaderMap,
        planned: &[Arc<PlannedWidget>],
        age: Duration,
    ) -> Option<String> {
        let locale = self.locale.format_tag(language::of_browser(request));
        languages::with_locale(&self.locale, || portico.panels.figures_since(planned, age, Some(locale), self.is_admin))
    }

    /// The widgets that the server looks up, and the figures of tiles.
    pub fn widgets(&self) -> &[Arc<PlannedWidget>] {
        self.pieces.as_ref().map(Pieces::slots).unwrap_or_default()
    }

    /// The states of the services behind the dots.
    fn states(&self, portico: &AppState) -> Vec<ServiceState> {
        let states = portico.checker.states(self.dots.iter().map(|dot| dot.wanted.id));
        states.into_iter().map(|(state, _)| state).collect()
    }

    /// The place of the body with these panels and states, `now` in seconds since 1970.
    fn body(&self, panels: &[Option<CachedPanel>], states: &[ServiceState], now: u64) -> Pending<Body> {
        let stamp = stamp(panels, states, self.clock_period.map(|period| now / period));
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, body)) = bodies.iter().find(|(known, _)| *known == stamp) {
            return Arc::clone(body);
        }
        if bodies.len() >= self.max_bodies() {
            bodies.remove(0);
        }
        let body = Arc::default();
        bodies.push((stamp, Arc::clone(&body)));
        body
    }

    fn assembled(&self, panels: &[Option<CachedPanel>], states: &[ServiceState], now: u64) -> Body {
        match &self.pieces {
            Some(pieces) => {
                let html = languages::with_locale(&self.locale, || {
                    let html = pieces.with(panels, now);
                    if self.dots.is_empty() { html } else { dots::with_states(&html, &self.dots, states) }
                });
                Body::new(times::with_texts(&html, now, &self.locale), self.status.is_success())
            }
            None => Body::panicked(),
        }
    }

    /// The response for a page whose rendering panicked.
    pub(super) fn panicked() -> Self {
        let body = OnceCell::new_with(Some(Arc::new(Body::panicked())));
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            headers: HeaderMap::new(),
            pieces: None,
            locale: Locale::default(),
            is_admin: false,
            dots: Vec::new(),
            clock_period: None,
            version: String::new(),
            length: 0,
            bodies: Mutex::new(vec![(0, Arc::new(body))]),
        }
    }
}

impl Body {
    fn new(html: String, is_success: bool) -> Self {
        // Weak, because it is the same for all encodings of the page.
        let strong = etag(html.as_bytes());
        let etag = HeaderValue::from_str(&format!("W/{}", strong.to_str().unwrap_or("\"\""))).unwrap_or(strong);
        Self { etag: is_success.then_some(etag), bytes: EncodedBody::new(Bytes::from(html)) }
    }

    fn panicked() -> Self {
        let sentence = Bytes::from_static(b"the page could not be rendered, see the server's log\n");
        Self { etag: None, bytes: EncodedBody::new(sentence) }
    }
}

/// A hash of the panels, the states and the time on the clocks; 0 if there are none. The age of the panels is not part of
/// it: a body is rebuilt only when the page looks different.
fn stamp(panels: &[Option<CachedPanel>], states: &[ServiceState], minute: Option<u64>) -> u64 {
    if panels.is_empty() && states.is_empty() && minute.is_none() {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    for panel in panels {
        let shown = panel
            .as_ref()
            .map(|CachedPanel { response, .. }| (response.state.word(), response.version, &response.note));
        shown.hash(&mut hasher);
    }
    (states, minute).hash(&mut hasher);
    hasher.finish()
}
