//! The server behind the connections: hyper with limits on heads and streams, and the routes for each connection.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    io,
    pin::Pin,
    time::Duration,
};

use axum::{Router, middleware::from_fn};
use axum_server::{
    Server,
    accept::Accept,
    tls_rustls::{RustlsAcceptor, RustlsConfig},
};
use hyper_util::rt::TokioTimer;

use super::{ConnectionService, ListenAddress, Listener, Stream, track};

/// How often the other end of an HTTP/2 connection is pinged, and how long it may take to respond.
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum number of concurrent requests on one HTTP/2 connection. A page sends a few dozen.
pub(super) const MAX_STREAMS: u32 = 100;

/// Maximum size of the head of a request in bytes.
const MAX_HEAD: u32 = 64 * 1024;

/// How many bytes of bodies may arrive on one HTTP/2 connection before they are read, and on one stream of it.
const MAX_UNREAD: u32 = 64 * 1024;

/// How much of a response is copied before the client of an HTTP/2 connection takes it, in bytes.
const MAX_SEND_BUFFER: usize = 64 * 1024;

/// How much of a response is encrypted before the client takes it, in bytes.
const MAX_ENCRYPTED: usize = 16 * 1024;

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
        .initial_connection_window_size(MAX_UNREAD)
        .initial_stream_window_size(MAX_UNREAD)
        .max_send_buf_size(MAX_SEND_BUFFER)
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

/// Accepts TLS connections, with little memory for what clients do not take.
#[derive(Clone, Debug)]
pub struct Acceptor(RustlsAcceptor);

impl Acceptor {
    /// Uses these certificates.
    pub fn new(config: RustlsConfig) -> Self {
        Self(RustlsAcceptor::new(config))
    }
}

impl<S: Send + 'static> Accept<Stream, S> for Acceptor {
    type Stream = <RustlsAcceptor as Accept<Stream, S>>::Stream;
    type Service = S;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, S)>> + Send>>;

    fn accept(&self, stream: Stream, service: S) -> Self::Future {
        let accepted = self.0.accept(stream, service);
        Box::pin(async move {
            let (mut stream, service) = accepted.await?;
            let (connection, session) = stream.get_mut();
            session.set_buffer_limit(Some(MAX_ENCRYPTED));
            if session.alpn_protocol() == Some(b"h2") {
                connection.multiplexes();
            }
            Ok((stream, service))
        })
    }
}
