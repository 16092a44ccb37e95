//! One lookup: a widget queries its service, and the resulting panel is rendered.

use async_trait::async_trait;
use std::{cell::LazyCell, pin::pin, sync::Arc, time::Duration};

use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use url::Url;
use widgets::{
    Action, ActionOutcome, FetchError, Kind, Moment, Panel, PendingValue, Recorded, Request, Response, ResponseContent,
    RunSide, Side, ViewerHints, WidgetContext,
    panel::{Part, Role},
    response_content,
};

use super::{
    browser_requests::BrowserRequests,
    exchange_log::{ExchangeLog, Failed},
    named_hosts::NamedHosts,
    pictures::{Pictures, Terms},
    plans::PlannedWidget,
    rendered_panel::RenderedPanel,
};
use crate::{http_client::is_evidently_private, panels::context::ServerContext};

/// A whole lookup may take this many times the limit of one request (docs/spec/widgets.md 4).
const REQUESTS_IN_ROW: u32 = 3;
/// How often to check whether a request is still waiting for its turn.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// Where a widget's data comes from.
#[derive(Debug)]
pub enum DataSource {
    /// From the network.
    Live(Box<ServerContext>),
    /// From recordings, for the demo.
    Recorded(Box<Recorded>, ExchangeLog),
    /// From requests that the viewer's browser makes.
    BrowserRequests(Box<BrowserRequests>),
}

/// Everything that one lookup needs, so that it can continue after the requester has left.
#[derive(Debug)]
pub struct Lookup {
    /// The widget type.
    pub kind: Kind,
    /// What to do.
    pub planned: Arc<PlannedWidget>,
    /// Where the data comes from.
    pub source: DataSource,
    /// Serves the pictures that the panel names.
    pub pictures: Arc<Pictures>,
}

impl Lookup {
    /// Runs the lookup and renders the panel.
    ///
    /// # Errors
    ///
    /// The message for the viewer.
    pub async fn run(&self) -> Result<RenderedPanel, Failed> {
        let (panel, at) = self.find().await?;
        Ok(render(panel, &self.planned, &self.pictures, at))
    }

    /// Runs the lookup. Returns the panel, and when its data were fetched.
    ///
    /// # Errors
    ///
    /// The message for the viewer.
    pub async fn find(&self) -> Result<(Panel, Moment), Failed> {
        let fetch = self.kind.fetch(&self.planned.entry, &self.source);
        let outcome = self.limited(fetch).await;
        self.write_log();
        let panel = outcome.map_err(|error| self.source.exchanges().explain(error))?;
        if let Some(host) = &self.planned.page_host
            && panel.parts.iter().any(|part| frames_what_is_private(part, host))
        {
            return Err(FetchError::message("A page from another host shows nothing of a private network.").into());
        }
        let at = self.source.data_time().unwrap_or_else(|| self.source.now());
        Ok((panel, at))
    }

    /// What the service of an `api-response` responds, without secrets.
    ///
    /// # Errors
    ///
    /// The error for the viewer.
    pub async fn content(&self) -> Result<ResponseContent, FetchError> {
        let mut content = self.limited(response_content(&self.planned.entry, &self.source)).await?;
        match &mut content {
            ResponseContent::Json(value) => self.planned.secrets.blank_json(value),
            ResponseContent::Text(text) => *text = self.planned.secrets.blank(text).into_owned(),
        }
        Ok(content)
    }

    /// Runs a button's action. Returns a panel if it is only for the viewer who pressed the button.
    ///
    /// # Errors
    ///
    /// The message for the viewer.
    pub async fn act(&self, action: Action) -> Result<Option<RenderedPanel>, FetchError> {
        if self.planned.page_host.is_some() {
            return Err(FetchError::message("Buttons of a page from another host change nothing."));
        }
        let act = self.kind.act(&self.planned.entry, &action, &self.source);
        match self.limited(act).await? {
            ActionOutcome::Changed => Ok(None),
            ActionOutcome::Shown(panel) => Ok(Some(render(*panel, &self.planned, &self.pictures, self.source.now()))),
        }
    }

    fn write_log(&self) {
        let DataSource::Live(context) = &self.source else { return };
        for line in context.take_log() {
            tracing::info!(widget = self.kind.name(), "{}", self.planned.secrets.blank(&line));
        }
    }

    async fn limited<T>(&self, work: impl Future<Output = Result<T, FetchError>>) -> Result<T, FetchError> {
        let limit = self.planned.entry.timeout * REQUESTS_IN_ROW;
        let began = Instant::now();
        let mut work = pin!(work);
        let mut waited = Duration::ZERO;
        loop {
            // Time spent waiting behind requests of other widgets is not the fault of this service.
            let mut deadline = began + limit + waited;
            if self.source.is_waiting() {
                deadline = deadline.max(Instant::now() + RETRY_INTERVAL);
            }
            if let Ok(outcome) = timeout_at(deadline, work.as_mut()).await {
                return outcome;
            }
            let before = std::mem::replace(&mut waited, self.source.waited());
            if waited == before {
                return Err(too_long(limit));
            }
        }
    }
}

/// Whether a browser would load a page of this server or of a private network, other than the page's own host, by itself.
fn frames_what_is_private(part: &Part, page_host: &str) -> bool {
    match part {
        Part::Frame(frame) => frame.url.as_ref().is_some_and(|address| {
            let is_public = |url: Url| !is_evidently_private(&url) || url.host_str() == Some(page_host);
            !Url::parse(address.as_str()).is_ok_and(is_public)
        }),
        Part::Details(details) => details.parts.iter().any(|part| frames_what_is_private(part, page_host)),
        _ => false,
    }
}

fn too_long(limit: Duration) -> FetchError {
    FetchError::message(format!(
        "This took longer than {} s. Check that the services are running, or raise the option timeout.",
        limit.as_secs_f64(),
    ))
}

/// Renders a panel as markup. Its pictures are served by this server, so that the page needs no other host.
pub fn render(mut panel: Panel, planned: &PlannedWidget, pictures: &Pictures, at: Moment) -> RenderedPanel {
    // Not for data sent by a browser, which could then choose what this server fetches.
    if planned.place == RunSide::Browser {
        return write(panel, planned, at);
    }
    let hosts = LazyCell::new(|| NamedHosts::of(&planned.entry));
    panel.change_pictures(&mut |url, role| {
        let terms = Terms {
            insecure: planned.entry.insecure,
            configured: hosts.may_be_private(url.as_str(), planned.page_host.as_deref()),
            is_content: role == Role::Content,
            timeout: planned.entry.timeout,
        };
        match &planned.recording {
            // A recording has no files beside it.
            Some(_) => pictures.replace_any(url, terms),
            None => pictures.replace(url, terms),
        }
    });
    write(panel, planned, at)
}

fn write(mut panel: Panel, planned: &PlannedWidget, at: Moment) -> RenderedPanel {
    planned.secrets.blank_panel(&mut panel);
    let label = planned.entry.label.clone().unwrap_or_default();
    RenderedPanel::in_form(planned.form(), panel, label, at)
}

impl DataSource {
    /// How long requests have waited for their turn.
    fn waited(&self) -> Duration {
        match self {
            Self::Live(context) => context.waits().total(),
            Self::Recorded(..) | Self::BrowserRequests(_) => Duration::ZERO,
        }
    }

    /// When the oldest data were fetched, if another lookup has fetched them.
    fn data_time(&self) -> Option<Moment> {
        match self {
            Self::Live(context) => context.data_time(),
            Self::Recorded(recorded, _) => recorded.data_time(),
            Self::BrowserRequests(_) => None,
        }
    }

    fn is_waiting(&self) -> bool {
        matches!(self, Self::Live(context) if context.waits().is_waiting())
    }

    fn exchanges(&self) -> &ExchangeLog {
        match self {
            Self::Live(context) => context.exchanges(),
            Self::Recorded(_, exchanges) => exchanges,
            Self::BrowserRequests(requests) => requests.exchanges(),
        }
    }
}

#[async_trait]
impl WidgetContext for DataSource {
    async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        let host = request.host().to_owned();
        let outcome = match self {
            Self::Live(context) => context.exchange(request).await,
            Self::Recorded(recorded, _) => recorded.exchange(request).await,
            Self::BrowserRequests(requests) => requests.exchange(request).await,
        };
        self.exchanges().note(host, &outcome);
        outcome
    }

    fn now(&self) -> Moment {
        match self {
            Self::Live(context) => context.now(),
            Self::Recorded(recorded, _) => recorded.now(),
            Self::BrowserRequests(requests) => requests.began(),
        }
    }

    fn side(&self) -> Side {
        match self {
            Self::Live(context) => context.side(),
            Self::Recorded(recorded, _) => recorded.side(),
            Self::BrowserRequests(_) => Side::Browser,
        }
    }

    fn viewer(&self) -> &ViewerHints {
        match self {
            Self::Live(context) => context.viewer(),
            Self::Recorded(recorded, _) => recorded.viewer(),
            Self::BrowserRequests(requests) => requests.viewer(),
        }
    }

    fn log(&self, line: &str) {
        match self {
            Self::Live(context) => context.log(line),
            Self::Recorded(recorded, _) => recorded.log(line),
            // Data sent by a browser says nothing about the server's own requests.
            Self::BrowserRequests(_) => {}
        }
    }

    fn data_from(&self, at: Moment) {
        match self {
            Self::Live(context) => context.data_from(at),
            Self::Recorded(recorded, _) => recorded.data_from(at),
            // Nothing that others have fetched is shared with a browser.
            Self::BrowserRequests(_) => {}
        }
    }

    fn recall(&self, key: &str) -> Option<Value> {
        match self {
            Self::Live(context) => context.recall(key),
            Self::Recorded(recorded, _) => recorded.recall(key),
            // Data sent by a browser may be forged, so none of it is shared.
            Self::BrowserRequests(_) => None,
        }
    }

    fn remember(&self, key: &str, value: Value, life: Duration) {
        match self {
            Self::Live(context) => context.remember(key, value, life),
            Self::Recorded(recorded, _) => recorded.remember(key, value, life),
            Self::BrowserRequests(_) => {}
        }
    }

    fn forget(&self, key: &str) {
        match self {
            Self::Live(context) => context.forget(key),
            Self::Recorded(recorded, _) => recorded.forget(key),
            Self::BrowserRequests(_) => {}
        }
    }

    fn logout_request(&self, key: &str, request: Request) {
        if let Self::Live(context) = self {
            context.logout_request(key, request);
        }
    }

    async fn recall_or_make(&self, key: &str, life: Duration, make: PendingValue<'_>) -> Result<Value, FetchError> {
        match self {
            Self::Live(context) => context.recall_or_make(key, life, make).await,
            Self::Recorded(recorded, _) => recorded.recall_or_make(key, life, make).await,
            Self::BrowserRequests(_) => make.await,
        }
    }
}
