//! The origins of local addresses, to which a page's scripts may send requests.

use config::{Dashboard, Viewer};

use crate::routes::{app_state::AppState, status_check::visible_files};

/// The origins of local addresses, which the page probes.
pub(super) fn local_origins(dashboard: &Dashboard) -> Vec<String> {
    let items = dashboard.sections.iter().flat_map(|section| &section.items);
    let all = items.flat_map(|item| std::iter::once(item).chain(&item.sub_items));
    all.filter_map(|item| origin(item.local_url.as_deref()?)).collect()
}

/// The origins of local addresses on all pages that a viewer sees.
pub(super) fn probed_elsewhere(portico: &AppState, viewer: &Viewer) -> Vec<String> {
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

/// The origin of a web address.
pub(super) fn origin(address: &str) -> Option<String> {
    let origin = url::Url::parse(address).ok()?.origin().ascii_serialization();
    origin.starts_with("http").then_some(origin)
}
