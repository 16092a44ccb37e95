//! The server functions, and the trait that implements them.
//!
//! They live under `/fn/`, never `/api/`. The server provides a [`Backend`] as context; the functions here contain no
//! rules of their own.

// The arguments of a server function are the parameters of its query.
#![allow(clippy::too_many_arguments)]

#[cfg(feature = "ssr")]
use std::{pin::Pin, sync::Arc};

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// An item of another page, which the search shows below this page's results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElsewhereItem {
    /// Title of the item.
    pub title: String,
    /// Other texts that the search considers: provider, description, tags.
    pub words: String,
    /// The item's address.
    pub url: String,
    /// Its second address, for the local network; empty for none.
    pub local_url: String,
    /// Name of its page.
    pub page: String,
    /// The link's attribute `target`; empty for this tab.
    pub target: String,
    /// The word of an opening method that needs a script, if it has one.
    pub open: String,
}

/// The position of a widget on a page. It contains no address of a service: the server finds that itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WidgetAddress {
    /// Slug of the page; `home` for the root config.
    pub page: String,
    /// Position of the section in the file, counting hidden ones.
    pub section: usize,
    /// Position of the widget in the section's list.
    pub widget: usize,
    /// Our name of its type, so that a page older than the config does not get the panel of a different widget.
    pub kind: String,
}

/// What the browser already has of a panel, and facts about the viewer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PanelQuery {
    /// Version of the panel that is on the screen.
    pub seen: Option<u64>,
    /// Whether the person asked for a refresh.
    pub force: bool,
    /// Language of the browser as a BCP 47 tag.
    pub locale: Option<String>,
    /// Time zone of the browser as an IANA name.
    pub zone: Option<String>,
}

/// The state of a panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PanelState {
    /// The service has not responded yet; ask again later.
    #[default]
    Pending,
    /// The panel is current.
    Content,
    /// The last panel that could be loaded; the note says why there is no newer one.
    Stale,
    /// There is no panel; the note says why.
    Error,
    /// The options are wrong, or the page is older than the config; asking again is pointless.
    Broken,
}

impl PanelState {
    /// The word of the attribute `data-state`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "loading",
            Self::Content => "content",
            Self::Stale => "stale",
            Self::Error => "error",
            Self::Broken => "broken",
        }
    }

    /// The state for its word in JSON.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "pending" => Some(Self::Pending),
            "content" => Some(Self::Content),
            "stale" => Some(Self::Stale),
            "error" => Some(Self::Error),
            "broken" => Some(Self::Broken),
            _ => None,
        }
    }
}

/// A rendered panel, as sent to a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelAnswer {
    /// The state of the panel.
    pub state: PanelState,
    /// Distinguishes this panel from others in the same slot; 0 if there is none.
    pub version: u64,
    /// The inner markup of the panel's element; `None` if the browser has this version, or there is no panel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// A sentence for the person: why there is nothing, or nothing new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Further details for people who look for the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When the panel was fetched, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Seconds until it is worth asking again; `None` means never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// A request that the browser sends, because the response depends on where it comes from. It contains no secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserRequest {
    /// Identifies the request within one refresh.
    pub id: String,
    /// The HTTP method.
    pub method: String,
    /// The full address.
    pub url: String,
    /// Names and values of the headers.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Timeout in milliseconds, from the start to the last byte of the response.
    pub timeout: u32,
    /// Maximum number of bytes of the response.
    pub max_bytes: u32,
}

/// The result of a [`BrowserRequest`], reported by a browser, so it is not trusted any more than the service itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BrowserResponse {
    /// The id of the request.
    pub id: String,
    /// The status of the response.
    pub status: u16,
    /// Names and values of the headers that the page may read.
    pub headers: Vec<(String, String)>,
    /// The body of the response as text.
    pub body: String,
    /// Why there is no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<BrowserFailure>,
}

/// Why a request of a browser failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrowserFailure {
    /// The device is offline.
    Offline,
    /// There was no response.
    Unreachable,
    /// There is a response, but the browser does not let the page read it.
    Blocked,
    /// The request timed out.
    TimedOut,
    /// The response was too large.
    TooLarge,
    /// The response broke off.
    BrokenOff,
}

impl BrowserFailure {
    /// The word in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Unreachable => "unreachable",
            Self::Blocked => "blocked",
            Self::TimedOut => "timed-out",
            Self::TooLarge => "too-large",
            Self::BrokenOff => "broken-off",
        }
    }
}

/// The state of a refresh for which the browser sends requests: either there are some, or there is the panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrowserAnswer {
    /// The requests to send; their responses come with the next call, together with all earlier ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<BrowserRequest>,
    /// When the refresh began, in milliseconds since 1970; repeated in the next call.
    pub began: i64,
    /// The panel, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelAnswer>,
}

/// How somebody signed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignedInBy {
    /// Not signed in, or signed in by a proxy: there is no session.
    #[default]
    None,
    /// With a name and password of the config.
    Users,
    /// With the token of an identity provider.
    Oidc,
}

/// What a page learns about its session. Times are seconds since 1970.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SessionAnswer {
    /// How the person signed in.
    pub kind: SignedInBy,
    /// Name of the person; empty if unknown.
    pub name: String,
    /// Whether the person may write.
    pub is_admin: bool,
    /// Sent with API calls as `Authorization: Bearer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// When the ID token, and with it the session, expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token_expires: Option<u64>,
    /// When to renew the session; `None` if it cannot be renewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renew_at: Option<u64>,
    /// The time on the server's clock, because browsers' clocks may be wrong.
    pub now: u64,
    /// Where to sign in again and then return here; `None` while the session is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_in: Option<String>,
    /// A sentence for the person: why nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Where a page must send the browser to sign in or out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextAddress {
    /// An address at the identity provider, or a path of ours.
    pub address: String,
    /// A sentence for the person: why going there now is pointless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Implements the server functions; the server provides it.
#[cfg(feature = "ssr")]
pub trait Backend: Send + Sync {
    /// The items of all other pages that the viewer of this request may see. `slug` names the page being shown.
    fn items_elsewhere(&self, request: &http::request::Parts, slug: &str) -> Vec<ElsewhereItem>;

    /// The panel of a slot, for the viewer of this request.
    fn panel(&self, request: http::request::Parts, slot: WidgetAddress, query: PanelQuery) -> PendingAnswer;

    /// The next step of a refresh for which the viewer's browser sends the requests.
    fn panel_by_browser(
        &self,
        request: http::request::Parts,
        slot: WidgetAddress,
        query: PanelQuery,
        began: Option<i64>,
        responses: Vec<BrowserResponse>,
    ) -> PendingAnswer<BrowserAnswer>;

    /// Carries out the action of a button in the panel, and returns the new panel.
    fn panel_action(
        &self,
        request: http::request::Parts,
        slot: WidgetAddress,
        action: String,
        target: String,
    ) -> PendingAnswer;

    /// Who is signed in, and with which ID token.
    fn session(&self, request: http::request::Parts) -> PendingAnswer<SessionAnswer>;

    /// Renews the session.
    fn renew(&self, request: http::request::Parts) -> PendingAnswer<SessionAnswer>;

    /// Begins a sign-in that returns to one of our paths.
    fn begin_sign_in(&self, request: http::request::Parts, return_to: String) -> PendingAnswer<NextAddress>;

    /// Ends the session.
    fn sign_out(&self, request: http::request::Parts) -> PendingAnswer<NextAddress>;
}

/// The future of a response.
#[cfg(feature = "ssr")]
pub type PendingAnswer<T = PanelAnswer> = Pin<Box<dyn Future<Output = Result<T, ServerFnError>> + Send>>;

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
    Ok(backend.items_elsewhere(&request, &slug))
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
) -> Result<PanelAnswer, ServerFnError> {
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
) -> Result<BrowserAnswer, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    let slot = WidgetAddress { page, section, widget, kind };
    let query = PanelQuery { locale, zone, ..PanelQuery::default() };
    backend.panel_by_browser(request, slot, query, began, responses).await
}

/// Presses a button of a panel.
#[server(prefix = "/fn", endpoint = "panel-action", input = server_fn::codec::Json)]
#[allow(clippy::too_many_arguments, reason = "each is a field of the body")]
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
) -> Result<PanelAnswer, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    backend.panel_action(request, WidgetAddress { page, section, widget, kind }, action, target).await
}

/// What the page learns about its session. The status is 401 if somebody who must be signed in is not.
#[server(prefix = "/fn", endpoint = "session", input = server_fn::codec::Json)]
pub async fn session() -> Result<SessionAnswer, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    backend.session(expect_context::<http::request::Parts>()).await
}

/// Renews the session. The status is 401 if that is not possible, and 503 if the provider cannot be reached.
#[server(prefix = "/fn", endpoint = "renew", input = server_fn::codec::Json)]
pub async fn renew() -> Result<SessionAnswer, ServerFnError> {
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
