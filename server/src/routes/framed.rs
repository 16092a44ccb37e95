//! `GET /framed?url=…`: the first document in the frames of the pop-up and of the workspace view. It redirects to the
//! address, or says that the site does not allow frames, and offers a new tab (docs/spec/behavior.md 4).
//!
//! It accepts only addresses of items that the viewer sees. Otherwise anybody could write a link that makes this server
//! send requests and redirects people anywhere.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use app::{document, fallback::Unframed};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use config::{Viewer, model::item::Item};
use http::{HeaderValue, StatusCode, header, request::Parts};
use languages::{Locale, fill, t};
use quick_cache::unsync::Cache;
use tokio::{
    sync::OnceCell,
    time::{Instant, timeout},
};
use url::{Host, Url, form_urlencoded};
use widgets::Framing;

use super::{
    api::{is_cross_site, is_from_own_page},
    app_state::AppState,
    error::ApiError,
    known_hosts, language, pages,
    peer::peer,
    status_check::visible_files,
};
use crate::{
    access::{self, BrowserLocation},
    http_client::{HttpClient, HttpRequest, PrivateReach, Purpose},
    platform::blocking_pool,
};

/// The timeout for the request to the site.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long the frame waits for it. After that, the site is shown in any case.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How long a result is kept.
const LIFE: Duration = Duration::from_secs(600);
/// Maximum number of results that are kept.
const MAX_KEPT: usize = 256;

/// The results by address. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Framings(Arc<Mutex<Cache<FramingQuery, (Instant, Pending)>>>);

impl Default for Framings {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Cache::new(MAX_KEPT))))
    }
}

/// The address, and whether it may be in the private network.
type FramingQuery = (String, bool);

/// The response of a site and the origin that sent it, once it is there; `None` if the site does not respond.
type Pending = Arc<OnceCell<Option<(Framing, String)>>>;

impl Framings {
    /// The response of a site, requested once for all who wait for it. `None` if it does not respond in time.
    async fn of(&self, asked: FramingQuery, http_client: &HttpClient) -> Option<(Framing, String)> {
        let pending = self.pending(&asked);
        let http_client = http_client.clone();
        // In its own task: the result is useful for the next viewer, even if this one has not waited for it.
        let looking =
            tokio::spawn(async move { pending.get_or_init(|| fetch_framing(asked, http_client)).await.clone() });
        timeout(PATIENCE, looking).await.ok()?.ok()?
    }

    fn pending(&self, asked: &FramingQuery) -> Pending {
        let now = Instant::now();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, pending)) = kept.get(asked)
            && now.duration_since(*since) < LIFE
        {
            return Arc::clone(pending);
        }
        let pending = Pending::default();
        kept.insert(asked.clone(), (now, Arc::clone(&pending)));
        pending
    }
}

/// Requests the headers of a site. A site that does not respond to the server may still respond to the browser.
async fn fetch_framing((url, may_be_private): FramingQuery, http_client: HttpClient) -> Option<(Framing, String)> {
    let request = HttpRequest {
        timeout: TIMEOUT,
        private_reach: if may_be_private { PrivateReach::OwnHost } else { PrivateReach::Nowhere },
        ..HttpRequest::get(Purpose::Lookup, &url)
    };
    let reply = http_client.send_headers_only(request).await.ok()?;
    let values = |name: &str| -> Vec<String> {
        let values = reply.headers.get_all(name).iter();
        values.filter_map(|value| value.to_str().ok()).map(str::to_owned).collect()
    };
    let (policies, options) = (values("content-security-policy"), values("x-frame-options"));
    let framing = Framing::of(policies.iter().map(String::as_str), options.iter().map(String::as_str));
    Some((framing, reply.final_url.origin().ascii_serialization()))
}

/// Redirects a frame to the address of an item, or says why it cannot be shown there.
pub async fn framed(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    let viewer = match access::viewer(&request.extensions) {
        Ok(Viewer::Anonymous) => return ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized").into_response(),
        Ok(viewer) => viewer,
        Err(denied) => return denied.into_response(),
    };
    if is_cross_site(&request) {
        return ApiError::new(StatusCode::FORBIDDEN, "Forbidden - the request comes from a page of another site")
            .into_response();
    }
    let query = request.uri.query().unwrap_or_default();
    let wanted = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "url");
    let wanted = wanted.and_then(|(_, value)| Url::parse(&value).ok());
    let Some(url) = wanted.filter(|url| matches!(url.scheme(), "http" | "https")) else {
        return ApiError::bad_request("`url` must be an address that begins with http or https").into_response();
    };
    let Some(may_be_private) = named(&portico, &viewer, &url).await else {
        return ApiError::new(StatusCode::NOT_FOUND, "no item of this dashboard has that address").into_response();
    };
    let browser = BrowserLocation::of(
        &portico.settings,
        &request.headers,
        &request.uri,
        &request.extensions,
        peer(&request.extensions),
    );
    let locale = language::of(&portico.store.site(), &request.headers);
    if browser.secure && url.scheme() == "http" && !is_local(&url) {
        let reason = "This dashboard uses HTTPS and this address does not, so browsers do not show it here.";
        return unframed(portico, url, locale, move |_| t(reason).to_owned()).await;
    }
    // Without this question, the site is shown as if it had not answered in time.
    let may_ask = known_hosts::may_send(&request.extensions) && is_from_own_page(&request);
    let said = if may_ask {
        portico.framings.of((url.as_str().to_owned(), may_be_private), &portico.http_client).await
    } else {
        None
    };
    match said {
        Some((framing, own)) if !framing.allows(&browser.origin, &own) => {
            let reason = |url: &Url| {
                let host = url.host_str().unwrap_or_default();
                fill("{host} does not allow other pages to show it.", &[("host", host)])
            };
            unframed(portico, url, locale, reason).await
        }
        _ => leading_to(&url),
    }
}

/// Browsers allow pages with HTTPS to show what their own machine serves.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// `None` if no item that the viewer sees has this address; otherwise whether it may be in the private network. A page
/// from another host may only use private addresses of that host.
async fn named(portico: &AppState, viewer: &Viewer, url: &Url) -> Option<bool> {
    let is_meant = |written: &Option<String>| {
        written.as_deref().is_some_and(|written| Url::parse(written).is_ok_and(|written| written == *url))
    };
    let leads_there = |item: &Item| {
        is_meant(&item.url)
            || is_meant(&item.local_url)
            || item.sub_items.iter().any(|item| is_meant(&item.url) || is_meant(&item.local_url))
    };
    let mut found = None;
    for file in visible_files(portico, viewer) {
        let addresses = portico.item_addresses.of(&file).await;
        let is_named = addresses.items_at(url, &file.config, viewer).any(&leads_there);
        if is_named || is_meant(&file.config.app.workspace_landing_url) {
            let may_be_private = file.host.as_deref().is_none_or(|host| url.host_str() == Some(host));
            found = Some(found.unwrap_or(false) || may_be_private);
        }
    }
    found
}

fn leading_to(url: &Url) -> Response {
    let Ok(location) = HeaderValue::from_str(url.as_str()) else {
        return ApiError::bad_request("`url` cannot be sent on").into_response();
    };
    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (StatusCode::FOUND, headers).into_response()
}

/// The document that is shown instead of the site, rendered beside the threads that serve requests.
async fn unframed(
    portico: Arc<AppState>,
    url: Url,
    locale: Locale,
    reason: impl FnOnce(&Url) -> String + Send + 'static,
) -> Response {
    let render = move || {
        languages::with_locale(&locale, || {
            let page = Unframed { reason: reason(&url), address: url.into() };
            let (themes, inline) = pages::static_look(&portico);
            let html = document::unframed(page, themes, portico.assets.page());
            let mut response = pages::own_page(&portico, html, &inline);
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        })
    };
    blocking_pool::compute(render).await.unwrap_or_else(|error| ApiError::internal(&error).into_response())
}
