//! Pages: rendered once for each class of viewers, cached compressed, and served until the config changes.

mod cache;
mod dashboard_page;
mod dots;
mod drafts;
mod failure;
mod glyphs;
mod handlers;
mod hits;
mod local_origins;
mod preview;
mod rendered;
mod resolve;
mod stand_in;
mod times;

use std::sync::Arc;

use app::fallback::PageFailure;
use axum::extract::Query;
use config::{PageView, View, Viewer};
use languages::Locale;
use serde::Deserialize;
use url::form_urlencoded;

pub use self::{
    cache::PageCache,
    dashboard_page::{inline_styles, static_look},
    dots::Dot,
    drafts::{DraftView, draft_page},
    handlers::{
        home, landing, minimal, minimal_page, minimal_section, page, section, widget, workspace, workspace_page,
    },
    rendered::Rendered,
    resolve::{file_of_widget, planned},
    stand_in::{not_found_response, own_page},
};
use self::{cache::PageKey, dashboard_page::render_view, drafts::edit_mode, resolve::view};
use crate::{
    panels,
    platform::{blocking_pool, metrics::metrics},
    routes::app_state::AppState,
    store::{ConfigFile, Site},
};

/// The page that an address names. The names are as in the address; without any, it is the root.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq)]
pub struct PageTarget {
    #[serde(default)]
    view: View,
    page: Option<String>,
    section: Option<String>,
    widget: Option<String>,
}

impl PageTarget {
    /// A whole page in the home view.
    pub fn whole(page: Option<String>) -> Self {
        Self { page, ..Self::default() }
    }

    /// What [`PageTarget::query`] was made of.
    pub fn of_query(query: &str) -> Option<Self> {
        let address = format!("/?{query}").parse().ok()?;
        Query::try_from_uri(&address).ok().map(|Query(target)| target)
    }

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

/// Why there is no page.
#[derive(Debug)]
pub(super) enum RenderError {
    NotFound,
    Failed(PageFailure),
    /// Rendering it panicked.
    Panicked,
}

/// The page of an address for a viewer in a language, rendered if it is not cached.
///
/// # Errors
///
/// [`RenderError`].
pub(super) async fn rendered_page(
    portico: &Arc<AppState>,
    site: &Arc<Site>,
    viewer: &Viewer,
    target: &PageTarget,
    locale: &Locale,
) -> Result<Arc<Rendered>, Arc<RenderError>> {
    let icon_problems = if viewer.is_admin() { portico.icons.problem_changes() } else { 0 };
    let (viewer, target, locale) = (viewer.clone(), target.clone(), locale.clone());
    let key = PageKey { revision: site.revision, target, viewer, locale, icon_problems };
    let made = key.clone();
    let (portico, site) = (Arc::clone(portico), Arc::clone(site));
    let mut is_cached = true;
    let render = async {
        is_cached = false;
        let portico = Arc::clone(&portico);
        let render = move || {
            let PageKey { viewer, target, locale, .. } = &made;
            languages::with_locale(locale, || render(&portico, &site, viewer, target).map(Arc::new))
        };
        blocking_pool::compute(render).await.unwrap_or(Err(RenderError::Panicked))
    };
    let page = portico.pages.get_or_render(key, render).await;
    if let Some(metrics) = metrics() {
        metrics.page(is_cached);
    }
    page
}

/// What a viewer sees at an address, as far as it exists for them.
pub(super) fn shown(portico: &AppState, site: &Site, viewer: &Viewer, target: &PageTarget) -> Option<PageView> {
    view_with_widget(portico, site, viewer, target).ok().map(|(view, _)| view)
}

/// The page for a viewer, only with the widget that the address names, if it names one; and the file with its sections.
fn view_with_widget(
    portico: &AppState,
    site: &Site,
    viewer: &Viewer,
    target: &PageTarget,
) -> Result<(PageView, Arc<ConfigFile>), RenderError> {
    let (mut view, file) = view(portico, site, viewer, target)?;
    if let Some(widget) = &target.widget
        && !panels::keep_one(&mut view.dashboard, &portico.plans.of(&file), widget)
    {
        return Err(RenderError::NotFound);
    }
    Ok((view, file))
}

fn render(portico: &AppState, site: &Site, viewer: &Viewer, target: &PageTarget) -> Result<Rendered, RenderError> {
    let (mut view, file) = view_with_widget(portico, site, viewer, target)?;
    let plans = portico.plans.of(&file);
    let may_save = |root: &Arc<ConfigFile>| root.config.app.permissions(viewer).save_to_disk;
    if file.host.is_none() && !portico.panels.is_demo() && site.root.as_ref().is_some_and(may_save) {
        panels::allow_writing(&mut view.dashboard, &plans);
    }
    let edit_mode = edit_mode(portico, site, viewer, target, &file);
    Ok(render_view(portico, site, viewer, target, (view, file), edit_mode, false))
}
