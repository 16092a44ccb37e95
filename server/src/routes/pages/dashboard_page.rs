//! From a dashboard to the rendered page.

use std::{fmt::Write as _, sync::Arc};

use app::{
    document::{self, Head},
    page::{EditMode, SessionView, UNNAMED_SECTION, language::LanguageLinks, own_address, widget_frame::widget_name},
    page_style,
};
use config::{
    Dashboard, PageView, View, Viewer,
    dashboard::{WidgetState, WidgetView},
};
use http::StatusCode;
use jiff::Timestamp;
use languages::{Language, Locale, fill, t};
use widgets::RunSide;

use super::{
    PageTarget, Rendered, dots,
    drafts::drafts_of,
    glyphs,
    local_origins::{local_origins, origin, probed_elsewhere},
};
use crate::{
    panels::{self, WidgetPlans},
    platform::time_zone,
    routes::{
        app_state::AppState,
        offline::{self, ExportedScripts, Switches},
        sign_in, widget_draft_frame,
    },
    settings::ExportSettings,
    store::{ConfigFile, Site},
};

/// With a background picture, what would lie directly on it gets a ground: sections, the header and the footer. Themes of glass
/// (style/traits/blur.css) say how their panes blur the picture.
const OVER_A_PICTURE: &str = "@layer portico{\
    :root{--over-picture:color-mix(in oklab,var(--background) 88%,transparent);\
    --item-group-outer-background:color-mix(in oklab,var(--surface) 88%,transparent);--footer-background:var(--over-picture)}\
    .top{border-image:linear-gradient(var(--over-picture) 0 0) fill 0/0/0 100vmax}\
    .collapsable{backdrop-filter:var(--picture-filter,none)}\
    .collapsable:not([data-color]){background-image:linear-gradient(var(--picture-pane,transparent) 0 0)}}";

pub(super) fn render_view(
    portico: &AppState,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
    (mut view, file): (PageView, Arc<ConfigFile>),
    edit_mode: EditMode,
    is_draft: bool,
) -> Rendered {
    let plans = portico.plans.of(&file);
    if viewer.is_admin() {
        let is_main = site.root.as_ref().is_some_and(|root| Arc::ptr_eq(root, &file));
        let panels::AdminMessages { problems, hints } = panels::admin_messages(&file, &plans, is_main);
        view.dashboard.problems = problems;
        view.dashboard.hints = hints;
    }
    if let Some(export) = &portico.settings.export {
        make_static(&mut view.dashboard, &plans);
        if export.hides_main {
            leave_out_main_page(&mut view.dashboard);
        }
    }
    let dots = dots::of(&view.dashboard, &file, &portico.checker);
    let mut asked = if view.dashboard.other_pages { probed_elsewhere(portico, viewer) } else { Vec::new() };
    if !matches!(edit_mode, EditMode::Absent | EditMode::Elsewhere) {
        let endpoint = site.root.as_ref().and_then(|root| root.config.app.backup_endpoint.as_deref());
        asked.extend(endpoint.and_then(origin));
    }
    let context = PageContext {
        session: sign_in::session_view(portico, site, viewer),
        is_admin: viewer.is_admin(),
        switches: Switches::of(site),
        asked,
        edit_mode,
        drafts: drafts_of(site, viewer),
        draft_of: is_draft.then(|| viewer.clone()),
    };
    render_page(portico, view, target, &plans, context).with_dots(dots)
}

/// Makes a page one that no server answers: without states of services, which would be wrong soon, and without widgets about the
/// viewer, and with its time.
fn make_static(dashboard: &mut Dashboard, plans: &WidgetPlans) {
    dashboard.is_static = true;
    let is_about_viewer = |section: usize, widget: &WidgetView| {
        plans.get(section, widget.index).is_some_and(|planned| planned.place == RunSide::Browser)
    };
    dashboard.facts.retain(|fact| !is_about_viewer(fact.section, &fact.widget));
    for section in &mut dashboard.sections {
        section.widgets.retain(|widget| !is_about_viewer(section.index, widget));
    }
    for item in dashboard.sections.iter_mut().flat_map(|section| &mut section.items) {
        item.has_status = false;
        item.has_second_status = false;
    }
    let now = Timestamp::now().to_zoned(time_zone::own());
    let locale = languages::current_locale();
    let locale = Locale::of_formats(&locale.tag).unwrap_or(locale);
    let time = locale.date("exact", time_zone::local(&now)).unwrap_or_default();
    let age = format!("<p>{}</p>", fill("as of {time}", &[("time", &time)]));
    dashboard.footer.get_or_insert_default().push_str(&age);
}

/// Leaves out the link to a main page that is not exported.
fn leave_out_main_page(dashboard: &mut Dashboard) {
    let Dashboard { base, navigation, .. } = dashboard;
    let is_main = |path: &str| matches!(path, "/" | "/home" | "/minimal" | "/workspace");
    navigation.retain(|entry| entry.target.is_some() || !entry.href.strip_prefix(base.as_str()).is_some_and(is_main));
}

/// What a page depends on beyond the config that it shows.
pub(super) struct PageContext {
    pub(super) session: Option<SessionView>,
    pub(super) is_admin: bool,
    pub(super) switches: Switches,
    /// Additional origins that the page's scripts query: those of local addresses on other pages, which the search probes,
    /// and for editors that of the service for encrypted copies.
    pub(super) asked: Vec<String>,
    pub(super) edit_mode: EditMode,
    /// Whose drafts of the editor the browser may keep, as in [`document::Head`].
    pub(super) drafts: Option<String>,
    /// Whose draft it shows in place of the file.
    pub(super) draft_of: Option<Viewer>,
}

pub(super) fn render_page(
    portico: &AppState,
    PageView { mut dashboard, styles }: PageView,
    target: &PageTarget,
    plans: &WidgetPlans,
    context: PageContext,
) -> Rendered {
    let PageContext { session, is_admin, switches, asked, edit_mode, drafts, draft_of } = context;
    dashboard.empty_columns = edit_mode == EditMode::On;
    if edit_mode != EditMode::On {
        dashboard.leave_out_fact_sections();
    }
    let backgrounds = offline::backgrounds(&dashboard, &styles);
    let slots = panels::fill(&mut dashboard, plans, &portico.panels, is_admin);
    if dashboard.is_static {
        dashboard.widgets_mut().for_each(|(_, widget)| widget.controls &= widget.place == WidgetState::Local);
    }
    if let Some(viewer) = draft_of {
        widget_draft_frame::fill(portico, &viewer, &mut dashboard, plans);
    }
    let glyphs = glyphs::embed(&mut dashboard, &portico.icons);
    let [day, night] = [dashboard.look.day_theme.clone(), dashboard.look.night_theme.clone()];
    let mut style = themes::custom_rules(&styles.custom_colors, &day, &night);
    if let Some(address) = &styles.background {
        // The stand-in for a missing picture is meant for tiles: as a background it would fill the page.
        let address = if address.starts_with("data:") { address.clone() } else { format!("{address}?background") };
        _ = write!(
            style,
            "html{{scrollbar-gutter:auto}}body{{background-image:url(\"{address}\");background-size:cover;background-position:center;background-attachment:fixed}}{OVER_A_PICTURE}"
        );
    }
    if let Some(width) = &styles.content_max_width {
        _ = write!(style, "#page{{--content-max-width:{width}}}");
    }
    style.push_str(&page_style::entry_rules(&dashboard));
    style.push_str(&page_style::translated_rules(&dashboard));
    if let Some(css) = &styles.custom_css {
        style.push_str(css);
    }
    let title = title(&dashboard);
    let mut connect = local_origins(&dashboard);
    connect.extend(asked.into_iter().chain(slots.origins.iter().cloned()));
    connect.sort();
    connect.dedup();
    let export = portico.settings.export.as_ref();
    let offline = match export {
        Some(export) => ExportedScripts::new(&export.base).script(switches.worker),
        None => portico.offline.script(switches),
    };
    let own = own_address(&dashboard);
    let path = own.strip_prefix(&dashboard.base).unwrap_or(&own);
    let languages = export.and_then(|export| language_links(export, path));
    let address = target.query();
    let style_sheets = styles.style_sheets;
    let head = Head { glyphs, style, style_sheets, title, backgrounds, offline, connect, address, drafts, languages };
    let (html, version) = document::page(Arc::new(dashboard), session, edit_mode, &head, portico.assets.page());
    let rendered =
        Rendered::new(portico, StatusCode::OK, html, &inline_styles(portico, &day, &night, head.style), &head.connect);
    rendered.with_version(version).with_slots(&slots, is_admin)
}

/// The links to a page of an export in its languages, if there are several. `path` is below the prefix of a language.
pub(super) fn language_links(export: &ExportSettings, path: &str) -> Option<LanguageLinks> {
    let link = |language: &Language| (*language, format!("{}{path}", export.base_of(*language)));
    let links: Vec<_> = export.languages.iter().map(link).collect();
    (links.len() > 1).then(|| LanguageLinks { base: export.base.clone(), links })
}

/// The inline styles of a page besides the product's own: those of its themes, and `style`.
pub fn inline_styles(portico: &AppState, day: &str, night: &str, style: String) -> Vec<String> {
    let themes = themes::inline_styles(day, night, &portico.assets.page().base);
    themes.into_iter().map(|style| style.css).chain([style]).collect()
}

/// The day and night themes of pages that are not part of the dashboard, and the texts of their inline styles.
pub fn static_look(portico: &AppState) -> ([String; 2], Vec<String>) {
    let site = portico.store.site();
    let style = site.root.as_ref().map(|root| &root.config.app.style);
    let theme = |name: Option<&Option<String>>| name.cloned().flatten().unwrap_or_else(|| "default".to_owned());
    let themes = [theme(style.map(|style| &style.day_theme)), theme(style.map(|style| &style.night_theme))];
    let inline = inline_styles(portico, &themes[0], &themes[1], String::new());
    (themes, inline)
}

/// The title of the browser's tab: the widget or section that is shown, then the page, then the view.
fn title(dashboard: &Dashboard) -> String {
    let mut title = match dashboard.view {
        View::Home => dashboard.title.clone(),
        View::Minimal => format!("{} | {}", dashboard.title, t("Minimal")),
        View::Workspace => format!("{} | {}", dashboard.title, t("Workspace")),
    };
    if let Some(section) = dashboard.selected.and_then(|position| dashboard.sections.get(position)) {
        let name = section.name.trim();
        title = format!("{} | {title}", if name.is_empty() { t(UNNAMED_SECTION) } else { name });
    }
    if let Some(section) = dashboard.sections.first().filter(|_| dashboard.single_section) {
        let name = section.name.trim();
        title = format!("{} | {title}", if name.is_empty() { t(UNNAMED_SECTION) } else { name });
        if let Some(widget) = section.widgets.first().filter(|_| dashboard.single_widget.is_some()) {
            title = format!("{} | {title}", widget_name(widget));
        }
    }
    title
}
