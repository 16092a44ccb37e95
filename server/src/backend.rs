//! Answers the app's server functions.

use std::sync::Arc;

use app::backend::{Backend, ElsewhereItem};
use config::{Config, Dashboard, PageRequest, Viewer, model::PageSource};
use http::request::Parts;

use crate::{auth, portico::Portico};

/// The app's [`Backend`].
pub struct ServerBackend(pub Arc<Portico>);

impl Backend for ServerBackend {
    fn items_elsewhere(&self, request: &Parts, slug: &str) -> Vec<ElsewhereItem> {
        let site = self.0.store.site();
        let Some(root) = &site.root else { return Vec::new() };
        let Ok(viewer) = auth::viewer(&request.extensions) else { return Vec::new() };
        let mut found = Vec::new();
        let root_title = root.config.page_info.title.as_deref().unwrap_or(app::PRODUCT);
        if slug != "home" {
            self.add_items(&root.config, None, root_title, &viewer, &mut found);
        }
        for page in root.config.pages.iter().filter(|page| page.slug != slug && viewer.sees(&page.visibility)) {
            let file = match &page.source {
                PageSource::File(path) => site.pages.get(path).and_then(|file| file.as_ref().ok()).cloned(),
                PageSource::Remote(address) => self.0.remote_pages.get(address).and_then(|copy| copy.file),
            };
            // A page that shows the root again offers nothing new.
            if let Some(file) = file.filter(|file| !Arc::ptr_eq(file, root)) {
                self.add_items(&file.config, Some(&page.slug), &page.name, &viewer, &mut found);
            }
        }
        found
    }
}

impl ServerBackend {
    fn add_items(
        &self,
        config: &Config,
        page: Option<&str>,
        name: &str,
        viewer: &Viewer,
        found: &mut Vec<ElsewhereItem>,
    ) {
        let request = PageRequest { base: &self.0.settings.base, page, ..PageRequest::default() };
        let Ok(view) = Dashboard::for_viewer(config, viewer, &request, &self.0.icons) else { return };
        for item in view.dashboard.sections.into_iter().flat_map(|section| section.items) {
            let sub_items = item.sub_items.iter().cloned();
            for entry in std::iter::once(item.clone()).chain(sub_items) {
                let Some(url) = entry.url else { continue };
                let words = [entry.provider, entry.description].into_iter().flatten().chain(entry.tags);
                found.push(ElsewhereItem {
                    title: entry.title,
                    words: words.collect::<Vec<_>>().join(" "),
                    url,
                    page: name.to_owned(),
                });
            }
        }
    }
}
