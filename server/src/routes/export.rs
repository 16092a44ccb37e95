//! The files of a static export, taken from the product's own routes: what a guest gets, for a host without this server.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
};
use config::Viewer;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use percent_encoding::percent_decode_str;
use tokio::time::{Instant, sleep};
use tower::ServiceExt as _;
use url::form_urlencoded;
use widgets::Kind;

use super::{
    app_state::AppState,
    language,
    pages::{self, PageTarget},
    router,
};
use crate::{panels::PlannedWidget, platform::encoding::Encoding};

/// How often it is checked whether all widgets have their data.
const POLL: Duration = Duration::from_millis(200);
/// The maximum length of a file, in bytes: more than any picture that the server serves.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// How many redirects lead to a page.
const MAX_REDIRECTS: usize = 3;

/// The addresses of the pages, besides those that they link to.
const PAGES: [&str; 4] = ["/", "/home", "/minimal", "/workspace"];
/// The beginnings of addresses that only a server answers.
const ANSWERED: [&str; 23] = [
    "/api",
    "/config-manager",
    "/cors-proxy",
    "/download",
    "/events",
    "/fn",
    "/framed",
    "/get-user",
    "/healthz",
    "/language",
    "/login",
    "/logout",
    "/manage",
    "/manifest.json",
    "/new-version",
    "/offline",
    "/ping-check",
    "/readyz",
    "/service-worker.js",
    "/status-check",
    "/sw.js",
    "/system-info",
    "/widget-gallery",
];
/// The beginnings of names of program files that belong to the editor.
const OF_EDITOR: [&str; 3] = ["edit-", "editor-", "icons.pack"];
/// The extensions for pictures whose address has none: a host without this server knows the type by the name.
const EXTENSIONS: [(&str, &str); 9] = [
    ("image/svg+xml", "svg"),
    ("image/png", "png"),
    ("image/webp", "webp"),
    ("image/avif", "avif"),
    ("image/jpeg", "jpg"),
    ("image/gif", "gif"),
    ("image/x-icon", "ico"),
    ("text/css", "css"),
    ("application/json", "json"),
];

/// Why there is no export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Guests see nothing.
    #[error(
        "guests see nothing of this dashboard, so there is nothing to export; set `appConfig.auth.enableGuestAccess: true`, or \
         export a copy of the config without `auth`"
    )]
    NoGuests,
    /// The first page cannot be rendered.
    #[error("the first page cannot be rendered ({0}); `portico validate` says why")]
    FirstPage(StatusCode),
}

/// The files of an export.
#[derive(Debug, Default)]
pub struct Export {
    /// The content by the path below the folder.
    pub files: BTreeMap<String, Vec<u8>>,
    /// How many of them are pages.
    pub pages: usize,
    /// Labels or types of widgets that had no data in time.
    pub without_data: BTreeSet<String>,
}

/// Renders all pages, and collects the files that they need. Waits for widgets until `limit` has passed.
///
/// # Errors
///
/// [`ExportError`].
pub async fn export(portico: &Arc<AppState>, language: Option<&str>, limit: Duration) -> Result<Export, ExportError> {
    let crawler = Crawler {
        routes: router(Arc::clone(portico)),
        base: portico.settings.base.clone(),
        language: language.unwrap_or_default().to_owned(),
    };
    match crawler.follow("/").await {
        Some(page) if page.status.is_success() => {}
        Some(page) if page.status.is_server_error() => return Err(ExportError::FirstPage(page.status)),
        _ => return Err(ExportError::NoGuests),
    }
    let without_data = look_up(portico, &crawler, limit).await;
    let mut found = crawler.crawl(portico).await;
    found.without_data = without_data;
    Ok(found)
}

/// Looks up the widgets and figures of all pages; returns those without data.
async fn look_up(portico: &Arc<AppState>, crawler: &Crawler, limit: Duration) -> BTreeSet<String> {
    let site = portico.store.site();
    let locale = language::of(&site, &crawler.headers());
    let pages = site.root.iter().flat_map(|root| &root.config.pages);
    let shown = pages.filter(|page| Viewer::Guest.sees(&page.visibility)).map(|page| Some(page.slug.clone()));
    let mut planned = Vec::new();
    for page in [None].into_iter().chain(shown) {
        let target = PageTarget::whole(page);
        if let Ok(page) = pages::rendered_page(portico, &site, &Viewer::Guest, &target, &locale).await {
            planned.extend(page.widgets().iter().cloned());
        }
    }
    let cached = |planned: &Arc<PlannedWidget>| portico.panels.cached(planned, Some(locale.format_tag(None)), false);
    let end = Instant::now() + limit;
    while planned.iter().any(|planned| cached(planned).is_none()) && Instant::now() < end {
        sleep(POLL).await;
    }
    let has_data = |planned: &Arc<PlannedWidget>| cached(planned).is_some_and(|panel| panel.whole().html.is_some());
    let name = |planned: Arc<PlannedWidget>| {
        let kind = planned.kind.map_or("widget", Kind::name);
        planned.entry.label.clone().unwrap_or_else(|| kind.to_owned())
    };
    planned.into_iter().filter(|planned| !has_data(planned)).map(name).collect()
}

/// Takes files from the routes, and follows their addresses.
struct Crawler {
    routes: Router,
    base: String,
    /// The value of `Accept-Language`; empty for the language of the config.
    language: String,
}

/// A file as it was served.
struct Served {
    status: StatusCode,
    content_type: String,
    policy: Option<String>,
    location: Option<String>,
    body: Vec<u8>,
}

impl Crawler {
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        if let Ok(language) = HeaderValue::from_str(&self.language) {
            headers.insert(header::ACCEPT_LANGUAGE, language);
        }
        headers
    }

    /// Responds to a request for a path below the prefix.
    async fn get(&self, path: &str) -> Option<Served> {
        let mut request = Request::get(format!("{}{path}", self.base)).body(Body::empty()).ok()?;
        *request.headers_mut() = self.headers();
        let Ok(response) = self.routes.clone().oneshot(request).await;
        let (parts, body) = response.into_parts();
        let text = |name| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Some(Served {
            status: parts.status,
            content_type: text(header::CONTENT_TYPE).unwrap_or_default(),
            policy: text(header::CONTENT_SECURITY_POLICY),
            location: text(header::LOCATION),
            body: to_bytes(body, MAX_BYTES).await.ok()?.to_vec(),
        })
    }

    /// The same, after redirects to other pages.
    async fn follow(&self, path: &str) -> Option<Served> {
        let mut path = path.to_owned();
        for _ in 0..MAX_REDIRECTS {
            let served = self.get(&path).await?;
            match served.location.as_deref().filter(|_| served.status.is_redirection()) {
                None => return Some(served),
                Some(location) => {
                    path = location.strip_prefix(&self.base).filter(|path| !is_answered(path))?.to_owned()
                }
            }
        }
        None
    }

    /// All pages, and all files that they name.
    async fn crawl(&self, portico: &AppState) -> Export {
        let mut found = Export::default();
        let mut waiting: Vec<String> = PAGES.map(str::to_owned).into();
        waiting.extend(self.lists(portico).await);
        let mut known: BTreeSet<String> = waiting.iter().cloned().collect();
        let mut renamed = BTreeMap::new();
        let mut texts = Vec::new();
        while let Some(path) = waiting.pop() {
            let Some(served) = self.follow(&path).await.filter(|served| served.status.is_success()) else { continue };
            let is_page = served.content_type.starts_with("text/html");
            let Some(file) = file_name(&path, &served.content_type) else { continue };
            if !is_page && file != decoded(&path) {
                renamed.insert(path.clone(), format!("{path}{}", &file[decoded(&path).len()..]));
            }
            let is_text =
                is_page || ["text/css", "application/json"].iter().any(|kind| served.content_type.starts_with(kind));
            if !is_text {
                found.files.insert(file, served.body);
                continue;
            }
            let text = String::from_utf8_lossy(&served.body).into_owned();
            for address in addresses(&text, &self.base).into_iter().map(|(start, end)| &text[start..end]) {
                if !is_answered(address) && known.insert(address.to_owned()) {
                    waiting.push(address.to_owned());
                }
            }
            found.pages += usize::from(is_page);
            texts.push((file, if is_page { with_policy(&text, served.policy.as_deref()) } else { text }));
        }
        for (slug, path) in self.searches(portico) {
            if let Some(list) = self.get(&path).await.filter(|list| list.status.is_success()) {
                texts.push((format!("search/{slug}.json"), String::from_utf8_lossy(&list.body).into_owned()));
            }
        }
        if let Some(missing) = self.get("/no-such-page").await {
            texts.push((
                "404.html".to_owned(),
                with_policy(&String::from_utf8_lossy(&missing.body), missing.policy.as_deref()),
            ));
        }
        for (file, text) in texts {
            found.files.insert(file, with_names(&text, &self.base, &renamed).into_bytes());
        }
        for name in portico.assets.names().filter(|name| !OF_EDITOR.iter().any(|start| name.starts_with(start))) {
            if let Some(asset) = portico.assets.get(name) {
                found.files.insert(name.to_owned(), asset.body(Encoding::Identity).0.to_vec());
            }
        }
        found
    }

    /// The addresses that only scripts make up: the themes, and the texts of dialogs.
    async fn lists(&self, portico: &AppState) -> Vec<String> {
        let themes = portico.assets.page().themes.strip_prefix(&self.base).unwrap_or_default().to_owned();
        let list = format!("{themes}list.json");
        let names = match self.get(&list).await {
            Some(served) => themes_of(&served.body),
            None => Vec::new(),
        };
        names.into_iter().map(|name| format!("{themes}{name}.css")).chain([list]).collect()
    }

    /// The lists in which the search of each page finds the items of the others: the slug of the page, and the path.
    fn searches(&self, portico: &AppState) -> Vec<(String, String)> {
        let site = portico.store.site();
        let pages = site.root.iter().flat_map(|root| &root.config.pages);
        let slugs = pages.filter(|page| Viewer::Guest.sees(&page.visibility)).map(|page| page.slug.clone());
        let path = |slug: String| {
            let query: String = form_urlencoded::byte_serialize(slug.as_bytes()).collect();
            (slug, format!("/fn/items-elsewhere?slug={query}"))
        };
        ["home".to_owned()].into_iter().chain(slugs).map(path).collect()
    }
}

/// The names in the list of themes.
fn themes_of(list: &[u8]) -> Vec<String> {
    let list: serde_json::Value = serde_json::from_slice(list).unwrap_or_default();
    let name = |theme: &serde_json::Value| Some(theme["name"].as_str()?.to_owned());
    list.as_array().into_iter().flatten().filter_map(name).collect()
}

/// Whether only a server answers a path.
fn is_answered(path: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    ANSWERED.iter().any(|start| path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// A path without its query, decoded and without its slash: the name of a file.
fn decoded(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    percent_decode_str(path.trim_matches('/')).decode_utf8_lossy().into_owned()
}

/// The file for a path; `None` if it would lie outside of the folder.
fn file_name(path: &str, content_type: &str) -> Option<String> {
    let name = decoded(path);
    if name.contains(['\\', '\0']) || name.split('/').any(|part| matches!(part, "." | "..")) {
        return None;
    }
    let kind = content_type.split(';').next().unwrap_or_default();
    if kind == "text/html" {
        return Some(if name.is_empty() { "index.html".to_owned() } else { format!("{name}/index.html") });
    }
    let has_extension = name.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let extension = EXTENSIONS.iter().find(|(known, _)| *known == kind).filter(|_| !has_extension);
    Some(extension.map_or_else(|| name.clone(), |(_, extension)| format!("{name}.{extension}")))
}

/// Where addresses below the prefix begin and end, without the prefix. Their markup is ours, so they stand in quotes or brackets.
fn addresses(text: &str, base: &str) -> Vec<(usize, usize)> {
    let opening = |byte: u8| match byte {
        quote @ (b'"' | b'\'') => Some(quote),
        b'(' => Some(b')'),
        _ => None,
    };
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        let Some(closing) = opening(*byte) else { continue };
        let Some(rest) = text.get(at + 1..).and_then(|rest| rest.strip_prefix(base)) else { continue };
        if !rest.starts_with('/') || rest.starts_with("//") {
            continue;
        }
        let start = at + 1 + base.len();
        let ends = |byte: u8| byte == closing || matches!(byte, b'?' | b'#' | b' ' | b'<' | b'>' | b'&' | b'\n');
        let Some(length) = rest.bytes().position(ends) else { continue };
        found.push((start, start + length));
    }
    found
}

/// The text with the extensions of files in their addresses.
fn with_names(text: &str, base: &str, renamed: &BTreeMap<String, String>) -> String {
    let mut named = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, end) in addresses(text, base) {
        if let Some(new) = renamed.get(&text[start..end]).filter(|_| start >= copied) {
            named.push_str(&text[copied..start]);
            named.push_str(new);
            copied = end;
        }
    }
    named.push_str(&text[copied..]);
    named
}

/// A page that carries its content security policy itself, as far as a page can.
fn with_policy(page: &str, policy: Option<&str>) -> String {
    const CHARSET: &str = "<meta charset=\"utf-8\">";
    let Some((before, after)) = policy.and_then(|_| page.split_once(CHARSET)) else { return page.to_owned() };
    let of_headers = ["frame-ancestors", "report-to", "report-uri", "sandbox"];
    let directives = policy.unwrap_or_default().split(';').map(str::trim);
    let kept: Vec<&str> =
        directives.filter(|directive| !of_headers.iter().any(|name| directive.starts_with(name))).collect();
    let policy = kept.join("; ").replace('"', "&quot;");
    format!("{before}{CHARSET}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">{after}")
}
