//! The public address of this server, and the page to return to after sign-in.
//!
//! The proxy headers `X-Forwarded-Proto` and `X-Forwarded-Host` are accepted only from trusted proxies
//! (`TRUSTED_PROXIES`). Even then they affect only the cookies and redirects of the browser that sent them, and the
//! identity provider compares the redirect address with the registered one.

use std::net::IpAddr;

use http::{Extensions, HeaderMap, Uri, header, request::Parts};
use url::Url;

use crate::settings::Settings;

/// Added to the request by the TLS listener.
#[derive(Clone, Copy, Debug)]
pub struct Encrypted;

/// Maximum length of a path that someone is redirected back to, in bytes.
const MAX_PATH_LENGTH: usize = 2048;

/// The address that the browser uses.
#[derive(Clone, Debug)]
pub(crate) struct BrowserLocation {
    /// Whether the browser speaks HTTPS, to us or to a proxy in front of us.
    pub secure: bool,
    /// Scheme, host and port, for example `https://dash.example`.
    pub origin: String,
}

impl BrowserLocation {
    /// The place of a request from `peer`, the other end of the connection.
    pub(crate) fn of(
        settings: &Settings,
        headers: &HeaderMap,
        uri: &Uri,
        extensions: &Extensions,
        peer: Option<IpAddr>,
    ) -> Self {
        if let Some(origin) = &settings.public_origin {
            return Self { secure: origin.starts_with("https:"), origin: origin.clone() };
        }
        let first = |name: &str| {
            let value = headers.get(name)?.to_str().ok()?.split(',').next()?.trim();
            (!value.is_empty()).then_some(value)
        };
        // The first of several entries is that of the outermost proxy, which the browser talks to.
        let is_proxied = peer.is_some_and(|peer| settings.trusted_proxies.cover(peer));
        let forwarded = |name: &str| first(name).filter(|_| is_proxied);
        let encrypted = forwarded("x-forwarded-proto").map(|scheme| scheme.eq_ignore_ascii_case("https"));
        let secure = encrypted.unwrap_or_else(|| extensions.get::<Encrypted>().is_some());
        let host = forwarded("x-forwarded-host")
            .or_else(|| first(header::HOST.as_str()))
            .or_else(|| uri.authority().map(|authority| authority.as_str()))
            .unwrap_or("localhost");
        let scheme = if secure { "https" } else { "http" };
        let origin = Url::parse(&format!("{scheme}://{host}")).map_or_else(
            |_| format!("{scheme}://localhost"),
            // Without the default port, and only if it is a valid host.
            |address| address.origin().ascii_serialization(),
        );
        Self { secure, origin }
    }
}

/// The path to redirect someone back to, if it is one of ours: it begins with the path prefix, stays on this host
/// however a browser parses it, and is not a step of signing in or out. Anything else becomes the start page.
pub(crate) fn own_path(wanted: Option<&str>, base: &str) -> String {
    let start = || format!("{base}/");
    let Some(wanted) = wanted.filter(|path| path.len() <= MAX_PATH_LENGTH && path.starts_with('/')) else {
        return start();
    };
    // Browsers treat a backslash as a slash, and drop line breaks and tabs.
    if wanted.starts_with("//") || wanted.contains(|character: char| character == '\\' || character.is_control()) {
        return start();
    }
    let here = "http://here.invalid";
    let Ok(address) = Url::parse(here).and_then(|here| here.join(wanted)) else { return start() };
    let path = address.path();
    let Some(rest) = path.strip_prefix(base).filter(|rest| rest.starts_with('/')) else { return start() };
    let is_step = ["/login", "/logout", "/signed-out", "/fn"]
        .iter()
        .any(|step| rest.strip_prefix(step).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    if address.origin().ascii_serialization() != here || path.starts_with("//") || is_step {
        return start();
    }
    let query = address.query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{path}{query}")
}

/// The path and query of a request, as the browser sees them.
pub(crate) fn requested_path(request: &Parts, base: &str) -> String {
    let path = request.uri.path_and_query().map_or("/", |path| path.as_str());
    own_path(Some(&format!("{base}{path}")), base)
}

#[cfg(test)]
mod tests {
    use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Uri};

    use super::{BrowserLocation, Encrypted, own_path};
    use crate::settings::Settings;

    #[test]
    fn people_are_led_back_to_our_own_pages_only() {
        for (wanted, expected) in [
            ("/", "/"),
            ("/home/media?x=1&y=%20", "/home/media?x=1&y=%20"),
            ("/home/Größe", "/home/Gr%C3%B6%C3%9Fe"),
            ("https://evil.example", "/"),
            ("//evil.example", "/"),
            ("/\\evil.example", "/"),
            ("/a/..//evil.example", "/"),
            ("/.//evil.example", "/"),
            ("/\t/evil.example", "/"),
            ("/%09/evil.example", "/%09/evil.example"),
            ("\\\\evil.example", "/"),
            ("javascript:alert(1)", "/"),
            ("home", "/"),
            ("", "/"),
            ("/login?return_to=/login", "/"),
            ("/logout", "/"),
            ("/loginpage", "/loginpage"),
            ("/home#section", "/home"),
        ] {
            assert_eq!(own_path(Some(wanted), ""), expected, "{wanted}");
        }
        assert_eq!(own_path(Some(&format!("/{}", "a".repeat(3000))), ""), "/");
        assert_eq!(own_path(None, "/start"), "/start/");
        assert_eq!(own_path(Some("/start/home"), "/start"), "/start/home");
        assert_eq!(own_path(Some("/started"), "/start"), "/start/");
        assert_eq!(own_path(Some("/start/../other"), "/start"), "/start/");
    }

    #[test]
    fn the_origin_is_the_one_that_the_browser_sees() {
        let origin = |headers: &[(&str, &str)], tls: bool, public: Option<&str>| {
            let settings = Settings { public_origin: public.map(str::to_owned), ..Settings::default() };
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.insert(name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
            }
            let mut extensions = Extensions::new();
            if tls {
                extensions.insert(Encrypted);
            }
            let peer = Some("172.18.0.2".parse().unwrap());
            let place = BrowserLocation::of(&settings, &map, &Uri::from_static("/"), &extensions, peer);
            assert_eq!(place.secure, place.origin.starts_with("https:"));
            place.origin
        };
        assert_eq!(origin(&[("host", "nas:8080")], false, None), "http://nas:8080");
        assert_eq!(origin(&[("host", "nas:443")], true, None), "https://nas");
        assert_eq!(
            origin(&[("host", "10.0.0.2:80"), ("x-forwarded-proto", "https")], false, None),
            "https://10.0.0.2:80"
        );
        let proxied =
            [("host", "portico:8080"), ("x-forwarded-proto", "https, http"), ("x-forwarded-host", "d.example")];
        assert_eq!(origin(&proxied, false, None), "https://d.example");
        assert_eq!(origin(&proxied, false, Some("http://own.example")), "http://own.example");
        for stranger in [Some("203.0.113.7".parse().unwrap()), None] {
            let mut map = HeaderMap::new();
            for (name, value) in proxied {
                map.insert(name, HeaderValue::from_static(value));
            }
            let place =
                BrowserLocation::of(&Settings::default(), &map, &Uri::from_static("/"), &Extensions::new(), stranger);
            assert_eq!(place.origin, "http://portico:8080");
        }
        assert_eq!(origin(&[("host", "d.example/evil?x")], false, None), "http://d.example");
        assert_eq!(origin(&[("host", "a b")], false, None), "http://localhost");
        assert_eq!(origin(&[], false, None), "http://localhost");
    }
}
