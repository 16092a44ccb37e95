//! Which names this server answers to while nobody has to sign in.
//!
//! Any web page can have its own name resolve to an address of a private network (DNS rebinding). The browser then takes
//! this server for a part of that site, and lets the page's scripts read and change whatever its visitor may. While
//! sign-in is on, that is nothing: the session's cookie belongs to another name. While everything is open, the name in
//! the request is all that tells such a page from ours. So a dashboard without sign-in shows its page under any name,
//! but takes changes, and hands out config files, under names that no stranger can have.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{Extensions, HeaderMap, StatusCode, Uri, header, uri::Authority};
use url::{Host, Url};

use crate::{
    access::Encrypted,
    http_client::{HostRule, HostRuleError},
    routes::{error::ApiError, portico::Portico},
    settings::Settings,
};

/// The variable that names further hosts.
pub const VARIABLE: &str = "ALLOWED_HOSTS";

/// Names that are resolved inside of a private network or not at all (RFC 6761, 6762, 8375, and the names that routers
/// give out). No stranger can have one.
const PRIVATE_SUFFIXES: [&str; 7] =
    [".local", ".lan", ".home", ".internal", ".home.arpa", ".localdomain", ".localhost"];

/// Server functions that are called with POST and change nothing.
const READING_FUNCTIONS: [&str; 2] = ["/fn/panel-by-browser", "/fn/session"];

/// The hosts of `ALLOWED_HOSTS`.
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts {
    rules: Vec<HostRule>,
    /// As it was written.
    text: String,
}

impl AllowedHosts {
    /// Reads names with commas between them, such as `dash.example.com,*.home.example`.
    ///
    /// # Errors
    ///
    /// The first entry that is not a host.
    pub fn read(list: &str) -> Result<Self, HostRuleError> {
        let words = list.split([',', ' ']).filter(|word| !word.is_empty());
        let rules = words.map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self { rules, text: list.trim().trim_end_matches(',').to_owned() })
    }

    /// Whether a name is one of them. It must be in lower case and without a dot at the end.
    pub fn contain(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| rule.matches_name(name))
    }
}

/// A name in a request that this server does not know, put into the request by [`note`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownHost {
    /// The name in lower case; none if it is not a host name at all.
    name: Option<String>,
    /// The value of `ALLOWED_HOSTS` that would make it known.
    value: String,
}

impl UnknownHost {
    /// The name in lower case; none if it is not a host name at all.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl fmt::Display for UnknownHost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(
                formatter,
                "`{name}` is not a known name of this server. If it is yours, set the environment variable \
                 {VARIABLE}={} and restart the server",
                self.value
            ),
            None => write!(formatter, "the request names no valid host"),
        }
    }
}

impl From<UnknownHost> for ApiError {
    fn from(unknown: UnknownHost) -> Self {
        let reason = format!("Forbidden - {unknown}");
        let advice = if unknown.name.is_some() { "; or turn on sign-in, or use HTTPS" } else { "" };
        Self::new(StatusCode::FORBIDDEN, reason + advice)
    }
}

/// Notes in each request whether it came under an unknown name while everything is open.
pub async fn note(State(portico): State<Arc<Portico>>, mut request: Request, next: Next) -> Response {
    if portico.gate.is_open(&portico.store.site()) {
        let (headers, extensions) = (request.headers(), request.extensions());
        if let Some(unknown) = unknown_host(&portico.settings, headers, request.uri(), extensions) {
            request.extensions_mut().insert(unknown);
        }
    }
    next.run(request).await
}

/// Refuses requests under an unknown name that change something, whatever they are.
pub async fn refuse_changes(State(portico): State<Arc<Portico>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let path = path.strip_prefix(portico.settings.base.as_str()).unwrap_or(path);
    let changes = !request.method().is_safe() && !READING_FUNCTIONS.contains(&path);
    match check(request.extensions()) {
        Err(error) if changes => error.into_response(),
        _ => next.run(request).await,
    }
}

/// Lets a request pass that came under a known name, or to a server that is not open to everybody.
///
/// # Errors
///
/// 403 with the line of environment that mends it.
pub fn check(request: &Extensions) -> Result<(), ApiError> {
    request.get::<UnknownHost>().cloned().map_or(Ok(()), |unknown| Err(unknown.into()))
}

/// The first name in a request that is not known; none if all are, or if the browser uses HTTPS: whoever rebinds a name
/// has no certificate that this server could show for it.
fn unknown_host(settings: &Settings, headers: &HeaderMap, uri: &Uri, extensions: &Extensions) -> Option<UnknownHost> {
    if is_surely_https(settings, headers, extensions) {
        return None;
    }
    // Proxies may say one name in `X-Forwarded-Host` and another in `Host`, and whoever sends more than one name may
    // mean any of them. Programs that name no host are not browsers.
    let forwarded = headers.get_all("x-forwarded-host").iter().map(|value| value.to_str().unwrap_or("\0"));
    let forwarded = forwarded.flat_map(|names| names.split(',')).filter(|name| !name.trim().is_empty());
    let direct = headers.get_all(header::HOST).iter().map(|value| value.to_str().unwrap_or("\0"));
    let authority = uri.authority().map(Authority::as_str);
    authority.into_iter().chain(direct).chain(forwarded).find_map(|name| known_host(settings, name).err())
}

/// The host of an authority such as `nas.lan:8080`, if this server knows it by its settings or by its kind.
///
/// # Errors
///
/// What is wrong with it.
pub fn known_host(settings: &Settings, authority: &str) -> Result<Host, UnknownHost> {
    let invalid = UnknownHost { name: None, value: String::new() };
    let parsed = authority.trim().parse::<Authority>().ok();
    let host = parsed.and_then(|authority| Host::parse(authority.host()).ok()).ok_or(invalid.clone())?;
    let Host::Domain(domain) = &host else { return Ok(host) };
    let name = domain.strip_suffix('.').unwrap_or(domain).to_owned();
    if name.is_empty() {
        return Err(invalid);
    }
    let own = settings.public_origin.as_deref().and_then(|origin| Url::parse(origin).ok());
    let own = own.as_ref().and_then(Url::host_str).map(|own| own.strip_suffix('.').unwrap_or(own));
    let is_private = !name.contains('.') || PRIVATE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix));
    let allowed = &settings.allowed_hosts;
    if is_private || own == Some(name.as_str()) || allowed.contain(&name) {
        return Ok(Host::Domain(name));
    }
    let value = if allowed.text.is_empty() { name.clone() } else { format!("{},{name}", allowed.text) };
    Err(UnknownHost { name: Some(name), value })
}

/// Whether the browser uses HTTPS, to us or to a trusted proxy in front of us. With the default list of proxies any
/// browser of the private network can say so too.
pub fn is_https(settings: &Settings, headers: &HeaderMap, extensions: &Extensions) -> bool {
    let first = headers.get("x-forwarded-proto").and_then(|schemes| schemes.to_str().ok()?.split(',').next());
    extensions.get::<Encrypted>().is_some() || first.is_some_and(is_the_word_https) && is_proxied(settings, extensions)
}

/// As [`is_https`], and no page in a browser can have made it up. A script may set `X-Forwarded-Proto`, but neither
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
    // What a named proxy says is true, unless it only adds to what the browser said.
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

fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip().to_canonical())
}

#[cfg(test)]
mod tests {
    use super::{AllowedHosts, known_host};
    use crate::settings::Settings;

    #[test]
    fn names_that_no_stranger_can_have_are_known() {
        let settings = Settings {
            allowed_hosts: AllowedHosts::read("dash.example.com, *.home.example").unwrap(),
            public_origin: Some("https://Own.Example:8443".to_ascii_lowercase()),
            ..Settings::default()
        };
        for (authority, expected) in [
            ("localhost:8080", true),
            ("LOCALHOST", true),
            ("app.localhost", true),
            ("nas", true),
            ("NAS:8080", true),
            ("nas.", true),
            ("nas.local", true),
            ("nas.LAN.:80", true),
            ("a.b.home.arpa", true),
            ("box.internal", true),
            ("box.home", true),
            ("box.localdomain", true),
            ("192.168.1.4:8080", true),
            ("203.0.113.7", true),
            ("[fd00::1]:8080", true),
            ("[::1]", true),
            ("0x7f.1", true),
            ("dash.example.com", true),
            ("Dash.Example.Com.:8080", true),
            ("x.home.example", true),
            ("own.example", true),
            ("home.example", false),
            ("xhome.example", false),
            ("evil.example", false),
            ("dash.example.com.evil.example", false),
            ("192.168.1.4.evil.example", false),
            ("local.evil.example", false),
            ("notlocal.example", false),
            ("evil.example:80:80", false),
            ("nas@evil.example", false),
            ("nas, evil.example", false),
            ("evil%2eexample", false),
            (".", false),
            ("", false),
            ("\0", false),
            ("nas/evil", false),
        ] {
            assert_eq!(known_host(&settings, authority).is_ok(), expected, "{authority}");
        }
    }

    #[test]
    fn the_refusal_says_the_whole_line() {
        let unknown = |list: &str| {
            let settings = Settings { allowed_hosts: AllowedHosts::read(list).unwrap(), ..Settings::default() };
            known_host(&settings, "Dash.Example.com:8080").unwrap_err().to_string()
        };
        assert!(unknown("").contains("ALLOWED_HOSTS=dash.example.com "), "{}", unknown(""));
        assert!(unknown("a.example,").contains("ALLOWED_HOSTS=a.example,dash.example.com "));
        assert!(AllowedHosts::read("https://dash.example.com/").is_err());
    }
}
