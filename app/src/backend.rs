//! The server functions, and the trait that answers them.
//!
//! They live under `/fn/`, never `/api/`. The server provides a [`Backend`] as context; the functions here hold no
//! rules of their own.

// The arguments of a server function are the parameters of its query.
#![allow(clippy::too_many_arguments)]

#[cfg(feature = "ssr")]
use std::{pin::Pin, sync::Arc};

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// An item of another page, as the search offers it below this page's hits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElsewhereItem {
    /// Title of the item.
    pub title: String,
    /// What else the search looks at: provider, description, tags.
    pub words: String,
    /// Where it leads.
    pub url: String,
    /// Name of its page.
    pub page: String,
}

/// The place of a widget on a page. Nothing in it is an address of a service: the server finds that itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WidgetAddress {
    /// Slug of the page; `home` for the root config.
    pub page: String,
    /// Position of the section in the file, hidden ones counted.
    pub section: usize,
    /// Position of the widget in the section's list.
    pub widget: usize,
    /// Our name of its type, so that a page that is older than the config gets no other widget's panel.
    pub kind: String,
}

/// What is known of a panel, and of the person who looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PanelQuery {
    /// Version of the panel that is on the screen.
    pub seen: Option<u64>,
    /// The person wants it again.
    pub force: bool,
    /// Language of the browser as a BCP 47 tag.
    pub locale: Option<String>,
    /// Time zone of the browser as an IANA name.
    pub zone: Option<String>,
}

/// How it stands with a panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PanelState {
    /// The service has not answered yet; ask again.
    #[default]
    Pending,
    /// Here it is.
    Content,
    /// The last one that could be loaded; the note says why there is no newer one.
    Stale,
    /// There is none; the note says why.
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

    /// The state of its word in JSON.
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

/// A panel as a page gets it: drawn already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelAnswer {
    /// How it stands.
    pub state: PanelState,
    /// Tells this panel from others of the same slot; 0 while there is none.
    pub version: u64,
    /// What stands in the panel's element; none if the browser has this version, or there is no panel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// A sentence for the person: why there is nothing, or nothing new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What a person who looks for the cause wants to know besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When the panel was looked up, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Seconds until it is worth asking again; none for never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// A request that the browser makes, because the answer depends on where it is made. It holds no secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserRequest {
    /// Tells the requests of one lookup apart.
    pub id: String,
    /// The HTTP method.
    pub method: String,
    /// The full address.
    pub url: String,
    /// Headers by name and value.
    pub headers: Vec<(String, String)>,
    /// What is sent, if anything is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Milliseconds from the start to the last byte of the answer.
    pub timeout: u32,
    /// Most bytes of the answer.
    pub max_bytes: u32,
}

/// What came of a [`BrowserRequest`], as a browser tells it: nothing of it can be trusted more than the service itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BrowserResponse {
    /// That of the request.
    pub id: String,
    /// The status of the answer.
    pub status: u16,
    /// The headers that the page may see, by name and value.
    pub headers: Vec<(String, String)>,
    /// The answer as text.
    pub body: String,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<BrowserFailure>,
}

/// Why a request of a browser failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrowserFailure {
    /// The device has no connection.
    Offline,
    /// Nothing answered.
    Unreachable,
    /// There is an answer, but the browser does not let the page read it.
    Blocked,
    /// The time was over.
    TimedOut,
    /// The answer was too large.
    TooLarge,
    /// The answer broke off.
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

/// How it stands with a lookup for which the browser makes requests: either there are some, or there is the panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrowserAnswer {
    /// What is to be asked; the responses come with the next question, together with all earlier ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<BrowserRequest>,
    /// When the lookup began, in milliseconds since 1970; said again in the next question.
    pub began: i64,
    /// The panel, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelAnswer>,
}

/// By what someone is signed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignedInBy {
    /// Not at all, or by a proxy: there is no session.
    #[default]
    None,
    /// By a name and password of the config.
    Users,
    /// By the token of an identity provider.
    Oidc,
}

/// What a page is told about its session. Times are seconds since 1970.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SessionAnswer {
    /// How the person signed in.
    pub kind: SignedInBy,
    /// Name of the person; empty if nobody is known.
    pub name: String,
    /// Whether the person may write.
    pub is_admin: bool,
    /// Goes along with calls of the API as `Authorization: Bearer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// When the ID token, and with it the session, ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token_expires: Option<u64>,
    /// When the session is to be renewed; none if it cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renew_at: Option<u64>,
    /// The time by the server's clock, as those of browsers may be wrong.
    pub now: u64,
    /// Where to sign in again and then come back here; none if the session lives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_in: Option<String>,
    /// A sentence for the person: why nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Where a page has to take the browser to sign in or out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextAddress {
    /// An address at the identity provider, or a path of ours.
    pub address: String,
    /// A sentence for the person: why it is pointless to go there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Answers the server functions; implemented by the server.
#[cfg(feature = "ssr")]
pub trait Backend: Send + Sync {
    /// The items of all other pages that the viewer of this request may see. `slug` names the page being shown.
    fn items_elsewhere(&self, request: &http::request::Parts, slug: &str) -> Vec<ElsewhereItem>;

    /// The panel of a slot, for the viewer of this request.
    fn panel(&self, request: http::request::Parts, slot: WidgetAddress, query: PanelQuery) -> PendingAnswer;

    /// The next step of a lookup for which the viewer's browser makes the requests.
    fn panel_by_browser(
        &self,
        request: http::request::Parts,
        slot: WidgetAddress,
        query: PanelQuery,
        began: Option<i64>,
        responses: Vec<BrowserResponse>,
    ) -> PendingAnswer<BrowserAnswer>;

    /// Does what a button of the panel promises, and gives the panel as it is afterwards.
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

    /// Begins a sign-in that leads back to a path of ours.
    fn begin_sign_in(&self, request: http::request::Parts, return_to: String) -> PendingAnswer<NextAddress>;

    /// Ends the session.
    fn sign_out(&self, request: http::request::Parts) -> PendingAnswer<NextAddress>;
}

/// An answer on its way.
#[cfg(feature = "ssr")]
pub type PendingAnswer<T = PanelAnswer> = Pin<Box<dyn Future<Output = Result<T, ServerFnError>> + Send>>;

/// The backend as it is provided to server functions.
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

/// The panel of a widget that the server looks up. Waits about two seconds for a slow service, then the state is
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

/// The next step of a lookup of a widget whose service the browser asks: what to ask, or the panel. It is a POST for its
/// size; it changes nothing, and nothing of it is kept.
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
    /// As in the answer before; none in the first question.
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
    /// The widget's word for what is to be done.
    action: String,
    /// What it is done to, where there are several.
    target: String,
) -> Result<PanelAnswer, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    backend.panel_action(request, WidgetAddress { page, section, widget, kind }, action, target).await
}

/// What the page is told about its session. The status is 401 if nobody is signed in who has to be.
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
    /// The path of ours to come back to.
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
