//! The server behind the connections: hyper with limits on heads and streams, and the routes for each connection.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    time::Duration,
};

use axum::{Router, middleware::from_fn};
use axum_server::Server;
use hyper_util::rt::TokioTimer;

use super::{ConnectionService, ListenAddress, Listener, track};

/// How often the other end of an HTTP/2 connection is pinged, and how long it may take to respond.
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum number of concurrent requests on one HTTP/2 connection. A page sends a few dozen.
const MAX_STREAMS: u32 = 100;

/// Maximum size of the head of a request in bytes.
const MAX_HEAD: u32 = 64 * 1024;

/// A server whose connections have limits. [`super::Connections`] decides how long silence may last, for all phases of a
/// connection alike: hyper's own timers start only when the HTTP version is known.
pub fn server(listener: Listener) -> Server<ListenAddress> {
    let mut server = Server::<ListenAddress>::from_listener(listener);
    let builder = server.http_builder();
    builder.http1().max_buf_size(MAX_HEAD as usize);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT)
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEAD);
    server
}

/// The routes for each connection.
pub fn service(
    routes: Router,
) -> impl tower::Service<
    ListenAddress,
    Response = ConnectionService,
    Error = Infallible,
    Future = Ready<Result<ConnectionService, Infallible>>,
> {
    let routes = routes.layer(from_fn(track));
    tower::service_fn(move |endpoint: ListenAddress| ready(Ok(endpoint.answering(routes.clone()))))
}
