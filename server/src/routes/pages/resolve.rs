//! Which config file and which widget an address means, for a viewer.

use std::sync::Arc;

use app::{backend::WidgetAddress, fallback::PageFailure};
use config::{
    Dashboard, PageError, PageRequest, PageView, View, Viewer,
    dashboard::PageNotice,
    model::{PageSource, page::Page},
    slug::{is_root_page, page_slug},
};
use languages::{fill, t};

use super::{
    PageTarget, RenderError,
    failure::{closed, page_failure, page_without_file, stale_copy_notice, stale_notice},
};
use crate::{
    panels::{PlannedWidget, demo},
    routes::app_state::AppState,
    store::{ConfigFile, Site, SubPageFile},
};

/// The page for a viewer, and the file with its sections.
pub(super) fn view(
    portico: &AppState,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
) -> Result<(PageView, Arc<ConfigFile>), RenderError> {
    let Some(root) = &site.root else {
        return Err(RenderError::Failed(closed(site.failure.as_deref())));
    };
    let is_admin = viewer.is_admin();
    let base = portico.settings.base.as_str();
    let named = target.page.as_deref();
    let page = named.filter(|name| !is_root_page(name)).and_then(|name| root.config.page(name, viewer));
    // Pages may have these names too, and then take precedence.
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
            (file, notice) = file_of(portico, site, page, is_admin).map_err(RenderError::Failed)?;
            (file, PageRequest { page: named, ..request })
        }
        // Old bookmarks have the name of a section of the root in the place of a page.
        (None, Some(name)) if !is_root && target.section.is_none() && target.view != View::Workspace => {
            (Arc::clone(root), PageRequest { section: Some(name), ..request })
        }
        (None, Some(_)) if !is_root => return Err(RenderError::NotFound),
        _ => (Arc::clone(root), request),
    };
    let icons = portico.icons.for_page_of(file.host.as_deref());
    let view = Dashboard::for_viewer(&file.config, viewer, &request, &icons);
    let mut view = view.map_err(|error| match error {
        PageError::PageNotFound(_) | PageError::SectionNotFound(_) => RenderError::NotFound,
    })?;
    view.dashboard.other_pages = root.config.pages.iter().any(|page| viewer.sees(&page.visibility));
    view.dashboard.notices.extend(notice);
    if portico.shows_cases {
        demo::translate(&mut view.dashboard);
    }
    let stale = site.failure.as_ref().map(|failure| stale_notice(failure, is_admin));
    // Viewers who see no details get only one notice for two outdated files.
    if let Some(stale) = stale.filter(|stale| !view.dashboard.notices.contains(stale)) {
        view.dashboard.notices.push(stale);
    }
    Ok((view, file))
}

/// The plan of a widget, for a viewer who requests its panel: `None` if they may not see the page and section
/// now, or if there is another widget in its place.
pub fn planned(portico: &AppState, viewer: &Viewer, slot: &WidgetAddress) -> Option<Arc<PlannedWidget>> {
    let file = file_of_widget(portico, viewer, slot)?;
    let plans = portico.plans.of(&file);
    let planned = plans.get(slot.section, slot.widget)?;
    (planned.kind_name() == slot.kind).then(|| Arc::clone(planned))
}

/// The file that contains a widget, for a viewer who may see its page and section now.
pub fn file_of_widget(portico: &AppState, viewer: &Viewer, slot: &WidgetAddress) -> Option<Arc<ConfigFile>> {
    let site = portico.store.site();
    let root = site.root.as_ref()?;
    let file = match slot.page.as_str() {
        "home" | "" => Arc::clone(root),
        page => file_of(portico, &site, root.config.page(page, viewer)?, viewer.is_admin()).ok()?.0,
    };
    let section = file.config.sections.iter().find(|section| section.index == slot.section)?;
    (*viewer != Viewer::Anonymous && viewer.sees(&section.display.visibility)).then_some(file)
}

/// The file of a page, and a notice if it is not the newest version.
fn file_of(
    portico: &AppState,
    site: &Site,
    page: &Page,
    is_admin: bool,
) -> Result<(Arc<ConfigFile>, Option<PageNotice>), PageFailure> {
    let copy = match &page.source {
        source if source.is_missing() => return Err(page_without_file(page, is_admin)),
        PageSource::File(path) => match site.pages.get(path).cloned().unwrap_or_default() {
            SubPageFile { file: Some(file), failure } => {
                // Problems of the main config are shown on all pages.
                let notice = failure.filter(|failure| Some(failure) != site.failure.as_ref());
                return Ok((file, notice.map(|failure| stale_notice(&failure, is_admin))));
            }
            SubPageFile { failure: Some(failure), .. } => return Err(page_failure(page, &failure, is_admin)),
            SubPageFile { .. } => None,
        },
        PageSource::Remote(address) => portico.remote_pages.get(address),
    };
    let Some(copy) = copy else {
        return Err(PageFailure {
            title: fill("The page “{name}” is not there yet", &[("name", &page.name)]),
            reason: t("It is being fetched; try again in a moment.").to_owned(),
            ..PageFailure::default()
        });
    };
    match (copy.file, copy.failure) {
        (Some(file), failure) => {
            let notice = failure.map(|failure| stale_copy_notice(page, &failure, is_admin));
            Ok((file, notice))
        }
        (None, Some(failure)) => Err(PageFailure {
            advice: vec![t("The page is on another host; this server fetches it every few minutes.").to_owned()],
            ..page_failure(page, &failure, is_admin)
        }),
        (None, None) => Err(PageFailure::default()),
    }
}
