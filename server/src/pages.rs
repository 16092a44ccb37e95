//! Pages: rendered once for each class of viewer, kept compressed, handed out until the config changes.

use std::{
    collections::HashMap,
    fmt::Write as _,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use app::{
    backend::{PanelAnswer, Slot},
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
use widgets::Audience;

use crate::{
    assets::etag,
    auth,
    encoding::{EncodedBody, Encoding},
    glyphs,
    headers::is_unchanged,
    panels::{self, Pieces, Planned, Plans, Slots},
    portico::Portico,
    store::{ConfigFile, FileFailure, Site},
};

/// Most pages that are kept: pages times viewers, with room for sections of their own.
const MOST_PAGES: usize = 256;

/// Most bodies that are kept of one page: panels that depend on the language make several.
const MOST_BODIES: usize = 4;

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
    /// Everything but the coding, the length and the tag.
    headers: HeaderMap,
    /// The page without its panels, for a page that has some.
    pieces: Option<Pieces>,
    /// The last bodies, by what their panels were.
    bodies: Mutex<Vec<(u64, BodySlot)>>,
}

/// The place of a body: filled, being filled, or new.
type BodySlot = Arc<OnceCell<Arc<Body>>>;

/// A page ready to be sent.
#[derive(Debug)]
struct Body {
    /// None for a page that is no success.
    etag: Option<HeaderValue>,
    bytes: EncodedBody,
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
            let render = move || Arc::new(render(&portico, &site, &viewer, &target, &path));
            tokio::task::spawn_blocking(render).await.unwrap_or_else(|_| Arc::new(Rendered::panicked()))
        })
        .await;
    answer(&portico, Arc::clone(rendered), encoding, &request.headers).await
}

async fn answer(portico: &Portico, rendered: Arc<Rendered>, encoding: Encoding, request: &HeaderMap) -> Response {
    let answers = rendered.answers(portico, request);
    let slot = rendered.body(&answers);
    let body = slot.get_or_init(|| async {
        let rendered = Arc::clone(&rendered);
        let assemble = move || {
            let body = rendered.assembled(&answers);
            body.bytes.get(encoding);
            Arc::new(body)
        };
        tokio::task::spawn_blocking(assemble).await.unwrap_or_else(|_| Arc::new(Body::panicked()))
    });
    let body = Arc::clone(body.await);
    let mut headers = rendered.headers.clone();
    if let Some(etag) = &body.etag {
        headers.insert(header::ETAG, etag.clone());
        if is_unchanged(request, etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
    }
    let (bytes, encoding) = if body.bytes.is_ready(encoding) {
        body.bytes.get(encoding)
    } else {
        let compress = move || body.bytes.get(encoding);
        tokio::task::spawn_blocking(compress).await.unwrap_or_else(|_| (Bytes::new(), Encoding::Identity))
    };
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (rendered.status, headers, bytes).into_response()
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
    /// A page without panels.
    fn new(portico: &Portico, status: StatusCode, html: String, style: &str, connect: &[String]) -> Self {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Authorization, Cookie"));
        headers.insert(header::CONTENT_SECURITY_POLICY, portico.policy.header(style, connect));
        let body = OnceCell::new_with(Some(Arc::new(Body::new(html, status.is_success()))));
        Self { status, headers, pieces: None, bodies: Mutex::new(vec![(0, Arc::new(body))]) }
    }

    /// The same page with the slots that its markup has.
    fn with_slots(mut self, html: &str, slots: &Slots) -> Self {
        let pieces = Pieces::of(html, &slots.looked_up);
        if !pieces.slots().is_empty() {
            self.pieces = Some(pieces);
            self.bodies = Mutex::default();
            if slots.looked_up.iter().any(|slot| slot.planned.audience != Audience::Everyone) {
                let vary = HeaderValue::from_static("Accept-Encoding, Accept-Language, Authorization, Cookie");
                self.headers.insert(header::VARY, vary);
            }
        }
        self
    }

    /// What is known of the panels of this page.
    fn answers(&self, portico: &Portico, request: &HeaderMap) -> Vec<Option<PanelAnswer>> {
        let Some(pieces) = &self.pieces else { return Vec::new() };
        let locale = preferred_language(request);
        pieces.slots().iter().map(|planned| portico.panels.glance(planned, locale)).collect()
    }

    /// The place of the body with these panels: filled, being filled, or new.
    fn body(&self, answers: &[Option<PanelAnswer>]) -> BodySlot {
        let stamp = stamp(answers);
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, body)) = bodies.iter().find(|(known, _)| *known == stamp) {
            return Arc::clone(body);
        }
        if bodies.len() >= MOST_BODIES {
            bodies.remove(0);
        }
        let body = Arc::default();
        bodies.push((stamp, Arc::clone(&body)));
        body
    }

    fn assembled(&self, answers: &[Option<PanelAnswer>]) -> Body {
        match &self.pieces {
            Some(pieces) => Body::new(pieces.with(answers), self.status.is_success()),
            None => Body::panicked(),
        }
    }

    /// A page whose rendering failed in a way that must not happen.
    fn panicked() -> Self {
        let body = OnceCell::new_with(Some(Arc::new(Body::panicked())));
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            headers: HeaderMap::new(),
            pieces: None,
            bodies: Mutex::new(vec![(0, Arc::new(body))]),
        }
    }
}

impl Body {
    fn new(html: String, is_success: bool) -> Self {
        // Weak: the same page stands for all its codings.
        let strong = etag(html.as_bytes());
        let etag = HeaderValue::from_str(&format!("W/{}", strong.to_str().unwrap_or("\"\""))).unwrap_or(strong);
        Self { etag: is_success.then_some(etag), bytes: EncodedBody::new(Bytes::from(html)) }
    }

    fn panicked() -> Self {
        let sentence = Bytes::from_static(b"the page could not be rendered, see the server's log\n");
        Self { etag: None, bytes: EncodedBody::new(sentence) }
    }
}

/// A number that is the same for the same panels; 0 for none. Their age is left out: a page is made anew only when it
/// looks different.
fn stamp(answers: &[Option<PanelAnswer>]) -> u64 {
    if answers.is_empty() {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    for answer in answers {
        answer.as_ref().map(|answer| (answer.state.word(), answer.version, &answer.note)).hash(&mut hasher);
    }
    hasher.finish()
}

/// The first language that a browser names, which is what its scripts call its language.
fn preferred_language(request: &HeaderMap) -> Option<&str> {
    let languages = request.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    languages.split([',', ';']).next().map(str::trim).filter(|language| !language.is_empty())
}

fn render(portico: &Portico, site: &Site, viewer: &Viewer, target: &Target, path: &str) -> Rendered {
    match view(portico, site, viewer, target) {
        Ok((view, file)) => render_page(portico, view, &file.widgets, auth::session_view(portico, site, viewer)),
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
    let body = rendered.body(&[]);
    let bytes = body.get().map(|body| body.bytes.plain().clone()).unwrap_or_default();
    (rendered.status, rendered.headers, bytes).into_response()
}

fn not_found(portico: &Portico, site: &Site, path: &str) -> Rendered {
    let title = site.root.as_ref().and_then(|root| root.config.page_info.title.as_deref()).unwrap_or(app::PRODUCT);
    let html = document::not_found(path, title, portico.assets.page());
    Rendered::new(portico, StatusCode::NOT_FOUND, html, "", &[])
}

fn render_page(
    portico: &Portico,
    PageView { mut dashboard, styles }: PageView,
    plans: &Plans,
    session: Option<SessionView>,
) -> Rendered {
    let slots = panels::fill(&mut dashboard, plans, &portico.panels);
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
    let mut connect = local_origins(&dashboard);
    connect.extend(slots.origins.iter().cloned());
    let head = Head { glyphs, style, style_sheets: styles.style_sheets, title };
    let html = document::page(Arc::new(dashboard), session, &head, portico.assets.page());
    let rendered = Rendered::new(portico, StatusCode::OK, html.clone(), &head.style, &connect);
    rendered.with_slots(&html, &slots)
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

/// The page for a viewer, and the file that its sections stand in.
fn view(
    portico: &Portico,
    site: &Site,
    viewer: &Viewer,
    target: &Target,
) -> Result<(PageView, Arc<ConfigFile>), Missing> {
    let Some(root) = &site.root else {
        let failure = site.failure.as_deref();
        return Err(Missing::Failed(failure.map_or_else(Failure::default, root_failure)));
    };
    let base = portico.settings.base.as_str();
    let named = target.page.as_deref();
    let page = named.and_then(|name| root.config.page(name, viewer));
    let is_root = named.is_none_or(|name| matches!(config::slug::page_slug(name).as_str(), "main-page" | "home"));
    let mut notice = None;
    let request = PageRequest { base, section: target.section.as_deref(), ..PageRequest::default() };
    let (file, request) = match (page, named) {
        (Some(page), _) if !is_root => {
            let file;
            (file, notice) = file_of(portico, site, page).map_err(Missing::Failed)?;
            (file, PageRequest { page: named, ..request })
        }
        // Old bookmarks: the name of a section of the root in the place of a page.
        (None, Some(name)) if !is_root && target.section.is_none() => {
            (Arc::clone(root), PageRequest { section: Some(name), ..request })
        }
        (None, Some(_)) if !is_root => return Err(Missing::NotFound),
        _ => (Arc::clone(root), request),
    };
    let view = Dashboard::for_viewer(&file.config, viewer, &request, &portico.icons);
    let mut view = view.map_err(|error| match error {
        PageError::PageNotFound(_) | PageError::SectionNotFound(_) => Missing::NotFound,
    })?;
    view.dashboard.other_pages = root.config.pages.iter().any(|page| viewer.sees(&page.visibility));
    view.dashboard.notices.extend(notice);
    if let Some(failure) = &site.failure {
        view.dashboard.notices.push(stale_notice(failure));
    }
    Ok((view, file))
}

/// What is to be done for a widget, for a viewer who asks for its panel: nothing if they may not see page and section
/// now, or if there is another widget at its place.
pub fn planned(portico: &Portico, viewer: &Viewer, slot: &Slot) -> Option<Arc<Planned>> {
    let site = portico.store.site();
    let root = site.root.as_ref()?;
    let is_root = matches!(config::slug::page_slug(&slot.page).as_str(), "main-page" | "home") || slot.page.is_empty();
    let file =
        if is_root { Arc::clone(root) } else { file_of(portico, &site, root.config.page(&slot.page, viewer)?).ok()?.0 };
    let section = file.config.sections.iter().find(|section| section.index == slot.section)?;
    if *viewer == Viewer::Anonymous || !viewer.sees(&section.display.visibility) {
        return None;
    }
    let planned = file.widgets.get(slot.section, slot.widget)?;
    (planned.kind_name() == slot.kind).then(|| Arc::clone(planned))
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
