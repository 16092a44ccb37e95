//! Pages for editing: who may edit, whose drafts a browser keeps, and how a page looks with a draft or a local config.

use std::sync::Arc;

use app::page::EditMode;
use config::{View, Viewer};
use http::HeaderMap;

use super::{PageTarget, dashboard_page::render_view, resolve::view};
use crate::{
    panels,
    platform::entity_tag,
    routes::{app_state::AppState, language},
    store::{ConfigFile, Site, SubPageFile},
};

/// Whether a viewer may edit anything at all.
fn edits_configs(site: &Site, viewer: &Viewer) -> bool {
    let allowed = |root: &Arc<ConfigFile>| root.config.app.permissions(viewer).view_config;
    viewer.is_admin() && site.root.as_ref().is_some_and(allowed)
}

/// Whose editor drafts a browser may keep while it shows a page to this viewer; empty for nobody's. Not the name
/// itself, since it is visible in the browser's storage. `None` for guests: an admin whose session has ended is one.
pub(super) fn drafts_of(site: &Site, viewer: &Viewer) -> Option<String> {
    if *viewer == Viewer::Guest {
        return None;
    }
    if !edits_configs(site, viewer) {
        return Some(String::new());
    }
    let name = viewer.person().map_or("", |person| &person.name);
    Some(entity_tag::of(format!("drafts of {name}").as_bytes()).trim_matches('"').chars().take(12).collect())
}

/// Whether a page has a button for editing: for viewers who may edit, on pages from local files. They are edited in the home
/// view, on whole pages.
pub(super) fn edit_mode(
    portico: &AppState,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
    file: &ConfigFile,
) -> EditMode {
    let may_edit = edits_configs(site, viewer)
        && file.host.is_none()
        && !portico.store.is_copy(&file.name)
        && !portico.assets.page().stream.is_empty()
        && !portico.assets.page().editor.is_empty();
    match (may_edit, target.view == View::Home && target.section.is_none()) {
        (false, _) => EditMode::Absent,
        (true, false) => EditMode::Elsewhere,
        (true, true) if portico.store.is_starter(file) => EditMode::Example,
        (true, true) => EditMode::Offered,
    }
}

/// The purpose of a page with a draft.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DraftView {
    /// It is being edited.
    Edited,
    /// It is viewed: the draft is a local config.
    LookedAt,
}

/// A page as it looks with this draft of its file; `None` if there is no such page. It shows cached panels and fetches
/// nothing.
pub fn draft_page(
    portico: &AppState,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
    draft: &Arc<ConfigFile>,
    draft_view: DraftView,
    request: &HeaderMap,
) -> Option<String> {
    let draft_page = SubPageFile { file: Some(Arc::clone(draft)), failure: None };
    let is_main = draft.name == portico.store.main();
    let root = if is_main { Some(Arc::clone(draft)) } else { site.root.clone() };
    let mut pages = site.pages.clone();
    pages.insert(draft.name.clone(), draft_page);
    let changed = Site { revision: site.revision, root, failure: None, pages };
    // Editors also see what is hidden from themselves: otherwise they could not show it again.
    let everything = Viewer::Admin(None);
    let seen_by = if draft_view == DraftView::Edited { &everything } else { viewer };
    let (mut view, file) = view(portico, &changed, seen_by, target).ok()?;
    if let Some(widget) = &target.widget
        && !panels::keep_one(&mut view.dashboard, &portico.plans.of(&file), widget)
    {
        return None;
    }
    let edit_mode = match draft_view {
        DraftView::Edited => EditMode::On,
        // The file decides who may edit, not the draft.
        DraftView::LookedAt => edit_mode(portico, site, viewer, target, &file),
    };
    let draw = || render_view(portico, &changed, viewer, target, (view, file), edit_mode, true);
    let rendered = languages::with_locale(&language::of(site, request), draw);
    Some(rendered.html_now(portico, request))
}
