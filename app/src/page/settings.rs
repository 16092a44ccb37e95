//! The data that the browser needs besides the HTML: the live parts are hydrated from it.

use config::{
    Dashboard, View,
    dashboard::{Appearance, BrowserSort, WebSearchView},
    json::FromJson,
};
use serde::Serialize;

/// Addresses of one of the browser's bundles.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bundle {
    /// Its JavaScript module.
    pub script: String,
    /// Its WebAssembly.
    pub wasm: String,
}

/// The part of a [`Dashboard`] that is sent as data. Sections and tiles are not part of it: their HTML has everything, and
/// a page with thousands of tiles must not contain everything twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, FromJson)]
#[serde(rename_all = "camelCase")]
pub struct PageSettings {
    /// Path prefix of the whole product without a trailing slash.
    pub base: String,
    /// Slug of the page; `home` for the root config.
    pub slug: String,
    /// Themes, layout and sizes from the config.
    pub look: Appearance,
    /// What Enter in the search box does.
    pub web_search: WebSearchView,
    /// Whether there is no search box.
    pub hide_search: bool,
    /// Whether there is no options button.
    pub hide_options: bool,
    /// Whether clicks are not counted.
    pub disable_smart_sort: bool,
    /// Whether the page shows one section, which is always open.
    pub single_section: bool,
    /// Whether the search can offer items of other pages.
    pub other_pages: bool,
    /// Whether the page is part of a static export: no server answers it, so widgets with data stay as they are.
    pub is_static: bool,
    /// Sections (by their index) with an order that only the browser can apply.
    pub sorted: Vec<(usize, BrowserSort)>,
    /// Whether the browser has to watch and renew the viewer's session.
    pub watch_session: bool,
}

/// The viewer as shown on the page. The times of a session are not part of it, because pages are cached for
/// all requests of one viewer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionView {
    /// How people sign in here.
    pub kind: SessionKind,
    /// Name of the user; empty for a guest.
    pub name: String,
    /// Whether the user may write.
    pub is_admin: bool,
    /// Nobody is signed in, and guests are admitted.
    pub guest: bool,
    /// Whether the user can sign out here. A proxy ends its sessions itself, but the config may say where.
    pub signs_out: bool,
}

impl SessionView {
    /// Whether the session is one of a provider, which may end at any time.
    pub fn is_watched(&self) -> bool {
        self.kind == SessionKind::Oidc && !self.guest
    }
}

/// How a user was recognized.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SessionKind {
    /// By a provider's token, OpenID Connect or Keycloak.
    Oidc,
    /// By a name and password of the config.
    #[default]
    Users,
    /// By a proxy; only it can end the session.
    Proxy,
}

impl PageSettings {
    /// The settings of a dashboard for its viewer.
    pub fn of(dashboard: &Dashboard, session: Option<&SessionView>) -> Self {
        Self {
            base: dashboard.base.clone(),
            slug: dashboard.slug.clone(),
            look: dashboard.look.clone(),
            web_search: dashboard.web_search.clone(),
            // The workspace view has its items in the sidebar.
            hide_search: dashboard.hide.search || dashboard.view == View::Workspace,
            // Without sign-in, hidden options are hidden from everybody.
            hide_options: dashboard.hide.settings && !session.is_some_and(|session| session.is_admin),
            disable_smart_sort: dashboard.disable_smart_sort,
            // Only the home view remembers which sections are collapsed.
            single_section: dashboard.single_section || dashboard.view != View::Home,
            other_pages: dashboard.other_pages,
            is_static: dashboard.is_static,
            sorted: dashboard
                .sections
                .iter()
                .filter(|section| section.sort != BrowserSort::None)
                .map(|section| (section.index, section.sort))
                .collect(),
            watch_session: session.is_some_and(SessionView::is_watched),
        }
    }
}

#[cfg(test)]
mod tests {
    use config::dashboard::{Layout, OpeningMethod, TileSize};
    use serde_json::Value;

    use super::*;

    /// Settings in which every value differs from its default.
    fn full() -> PageSettings {
        PageSettings {
            base: "/start".to_owned(),
            slug: "attic".to_owned(),
            look: Appearance {
                day_theme: "dracula".to_owned(),
                night_theme: "nord".to_owned(),
                themes: vec!["own".to_owned(), "other".to_owned()],
                layout: Layout::Masonry,
                icon_size: TileSize::Large,
                grows: true,
                col_count: Some(5),
                language: Some("de-AT".to_owned()),
                style_sheets: vec!["/a.css".to_owned()],
            },
            web_search: WebSearchView {
                disabled: true,
                engine: Some("https://search.example/?q=".to_owned()),
                engine_name: "search.example".to_owned(),
                opening_method: OpeningMethod::SameTab,
                open_urls_directly: true,
                bangs: vec![("/w".to_owned(), "https://wiki.example/".to_owned())],
            },
            hide_search: true,
            hide_options: true,
            disable_smart_sort: true,
            single_section: true,
            other_pages: true,
            is_static: true,
            sorted: vec![(0, BrowserSort::Random), (7, BrowserSort::MostUsed), (12, BrowserSort::LastUsed)],
            watch_session: true,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for settings in [full(), PageSettings::default()] {
            assert_eq!(PageSettings::from_json(&serde_json::to_value(&settings).unwrap()), Some(settings));
        }
        assert_eq!(PageSettings::from_json(&Value::Null), Some(PageSettings::default()));
    }

    #[test]
    fn every_word_is_read_again() {
        let look = |layout, icon_size| Appearance { layout, icon_size, ..Appearance::default() };
        let methods = [OpeningMethod::NewTab, OpeningMethod::SameTab, OpeningMethod::Workspace];
        for (look, opening_method) in [
            look(Layout::Auto, TileSize::Small),
            look(Layout::Horizontal, TileSize::Medium),
            look(Layout::Vertical, TileSize::Large),
        ]
        .into_iter()
        .zip(methods)
        {
            let web_search = WebSearchView { opening_method, ..WebSearchView::default() };
            let settings = PageSettings { look, web_search, ..full() };
            assert_eq!(PageSettings::from_json(&serde_json::to_value(&settings).unwrap()), Some(settings));
        }
    }
}
