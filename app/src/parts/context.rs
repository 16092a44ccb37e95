//! The surroundings of a panel.

use widgets::panel::SafeUrl;

/// The surroundings of a panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelContext {
    /// The path prefix for addresses on this server, without a trailing slash.
    pub base: String,
    /// The label of the widget: the alternative text of a picture that has none.
    pub label: String,
}

impl PanelContext {
    /// The address for a link: the page's base is added to a path on this server.
    pub(super) fn href(&self, url: &SafeUrl) -> String {
        let is_own = !url.is_remote() && url.as_str().starts_with('/');
        [if is_own { self.base.as_str() } else { "" }, url.as_str()].concat()
    }
}
