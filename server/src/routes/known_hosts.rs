//! Under which names this server accepts changes, and contacts other hosts, while nobody has to sign in.
//!
//! Any web page can have its own name resolve to an address of a private network (DNS rebinding). The browser then
//! takes this server for a part of that site, and lets the page's scripts read and change whatever the visitor may.
//! While sign-in is on, that is harmless: the session's cookie belongs to another name. While everything is open, the
//! name in the request is all that distinguishes such a page from ours. So a dashboard without sign-in shows its page
//! under any name, but only under names that no stranger can have does it accept changes, return config files, or
//! contact anybody: under other names, a page shows the panels, icons and states that are known already.

use axum::extract::Request;
use http::{Extensions, HeaderMap, StatusCode, Uri, header, uri::Authority};

use crate::{
    access::Encrypted,
    routes::{app_state::AppState, error::ApiError, peer::peer},
    settings::{Settings, UnknownHost, known_host},
};

/// Server functions that are called with POST and change nothing.
const READING_FUNCTIONS: [&str; 2] = ["/fn/panel-by-browser", "/fn/session"];

impl From<UnknownHost> for ApiError {
    fn from(unknown: UnknownHost) -> Self {
        let reason = format!("Forbidden - {unknown}");
        let advice = if unknown.name().is_some() { "; or turn on sign-in, or use HTTPS" } else { "" };
        Self::new(StatusCode::FORBIDDEN, reason + advice)
    }
}

/// Marks a request that came under an unknown name while everything is open.
pub fn note(portico: &AppState, request: &mut Request) {
    if portico.access_control.is_open(&portico.store.site()) {
        let (headers, extensions) = (request.headers(), request.extensions());
        if let Some(unknown) = unknown_host(&portico.settings, headers, request.uri(), extensions) {
            request.extensions_mut().insert(unknown);
        }
    }
}

/// Refuses a request that came under an unknown name and changes anything. Its path is below the
/// path prefix.
///
/// # Errors
///
/// As [`check`].
pub fn check_change(request: &Request) -> Result<(), ApiError> {
    let changes = !request.method().is_safe() && !READING_FUNCTIONS.contains(&request.uri().path());
    if changes { check(request.extensions()) } else { Ok(()) }
}

/// Whether a request may make this server contact other hosts.
pub fn may_send(request: &Extensions) -> bool {
    request.get::<UnknownHost>().is_none()
}

/// Admits a request that came under a known name, or to a server that is not open to everyone.
///
/// # Errors
///
/// 403 with the environment variable that fixes it.
pub fn check(request: &Extensions) -> Result<(), ApiError> {
    request.get::<UnknownHost>().cloned().map_or(Ok(()), |unknown| Err(unknown.into()))
}

/// The first unknown name in a request; `None` if all are known, or if the browser uses HTTPS: anyone who rebinds a
/// name has no certificate that this server could show for it.
fn unknown_host(settings: &Settings, headers: &HeaderMap, uri: &Uri, extensions: &Extensions) -> Option<UnknownHost> {
    if is_surely_https(settings, headers, extensions) {
        return None;
    }
    // Proxies may send one name in `X-Forwarded-Host` and another in `Host`, and a client that sends several names may
    // mean any of them. Programs that send no host are not browsers.
    let forwarded = headers.get_all("x-forwarded-host").iter().map(|value| value.to_str().unwrap_or("\0"));
    let forwarded = forwarded.flat_map(|names| names.split(',')).filter(|name| !name.trim().is_empty());
    let direct = headers.get_all(header::HOST).iter().map(|value| value.to_str().unwrap_or("\0"));
    let authority = uri.authority().map(Authority::as_str);
    authority.into_iter().chain(direct).chain(forwarded).find_map(|name| known_host(settings, name).err())
}

/// Whether the browser uses HTTPS, to us or to a trusted proxy in front of us. With the default list of proxies, any
/// browser in the private network can claim that too.
pub fn is_https(settings: &Settings, headers: &HeaderMap, extensions: &Extensions) -> bool {
    let first = headers.get("x-forwarded-proto").and_then(|schemes| schemes.to_str().ok()?.split(',').next());
    extensions.get::<Encrypted>().is_some() || first.is_some_and(is_the_word_https) && is_proxied(settings, extensions)
}

/// Like [`is_https`], but no page in a browser can fake it. A script may set `X-Forwarded-Proto`, but neither
/// `Origin` nor `Sec-Fetch-Site`; browsers send the latter to HTTPS and to localhost only.
fn is_surely_https(settings: &Settings, headers: &HeaderMap, extensions: &Extensions) -> bool {
    if extensions.get::<Encrypted>().is_some() {
        return true;
    }
    if !is_https(settings, headers, extensions) {
        return false;
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let by_origin = origins.next().is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let by_browser = by_origin && origins.next().is_none() || headers.contains_key("sec-fetch-site");
    // A named proxy is trusted, unless it only appends to what the browser sent.
    let schemes = headers.get_all("x-forwarded-proto").iter();
    let mut schemes = schemes.flat_map(|value| value.to_str().unwrap_or_default().split(','));
    by_browser || settings.trusted_proxies.are_named() && schemes.all(is_the_word_https)
}

fn is_the_word_https(scheme: &str) -> bool {
    scheme.trim().eq_ignore_ascii_case("https")
}

fn is_proxied(settings: &Settings, extensions: &Extensions) -> bool {
    peer(extensions).is_some_and(|peer| settings.trusted_proxies.cover(peer))
}
