//! The requests of widgets.

use std::{fmt, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use crate::{address, option_types::Secret};

/// An HTTP method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads.
    #[default]
    Get,
    /// Requests only the status and the headers.
    Head,
    /// Sends data; many services also require it for a login or a search.
    Post,
    /// Replaces.
    Put,
    /// Changes.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// The body of a request, with its type.
#[derive(Clone, PartialEq, Eq)]
pub struct Body {
    /// The value of `Content-Type`.
    pub content_type: String,
    /// The bytes to send.
    pub bytes: Vec<u8>,
}

/// One request of a widget. The sender adds `User-Agent`, the timeout, and the guards.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The HTTP method.
    pub method: Method,
    /// The full address. It may contain secrets, so it must not appear in messages; see [`Request::host`].
    pub url: String,
    /// Names and values of the headers, in the order in which they were added.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Body>,
    /// Sends the body, a list of calls of JSON-RPC 2.0 with numbers as ids, over a WebSocket at the address: each call after the
    /// answer to the one before. The body of the response is the list of the answers. Only on the server; no redirect is followed.
    pub web_socket: bool,
    /// Names of query parameters that contain secrets: they do not follow a redirect to another origin.
    pub secret_query_keys: Vec<String>,
    /// Accepts every certificate. An entry's `insecure` does this for all its requests without the widget's
    /// involvement.
    pub insecure: bool,
    /// Whether to follow redirects, up to the usual limit; otherwise the redirect is the response. A browser always
    /// follows them.
    pub follows_redirects: bool,
    /// A timeout that is shorter than the entry's.
    pub timeout: Option<Duration>,
    /// A limit on the size of the response in bytes that is lower than the usual 10 MB.
    pub max_bytes: Option<usize>,
    /// The full path of a Unix socket on the server's machine that is used instead of the host in the address. Only for
    /// a path from the entry's own options.
    pub socket: Option<String>,
    /// The time between the starts of two such requests to the host. Requests of all widgets wait for each other; the
    /// wait does not count as time of the service. A browser does not wait.
    pub spacing: Duration,
}

impl Request {
    /// A request without headers and body.
    #[must_use]
    pub fn new(method: Method, url: impl Into<String>) -> Self {
        Self {
            method,
            url: url.into(),
            headers: Vec::new(),
            body: None,
            web_socket: false,
            secret_query_keys: Vec::new(),
            insecure: false,
            follows_redirects: true,
            timeout: None,
            max_bytes: None,
            socket: None,
            spacing: Duration::ZERO,
        }
    }

    /// A GET request.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self::new(Method::Get, url)
    }

    /// A POST request.
    #[must_use]
    pub fn post(url: impl Into<String>) -> Self {
        Self::new(Method::Post, url)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Adds a header with a secret value, if it is set.
    #[must_use]
    pub fn secret_header(self, name: impl Into<String>, value: &Secret) -> Self {
        if value.is_set() { self.header(name, value.reveal()) } else { self }
    }

    /// Adds `Authorization: Bearer`, if the token is set.
    #[must_use]
    pub fn bearer(self, token: &Secret) -> Self {
        if token.is_set() { self.header("Authorization", format!("Bearer {}", token.reveal())) } else { self }
    }

    /// Adds `Authorization: Basic`.
    #[must_use]
    pub fn basic(self, user: &str, password: &Secret) -> Self {
        let encoded = STANDARD.encode(format!("{user}:{}", password.reveal()));
        self.header("Authorization", format!("Basic {encoded}"))
    }

    /// Adds a parameter to the query; the value is encoded.
    #[must_use]
    pub fn query(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.url.push(if self.url.contains('?') { '&' } else { '?' });
        self.url.push_str(name);
        self.url.push('=');
        self.url.push_str(&address::encode(&value.to_string()));
        self
    }

    /// Adds a secret parameter to the query if it is set, for services that do not accept it in a header.
    #[must_use]
    pub fn secret_query(mut self, name: &str, value: &Secret) -> Self {
        if !value.is_set() {
            return self;
        }
        self.secret_query_keys.push(name.to_owned());
        self.query(name, value.reveal())
    }

    /// The address for display: without the values of secret parameters and without a password.
    #[cfg(feature = "server")]
    #[must_use]
    pub fn shown_url(&self) -> String {
        const BLANK: &str = "***";
        // A path of our own server, or not an address.
        let Ok(mut url) = url::Url::parse(&self.url) else { return self.url.clone() };
        if url.password().is_some() {
            _ = url.set_password(Some(BLANK));
        }
        let is_secret = |name: &str| self.secret_query_keys.iter().any(|key| key == name);
        if url.query_pairs().any(|(name, _)| is_secret(&name)) {
            let pairs: Vec<(String, String)> = url
                .query_pairs()
                .map(|(name, value)| {
                    let value = if is_secret(&name) { BLANK.to_owned() } else { value.to_string() };
                    (name.to_string(), value)
                })
                .collect();
            url.query_pairs_mut().clear().extend_pairs(pairs);
        }
        url.to_string()
    }

    /// Sets a JSON body.
    #[must_use]
    pub fn json(mut self, value: &serde_json::Value) -> Self {
        self.body = Some(Body { content_type: "application/json".to_owned(), bytes: value.to_string().into_bytes() });
        self
    }

    /// Sets a form as the body.
    #[must_use]
    pub fn form(mut self, fields: &[(&str, &str)]) -> Self {
        let fields: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{}={}", address::encode(name), address::encode(value)))
            .collect();
        let bytes = fields.join("&").into_bytes();
        self.body = Some(Body { content_type: "application/x-www-form-urlencoded".to_owned(), bytes });
        self
    }

    /// Sends the request over a Unix socket on the server's machine.
    #[must_use]
    pub fn over_socket(mut self, path: impl Into<String>) -> Self {
        self.socket = Some(path.into());
        self
    }

    /// Starts this long after the previous such request to the host, for services that limit how many there are.
    #[must_use]
    pub fn spaced(mut self, spacing: Duration) -> Self {
        self.spacing = spacing;
        self
    }

    /// Returns a redirect as the response; see [`super::Response::redirect`].
    #[must_use]
    pub fn without_redirects(mut self) -> Self {
        self.follows_redirects = false;
        self
    }

    /// The host of the request, or the path of the socket, for messages.
    #[must_use]
    pub fn host(&self) -> &str {
        self.socket.as_deref().unwrap_or_else(|| address::host(&self.url))
    }
}

/// Shows nothing that may be secret: neither the address nor headers nor the body.
impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Request")
            .field("method", &self.method)
            .field("host", &self.host())
            .finish_non_exhaustive()
    }
}
