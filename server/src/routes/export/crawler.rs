//! Takes the files of an export from the routes, and follows their addresses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::{
    Router,
    body::{Body, to_bytes},
};
use config::Viewer;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use languages::{Language, Locale};
use percent_encoding::percent_decode_str;
use tower::ServiceExt as _;
use url::form_urlencoded;

use super::{
    chosen::ChosenPages,
    found::Export,
    text::{addresses, with_addresses, with_hashes, with_policy},
};
use crate::{
    platform::encoding::Encoding,
    routes::{app_state::AppState, language, router},
    settings::{ExportSettings, NOT_FOUND_FILE, Settings},
};

/// The maximum length of a file, in bytes: more than any picture that the server serves.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// How many redirects lead to a page.
const MAX_REDIRECTS: usize = 3;
/// The types of texts with addresses, besides pages.
const TEXTS: [&str; 3] = ["text/css", "application/json", "application/manifest+json"];

/// The beginnings of addresses that only a server answers.
const ANSWERED: [&str; 22] = [
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
const EXTENSIONS: [(&str, &str); 10] = [
    ("image/svg+xml", "svg"),
    ("image/png", "png"),
    ("image/webp", "webp"),
    ("image/avif", "avif"),
    ("image/jpeg", "jpg"),
    ("image/gif", "gif"),
    ("image/x-icon", "ico"),
    ("text/css", "css"),
    ("application/json", "json"),
    ("application/manifest+json", "json"),
];

/// The pages in one language.
pub(super) struct Tree {
    /// The product under the prefix of these pages.
    pub portico: Arc<AppState>,
    routes: Router,
    /// The folder for their files, with a slash at its end; empty for the first language.
    pub folder: String,
    /// The chosen language, as in a cookie; empty for the language of the config.
    cookie: HeaderMap,
}

/// A file as it was served.
struct Served {
    status: StatusCode,
    content_type: String,
    policy: Option<String>,
    location: Option<String>,
    body: Vec<u8>,
}

/// A text whose addresses are not final yet.
struct Draft {
    file: String,
    /// The prefix of the addresses in it.
    base: String,
    text: String,
    /// The policy of a page.
    policy: Option<String>,
}

/// What all languages share, and what was found so far.
#[derive(Default)]
pub(super) struct Collected {
    /// The addresses of shared files that were found, and those of them that were not taken yet.
    known: BTreeSet<String>,
    waiting: Vec<String>,
    /// The addresses of shared files with the extensions that they get.
    renamed: BTreeMap<String, String>,
    drafts: Vec<Draft>,
    /// The names of files by the folder of their language.
    pub of_trees: BTreeMap<String, BTreeSet<String>>,
    /// What is found.
    pub export: Export,
}

impl Tree {
    /// The pages in a language of the settings, or without one, in that of the config.
    pub fn new(portico: &AppState, export: &ExportSettings, language: Option<Language>) -> Self {
        let base = language.map_or_else(|| export.base.clone(), |language| export.base_of(language));
        let folder = language.map(|language| export.folder_of(language)).unwrap_or_default();
        let settings = Settings { base, export: Some(export.clone()), ..Settings::clone(&portico.settings) };
        let portico = portico.with_settings(settings);
        let mut cookie = HeaderMap::new();
        // The config may name a form of its language, such as `de-AT`.
        let is_other =
            |language: &Language| language::of(&portico.store.site(), &HeaderMap::new()).language != *language;
        if let Some(language) = language.filter(is_other) {
            cookie.extend(language::cookie(language).map(|value| (header::COOKIE, value)));
        }
        Self { routes: router(Arc::clone(&portico)), portico, folder, cookie }
    }

    /// The language of the pages.
    pub fn locale(&self) -> Locale {
        language::of(&self.portico.store.site(), &self.cookie)
    }

    fn base(&self) -> &str {
        &self.portico.settings.base
    }

    /// Responds to a request for a path below the prefix.
    async fn get(&self, path: &str) -> Option<Served> {
        let mut request = Request::get(format!("{}{path}", self.base())).body(Body::empty()).ok()?;
        *request.headers_mut() = self.cookie.clone();
        request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
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
                    path = location.strip_prefix(self.base()).filter(|path| !is_answered(path))?.to_owned()
                }
            }
        }
        None
    }

    /// The status of the first page; `None` if guests get none.
    pub async fn first_page(&self) -> Option<StatusCode> {
        self.follow("/").await.map(|page| page.status)
    }

    /// Takes the pages, and notes the addresses of other files.
    pub async fn crawl(&self, chosen: &ChosenPages, collected: &mut Collected) {
        let mut waiting = chosen.paths();
        let mut known: BTreeSet<String> = waiting.iter().cloned().collect();
        while let Some(path) = waiting.pop() {
            if is_page(&path) && !chosen.has(&decoded(&path)) {
                continue;
            }
            let served = self.follow(&path).await.filter(|served| served.status.is_success());
            let file = served.as_ref().and_then(|served| file_name(&path, &served.content_type));
            let (Some(served), Some(file)) = (served, file) else {
                collected.export.missing.insert(path);
                continue;
            };
            collected.export.pages += usize::from(served.content_type.starts_with("text/html"));
            let draft = self.draft(file, served);
            for (start, end) in addresses(&draft.text, self.base(), false) {
                let address = &draft.text[start..end];
                if !is_of_tree(address) {
                    collected.add(address);
                } else if !is_not_found_page(address) && known.insert(address.to_owned()) {
                    waiting.push(address.to_owned());
                }
            }
            collected.add_draft(self, draft);
        }
        // The page of the first language is among the shared files: many web servers know no other.
        if !self.folder.is_empty()
            && let Some(draft) = self.not_found().await
        {
            collected.add_draft(self, draft);
        }
        for (name, path) in self.lists(chosen) {
            let Some(served) = self.get(&path).await.filter(|served| served.status.is_success()) else { continue };
            collected.add_draft(self, self.draft(name, served));
        }
    }

    /// The page for unknown addresses.
    async fn not_found(&self) -> Option<Draft> {
        Some(self.draft(NOT_FOUND_FILE.to_owned(), self.get("/no-such-page").await?))
    }

    fn draft(&self, file: String, served: Served) -> Draft {
        Draft {
            file: format!("{}{file}", self.folder),
            base: self.base().to_owned(),
            text: String::from_utf8_lossy(&served.body).into_owned(),
            policy: served.policy.filter(|_| served.content_type.starts_with("text/html")),
        }
    }

    /// The names and addresses of files that only scripts ask for: the lists in which the search of each page finds the items of the
    /// others, and the texts of dialogs.
    fn lists(&self, chosen: &ChosenPages) -> Vec<(String, String)> {
        let site = self.portico.store.site();
        let pages = site.root.iter().flat_map(|root| &root.config.pages);
        let keys = pages.filter(|page| Viewer::Guest.sees(&page.visibility)).map(|page| page.key().to_owned());
        let main = chosen.has_main.then(|| "home".to_owned());
        let list = |key: String| {
            let query: String = form_urlencoded::byte_serialize(key.as_bytes()).collect();
            (format!("search/{key}.json"), format!("/fn/items-elsewhere?slug={query}"))
        };
        let language = self.locale().language;
        let texts =
            language.for_scripts().map(|_| ("language".to_owned(), format!("/language?of={}", language.code())));
        main.into_iter().chain(keys).map(list).chain(texts).collect()
    }
}

impl Collected {
    /// Adds a file of a language.
    fn add_draft(&mut self, tree: &Tree, draft: Draft) {
        let names = self.of_trees.entry(tree.folder.trim_end_matches('/').to_owned()).or_default();
        names.insert(draft.file.clone());
        self.drafts.push(draft);
    }

    /// Notes the address of a shared file.
    fn add(&mut self, address: &str) {
        if !is_answered(address) && self.known.insert(address.to_owned()) {
            self.waiting.push(address.to_owned());
        }
    }

    /// Takes the shared files, with the routes of the first language. `others` are the folders of the others.
    pub async fn share(&mut self, first: &Tree, others: &[&str]) {
        for address in first.theme_files().await {
            self.add(&address);
        }
        while let Some(path) = self.waiting.pop() {
            let is_other = others.iter().any(|folder| path[1..].starts_with(folder));
            if is_other {
                continue;
            }
            let Some(served) = first.follow(&path).await.filter(|served| served.status.is_success()) else { continue };
            let Some(file) = file_name(&path, &served.content_type) else { continue };
            let is_page = served.content_type.starts_with("text/html");
            if !is_page && file != decoded(&path) {
                self.renamed.insert(path.clone(), format!("{path}{}", &file[decoded(&path).len()..]));
            }
            if !is_page && !TEXTS.iter().any(|kind| served.content_type.starts_with(kind)) {
                self.export.files.insert(file, served.body);
                continue;
            }
            self.export.pages += usize::from(is_page);
            let draft = first.draft(file, served);
            for (start, end) in addresses(&draft.text, first.base(), false) {
                let address = &draft.text[start..end];
                if !is_of_tree(address) {
                    self.add(address);
                }
            }
            self.drafts.push(draft);
        }
        self.drafts.extend(first.not_found().await);
        let assets = &first.portico.assets;
        for name in assets.names().filter(|name| !OF_EDITOR.iter().any(|start| name.starts_with(start))) {
            if let Some(asset) = assets.get(name) {
                self.export.files.insert(name.to_owned(), asset.body(Encoding::Identity).0.to_vec());
            }
        }
    }

    /// Writes the final addresses into the texts; `base` is the prefix of the export.
    pub fn finish(&mut self, base: &str) {
        for Draft { file, base: own, text, policy } in self.drafts.drain(..) {
            let new = |path: &str| {
                let path =
                    if is_of_tree(path) { return None } else { self.renamed.get(path).map_or(path, String::as_str) };
                Some(format!("{base}{path}"))
            };
            let finished = with_addresses(&text, &own, new);
            let policy = policy.map(|policy| with_hashes(&policy, &text, &finished));
            self.export.files.insert(file, with_policy(&finished, policy.as_deref()).into_bytes());
        }
    }
}

impl Tree {
    /// The addresses of the themes, which only scripts make up.
    async fn theme_files(&self) -> Vec<String> {
        let themes = self.portico.assets.page().themes.strip_prefix(self.base()).unwrap_or_default().to_owned();
        let list = format!("{themes}list.json");
        let names = match self.get(&list).await {
            Some(served) => themes_of(&served.body),
            None => Vec::new(),
        };
        names.into_iter().map(|name| format!("{themes}{name}.css")).chain([list]).collect()
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

/// Whether each language has a file of its own at a path.
fn is_of_tree(path: &str) -> bool {
    path == "/manifest.json" || is_page(path) || is_not_found_page(path)
}

/// Whether a path is that of the page for unknown addresses, which no link leads to.
fn is_not_found_page(path: &str) -> bool {
    path.strip_prefix('/') == Some(NOT_FOUND_FILE)
}

/// Whether a path is that of a page.
fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split(['/', '?', '#']).next().unwrap_or_default();
    matches!(first, "" | "home" | "minimal" | "workspace")
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
