//! `GET /metrics`, on a listener of its own (docs/spec/behavior.md 22.2).

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{HeaderMap, HeaderValue, header};
use tokio::runtime::Handle;

use super::{app_state::AppState, router_state::RouterState};
use crate::platform::metrics::{self, Metrics};

/// The media types of the two formats (OpenMetrics 1.0, and the text format 0.0.4 of Prometheus).
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What the listener for metrics serves: nothing else.
pub fn router(portico: Arc<AppState>) -> Router {
    Router::new().route("/metrics", get(scrape)).with_state(RouterState(portico))
}

async fn scrape(State(portico): State<Arc<AppState>>, request: HeaderMap) -> Response {
    let metrics: &Metrics = metrics::turn_on();
    let accepted = request.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_open_metrics = accepted.contains("application/openmetrics-text");
    let kind = HeaderValue::from_static(if is_open_metrics { OPEN_METRICS } else { TEXT });
    let text = metrics.text(state(&portico), is_open_metrics);
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

fn state(portico: &AppState) -> metrics::State {
    let site = portico.store.site();
    let runtimes = [Handle::current()].into_iter().chain(portico.settings.http_client_runtime.clone());
    metrics::State {
        streams: portico.streams.count(),
        panels: portico.panels.count(),
        tasks: runtimes.map(|runtime| runtime.metrics().num_alive_tasks()).sum(),
        services: portico.checker.counts(),
        is_config_valid: site.failure.is_none() && site.root.is_some(),
        broken_pages: site.pages.values().filter(|page| page.failure.is_some()).count(),
        pages: site.pages.len(),
        revision: site.revision,
        is_writable: portico.store.is_writable(),
        database: portico.store.database().map(|database| metrics::DatabaseState {
            is_up: database.is_up(),
            queries: database.queries(),
            leases: database.leases(),
        }),
    }
}
