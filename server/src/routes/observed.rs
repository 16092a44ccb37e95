//! What is known about a request from outside: its number in the log, its metrics, its line in the access log, and a warning if
//! it was slow.

use std::{
    cell::OnceCell,
    io::Write as _,
    net::IpAddr,
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request},
    response::Response,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use serde_json::json;
use tracing::Instrument as _;

use super::{app_state::AppState, peer::peer};
use crate::platform::{
    metrics::metrics,
    spans::{self, Span, SpanKind},
    trace::{self, RequestContext, TRACEPARENT, TraceParent},
};

/// The header with the number of a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// From this time until the headers of its response, a request is slow. A panel waits two seconds for its service.
const SLOW: Duration = Duration::from_secs(5);
/// The route in metrics of everything without a route of its own: files and unknown addresses.
const NO_ROUTE: &str = "other";

tokio::task_local! {
    /// The route that responds to the request of this task. Set only while metrics or spans are on.
    static ROUTE: OnceCell<MatchedPath>;
}

/// Responds to a request, and records how.
pub(super) async fn observe<F: Future<Output = Response>>(
    portico: &AppState,
    sender: Option<IpAddr>,
    request: Request,
    respond: impl FnOnce(Request) -> F,
) -> Response {
    // The gallery is below another page, which has recorded the request.
    if trace::current().is_some() {
        return respond(request).await;
    }
    let began = Instant::now();
    let mut context = context_of(portico, &request);
    let mut traced = spans::begin(SpanKind::Server, request.method(), context.trace);
    if let Some(span) = &traced {
        context.trace = Some(span.place());
    }
    let id = context.id.clone();
    let named = (request.method().clone(), request.uri().path().to_owned());
    let span = tracing::error_span!("request", id = &*id);
    let work = trace::within(context, respond(request).instrument(span.clone()));
    let noted = async { (work.await, ROUTE.with(|route| route.get().cloned())) };
    let (mut response, route) = ROUTE.scope(OnceCell::new(), noted).await;
    let took = began.elapsed();
    let (method, path) = named;
    if took >= SLOW {
        span.in_scope(|| tracing::warn!("a slow request: {method} {path} took {:.1} s", took.as_secs_f64()));
    }
    if let Some(metrics) = metrics() {
        metrics.request(route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str), response.status().as_u16(), took);
    }
    if let Some(span) = &mut traced {
        finish(span, &method, route.as_ref(), response.status());
    }
    if portico.settings.access_log {
        log_access(&id, (method.as_str(), &path), response.status(), sender, took);
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// What a span says about a response, in the names of the semantic conventions for HTTP.
fn finish(span: &mut Span, method: &Method, route: Option<&MatchedPath>, status: StatusCode) {
    if let Some(route) = route {
        span.rename(format!("{method} {}", route.as_str()));
        span.set("http.route", route.as_str().to_owned());
    }
    span.set("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.fail("");
    }
}

/// Only trusted proxies name the number and the trace of a request: a number from anybody could imitate another request in
/// the log, and a trace could make the services record it.
fn context_of(portico: &AppState, request: &Request) -> RequestContext {
    let is_trusted = peer(request.extensions()).is_some_and(|peer| portico.settings.trusted_proxies.cover(peer));
    let header = |name: &str| request.headers().get(name).filter(|_| is_trusted).and_then(|value| value.to_str().ok());
    RequestContext {
        id: trace::request_id(header(REQUEST_ID.as_str())),
        trace: header(TRACEPARENT).and_then(TraceParent::parse),
    }
}

/// One line of JSON on the standard output. Addresses are logged without their query, which may contain secrets.
fn log_access(id: &str, (method, path): (&str, &str), status: StatusCode, sender: Option<IpAddr>, took: Duration) {
    let line = json!({
        "time": jiff::Timestamp::now().to_string(),
        "id": id,
        "client": sender,
        "method": method,
        "path": path,
        "status": status.as_u16(),
        "ms": (took.as_secs_f64() * 1e6).round() / 1e3,
    });
    // The reader of the log may have gone away.
    _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// Notes the template of the route that a request has reached. Only needed while metrics or spans are on.
pub(super) fn note_route(request: Request) -> Request {
    if let Some(route) = request.extensions().get::<MatchedPath>() {
        _ = ROUTE.try_with(|noted| noted.set(route.clone()));
    }
    request
}
