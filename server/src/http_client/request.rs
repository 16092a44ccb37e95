//! A request and its response, as callers see them.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use jiff::Timestamp;
use tokio::sync::mpsc;
use url::Url;

use super::waits::Waits;

/// Why a request is made. Decides whether it is made while the server is set to be offline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A widget, a status check or something else that the config names. Always made.
    Configured,
    /// Something optional, such as a favicon. Not made when offline (docs/spec/behavior.md 23).
    Lookup,
}

/// Which of the private addresses that the administrator leaves open a request may reach. It applies to every redirect,
/// and to what a name resolves to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PrivateReach {
    /// Those of the host in the request's address, on any port, because the config names it. If a redirect leads to
    /// another host, that host must be public.
    #[default]
    OwnHost,
    /// None: a service or a page from another host named the address.
    Nowhere,
    /// All, for tests whose hosts all have the address of this machine.
    #[cfg(test)]
    Everywhere,
}

impl PrivateReach {
    /// Whether a request to one host may contact private addresses of another. Both names are in lower case and without
    /// a trailing dot.
    pub(super) fn covers(&self, host: &str, own: &str) -> bool {
        match self {
            Self::OwnHost => host == own,
            Self::Nowhere => false,
            #[cfg(test)]
            Self::Everywhere => true,
        }
    }
}

/// One request, with its limits. Built by [`HttpRequest::get`] or [`HttpRequest::post`], then changed field by field.
#[derive(Clone)]
pub struct HttpRequest {
    /// The purpose of the request.
    pub purpose: Purpose,
    /// The HTTP method.
    pub method: Method,
    /// The full address, http or https. `user:password@` in it is sent as Basic authorization.
    pub url: String,
    /// Headers by name and value. Connection headers (`Host`, `Content-Length`, `Accept-Encoding`, ...) are left out;
    /// line breaks are rejected. An `Authorization` here takes precedence over credentials in the address.
    pub headers: Vec<(String, String)>,
    /// The body; empty means none.
    pub body: Bytes,
    /// Sends the body, a list of calls of JSON-RPC 2.0 with numbers as ids, over a WebSocket: each call after the answer to the
    /// one before. The body of the response is the list of the answers, and its status 200. No redirect is followed, because
    /// calls may contain keys. If the service opens no WebSocket, its response is that of any other request.
    pub json_rpc: bool,
    /// The time limit from start to last byte, including all redirects. Waiting for a turn (at most 32 requests run at
    /// once, and 6 per host) does not count, because it says nothing about the service.
    pub timeout: Duration,
    /// Maximum size of a response in bytes, after decompression.
    pub max_bytes: usize,
    /// How many redirects are followed. With 0 the redirect itself is the response.
    pub max_redirects: u32,
    /// Which private addresses may be reached.
    pub private_reach: PrivateReach,
    /// Accepts every certificate: the `insecure` of one entry, never a default. It has no effect where private
    /// addresses may not be reached, because it is meant for services in the local network.
    pub accept_invalid_certs: bool,
    /// Names of query parameters that hold keys; they are not sent along with a redirect to another origin.
    pub secret_query_keys: Vec<String>,
    /// The Unix socket to use in place of the host of the address. Only the config may name one. The address guards do
    /// not apply to it, and no redirect is followed.
    pub socket: Option<PathBuf>,
    /// The time between the starts of two such requests to one host; zero for none. It applies to every redirect.
    pub spacing: Duration,
    /// Records how long the request waits for its turns.
    pub waits: Waits,
    /// Takes the pieces of a successful body as they arrive, which the response then does not contain. Such a request may
    /// last long, so it gives its turn back at once.
    pub pieces: Option<mpsc::Sender<Bytes>>,
}

impl HttpRequest {
    /// The default of [`Request::timeout`] (docs/spec/widgets.md 1).
    pub const TIMEOUT: Duration = Duration::from_secs(10);
    /// The default of [`Request::max_bytes`] (docs/spec/widgets.md 11).
    pub const MAX_BYTES: usize = 10 * 1024 * 1024;
    /// The default of [`Request::max_redirects`] (docs/spec/widgets.md 11).
    pub const MAX_REDIRECTS: u32 = 5;

    /// A GET with the default limits.
    #[must_use]
    pub fn get(purpose: Purpose, url: impl Into<String>) -> Self {
        Self {
            purpose,
            method: Method::GET,
            url: url.into(),
            headers: Vec::new(),
            body: Bytes::new(),
            json_rpc: false,
            timeout: Self::TIMEOUT,
            max_bytes: Self::MAX_BYTES,
            max_redirects: Self::MAX_REDIRECTS,
            private_reach: PrivateReach::OwnHost,
            accept_invalid_certs: false,
            secret_query_keys: Vec::new(),
            socket: None,
            spacing: Duration::ZERO,
            waits: Waits::default(),
            pieces: None,
        }
    }

    /// A POST with the default limits.
    #[must_use]
    pub fn post(purpose: Purpose, url: impl Into<String>, body: impl Into<Bytes>) -> Self {
        Self { method: Method::POST, body: body.into(), ..Self::get(purpose, url) }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// Prints nothing that may be secret: neither address nor headers nor body.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Request")
            .field("purpose", &self.purpose)
            .field("method", &self.method)
            .field("timeout", &self.timeout)
            .field("max_bytes", &self.max_bytes)
            .field("max_redirects", &self.max_redirects)
            .finish_non_exhaustive()
    }
}

/// The response to a request, after redirects and decompression.
#[derive(Clone)]
pub struct HttpResponse {
    /// The status of the final response, including errors.
    pub status: StatusCode,
    /// The headers of the final response, without `Set-Cookie`.
    pub headers: HeaderMap,
    /// The values of `Set-Cookie` of the final response. They are not stored or sent back automatically; they are here
    /// for a login flow within one lookup (docs/spec/widgets.md 11).
    pub set_cookies: Vec<String>,
    /// The body, decompressed; empty after `send_headers_only`.
    pub body: Bytes,
    /// The address of the final response, without credentials. Its query may contain keys: not for logs or messages.
    pub final_url: Url,
    /// The time spent with the services, without waiting for a turn.
    pub elapsed: Duration,
    /// When the certificate of the service ends; `None` without encryption.
    pub certificate_end: Option<Timestamp>,
}

/// Prints only the status and sizes of the response.
impl fmt::Debug for HttpResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpResponse")
            .field("status", &self.status)
            .field("host", &self.final_url.host_str())
            .field("bytes", &self.body.len())
            .field("elapsed", &self.elapsed)
            .finish_non_exhaustive()
    }
}
