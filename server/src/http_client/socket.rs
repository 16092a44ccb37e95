//! Requests over a Unix socket of this machine, with the limits of all other requests.

use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::error::HttpClientError;
use super::exchange::{HopOutcome, ResponseExtent, reply, send_hop};
use super::inner::Inner;
use super::redirect::Hop;
use super::request::{HttpRequest, HttpResponse};

/// Runs a request from its turn to the last byte. There is no network address, so there is none to check.
pub(super) async fn run(
    inner: &Inner,
    request: HttpRequest,
    path: &Path,
    extent: ResponseExtent,
) -> Result<HttpResponse, HttpClientError> {
    let hop = Hop::first(&request)?;
    let host = path.display().to_string();
    let client = client(inner, path, &host)?;
    let _permit = request.waits.during(inner.limiter.acquire(&host, request.spacing)).await;
    let started = Instant::now();
    let outcome =
        request.waits.while_running(timeout(request.timeout, send_hop(&client, &request, &hop, extent))).await;
    let spent: Duration = started.elapsed();
    match outcome {
        Ok(Ok(HopOutcome::Response(received))) => Ok(reply(hop, received, spent)),
        Ok(Ok(HopOutcome::Redirect { .. })) => Err(HttpClientError::TooManyRedirects { host }),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(HttpClientError::TimedOut { host, after: request.timeout }),
    }
}

#[cfg(unix)]
fn client(inner: &Inner, path: &Path, host: &str) -> Result<reqwest::Client, HttpClientError> {
    inner.clients.over_socket(path).map_err(|_| HttpClientError::Unreachable { host: host.to_owned() })
}

#[cfg(not(unix))]
fn client(_inner: &Inner, _path: &Path, host: &str) -> Result<reqwest::Client, HttpClientError> {
    Err(HttpClientError::NoSocket { path: host.to_owned() })
}
