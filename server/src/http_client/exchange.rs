//! What a request goes through: check, wait for a turn, send, follow redirects, read.

use std::error::Error;
use std::io;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, StatusCode, header};
use jiff::Timestamp;
use reqwest::tls::TlsInfo;
use reqwest::{Client, Response};
use tokio::time::{Instant, timeout};

use super::certificate;
use super::dns::LookupFailure;
use super::error::{BlockReason, HttpClientError, TlsProblem};
use super::guard::Restrictions;
use super::inner::Inner;
use super::redirect::{Hop, QueryKeys};
use super::request::{HttpRequest, HttpResponse, Purpose};
use super::target::plain_name;
use super::web_socket::{self, Opening};
use crate::platform::metrics::metrics;

/// How much of a response is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseExtent {
    /// Headers and body.
    Whole,
    /// The headers; the connection is closed after them.
    Headers,
}

/// The result of one hop: one request, without following a redirect.
pub(super) enum HopOutcome {
    Redirect { status: StatusCode, location: String },
    Response(ReceivedResponse),
}

/// A response that is no redirect.
pub(super) struct ReceivedResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
    certificate_end: Option<Timestamp>,
}

/// Runs a request from the first check to the last byte.
pub(super) async fn run(
    inner: &Inner,
    request: HttpRequest,
    extent: ResponseExtent,
) -> Result<HttpResponse, HttpClientError> {
    let mut hop = Hop::first(&request)?;
    let keys = QueryKeys::of(&request, &hop.url);
    if inner.offline && request.purpose == Purpose::Lookup {
        return Err(blocked(&hop, BlockReason::Offline));
    }
    let mut spent = Duration::ZERO;
    let mut followed = 0;
    let own_host = plain_name(&hop.shown_host());
    loop {
        let host = hop.shown_host();
        let restrictions = Restrictions {
            own_port: inner.guard.is_own_port(&hop.url),
            public_only: !request.private_reach.covers(&plain_name(&host), &own_host),
        };
        if let Err(reason) = inner.guard.check_url(&hop.url, restrictions) {
            return Err(blocked(&hop, reason));
        }
        // Each hop has its own turn, given back before it waits for the next.
        let permit = request.waits.during(inner.limiter.acquire(&plain_name(&host), request.spacing)).await;
        let _permit = request.pieces.is_none().then_some(permit);
        let left = request.timeout.saturating_sub(spent);
        let started = Instant::now();
        let client = inner.clients.pick(restrictions, request.accept_invalid_certs, request.json_rpc);
        let client = client.map_err(|error| failure(&hop, error))?;
        let outcome = request.waits.while_running(timeout(left, send_hop(client, &request, &hop, extent))).await;
        spent += started.elapsed();
        let Ok(outcome) = outcome else {
            let after = request.timeout;
            return Err(HttpClientError::TimedOut { host, after });
        };
        match outcome? {
            HopOutcome::Response(received) => return Ok(reply(hop, received, spent)),
            HopOutcome::Redirect { .. } if followed == request.max_redirects => {
                return Err(HttpClientError::TooManyRedirects { host });
            }
            HopOutcome::Redirect { status, location } => {
                followed += 1;
                hop = hop.follow(status, &location, &keys)?;
            }
        }
    }
}

/// Sends one request and reads its response or redirect.
pub(super) async fn send_hop(
    client: &Client,
    request: &HttpRequest,
    hop: &Hop,
    extent: ResponseExtent,
) -> Result<HopOutcome, HttpClientError> {
    let mut sending = client.request(hop.method.clone(), hop.url.clone()).headers(hop.headers.clone());
    let opening = request.json_rpc.then(Opening::new);
    match &opening {
        Some(opening) => sending = sending.headers(opening.headers()),
        None if hop.body.is_empty() => {}
        None => sending = sending.body(hop.body.clone()),
    }
    let response = sending.send().await.map_err(|error| failure(hop, error))?;
    let mut status = response.status();
    if request.max_redirects > 0
        && opening.is_none()
        && let Some(location) = redirect_target(&response)
    {
        return Ok(HopOutcome::Redirect { status, location });
    }
    let headers = response.headers().clone();
    let certificate = response.extensions().get::<TlsInfo>().and_then(TlsInfo::peer_certificate);
    let certificate_end = certificate.and_then(certificate::end);
    let body = match (extent, opening) {
        (_, Some(opening)) if status == StatusCode::SWITCHING_PROTOCOLS => {
            status = StatusCode::OK;
            web_socket::call(response, &opening, &hop.body, request.max_bytes, &hop.shown_host()).await?
        }
        (ResponseExtent::Whole, _) => read_body(response, request, hop).await?,
        (ResponseExtent::Headers, _) => Bytes::new(),
    };
    Ok(HopOutcome::Response(ReceivedResponse { status, headers, body, certificate_end }))
}

fn redirect_target(response: &Response) -> Option<String> {
    let redirects = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = response.headers().get(header::LOCATION)?;
    redirects.then(|| String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// Reads a body piece by piece, so that an oversized one is abandoned at the limit and not at its end.
async fn read_body(mut response: Response, request: &HttpRequest, hop: &Hop) -> Result<Bytes, HttpClientError> {
    let max_bytes = request.max_bytes;
    let pieces = request.pieces.as_ref().filter(|_| response.status().is_success());
    let mut length = 0;
    let host = || hop.shown_host();
    let announced = response.content_length().unwrap_or(0);
    if hop.method != Method::HEAD && announced > max_bytes as u64 {
        return Err(HttpClientError::TooLarge { host: host() });
    }
    // The client removes the header when it decodes; a remaining one was not requested, and would be mistaken for
    // content.
    let encoding = response.headers().get(header::CONTENT_ENCODING);
    let encoded = encoding.is_some_and(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"));
    let mut body = BytesMut::new();
    while let Some(piece) = response.chunk().await.map_err(|error| failure(hop, error))? {
        if encoded && !piece.is_empty() {
            return Err(HttpClientError::Protocol { host: host(), problem: "an encoding that was not requested" });
        }
        if piece.len() > max_bytes - length {
            return Err(HttpClientError::TooLarge { host: host() });
        }
        length += piece.len();
        match pieces {
            None => body.extend_from_slice(&piece),
            // Without a receiver, the rest is not needed.
            Some(pieces) if pieces.send(piece).await.is_err() => break,
            Some(_) => {}
        }
    }
    Ok(body.freeze())
}

pub(super) fn reply(hop: Hop, received: ReceivedResponse, elapsed: Duration) -> HttpResponse {
    let ReceivedResponse { status, mut headers, body, certificate_end } = received;
    let cookies = headers.get_all(header::SET_COOKIE).iter();
    let set_cookies = cookies.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
    headers.remove(header::SET_COOKIE);
    HttpResponse { status, headers, set_cookies, body, final_url: hop.url, elapsed, certificate_end }
}

fn blocked(hop: &Hop, reason: BlockReason) -> HttpClientError {
    if let Some(metrics) = metrics() {
        metrics.refused(reason.word());
    }
    HttpClientError::Blocked { host: hop.shown_host(), reason }
}

/// Classifies an error of the client. Its text is only for the log, and without the address.
fn failure(hop: &Hop, error: reqwest::Error) -> HttpClientError {
    let host = hop.shown_host();
    let error = error.without_url();
    let meaning = meaning(hop, &host, &error);
    tracing::debug!(host, cause = %innermost(&error), "request failed");
    meaning
}

fn meaning(hop: &Hop, host: &str, error: &reqwest::Error) -> HttpClientError {
    let host = host.to_owned();
    if let Some(failure) = find::<LookupFailure>(error) {
        return match failure {
            LookupFailure::NotFound => HttpClientError::NameNotFound { host },
            LookupFailure::Refused(reason) => blocked(hop, *reason),
        };
    }
    if let Some(error) = find::<rustls::Error>(error) {
        let problem = match error {
            rustls::Error::InvalidCertificate(_) => TlsProblem::Certificate,
            _ => TlsProblem::Handshake,
        };
        return HttpClientError::Tls { host, problem };
    }
    // The connection time limit is ours, and no option raises it; the request's own limit is handled elsewhere.
    if error.is_timeout() {
        return HttpClientError::Unreachable { host };
    }
    if error.is_builder() {
        let problem = "it cannot be put into a request".to_owned();
        return HttpClientError::BadAddress { problem };
    }
    if error.is_connect() {
        return match io_kind(error) {
            Some(io::ErrorKind::NotFound) if hop.socket.is_some() => HttpClientError::NoSocket { path: host },
            Some(io::ErrorKind::PermissionDenied) if hop.socket.is_some() => {
                HttpClientError::SocketDenied { path: host }
            }
            Some(io::ErrorKind::ConnectionRefused) => HttpClientError::Refused { host },
            Some(io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof) if hop.url.scheme() == "https" => {
                let problem = TlsProblem::Handshake;
                HttpClientError::Tls { host, problem }
            }
            _ => HttpClientError::Unreachable { host },
        };
    }
    let problem = if error.is_body() || error.is_decode() {
        "an incomplete or damaged response"
    } else {
        "an invalid HTTP response"
    };
    HttpClientError::Protocol { host, problem }
}

/// Iterates over an error and its causes.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| {
        let error: &'a (dyn Error + 'static) = *error;
        // An I/O error hides the error it wraps: its source is that error's source.
        let wrapped =
            error.downcast_ref::<io::Error>().and_then(io::Error::get_ref).map(|inner| inner as &(dyn Error + 'static));
        wrapped.or_else(|| error.source())
    })
}

fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    causes(error).find_map(|cause| cause.downcast_ref::<T>())
}

/// The kind of the innermost I/O error; the outer ones only wrap it, and have no kind.
fn io_kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    let kinds = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    kinds.filter(|kind| *kind != io::ErrorKind::Other).last()
}

fn innermost(error: &reqwest::Error) -> String {
    causes(error).last().map(ToString::to_string).unwrap_or_default()
}
