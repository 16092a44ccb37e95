//! The server functions, and the trait that implements them.
//!
//! They live under `/fn/`, never `/api/`. The server provides a [`Backend`] as context; the functions here contain no
//! rules of their own.

// The arguments of a server function are the parameters of its query.
#![allow(clippy::too_many_arguments)]

mod panel;
mod session;

#[cfg(feature = "ssr")]
use std::{pin::Pin, sync::Arc};

use config::json::FromJson;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::{
    panel::{
        BrowserFailure, BrowserRefresh, BrowserRequest, BrowserResponse, PanelQuery, PanelResponse, PanelState,
        WidgetAddress,
    },
    session::{NextAddress, SessionStatus, SignedInBy},
};

/// An item of another page, which the search shows below this page's results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ElsewhereItem {
    /// Title of the item.
    pub title: String,
    /// Other texts that the search considers: provider, description, tags.
    pub words: String,
    /// The item's address.
    pub url: String,
    /// Its second address, for the local network; empty for none.
    pub local_url: String,
    /// How long the browser waits for that one, in milliseconds, if not for the usual time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_timeout: Option<u32>,
    /// Name of its page.
    pub page: String,
    /// The link's attribute `target`; empty for this tab.
    pub target: String,
    /// The word of an opening method that needs a script, if it has one.
    pub open: String,
}

/// Implements the server functions; the server provides it.
#[cfg(feature = "ssr")]
pub trait Backend: Send + Sync {
    /// The items of all other pages that the viewer of this request may see. `slug` names the page being shown.
    fn items_elsewhere(&self, request: http::request::Parts, slug: String) -> PendingResponse<Vec<ElsewhereItem>>;

    /// The panel of a slot, for the viewer of this request.
    fn panel(&self, request: http::request::Parts, slot: WidgetAddress, query: PanelQuery) -> PendingResponse;

    /// The next step of a refresh for which the viewer's browser sends the requests.
    fn panel_by_browser(
        &self,
        request: http::request::Parts,
        slot: WidgetAddress,
        query: PanelQuery,
        began: Option<i64>,
        responses: Vec<BrowserResponse>,
    ) -> PendingResponse<BrowserRefresh>;

    /// Carries out the action of a button in the panel, and returns the new panel.
    fn panel_action(
        &self,
        request: http::request::Parts,
        slot: WidgetAddress,
        action: String,
        target: String,
    ) -> PendingResponse;

    /// Who is signed in, and with which ID token.
    fn session(&self, request: http::request::Parts) -> PendingResponse<SessionStatus>;

    /// Renews the session.
    fn renew(&self, request: http::request::Parts) -> PendingResponse<SessionStatus>;

    /// Begins a sign-in that returns to one of our paths.
    fn begin_sign_in(&self, request: http::request::Parts, return_to: String) -> PendingResponse<NextAddress>;

    /// Ends the session.
    fn sign_out(&self, request: http::request::Parts) -> PendingResponse<NextAddress>;
}

/// The future of a response.
#[cfg(feature = "ssr")]
pub type PendingResponse<T = PanelResponse> = Pin<Box<dyn Future<Output = Result<T, ServerFnError>> + Send>>;

/// The backend as provided to server functions.
#[cfg(feature = "ssr")]
pub type SharedBackend = Arc<dyn Backend>;

/// The items of all pages but `slug` that this viewer may see, for the search.
#[server(prefix = "/fn", endpoint = "items-elsewhere", input = server_fn::codec::GetUrl)]
pub async fn items_elsewhere(
    /// Slug of the page being shown.
    slug: String,
) -> Result<Vec<ElsewhereItem>, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    backend.items_elsewhere(request, slug).await
}

/// The panel of a widget that the server fetches. Waits about two seconds for a slow service, then returns
/// [`PanelState::Pending`].
#[server(prefix = "/fn", endpoint = "panel", input = server_fn::codec::GetUrl)]
pub async fn panel(
    /// As in [`WidgetAddress`].
    page: String,
    /// As in [`WidgetAddress`].
    section: usize,
    /// As in [`WidgetAddress`].
    widget: usize,
    /// As in [`WidgetAddress`].
    kind: String,
    /// As in [`PanelQuery`].
    seen: Option<u64>,
    /// As in [`PanelQuery`].
    #[server(default)]
    force: bool,
    /// As in [`PanelQuery`].
    locale: Option<String>,
    /// As in [`PanelQuery`].
    zone: Option<String>,
) -> Result<PanelResponse, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    let slot = WidgetAddress { page, section, widget, kind };
    backend.panel(request, slot, PanelQuery { seen, force, locale, zone }).await
}

/// The next step of a refresh for which the browser sends the requests: more requests, or the panel. It is a POST
/// because of its size; it changes nothing, and nothing of it is kept.
#[server(prefix = "/fn", endpoint = "panel-by-browser", input = server_fn::codec::Json)]
pub async fn panel_by_browser(
    /// As in [`WidgetAddress`].
    page: String,
    /// As in [`WidgetAddress`].
    section: usize,
    /// As in [`WidgetAddress`].
    widget: usize,
    /// As in [`WidgetAddress`].
    kind: String,
    /// As in [`PanelQuery`].
    locale: Option<String>,
    /// As in [`PanelQuery`].
    zone: Option<String>,
    /// As in the previous answer; `None` in the first call.
    began: Option<i64>,
    /// The responses so far.
    responses: Vec<BrowserResponse>,
) -> Result<BrowserRefresh, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    let slot = WidgetAddress { page, section, widget, kind };
    let query = PanelQuery { locale, zone, ..PanelQuery::default() };
    backend.panel_by_browser(request, slot, query, began, responses).await
}

/// Presses a button of a panel.
#[server(prefix = "/fn", endpoint = "panel-action", input = server_fn::codec::Json)]
pub async fn panel_action(
    /// As in [`WidgetAddress`].
    page: String,
    /// As in [`WidgetAddress`].
    section: usize,
    /// As in [`WidgetAddress`].
    widget: usize,
    /// As in [`WidgetAddress`].
    kind: String,
    /// The widget's word for the action.
    action: String,
    /// The target of the action, if there are several.
    target: String,
) -> Result<PanelResponse, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    backend.panel_action(request, WidgetAddress { page, section, widget, kind }, action, target).await
}

/// What the page learns about its session. The status is 401 if the page requires sign-in and the viewer is not signed in.
#[server(prefix = "/fn", endpoint = "session", input = server_fn::codec::Json)]
pub async fn session() -> Result<SessionStatus, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    backend.session(expect_context::<http::request::Parts>()).await
}

/// Renews the session. The status is 401 if that is not possible, and 503 if the provider cannot be reached.
#[server(prefix = "/fn", endpoint = "renew", input = server_fn::codec::Json)]
pub async fn renew() -> Result<SessionStatus, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    backend.renew(expect_context::<http::request::Parts>()).await
}

/// Begins a sign-in. The status is 503 if the provider cannot be reached.
#[server(prefix = "/fn", endpoint = "sign-in", input = server_fn::codec::Json)]
pub async fn begin_sign_in(
    /// Our path to return to.
    return_to: String,
) -> Result<NextAddress, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    backend.begin_sign_in(expect_context::<http::request::Parts>(), return_to).await
}

/// Ends the session.
#[server(prefix = "/fn", endpoint = "sign-out", input = server_fn::codec::Json)]
pub async fn sign_out() -> Result<NextAddress, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    backend.sign_out(expect_context::<http::request::Parts>()).await
}
