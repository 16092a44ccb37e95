//! What the browser needs to know about a page beyond the HTML: the data from which the live parts are hydrated.

use config::Dashboard;
use config::dashboard::{BrowserSort, Look, WebSearch};
use serde::{Deserialize, Serialize};

/// Addresses of one of the browser's bundles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bundle {
    /// Its JavaScript module.
    pub script: String,
    /// Its WebAssembly.
    pub wasm: String,
}

/// The part of a [`Dashboard`] that lives on in the browser. Sections and tiles do not: their HTML says it all, and
/// a page with thousands of them must not carry everything twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PageSettings {
    /// Path prefix of the whole product without a trailing slash.
    pub base: String,
    /// Slug of the page; `home` for the root config.
    pub slug: String,
    /// Themes, layout, sizes as the config gives them.
    pub look: Look,
    /// What Enter in the search box does.
    pub web_search: WebSearch,
    /// No search box.
    pub hide_search: bool,
    /// No options button.
    pub hide_options: bool,
    /// No counting of clicks.
    pub disable_smart_sort: bool,
    /// The page shows one section, which is always open.
    pub single_section: bool,
    /// Whether the search can offer items of other pages.
    pub other_pages: bool,
    /// Sections (by their index) with an order that only the browser can make.
    pub sorted: Vec<(usize, BrowserSort)>,
    /// Whether the browser is to watch, and renew, the session of the person who is looking.
    pub watch_session: bool,
    /// What the page loads if it has widgets that the browser looks up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct: Option<Bundle>,
}

/// Who is looking at a page, as far as the page shows it. The times of a session are not part of it: pages are kept for
/// all requests of one viewer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionView {
    /// How people sign in here.
    pub kind: SessionKind,
    /// Name of the person; empty for a guest.
    pub name: String,
    /// Whether the person may write.
    pub is_admin: bool,
    /// Nobody is signed in, and guests are let in.
    pub guest: bool,
}

impl SessionView {
    /// Whether the session is one of a provider, whose end comes by itself and may come at any time.
    pub fn is_watched(&self) -> bool {
        self.kind == SessionKind::Oidc && !self.guest
    }
}

/// How a person was recognised.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SessionKind {
    /// By a provider's token, OpenID Connect or Keycloak.
    Oidc,
    /// By a name and password of the config.
    #[default]
    Users,
    /// By a proxy, which alone can sign the person out.
    Proxy,
}

impl PageSettings {
    /// The settings of a dashboard for whoever looks at it.
    pub fn of(dashboard: &Dashboard, session: Option<&SessionView>) -> Self {
        Self {
            base: dashboard.base.clone(),
            slug: dashboard.slug.clone(),
            look: dashboard.look.clone(),
            web_search: dashboard.web_search.clone(),
            hide_search: dashboard.hide.search,
            hide_options: dashboard.hide.settings,
            disable_smart_sort: dashboard.disable_smart_sort,
            single_section: dashboard.single_section,
            other_pages: dashboard.other_pages,
            sorted: dashboard
                .sections
                .iter()
                .filter(|section| section.sort != BrowserSort::None)
                .map(|section| (section.index, section.sort))
                .collect(),
            watch_session: session.is_some_and(SessionView::is_watched),
            direct: None,
        }
    }
}
