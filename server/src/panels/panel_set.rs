//! All panels, and what one is in the cache.

use std::{sync::Arc, time::Duration};

use app::backend::PanelResponse;

use super::{
    context::WidgetMemory, following::Following, own_addresses::OwnAddresses, panel_cache::PanelCache,
    panel_entry::MIN_LIFE, pictures::Pictures, plans::PlannedWidget, rendered_panel::RenderedPanel, shared::Shared,
};
use crate::http_client::HttpClient;

/// How long a panel without automatic refresh is fresh: people who reload the page want a new one, but a crowd that
/// opens the page shares one.
const LIFE_WITHOUT_REFRESH: Duration = Duration::from_secs(10);

/// A panel as it is in the cache at one moment; cheap to clone.
#[derive(Clone, Debug)]
pub struct CachedPanel {
    /// The state without the markup.
    pub response: PanelResponse,
    pub(super) rendered: Option<Arc<RenderedPanel>>,
    pub(super) base: Arc<str>,
}

impl CachedPanel {
    /// The response with the markup.
    pub fn whole(&self) -> PanelResponse {
        let html = self.rendered.as_ref().map(|rendered| rendered.html(&self.base));
        PanelResponse { html: html.or_else(|| self.response.html.clone()), ..self.response.clone() }
    }
}

/// All panels.
#[derive(Debug)]
pub struct Panels {
    pub(super) cache: Arc<PanelCache>,
    pub(super) following: Following,
    pub(super) http_client: HttpClient,
    pub(super) memory: WidgetMemory,
    pub(super) own: OwnAddresses,
    pub(super) pictures: Arc<Pictures>,
    pub(super) base: Arc<str>,
    pub(super) demo: bool,
    /// Whether scripts from the config file run in frames.
    pub(super) runs_scripts: bool,
    /// Where lookups are shared with other servers.
    pub(super) shared: Option<Arc<Shared>>,
}

/// How long a panel is fresh.
pub(super) fn life(planned: &PlannedWidget) -> Duration {
    planned.refresh.unwrap_or(LIFE_WITHOUT_REFRESH).max(MIN_LIFE)
}
