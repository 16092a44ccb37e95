//! Security headers, on every response.

use std::sync::Arc;

use axum::extract::Request;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use sha2::{Digest as _, Sha256};

use crate::{routes::known_hosts, settings::Settings};

/// The headers of all responses.
const COMMON: [(HeaderName, HeaderValue); 2] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Headers that matter only for documents: a page has dozens of icons and panels, and these would be half of the bytes of
/// an icon. Referrers stay inside, because services need not learn the address of the dashboard.
const DOCUMENT: [(HeaderName, HeaderValue); 2] = [
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), payment=(), usb=()"),
    ),
];

/// The policy of responses that are not our own pages: nothing may run or load.
const STRICTEST: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'self'");

/// Keeps another site that opened a document from holding on to its window.
const OPENER_POLICY: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));

/// Whether no other site can have opened the document of this request: the user typed its address or chose a bookmark,
/// or a page of this dashboard links to it (Fetch Metadata, `Sec-Fetch-Site`). Browsers that do not say so may have been
/// sent by anyone.
///
/// Such a document needs no [`OPENER_POLICY`]. With it, Chromium discards the process that it has started for the
/// navigation and starts another one, so that the first paint comes about 20 ms later.
pub fn has_no_foreign_opener(request: &HeaderMap) -> bool {
    request.get("sec-fetch-site").is_some_and(|site| site == "none" || site == "same-origin")
}

/// Adds the missing headers. `has_no_foreign_opener` is that of the request.
///
/// The response does not vary by `Sec-Fetch-Site` in caches: browsers ask for every document again, and the response that
/// lets them use their copy has these headers too.
pub fn add(headers: &mut HeaderMap, has_no_foreign_opener: bool) {
    for (name, value) in COMMON {
        headers.entry(name).or_insert(value);
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let is_one_of = |kinds: &[&str]| kinds.iter().any(|one| kind.starts_with(one));
    // Only our own code makes style sheets, scripts and pictures without their own policy.
    if is_one_of(&["image/", "font/", "text/css", "text/javascript", "application/wasm"]) {
        return;
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(STRICTEST);
    if !is_one_of(&["application/json"]) {
        for (name, value) in DOCUMENT {
            headers.entry(name).or_insert(value);
        }
        if !has_no_foreign_opener {
            let (name, value) = OPENER_POLICY;
            headers.entry(name).or_insert(value);
        }
    }
}

/// Allows these sites to show a page in a frame. Browsers ask every page in it for that, so it applies to the frames of
/// widgets too, but to nothing else.
pub fn allow_frames(headers: &mut HeaderMap, sites: &[String]) {
    const OWN: &str = "frame-ancestors 'self'";
    let is_page = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/html");
    if sites.is_empty() || !headers.get(header::CONTENT_TYPE).is_some_and(is_page) {
        return;
    }
    let policy = headers.get(header::CONTENT_SECURITY_POLICY).and_then(|policy| policy.to_str().ok());
    let policy = policy.map(|policy| policy.replace(OWN, &format!("{OWN} {}", sites.join(" "))));
    if let Some(policy) = policy.and_then(|policy| HeaderValue::try_from(policy).ok()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// The value of `Strict-Transport-Security` for the response to a request: browsers must use only HTTPS for as
/// long as the settings say. Over plain HTTP the header is not sent (RFC 6797, section 7.2).
pub fn hsts(settings: &Settings, request: &Request) -> Option<HeaderValue> {
    let seconds = settings.hsts?;
    let is_https = known_hosts::is_https(settings, request.headers(), request.extensions());
    HeaderValue::try_from(format!("max-age={seconds}")).ok().filter(|_| is_https)
}

/// Builds the Content-Security-Policy of pages: only inline scripts and styles whose hashes it lists.
#[derive(Clone, Debug)]
pub struct PagePolicy {
    scripts: Arc<str>,
    /// The script of pages in a language that some browsers cannot format.
    formats: Arc<str>,
    styles: Arc<str>,
}

impl PagePolicy {
    /// A policy for pages with these inline scripts and, if there are any, these inline styles.
    pub fn new(scripts: &[&str], styles: &str) -> Self {
        let scripts = scripts.iter().map(|script| source(script)).collect::<String>();
        let formats = source(app::document::FORMATS_SCRIPT);
        Self { scripts: scripts.into(), formats: formats.into(), styles: source(styles).into() }
    }

    /// The header for a page with these additional inline styles, in the current language of this thread. `connect` lists
    /// additional origins that the page's scripts may query, such as the local addresses of items.
    ///
    /// Frames may show any site, because any item can be opened in the pop-up.
    pub fn header(&self, styles: &[String], connect: &[String]) -> HeaderValue {
        let style: String = styles.iter().map(|style| source(style)).collect();
        let style = format!("{}{style}", self.styles);
        let has_formats = languages::current_locale().language.formats_for_browsers().is_some();
        let formats = if has_formats { &*self.formats } else { "" };
        let connect: String = connect.iter().map(|origin| format!(" {origin}")).collect();
        let policy = format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{}{formats}; style-src 'self'{style}; img-src 'self' data:; \
             font-src 'self' data:; connect-src 'self'{connect}; frame-src http: https:; manifest-src 'self'; \
             worker-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
            self.scripts,
        );
        HeaderValue::from_str(&policy).unwrap_or(STRICTEST)
    }
}

/// Whether the request already has this version (`If-None-Match`, RFC 9110, section 13.1.2).
pub fn is_unchanged(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(etag) = etag.to_str().map(bare) else { return false };
    request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.trim() == "*" || value.split(',').any(|tag| bare(tag) == etag))
}

/// A source of the policy that allows this text, with a space before it; empty for an empty text.
fn source(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {}", hash(text)) }
}

/// The hash by which a policy allows an inline script or style with this text.
pub fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::{PagePolicy, is_unchanged};

    #[test]
    fn the_policy_names_hashes_and_nothing_unsafe() {
        let policy = PagePolicy::new(&["alert(1)"], "b{}");
        let header = policy.header(&["a{}".to_owned(), String::new()], &["http://nas.lan".to_owned()]);
        let text = header.to_str().unwrap();
        // The hash of `alert(1)` from `openssl dgst -sha256 -binary | base64`.
        assert!(text.contains("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"), "{text}");
        let styles = text.split("style-src ").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        assert_eq!(styles.matches("'sha256-").count(), 2, "{styles}");
        assert!(text.contains("connect-src 'self' http://nas.lan;"));
        assert!(!text.contains("unsafe-inline") && !text.contains("'unsafe-eval'"));
    }

    #[test]
    fn the_script_with_formats_may_run_only_where_it_is_needed() {
        let policy = PagePolicy::new(&[], "");
        let of = |code| {
            let locale = languages::Language::of_code(code).unwrap().into();
            let header = languages::with_locale(&locale, || policy.header(&[], &[]));
            header.to_str().unwrap().contains(&super::hash(app::document::FORMATS_SCRIPT))
        };
        assert_eq!(["az", "gl", "ky", "en", "de"].map(of), [true, true, true, false, false]);
    }

    #[test]
    fn entity_tags_compare_weakly() {
        let etag = HeaderValue::from_static("W/\"abc\"");
        for (value, expected) in
            [("\"abc\"", true), ("W/\"abc\"", true), ("\"x\", \"abc\"", true), ("*", true), ("\"ab\"", false)]
        {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static(value));
            assert_eq!(is_unchanged(&headers, &etag), expected, "{value}");
        }
    }
}
