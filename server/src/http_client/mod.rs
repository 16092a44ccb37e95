//! The only way out of the server: an HTTP client for addresses that others chose.
//!
//! Favicons, icons, style sheets, remote pages, widgets and status checks all use this client, and so it holds the
//! guards against request forgery: which addresses may be contacted, where redirects may lead, and how large and slow a
//! response may be. Callers interpret the responses.

mod address;
mod certificate;
mod client;
mod direct;
mod dns;
mod error;
mod exchange;
mod guard;
mod headers;
mod inner;
mod limiter;
mod redirect;
mod request;
mod runtime;
mod socket;
mod stream;
mod target;
mod tls;
mod waits;
mod web_socket;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use certificate::end as certificate_end;
pub use direct::{DirectTarget, Echoes, PingError};
pub use dns::{LookedUp, NameLookup, SystemLookup};
pub use error::{BlockReason, HttpClientError, SetupError, TlsProblem};
pub use guard::is_evidently_private;
pub use inner::HttpClient;
pub use request::{HttpRequest, HttpResponse, PrivateReach, Purpose};
pub use runtime::dedicated as dedicated_runtime;
pub use tls::tls_config;
pub use waits::Waits;

use client::Clients;
use exchange::ResponseExtent;
use guard::Guard;
use inner::Inner;
use limiter::RequestLimiter;
use tls::TlsSettings;

use crate::{
    platform::{
        spans::{self, Span, SpanKind},
        trace::{self, TRACEPARENT},
    },
    settings::HttpClientSettings,
};

impl HttpClient {
    /// Builds the client with the system's DNS resolver.
    ///
    /// The program must have installed a crypto provider for rustls before.
    ///
    /// # Errors
    ///
    /// There is no crypto provider, or the file of extra certificates cannot be used.
    pub fn new(settings: HttpClientSettings) -> Result<Self, SetupError> {
        Self::with_lookup(settings, Arc::new(SystemLookup))
    }

    /// Builds the client with another resolver; tests use it in place of a network.
    ///
    /// # Errors
    ///
    /// Like [`HttpClient::new`].
    pub fn with_lookup(settings: HttpClientSettings, lookup: Arc<dyn NameLookup>) -> Result<Self, SetupError> {
        let guard = Arc::new(Guard::new(&settings));
        let clients = Clients::build(&settings, &guard, &lookup)?;
        let HttpClientSettings { offline, runtime, extra_ca, .. } = settings;
        let (limiter, tls) = (RequestLimiter::default(), TlsSettings::new(extra_ca.as_deref()));
        Ok(Self { inner: Arc::new(Inner { guard, clients, limiter, tls, offline, runtime }) })
    }

    /// Sends a request, follows its redirects and reads the whole response.
    ///
    /// A response with an error status is not an error. Dropping the future cancels the request.
    ///
    /// # Errors
    ///
    /// The address is refused, there is no valid response, or the response exceeds a limit of the request.
    pub async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpClientError> {
        self.run(request, ResponseExtent::Whole).await
    }

    /// Like [`HttpClient::send`], but closes the connection after the headers: the body of the response is empty.
    ///
    /// For status checks (docs/spec/behavior.md 11.2), which only need to know that the service responds.
    ///
    /// # Errors
    ///
    /// Like [`HttpClient::send`], without the limits on the body.
    pub async fn send_headers_only(&self, request: HttpRequest) -> Result<HttpResponse, HttpClientError> {
        self.run(request, ResponseExtent::Headers).await
    }

    /// As a separate task, so that data arrives while the sender waits for a thread.
    async fn run(&self, mut request: HttpRequest, extent: ResponseExtent) -> Result<HttpResponse, HttpClientError> {
        let mut span = continue_trace(&mut request);
        let inner = Arc::clone(&self.inner);
        let work = async move {
            match request.socket.clone() {
                Some(path) => socket::run(&inner, HttpRequest { max_redirects: 0, ..request }, &path, extent).await,
                None => exchange::run(&inner, request, extent).await,
            }
        };
        let response = runtime::run(self.inner.runtime.as_ref(), work).await;
        if let Some(span) = &mut span {
            match &response {
                Ok(response) => {
                    span.set("http.response.status_code", i64::from(response.status.as_u16()));
                    if response.status.is_client_error() || response.status.is_server_error() {
                        span.fail("");
                    }
                }
                Err(error) => span.fail(error.to_string()),
            }
        }
        response
    }
}

/// Passes the trace of the request that caused this one on to a service that the config names, and begins a span for it. A server
/// without tracing sends nothing more than otherwise.
fn continue_trace(request: &mut HttpRequest) -> Option<Span> {
    let parent = trace::current()?.trace?;
    let mut span = spans::begin(SpanKind::Client, &request.method, Some(parent));
    if let Some(span) = &mut span {
        let host = url::Url::parse(&request.url).ok().and_then(|url| url.host_str().map(str::to_owned));
        span.set("server.address", host.unwrap_or_default());
    }
    let has_own = request.headers.iter().any(|(name, _)| is_trace_header(name));
    if request.purpose == Purpose::Configured && !has_own {
        let place = span.as_ref().map_or_else(|| parent.child(), Span::place);
        request.headers.push((TRACEPARENT.to_owned(), place.header()));
    }
    span
}

fn is_trace_header(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case(TRACEPARENT)
}

/// A normalized host name: in lower case, without the trailing dot of a fully qualified name.
pub fn plain_host(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}
