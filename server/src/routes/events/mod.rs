//! `GET /events`: tells an open tab the states of the services on its page, and that the page has
//! changed. One stream per tab, with server-sent events.
//!
//! A stream contains nothing that the page itself would not show to the same viewer: it names items by their place on the
//! page, and no addresses.

mod page_events;
mod streams;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Query, State, rejection::QueryRejection},
    response::{
        IntoResponse as _, Response,
        sse::{KeepAlive, Sse},
    },
};
use config::Viewer;
use futures_util::stream::unfold;
use http::{HeaderName, HeaderValue, StatusCode, header, request::Parts};
use languages::Locale;
use serde::Deserialize;

use self::page_events::PageEvents;
pub use self::streams::Streams;
use super::{
    app_state::AppState,
    connections::OpenRequest,
    error::ApiError,
    language,
    pages::{self, PageTarget},
    peer,
};
use crate::{
    access::{self, authentication::authentication_of},
    status::{CheckReport, RegularCheck, WatchReason},
};

/// How often a byte is sent if there are no events, so that proxies keep the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(25);
/// When clients for whom there is no room should retry, in seconds.
const RETRY_AFTER: u32 = 60;

/// The page that a tab shows, and its version.
#[derive(Debug, Deserialize)]
pub struct OpenPage {
    #[serde(flatten)]
    target: PageTarget,
    /// The version of the page that is shown.
    #[serde(default)]
    version: String,
    /// Whether the tab has followed the page before.
    again: Option<String>,
    /// How long the tab has shown the page, in milliseconds: figures that are younger are sent at once.
    #[serde(default)]
    age: f64,
    /// An item of the page, as in the id of its tile.
    #[serde(default)]
    item: String,
}

type EventsQuery = Result<Query<OpenPage>, QueryRejection>;

/// Streams the events of a page to viewers who may see it.
pub async fn events(State(portico): State<Arc<AppState>>, asked: EventsQuery, request: Parts) -> Response {
    let (viewer, asked) = match admitted(asked, &request) {
        Ok(admitted) => admitted,
        Err(rejection) => return *rejection,
    };
    let client =
        peer::peer(&request.extensions).map(|peer| portico.settings.trusted_proxies.client(peer, &request.headers));
    let Some(place) = portico.streams.admit(client) else {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too many tabs are open")
            .with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
        return error.into_response();
    };
    let site = portico.store.site();
    let locale = language::of(&site, &request.headers);
    let Ok(page) = pages::rendered_page(&portico, &site, &viewer, &asked.target, &locale).await else {
        return not_found();
    };
    let occasion = if asked.again.is_some() { WatchReason::Return } else { WatchReason::Load };
    let held = request.extensions.get::<Arc<OpenRequest>>().cloned().map(OpenRequest::hold_stream);
    let authentication = authentication_of(&request.extensions).cloned();
    let events = PageEvents::new(portico, viewer, asked.target, request, authentication)
        .with_page(page, &asked.version, occasion)
        .with_figures(asked.age)
        .holding((place, held));
    let stream =
        unfold(
            events,
            |mut events| async move { events.next().await.map(|event| (Ok::<_, axum::Error>(event), events)) },
        );
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Asks proxies not to buffer the response.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))).into_response()
}

/// `GET /events/status`: the text about the service in an item's tooltip, as markup.
pub async fn status(State(portico): State<Arc<AppState>>, asked: EventsQuery, request: Parts) -> Response {
    let Dot { viewer, locale, check } = match dot(&portico, asked, &request).await {
        Ok(dot) => dot,
        Err(rejection) => return *rejection,
    };
    let asks_usage = viewer != Viewer::Guest && check.check.container().is_some();
    let html = languages::with_locale(&locale, || described(portico.checker.report(check.id), asks_usage));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, html).into_response()
}

/// `GET /events/usage`: what the container of an item uses, as text on two lines; nothing if that is not known. Not for guests.
pub async fn usage(State(portico): State<Arc<AppState>>, asked: EventsQuery, request: Parts) -> Response {
    let Dot { viewer, locale, check } = match dot(&portico, asked, &request).await {
        Ok(dot) => dot,
        Err(rejection) => return *rejection,
    };
    let container = check.check.container().filter(|_| viewer != Viewer::Guest);
    let usage = match container {
        Some(name) => portico.found.usage(name).await,
        None => None,
    };
    let usage = usage.map(|usage| app::page::UsageTip {
        processor: usage.processor,
        memory: usage.memory,
        received: usage.received,
        sent: usage.sent,
    });
    let text = languages::with_locale(&locale, || usage.map(app::page::usage_tip).unwrap_or_default());
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, text).into_response()
}

/// The dot of an item on a page.
struct Dot {
    viewer: Viewer,
    /// The language of the page.
    locale: Locale,
    check: RegularCheck,
}

/// The dot that a tab asks about, if it is on the page that this viewer sees.
async fn dot(portico: &Arc<AppState>, asked: EventsQuery, request: &Parts) -> Result<Dot, Box<Response>> {
    let (viewer, asked) = admitted(asked, request)?;
    let site = portico.store.site();
    let locale = language::of(&site, &request.headers);
    let Ok(page) = pages::rendered_page(portico, &site, &viewer, &asked.target, &locale).await else {
        return Err(Box::new(not_found()));
    };
    let found = page.dots().iter().find(|dot| dot.place == asked.item);
    let check = found.ok_or_else(|| Box::new(not_found()))?.wanted.clone();
    Ok(Dot { viewer, locale, check })
}

/// The markup for the results of a check. With `asks_usage`, there is a place for what its container uses.
fn described(report: Option<CheckReport>, asks_usage: bool) -> String {
    let tip = report.map(|CheckReport { outcome, age, samples, summary }| app::page::StatusTip {
        is_up: outcome.is_up,
        summary: outcome.summary_in(languages::t),
        warning: outcome.warning_in(languages::t),
        millis: outcome.millis(),
        seconds_ago: age.as_secs(),
        samples,
        uptime: summary.uptime,
        checks: summary.checks,
        asks_usage,
    });
    app::page::status_tip(tip)
}

/// The viewer and the requested page.
fn admitted(asked: EventsQuery, request: &Parts) -> Result<(Viewer, OpenPage), Box<Response>> {
    let viewer = match access::viewer(&request.extensions) {
        Ok(Viewer::Anonymous) => {
            return Err(Box::new(ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized").into_response()));
        }
        Ok(viewer) => viewer,
        Err(denied) => return Err(Box::new(denied.into_response())),
    };
    match asked {
        Ok(Query(asked)) => Ok((viewer, asked)),
        Err(_) => Err(Box::new(ApiError::bad_request("name the page: `?page=…&section=…`").into_response())),
    }
}

fn not_found() -> Response {
    ApiError::not_found("there is no such page").into_response()
}
