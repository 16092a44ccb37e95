//! Pages: rendered once for each class of viewer, kept compressed, handed out until the config changes.

mod cache;
mod dots;
mod failure;
mod glyphs;
mod preview;
mod rendered;

use std::{fmt::Write as _, sync::Arc};

use app::{
    backend::WidgetAddress,
    document::{self, Head},
    fallback::PageFailure,
    page::{EditMode, SessionView, UNNAMED_SECTION},
    page_style,
};
use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse as _, Response},
};
use config::{
    Dashboard, PageError, PageRequest, PageView, View, Viewer,
    dashboard::Notice,
    model::{PageSource, page::Page},
    slug::{is_root_page, page_slug},
};
use http::{HeaderMap, StatusCode, header, request::Parts};
use serde::Deserialize;
use url::form_urlencoded;

pub use self::{cache::PageCache, dots::Dot, rendered::Rendered};
use self::{
    cache::PageKey,
    failure::{closed, page_failure, stale_copy_notice, stale_notice},
};
use crate::{
    panels::{self, Planned, Plans},
    platform::{encoding::Encoding, entity_tag, off_workers},
    routes::{
        files,
        offline::{self, Switches},
        portico::Portico,
        sign_in,
        status_check::visible_files,
    },
    store::{ConfigFile, PageFile, Site},
};

/// Which page an address names. The names are as they stand in the address; none is the root.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq)]
pub struct PageTarget {
    #[serde(default)]
    view: View,
    page: Option<String>,
    section: Option<String>,
    widget: Option<String>,
}

impl PageTarget {
    /// The names as the query of an address.
    fn query(&self) -> String {
        let names = [("page", &self.page), ("section", &self.section), ("widget", &self.widget)];
        let mut query = form_urlencoded::Serializer::new(String::new());
        if self.view != View::Home {
            query.append_pair("view", self.view.word());
        }
        for (key, name) in names {
            if let Some(name) = name {
                query.append_pair(key, name);
            }
        }
        query.finish()
    }
}

/// `GET /`: the root config in the view that it names. The identity provider's answers come here too.
pub async fn landing(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    if let Some(answer) = sign_in::call_back(&portico, &request).await {
        return answer;
    }
    let site = portico.store.site();
    let view = starting_view(&site);
    if view == View::Home {
        return serve(portico, PageTarget::default(), request).await;
    }
    if let Err(answer) = sign_in::enter(&portico, &site, &request).await {
        return answer;
    }
    let query = request.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let address = format!("{}/{}{query}", portico.settings.base, view.word());
    let headers = [(header::LOCATION, address), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    (StatusCode::FOUND, headers).into_response()
}

/// The view of the landing page.
fn starting_view(site: &Site) -> View {
    site.root.as_ref().map(|root| root.config.app.starting_view).unwrap_or_default()
}

/// `GET /home`: the root config. The identity provider's answers may come here too.
pub async fn home(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    if let Some(answer) = sign_in::call_back(&portico, &request).await {
        return answer;
    }
    serve(portico, PageTarget::default(), request).await
}

/// `GET /minimal`: the root config, one section at a time.
pub async fn minimal(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    serve(portico, PageTarget { view: View::Minimal, ..PageTarget::default() }, request).await
}

/// `GET /minimal/{page}`: a sub-page, or the root with a section preselected.
pub async fn minimal_page(State(portico): State<Arc<Portico>>, named: Named<String>, request: Parts) -> Response {
    let target = named.map(|Path(page)| PageTarget { view: View::Minimal, page: Some(page), ..PageTarget::default() });
    serve_named(portico, target, request).await
}

/// `GET /minimal/{page}/{section}`: a page with a section preselected.
pub async fn minimal_section(
    State(portico): State<Arc<Portico>>,
    named: Named<(String, String)>,
    request: Parts,
) -> Response {
    let target = named.map(|Path((page, section))| PageTarget {
        view: View::Minimal,
        page: Some(page),
        section: Some(section),
        widget: None,
    });
    serve_named(portico, target, request).await
}

/// `GET /workspace`: the sidebar of the root config, and what is opened beside it.
pub async fn workspace(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    serve(portico, PageTarget { view: View::Workspace, ..PageTarget::default() }, request).await
}

/// `GET /workspace/{page}`: the same of a sub-page.
pub async fn workspace_page(State(portico): State<Arc<Portico>>, named: Named<String>, request: Parts) -> Response {
    let target =
        named.map(|Path(page)| PageTarget { view: View::Workspace, page: Some(page), ..PageTarget::default() });
    serve_named(portico, target, request).await
}

/// `GET /home/{page}`: a sub-page, or a section of the root.
pub async fn page(State(portico): State<Arc<Portico>>, named: Named<String>, request: Parts) -> Response {
    let target = named.map(|Path(page)| PageTarget { page: Some(page), ..PageTarget::default() });
    serve_named(portico, target, request).await
}

/// `GET /home/{page}/{section}`: one section.
pub async fn section(State(portico): State<Arc<Portico>>, named: Named<(String, String)>, request: Parts) -> Response {
    let target = named.map(|Path((page, section))| PageTarget {
        page: Some(page),
        section: Some(section),
        ..PageTarget::default()
    });
    serve_named(portico, target, request).await
}

/// `GET /home/{page}/{section}/{widget}`: one widget, by its id or its position in the section's list.
pub async fn widget(
    State(portico): State<Arc<Portico>>,
    named: Named<(String, String, String)>,
    request: Parts,
) -> Response {
    let target = named.map(|Path((page, section, widget))| PageTarget {
        page: Some(page),
        section: Some(section),
        widget: Some(widget),
        ..PageTarget::default()
    });
    serve_named(portico, target, request).await
}

/// The names in an address, unless they are not text: then there is no such page.
type Named<T> = Result<Path<T>, PathRejection>;

async fn serve_named(portico: Arc<Portico>, target: Result<PageTarget, PathRejection>, request: Parts) -> Response {
    match target {
        Ok(target) => serve(portico, target, request).await,
        Err(_) => files::not_found(&portico, request.uri.path(), &request.headers),
    }
}

async fn serve(portico: Arc<Portico>, target: PageTarget, request: Parts) -> Response {
    let site = portico.store.site();
    let viewer = match sign_in::enter(&portico, &site, &request).await {
        Ok(viewer) => viewer,
        Err(answer) => return answer,
    };
    if let Some(preview) = preview::answer(&portico, &site, &viewer, &target, &request).await {
        return preview;
    }
    let rendered = match rendered_page(&portico, &site, &viewer, &target).await {
        Ok(rendered) => rendered,
        Err(missing) => Arc::new(stand_in(&portico, &site, &missing, request.uri.path())),
    };
    rendered::answer(&portico, rendered, Encoding::accepted(&request.headers), &request.headers).await
}

/// The page of an address for a viewer, rendered if it is not there yet.
///
/// # Errors
///
/// [`NoPage`].
pub(super) async fn rendered_page(
    portico: &Arc<Portico>,
    site: &Arc<Site>,
    viewer: &Viewer,
    target: &PageTarget,
) -> Result<Arc<Rendered>, Arc<NoPage>> {
    let icon_problems = if viewer.is_admin() { portico.icons.problem_changes() } else { 0 };
    let key = PageKey { revision: site.revision, target: target.clone(), viewer: viewer.clone(), icon_problems };
    let (portico, site) = (Arc::clone(portico), Arc::clone(site));
    let render = async {
        let (portico, site, viewer, target) = (Arc::clone(&portico), site, viewer.clone(), target.clone());
        let render = move || render(&portico, &site, &viewer, &target).map(Arc::new);
        off_workers::compute(render).await.unwrap_or(Err(NoPage::Panicked))
    };
    portico.pages.get_or_render(key, render).await
}

fn render(portico: &Portico, site: &Site, viewer: &Viewer, target: &PageTarget) -> Result<Rendered, NoPage> {
    let (mut view, file) = view(portico, site, viewer, target)?;
    let plans = portico.plans.of(&file);
    if let Some(widget) = &target.widget
        && !panels::keep_one(&mut view.dashboard, &plans, widget)
    {
        return Err(NoPage::NotFound);
    }
    let may_save = |root: &Arc<ConfigFile>| root.config.app.permissions(viewer).save_to_disk;
    if file.host.is_none() && !portico.panels.is_demo() && site.root.as_ref().is_some_and(may_save) {
        panels::allow_writing(&mut view.dashboard, &plans);
    }
    let edit_mode = if may_edit(portico, site, viewer, target, &file) { EditMode::Offered } else { EditMode::Absent };
    Ok(render_view(portico, site, viewer, target, (view, file), edit_mode))
}

fn render_view(
    portico: &Portico,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
    (mut view, file): (PageView, Arc<ConfigFile>),
    edit_mode: EditMode,
) -> Rendered {
    let plans = portico.plans.of(&file);
    if viewer.is_admin() {
        let is_main = site.root.as_ref().is_some_and(|root| Arc::ptr_eq(root, &file));
        view.dashboard.problems = panels::told(&file, &plans, is_main);
    }
    let dots = dots::of(&view.dashboard, &file, &portico.checker);
    let surroundings = Surroundings {
        session: sign_in::session_view(portico, site, viewer),
        is_admin: viewer.is_admin(),
        switches: Switches::of(site),
        probed: if view.dashboard.other_pages { probed_elsewhere(portico, viewer) } else { Vec::new() },
        edit_mode,
        drafts: drafts_of(site, viewer),
    };
    render_page(portico, view, target, &plans, surroundings).with_dots(dots)
}

/// Whether a viewer may edit anything at all.
fn edits_configs(site: &Site, viewer: &Viewer) -> bool {
    let allowed = |root: &Arc<ConfigFile>| root.config.app.permissions(viewer).view_config;
    viewer.is_admin() && site.root.as_ref().is_some_and(allowed)
}

/// Whose drafts of the editor a browser may keep while it shows a page to this viewer; empty for nobody's. Not the name
/// itself, as it stands in the storage of the browser.
fn drafts_of(site: &Site, viewer: &Viewer) -> String {
    if !edits_configs(site, viewer) {
        return String::new();
    }
    let name = viewer.person().map_or("", |person| &person.name);
    entity_tag::of(format!("drafts of {name}").as_bytes()).trim_matches('"').chars().take(12).collect()
}

/// Whether a page has a button for editing it: for whoever may, in the home view, on whole pages that lie here.
fn may_edit(portico: &Portico, site: &Site, viewer: &Viewer, target: &PageTarget, file: &ConfigFile) -> bool {
    edits_configs(site, viewer)
        && target.view == View::Home
        && target.section.is_none()
        && file.host.is_none()
        && !portico.store.is_copy(&file.name)
        && !portico.assets.page().stream.is_empty()
        && !portico.assets.page().editor.is_empty()
}

/// A whole page in edit mode, as it is with this text of its file; none if there is no such page. Draws the panels that
/// are known, and looks nothing up. `page` is as in an address.
pub fn draft_page(
    portico: &Portico,
    site: &Site,
    viewer: &Viewer,
    page: Option<String>,
    draft: &Arc<ConfigFile>,
    request: &HeaderMap,
) -> Option<String> {
    let draft_page = PageFile { file: Some(Arc::clone(draft)), failure: None };
    let is_main = draft.name == portico.store.main();
    let root = if is_main { Some(Arc::clone(draft)) } else { site.root.clone() };
    let mut pages = site.pages.clone();
    pages.insert(draft.name.clone(), draft_page);
    let changed = Site { revision: site.revision, root, failure: None, pages };
    let target = PageTarget { page, ..PageTarget::default() };
    let (view, file) = view(portico, &changed, viewer, &target).ok()?;
    let rendered = render_view(portico, &changed, viewer, &target, (view, file), EditMode::On);
    Some(rendered.html_now(portico, request))
}

/// What is shown in place of a page.
fn stand_in(portico: &Portico, site: &Site, missing: &NoPage, path: &str) -> Rendered {
    match missing {
        NoPage::NotFound => not_found(portico, site, path),
        NoPage::Failed(failure) => {
            let html = document::error(failure.clone(), own_title(site), portico.assets.page());
            Rendered::new(portico, StatusCode::INTERNAL_SERVER_ERROR, html, &[], &[])
        }
        NoPage::Panicked => Rendered::panicked(),
    }
}

/// The not-found page of a dashboard.
pub fn not_found_response(portico: &Portico, path: &str) -> Response {
    not_found(portico, &portico.store.site(), path).at_once()
}

fn not_found(portico: &Portico, site: &Site, path: &str) -> Rendered {
    let html = document::not_found(path, own_title(site), portico.assets.page());
    Rendered::new(portico, StatusCode::NOT_FOUND, html, &[], &[])
}

/// A page that is none of the dashboard, with these inline styles beyond the product's own.
pub fn own_page(portico: &Portico, html: String, inline_styles: &[String]) -> Response {
    Rendered::new(portico, StatusCode::OK, html, inline_styles, &[]).at_once()
}

/// The dashboard's own title, for pages that are none of it.
fn own_title(site: &Site) -> &str {
    site.root.as_ref().and_then(|root| root.config.page_info.title.as_deref()).unwrap_or(app::PRODUCT)
}

/// What a page depends on beyond the config that it shows.
struct Surroundings {
    session: Option<SessionView>,
    is_admin: bool,
    switches: Switches,
    /// Origins of local addresses on other pages, which the page probes for its search.
    probed: Vec<String>,
    edit_mode: EditMode,
    /// Whose drafts of the editor the browser may keep.
    drafts: String,
}

fn render_page(
    portico: &Portico,
    PageView { mut dashboard, styles }: PageView,
    target: &PageTarget,
    plans: &Plans,
    surroundings: Surroundings,
) -> Rendered {
    let Surroundings { session, is_admin, switches, probed, edit_mode, drafts } = surroundings;
    let grounds = offline::grounds(&dashboard, &styles);
    let slots = panels::fill(&mut dashboard, plans, &portico.panels, is_admin);
    let glyphs = glyphs::embed(&mut dashboard, &portico.icons);
    let [day, night] = [dashboard.look.day_theme.clone(), dashboard.look.night_theme.clone()];
    let mut style = themes::custom_rules(&styles.custom_colors, &day, &night);
    if let Some(address) = &styles.background {
        // A stand-in for a missing picture is for tiles: as a background it would fill the page.
        let address = if address.starts_with("data:") { address.clone() } else { format!("{address}?background") };
        _ = write!(
            style,
            "html{{scrollbar-gutter:auto}}body{{background-image:url(\"{address}\");background-size:cover;background-position:center;background-attachment:fixed}}"
        );
    }
    if let Some(width) = &styles.content_max_width {
        _ = write!(style, "#page{{--content-max-width:{width}}}");
    }
    style.push_str(&page_style::entry_rules(&dashboard));
    if let Some(css) = &styles.custom_css {
        style.push_str(css);
    }
    let title = title(&dashboard);
    let mut connect = local_origins(&dashboard);
    connect.extend(probed.into_iter().chain(slots.origins.iter().cloned()));
    connect.sort();
    connect.dedup();
    let companion = portico.offline.companion(switches);
    let address = target.query();
    let (style_sheets, drafts) = (styles.style_sheets, Some(drafts));
    let head = Head { glyphs, style, style_sheets, title, grounds, companion, connect, address, drafts };
    let language = dashboard.look.language.clone();
    let (html, version) = document::page(Arc::new(dashboard), session, edit_mode, &head, portico.assets.page());
    let rendered =
        Rendered::new(portico, StatusCode::OK, html, &inline_styles(portico, &day, &night, head.style), &head.connect);
    rendered.with_version(version).with_slots(&slots, language, is_admin)
}

/// The texts of the inline styles of a page, beyond the product's own: those of its themes, and `style`.
pub fn inline_styles(portico: &Portico, day: &str, night: &str, style: String) -> Vec<String> {
    let themes = themes::inline_styles(day, night, &portico.assets.page().base);
    themes.into_iter().map(|style| style.css).chain([style]).collect()
}

/// The themes of day and night for pages that are none of the dashboard, and the texts of their inline styles.
pub fn static_look(portico: &Portico) -> ([String; 2], Vec<String>) {
    let site = portico.store.site();
    let style = site.root.as_ref().map(|root| &root.config.app.style);
    let theme = |name: Option<&Option<String>>| name.cloned().flatten().unwrap_or_else(|| "default".to_owned());
    let themes = [theme(style.map(|style| &style.day_theme)), theme(style.map(|style| &style.night_theme))];
    let inline = inline_styles(portico, &themes[0], &themes[1], String::new());
    (themes, inline)
}

/// The title of the browser's tab: of what is shown, then of what it is part of, then the view.
fn title(dashboard: &Dashboard) -> String {
    let mut title = match dashboard.view {
        View::Home => dashboard.title.clone(),
        View::Minimal => format!("{} | Minimal", dashboard.title),
        View::Workspace => format!("{} | Workspace", dashboard.title),
    };
    if let Some(section) = dashboard.selected.and_then(|position| dashboard.sections.get(position)) {
        let name = section.name.trim();
        title = format!("{} | {title}", if name.is_empty() { UNNAMED_SECTION } else { name });
    }
    if let Some(section) = dashboard.sections.first().filter(|_| dashboard.single_section) {
        let name = section.name.trim();
        title = format!("{} | {title}", if name.is_empty() { UNNAMED_SECTION } else { name });
        if let Some(widget) = section.widgets.first().filter(|_| dashboard.single_widget.is_some()) {
            title = format!("{} | {title}", widget.label.as_ref().unwrap_or(&widget.kind));
        }
    }
    title
}

/// The origins of local addresses, which the page probes.
fn local_origins(dashboard: &Dashboard) -> Vec<String> {
    let items = dashboard.sections.iter().flat_map(|section| &section.items);
    let all = items.flat_map(|item| std::iter::once(item).chain(&item.sub_items));
    all.filter_map(|item| origin(item.local_url.as_deref()?)).collect()
}

/// The origins of local addresses on all pages that a viewer sees.
fn probed_elsewhere(portico: &Portico, viewer: &Viewer) -> Vec<String> {
    let mut origins = Vec::new();
    for file in visible_files(portico, viewer) {
        let sections = file.config.sections.iter().filter(|section| viewer.sees(&section.display.visibility));
        let items = sections.flat_map(|section| &section.items);
        for item in items.filter(|item| viewer.sees(&item.display.visibility)) {
            let sub_items = item.sub_items.iter().filter_map(|item| item.local_url.as_deref());
            origins.extend(item.local_url.as_deref().into_iter().chain(sub_items).filter_map(origin));
        }
    }
    origins
}

fn origin(address: &str) -> Option<String> {
    let origin = url::Url::parse(address).ok()?.origin().ascii_serialization();
    origin.starts_with("http").then_some(origin)
}

/// Why there is no page.
#[derive(Debug)]
pub(super) enum NoPage {
    NotFound,
    Failed(PageFailure),
    /// Rendering it stopped.
    Panicked,
}

/// The page for a viewer, and the file that its sections stand in.
fn view(
    portico: &Portico,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
) -> Result<(PageView, Arc<ConfigFile>), NoPage> {
    let Some(root) = &site.root else {
        return Err(NoPage::Failed(closed(site.failure.as_deref())));
    };
    let is_admin = viewer.is_admin();
    let base = portico.settings.base.as_str();
    let named = target.page.as_deref();
    let page = named.filter(|name| !is_root_page(name)).and_then(|name| root.config.page(name, viewer));
    // Pages may have these names too, and are what is meant then.
    let is_root = page.is_none() && named.is_none_or(|name| matches!(page_slug(name).as_str(), "main-page" | "home"));
    let mut notice = None;
    let request = PageRequest {
        base,
        section: target.section.as_deref(),
        view: target.view,
        starting_view: root.config.app.starting_view,
        ..PageRequest::default()
    };
    let (file, request) = match (page, named) {
        (Some(page), _) => {
            let file;
            (file, notice) = file_of(portico, site, page, is_admin).map_err(NoPage::Failed)?;
            (file, PageRequest { page: named, ..request })
        }
        // Old bookmarks: the name of a section of the root in the place of a page.
        (None, Some(name)) if !is_root && target.section.is_none() && target.view != View::Workspace => {
            (Arc::clone(root), PageRequest { section: Some(name), ..request })
        }
        (None, Some(_)) if !is_root => return Err(NoPage::NotFound),
        _ => (Arc::clone(root), request),
    };
    let icons = portico.icons.for_page_of(file.host.as_deref());
    let view = Dashboard::for_viewer(&file.config, viewer, &request, &icons);
    let mut view = view.map_err(|error| match error {
        PageError::PageNotFound(_) | PageError::SectionNotFound(_) => NoPage::NotFound,
    })?;
    view.dashboard.other_pages = root.config.pages.iter().any(|page| viewer.sees(&page.visibility));
    view.dashboard.notices.extend(notice);
    let stale = site.failure.as_ref().map(|failure| stale_notice(failure, is_admin));
    // To those who are told nothing more, two files are out of date like one.
    if let Some(stale) = stale.filter(|stale| !view.dashboard.notices.contains(stale)) {
        view.dashboard.notices.push(stale);
    }
    Ok((view, file))
}

/// What is to be done for a widget, for a viewer who asks for its panel: nothing if they may not see page and section
/// now, or if there is another widget at its place.
pub fn planned(portico: &Portico, viewer: &Viewer, slot: &WidgetAddress) -> Option<Arc<Planned>> {
    let file = file_of_widget(portico, viewer, slot)?;
    let plans = portico.plans.of(&file);
    let planned = plans.get(slot.section, slot.widget)?;
    (planned.kind_name() == slot.kind).then(|| Arc::clone(planned))
}

/// The file in which a widget stands, for a viewer who may see its page and section now.
pub fn file_of_widget(portico: &Portico, viewer: &Viewer, slot: &WidgetAddress) -> Option<Arc<ConfigFile>> {
    let site = portico.store.site();
    let root = site.root.as_ref()?;
    let file = match slot.page.as_str() {
        "home" | "" => Arc::clone(root),
        page => file_of(portico, &site, root.config.page(page, viewer)?, viewer.is_admin()).ok()?.0,
    };
    let section = file.config.sections.iter().find(|section| section.index == slot.section)?;
    (*viewer != Viewer::Anonymous && viewer.sees(&section.display.visibility)).then_some(file)
}

/// The file of a page, and why it is not the newest.
fn file_of(
    portico: &Portico,
    site: &Site,
    page: &Page,
    is_admin: bool,
) -> Result<(Arc<ConfigFile>, Option<Notice>), PageFailure> {
    let copy = match &page.source {
        PageSource::File(path) => match site.pages.get(path).cloned().unwrap_or_default() {
            PageFile { file: Some(file), failure } => {
                // What is wrong with the main config is said on all pages.
                let notice = failure.filter(|failure| Some(failure) != site.failure.as_ref());
                return Ok((file, notice.map(|failure| stale_notice(&failure, is_admin))));
            }
            PageFile { failure: Some(failure), .. } => return Err(page_failure(page, &failure, is_admin)),
            PageFile { .. } => None,
        },
        PageSource::Remote(address) => portico.remote_pages.get(address),
    };
    let Some(copy) = copy else {
        return Err(PageFailure {
            title: format!("The page “{}” is not there yet", page.name),
            reason: "it is being fetched; try again in a moment".to_owned(),
            ..PageFailure::default()
        });
    };
    match (copy.file, copy.failure) {
        (Some(file), failure) => {
            let notice = failure.map(|failure| stale_copy_notice(page, &failure, is_admin));
            Ok((file, notice))
        }
        (None, Some(failure)) => Err(PageFailure {
            advice: vec!["The page lies on another host; this server fetches it every few minutes.".to_owned()],
            ..page_failure(page, &failure, is_admin)
        }),
        (None, None) => Err(PageFailure::default()),
    }
}
