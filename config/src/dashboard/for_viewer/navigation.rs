//! The navigation: the links of the header, and the pages that the viewer sees.

use super::Builder;
use crate::{
    dashboard::{NavigationEntry, View},
    model::{Page, page_info::NavLink},
};

impl Builder<'_> {
    /// An extra page always has at least the root as another page.
    pub(super) fn has_other_pages(&self) -> bool {
        let mut pages = self.config.pages.iter().filter(|page| self.viewer.sees(&page.visibility));
        self.page.is_some() || pages.any(|page| !page.is_main)
    }

    /// The header links, then the pages, the main one first. If other pages are listed without it, it gets an entry too.
    pub(super) fn navigation(&self) -> Vec<NavigationEntry> {
        let links = self.config.page_info.nav_links.iter().filter_map(|link| self.link(link));
        let pages = self.config.pages.iter().filter(|page| self.viewer.sees(&page.visibility));
        let (main, others): (Vec<_>, Vec<_>) = pages.partition(|page| page.is_main);
        let is_listed = self.config.pages.iter().any(|page| page.is_main);
        let unlisted = (!is_listed && !others.is_empty()).then(|| self.main_entry(String::new(), self.page.is_none()));
        let pages = main.into_iter().chain(others).map(|page| self.page_entry(page));
        links.chain(unlisted).chain(pages).collect()
    }

    /// A header link. Web addresses and mail links leave the app; everything else is a route in it.
    fn link(&self, link: &NavLink) -> Option<NavigationEntry> {
        let path = link.path.trim();
        let outside = crate::address::is_web(path) || path.starts_with("mailto:") || path.starts_with("tel:");
        let href = if outside {
            crate::address::web(path).unwrap_or_else(|| path.to_owned())
        } else {
            // Exactly one slash: two would name a host.
            let route = path.trim_start_matches(|character: char| matches!(character, '/' | '\\') || character <= ' ');
            format!("{}/{route}", self.request.base)
        };
        let target = outside.then(|| link.target.attribute().to_owned());
        (!link.title.is_empty()).then(|| NavigationEntry { title: link.title.clone(), href, target, current: false })
    }

    fn page_entry(&self, page: &Page) -> NavigationEntry {
        let current = match self.page {
            Some(shown) => shown.index == page.index,
            None => page.is_main,
        };
        let names = [page.name.as_str(), page.file(), &page.slug];
        let title = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned();
        if page.is_main {
            return self.main_entry(title, current);
        }
        let href = format!("{}/{}/{}", self.request.base, self.request.view.word(), page.slug);
        NavigationEntry { title, href, target: None, current }
    }

    fn main_entry(&self, title: String, current: bool) -> NavigationEntry {
        let Self { request, .. } = self;
        let href = match request.view {
            View::Home if request.starting_view == View::Home => format!("{}/", request.base),
            view => format!("{}/{}", request.base, view.word()),
        };
        NavigationEntry { title, href, target: None, current }
    }
}
