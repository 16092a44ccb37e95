//! The pages of an export.

use config::{
    Viewer,
    model::page::Page,
    slug::{ROOT_PAGE, page_slug},
};

use super::found::ExportError;
use crate::routes::app_state::AppState;

/// The pages that are exported.
#[derive(Clone, Debug)]
pub(super) struct ChosenPages {
    /// Whether the main page is one of them.
    pub has_main: bool,
    /// The slugs of the others.
    pub slugs: Vec<String>,
}

impl ChosenPages {
    /// The pages with these names, or without any, all that guests see.
    ///
    /// # Errors
    ///
    /// Guests see no page of a name.
    pub fn of(portico: &AppState, names: &[String]) -> Result<Self, ExportError> {
        let site = portico.store.site();
        let pages = site.root.iter().flat_map(|root| &root.config.pages);
        let seen: Vec<&Page> = pages.filter(|page| Viewer::Guest.sees(&page.visibility)).collect();
        let others = || seen.iter().filter(|page| !page.is_main).map(|page| page.slug.clone());
        if names.is_empty() {
            return Ok(Self { has_main: true, slugs: others().collect() });
        }
        let mut chosen = Self { has_main: false, slugs: Vec::new() };
        for name in names {
            let slug = page_slug(name);
            let page = seen.iter().find(|page| page.slug == slug);
            if page.is_some_and(|page| page.is_main) || page.is_none() && matches!(slug.as_str(), "home" | "main-page")
            {
                chosen.has_main = true;
            } else if page.is_some() {
                chosen.slugs.push(slug);
            } else {
                let known = [ROOT_PAGE.to_owned()].into_iter().chain(others()).map(|slug| format!("`{slug}`"));
                let known = known.collect::<Vec<_>>().join(", ");
                return Err(ExportError::PageNotFound { name: name.clone(), known });
            }
        }
        Ok(chosen)
    }

    /// Makes the dashboard one that has only these pages for guests. `has_worker` takes the place of the setting for a server.
    pub fn show_only(&self, portico: &AppState, has_worker: bool) {
        portico.store.amend(|config, is_main_file| {
            for page in &mut config.pages {
                let is_chosen = if page.is_main { self.has_main } else { self.slugs.contains(&page.slug) };
                page.visibility.hide_for_guests |= !is_chosen;
            }
            if is_main_file && !self.has_main {
                config.sections.clear();
            }
            config.app.enable_service_worker = has_worker;
            config.app.enable_auth_proxy_compat = false;
        });
        for file in portico.files().iter().filter(|file| file.host.is_none()) {
            portico.plans.for_export(file);
        }
    }

    /// The addresses of the pages in all views.
    pub fn paths(&self) -> Vec<String> {
        let main = ["/", "/home", "/minimal", "/workspace"].into_iter().filter(|_| self.has_main).map(str::to_owned);
        let of_page = |slug: &String| ["home", "minimal", "workspace"].map(|view| format!("/{view}/{slug}"));
        main.chain(self.slugs.iter().flat_map(of_page)).collect()
    }

    /// Whether the page at a decoded path without its slashes is one of them. Pages that are hidden need no check.
    pub fn has(&self, path: &str) -> bool {
        self.has_main || path.split('/').nth(1).is_some_and(|page| self.slugs.contains(&page_slug(page)))
    }

    /// The file of the page that stands for a main page that is not exported.
    pub fn stand_in(&self) -> Option<String> {
        self.slugs.first().filter(|_| !self.has_main).map(|slug| format!("home/{slug}/index.html"))
    }
}
