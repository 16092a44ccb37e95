//! Path prefixes that reverse proxies name: one that takes a prefix off before it passes a request on says so with
//! `X-Forwarded-Prefix`, and everything that a page refers to must have it in front again (behaviour.md 1).

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    extract::{ConnectInfo, Request},
    response::Response,
};
use http::{Extensions, HeaderMap, HeaderName, Uri};
use tower::ServiceExt as _;

use crate::{portico::Portico, settings::path_prefix};

const HEADER: HeaderName = HeaderName::from_static("x-forwarded-prefix");
/// Most prefixes at a time. Each has pages and panels of its own, and people have one or two proxies.
const MOST: usize = 4;
/// Longest prefix, in bytes.
const LONGEST: usize = 200;

/// The routes for each prefix.
pub struct Prefixes {
    portico: Arc<Portico>,
    make: fn(Arc<Portico>) -> Router,
    usual: Router,
    /// Those of proxies, the latest first.
    others: Mutex<Vec<(String, Router)>>,
}

impl Prefixes {
    /// The product under the prefix of its settings, and room for others. `make` gives the routes of one.
    pub fn new(portico: Arc<Portico>, make: fn(Arc<Portico>) -> Router) -> Self {
        Self { usual: make(Arc::clone(&portico)), portico, make, others: Mutex::default() }
    }

    fn routes(&self, base: &str) -> Router {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let known = others.iter().position(|(known, _)| known == base).map(|at| others.remove(at));
        let (base, routes) = known.unwrap_or_else(|| (base.to_owned(), (self.make)(self.portico.below(base))));
        others.insert(0, (base, routes.clone()));
        others.truncate(MOST);
        routes
    }

    async fn answer(&self, mut request: Request) -> Response {
        let own = &self.portico.settings.base;
        let routes = match self.prefix(request.headers(), request.extensions()) {
            // Not taken off but named all the same, as it stands in the settings.
            Some(prefix) if prefix != *own => {
                put_in_front(request.uri_mut(), &prefix);
                self.routes(&format!("{prefix}{own}"))
            }
            _ => self.usual.clone(),
        };
        let Ok(response) = routes.oneshot(request).await;
        response
    }

    /// The prefix that a trusted proxy has taken off. Of several proxies each adds its own, the outermost first.
    fn prefix(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<String> {
        let mut values = headers.get_all(HEADER).iter().peekable();
        values.peek()?;
        let peer = extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip().to_canonical();
        if !self.portico.settings.trusted_proxies.cover(peer) {
            return None;
        }
        let mut prefix = String::new();
        for value in values {
            for part in value.to_str().ok()?.split(',') {
                prefix += &path_prefix(part.trim())?;
            }
        }
        (!prefix.is_empty() && prefix.len() <= LONGEST).then_some(prefix)
    }
}

impl From<Prefixes> for Router {
    fn from(prefixes: Prefixes) -> Self {
        let prefixes = Arc::new(prefixes);
        Self::new().fallback(move |request: Request| {
            let prefixes = Arc::clone(&prefixes);
            async move { prefixes.answer(request).await }
        })
    }
}

fn put_in_front(uri: &mut Uri, prefix: &str) {
    let mut parts = uri.clone().into_parts();
    let rest = parts.path_and_query.as_ref().map_or("/", |path| path.as_str());
    parts.path_and_query = format!("{prefix}{rest}").parse().ok();
    if let Ok(longer) = Uri::from_parts(parts) {
        *uri = longer;
    }
}
