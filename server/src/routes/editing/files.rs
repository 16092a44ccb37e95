//! All config files, for the config menu.

use std::sync::Arc;

use app::config_files::ConfigFileSummary;
use config::model::{PageSource, page::Page};

use super::Editing;
use crate::{
    panels,
    routes::app_state::AppState,
    store::{ConfigFile, FileFailure, SubPageFile},
};

/// The root, then the files of the pages that the user sees.
pub(super) fn list(portico: &AppState, editing: &Editing) -> Vec<ConfigFileSummary> {
    let site = &editing.site;
    let Some(root) = &site.root else { return Vec::new() };
    let title = root.config.page_info.title.clone().unwrap_or_else(|| app::PRODUCT.to_owned());
    let main = ConfigFileSummary { file: root.name.clone(), title, ..ConfigFileSummary::default() };
    let main = summary(portico, main, Some(root), site.failure.as_ref(), true);
    let pages = root.config.pages.iter().filter(|page| !page.is_main && editing.viewer.sees(&page.visibility));
    std::iter::once(main).chain(pages.map(|page| page_summary(portico, editing, page))).collect()
}

fn page_summary(portico: &AppState, editing: &Editing, page: &Page) -> ConfigFileSummary {
    let begun = ConfigFileSummary {
        page: Some(page.slug.clone()),
        file: page.path.clone(),
        title: page.name.clone(),
        ..ConfigFileSummary::default()
    };
    match &page.source {
        PageSource::File(path) => {
            let SubPageFile { file, failure } = editing.site.pages.get(path).cloned().unwrap_or_default();
            summary(portico, begun, file.as_ref(), failure.as_ref(), false)
        }
        PageSource::Remote(address) => {
            let begun = ConfigFileSummary { remote: true, ..begun };
            let copy = portico.remote_pages.get(address);
            let (file, failure) = copy.map_or((None, None), |copy| (copy.file, copy.failure));
            summary(portico, begun, file.as_ref(), failure.as_ref(), false)
        }
    }
}

fn summary(
    portico: &AppState,
    begun: ConfigFileSummary,
    file: Option<&Arc<ConfigFile>>,
    failure: Option<&Arc<FileFailure>>,
    is_main: bool,
) -> ConfigFileSummary {
    let unreadable = failure.map(|failure| failure.reason.clone());
    let Some(file) = file else {
        let unreadable = unreadable.or_else(|| Some("it has not been read yet".to_owned()));
        return ConfigFileSummary { unreadable, ..begun };
    };
    let sections = &file.config.sections;
    ConfigFileSummary {
        comments: file.document.has_comments(),
        sections: sections.len(),
        items: sections.iter().map(|section| section.items.len()).sum(),
        widgets: sections.iter().map(|section| section.widgets.len()).sum(),
        problems: panels::admin_messages(file, &portico.plans.of(file), is_main).problems,
        unreadable,
        ..begun
    }
}
