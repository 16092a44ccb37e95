//! Pages: rendered once for each class of viewer, kept compressed, handed out until the config changes.

use std::{
    collections::HashMap,
    fmt::Write as _,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, PoisonError, RwLock},
};

use app::{
    document::{self, Head},
    fallback::Failure,
    page::SessionView,
    page_style,
};
use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use config::{
    Dashboard, PageError, PageRequest, PageView, Viewer,
    dashboard::Notice,
    model::{PageSource, page::Page},
};
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use tokio::sync::OnceCell;

use crate::{
    assets::etag,
    auth,
    encoding::{EncodedBody, Encoding},
    glyphs,
    headers::is_unchanged,
    portico::Portico,
    store::{ConfigFile, FileFailure, Site},
};

/// Most pages that are kept: pages times viewers, with room for sections of their own.
const MOST_PAGES: usize = 256;

/// Which page an address names. The names are as they stand in the address; none is the root.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Target {
    page: Option<String>,
    section: Option<String>,
}

/// A rendered page.
#[derive(Debug)]
pub struct Rendered {
    status: StatusCode,
    /// Everything but the coding and the length.
    headers: HeaderMap,
    etag: HeaderValue,
    body: EncodedBody,
}

/// The pages rendered for one revision of the config.
#[derive(Debug, Default)]
pub struct PageCache {
    pages: RwLock<CachedPages>,
}

#[derive(Debug, Default)]
struct CachedPages {
    revision: u64,
    pages: HashMap<(Target, u64), Arc<OnceCell<Arc<Rendered>>>>,
}

impl PageCache {
    /// The place of a page: filled, being filled, or new.
    fn slot(&self, revision: u64, key: (Target, u64)) -> Arc<OnceCell<Arc<Rendered>>> {
        {
            let cached = self.pages.read().unwrap_or_else(PoisonError::into_inner);
            if cached.revision == revision
                && let Some(slot) = cached.pages.get(&key)
            {
                return Arc::clone(slot);
            }
        }
        let mut cached = self.pages.write().unwrap_or_else(PoisonError::into_inner);
        if cached.revision != revision || cached.pages.len() >= MOST_PAGES {
            cached.revision = revision;
            cached.pages.clear();
        }
        Arc::clone(cached.pages.entry(key).or_default())
    }
}

/// `GET /` and `/home`: the root config. The identity provider's answers come here too.
pub async fn home(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    if let Some(answer) = auth::call_back(&portico, &request).await {
        return answer;
    }
    serve(portico, Target::default(), request).await
}

/// `GET /home/{page}`: a sub-page, or a section of the root.
pub async fn page(State(portico): State<Arc<Portico>>, Path(page): Path<String>, request: Parts) -> Response {
    serve(portico, Target { page: Some(page), section: None }, request).await
}

/// `GET /home/{page}/{section}`: one section.
pub async fn section(
    State(portico): State<Arc<Portico>>,
    Path((page, section)): Path<(String, String)>,
    request: Parts,
) -> Response {
    serve(portico, Target { page: Some(page), section: Some(section) }, request).await
}

async fn serve(portico: Arc<Portico>, target: Target, request: Parts) -> Response {
    let site = portico.store.site();
    let viewer = match auth::enter(&portico, &site, &request).await {
        Ok(viewer) => viewer,
        Err(answer) => return answer,
    };
    let slot = portico.pages.slot(site.revision, (target.clone(), class_of(&viewer)));
    let encoding = Encoding::accepted(&request.headers);
    let rendered = slot
        .get_or_init(|| async {
            let portico = Arc::clone(&portico);
            let path = request.uri.path().to_owned();
            let render = move || {
                let rendered = render(&portico, &site, &viewer, &target, &path);
                rendered.body.get(encoding);
                Arc::new(rendered)
            };
            tokio::task::spawn_blocking(render).await.unwrap_or_else(|_| Arc::new(Rendered::panicked()))
        })
        .await;
    answer(Arc::clone(rendered), encoding, &request.headers).await
}

async fn answer(rendered: Arc<Rendered>, encoding: Encoding, request: &HeaderMap) -> Response {
    let mut headers = rendered.headers.clone();
    if rendered.status.is_success() && is_unchanged(request, &rendered.etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let (body, encoding) = if rendered.body.is_ready(encoding) {
        rendered.body.get(encoding)
    } else {
        let rendered = Arc::clone(&rendered);
        let compress = move || rendered.body.get(encoding);
        tokio::task::spawn_blocking(compress).await.unwrap_or_else(|_| (Bytes::new(), Encoding::Identity))
    };
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (rendered.status, headers, body).into_response()
}

/// A number that is the same for viewers who see the same.
fn class_of(viewer: &Viewer) -> u64 {
    let mut hasher = DefaultHasher::new();
    match viewer {
        Viewer::Anonymous => 0_u8.hash(&mut hasher),
        Viewer::Guest => 1_u8.hash(&mut hasher),
        Viewer::User(_) => 2_u8.hash(&mut hasher),
        Viewer::Admin(_) => 3_u8.hash(&mut hasher),
    }
    if let Some(person) = viewer.person() {
        person.name.to_lowercase().hash(&mut hasher);
        person.groups.hash(&mut hasher);
        person.roles.hash(&mut hasher);
    }
    hasher.finish()
}

impl Rendered {
    fn new(portico: &Portico, status: StatusCode, html: String, style: &str, connect: &[String]) -> Self {
        // Weak: the same page stands for all its codings.
        let strong = etag(html.as_bytes());
        let etag = HeaderValue::from_str(&format!("W/{}", strong.to_str().unwrap_or("\"\""))).unwrap_or(strong);
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Authorization, Cookie"));
        headers.insert(header::CONTENT_SECURITY_POLICY, portico.policy.header(style, connect));
        if status.is_success() {
            headers.insert(header::ETAG, etag.clone());
        }
        Self { status, headers, etag, body: EncodedBody::new(Bytes::from(html)) }
    }

    /// A page whose rendering failed in a way that must not happen.
    fn panicked() -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            headers: HeaderMap::new(),
            etag: HeaderValue::from_static("\"\""),
            body: EncodedBody::new(Bytes::from_static(b"the page could not be rendered, see the server's log\n")),
        }
    }
}

fn render(portico: &Portico, site: &Site, viewer: &Viewer, target: &Target, path: &str) -> Rendered {
    match view(portico, site, viewer, target) {
        Ok(view) => render_page(portico, view, auth::session_view(portico, site, viewer)),
        Err(Missing::NotFound) => not_found(portico, site, path),
        Err(Missing::Failed(failure)) => {
            let html = document::error(failure, portico.assets.page());
            Rendered::new(portico, StatusCode::INTERNAL_SERVER_ERROR, html, "", &[])
        }
    }
}

/// The not-found page of a dashboard.
pub fn not_found_response(portico: &Portico, path: &str) -> Response {
    let rendered = not_found(portico, &portico.store.site(), path);
    (rendered.status, rendered.headers, rendered.body.plain().clone()).into_response()
}

fn not_found(portico: &Portico, site: &Site, path: &str) -> Rendered {
    let title = site.root.as_ref().and_then(|root| root.config.page_info.title.as_deref()).unwrap_or(app::PRODUCT);
    let html = document::not_found(path, title, portico.assets.page());
    Rendered::new(portico, StatusCode::NOT_FOUND, html, "", &[])
}

fn render_page(
    portico: &Portico,
    PageView { mut dashboard, styles }: PageView,
    session: Option<SessionView>,
) -> Rendered {
    let glyphs = glyphs::embed(&mut dashboard, &portico.icons);
    let mut style = styles.variable_rules();
    if let Some(address) = &styles.background {
        // A stand-in for a missing picture is for tiles: as a background it would fill the page.
        let address = if address.starts_with("data:") { address.clone() } else { format!("{address}?background") };
        _ = write!(
            style,
            "body{{background-image:url(\"{address}\");background-size:cover;background-position:center;background-attachment:fixed}}"
        );
    }
    if let Some(width) = &styles.content_max_width {
        _ = write!(style, "#page{{--content-max-width:{width}}}");
    }
    style.push_str(&page_style::entry_rules(&dashboard));
    if let Some(css) = &styles.custom_css {
        style.push_str(css);
    }
    let title = match dashboard.sections.first() {
        Some(section) if dashboard.single_section => format!("{} | {}", section.name, dashboard.title),
        _ => dashboard.title.clone(),
    };
    let connect = local_origins(&dashboard);
    let head = Head { glyphs, style, style_sheets: styles.style_sheets, title };
    let html = document::page(Arc::new(dashboard), session, &head, portico.assets.page());
    Rendered::new(portico, StatusCode::OK, html, &head.style, &connect)
}

/// The origins of local addresses, which the page probes.
fn local_origins(dashboard: &Dashboard) -> Vec<String> {
    let items = dashboard.sections.iter().flat_map(|section| &section.items);
    let all = items.flat_map(|item| std::iter::once(item).chain(&item.sub_items));
    let mut origins: Vec<String> = all
        .filter_map(|item| item.local_url.as_deref())
        .filter_map(|address| url::Url::parse(address).ok())
        .map(|address| address.origin().ascii_serialization())
        .filter(|origin| origin.starts_with("http"))
        .collect();
    origins.sort();
    origins.dedup();
    origins
}

enum Missing {
    NotFound,
    Failed(Failure),
}

fn view(portico: &Portico, site: &Site, viewer: &Viewer, target: &Target) -> Result<PageView, Missing> {
    let Some(root) = &site.root else {
        let failure = site.failure.as_deref();
        return Err(Missing::Failed(failure.map_or_else(Failure::default, root_failure)));
    };
    let base = portico.settings.base.as_str();
    let named = target.page.as_deref();
    let page = named.and_then(|name| root.config.page(name, viewer));
    let is_root = named.is_none_or(|name| matches!(config::slug::page_slug(name).as_str(), "main-page" | "home"));
    let file;
    let mut notice = None;
    let (config, request) = match (page, named) {
        (Some(page), _) if !is_root => {
            (file, notice) = file_of(portico, site, page).map_err(Missing::Failed)?;
            (
                &file.config,
                PageRequest { base, page: named, section: target.section.as_deref(), ..PageRequest::default() },
            )
        }
        // Old bookmarks: the name of a section of the root in the place of a page.
        (None, Some(name)) if !is_root && target.section.is_none() => {
            (&root.config, PageRequest { base, section: Some(name), ..PageRequest::default() })
        }
        (None, Some(_)) if !is_root => return Err(Missing::NotFound),
        _ => (&root.config, PageRequest { base, section: target.section.as_deref(), ..PageRequest::default() }),
    };
    let mut view = Dashboard::for_viewer(config, viewer, &request, &portico.icons).map_err(|error| match error {
        PageError::PageNotFound(_) | PageError::SectionNotFound(_) => Missing::NotFound,
    })?;
    view.dashboard.other_pages = root.config.pages.iter().any(|page| viewer.sees(&page.visibility));
    view.dashboard.notices.extend(notice);
    if let Some(failure) = &site.failure {
        view.dashboard.notices.push(stale_notice(failure));
    }
    Ok(view)
}

/// The file of a page, and why it is not the newest.
fn file_of(portico: &Portico, site: &Site, page: &Page) -> Result<(Arc<ConfigFile>, Option<Notice>), Failure> {
    let copy = match &page.source {
        PageSource::File(path) => match site.pages.get(path) {
            Some(Ok(file)) => return Ok((Arc::clone(file), None)),
            Some(Err(failure)) => return Err(page_failure(page, failure)),
            None => None,
        },
        PageSource::Remote(address) => portico.remote_pages.get(address),
    };
    let Some(copy) = copy else {
        return Err(Failure {
            title: format!("The page “{}” is not there yet", page.name),
            reason: "it is being fetched; try again in a moment".to_owned(),
            ..Failure::default()
        });
    };
    match (copy.file, copy.failure) {
        (Some(file), failure) => {
            let notice = failure.map(|failure| Notice {
                title: format!("The source of “{}” cannot be read", page.name),
                detail: format!("{}. What you see is the last copy.", failure.reason),
                excerpt: None,
            });
            Ok((file, notice))
        }
        (None, Some(failure)) => Err(Failure {
            advice: vec!["The page lies on another host; this server fetches it every few minutes.".to_owned()],
            ..page_failure(page, &failure)
        }),
        (None, None) => Err(Failure::default()),
    }
}

fn root_failure(failure: &FileFailure) -> Failure {
    let advice = if failure.missing {
        vec![
            format!("Is there a file named {} in the user-data folder?", failure.name),
            "In a container: is the folder mounted at /app/user-data?".to_owned(),
            "USER_DATA_DIR chooses another folder.".to_owned(),
        ]
    } else {
        vec![
            format!("Correct {} and reload; the server reads it again by itself.", failure.name),
            "`portico validate` prints all problems with their lines.".to_owned(),
        ]
    };
    Failure {
        title: format!("{} cannot be shown", failure.name),
        reason: failure.reason.clone(),
        excerpt: failure.excerpt.clone(),
        advice,
        last_good: None,
    }
}

fn page_failure(page: &Page, failure: &FileFailure) -> Failure {
    Failure { title: format!("The page “{}” cannot be shown", page.name), ..root_failure(failure) }
}

fn stale_notice(failure: &FileFailure) -> Notice {
    Notice {
        title: format!("{} cannot be read", failure.name),
        detail: format!("{}. What you see is the last version that worked.", failure.reason),
        excerpt: failure.excerpt.clone(),
    }
}
