//! The `WidgetContext` of a widget that the server looks up: the guarded client, the clock, a little memory.

mod memory;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod web_socket_tests;

use async_trait::async_trait;
use std::{
    borrow::Cow,
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use http::Method;
use serde_json::Value;
use tokio::task::JoinSet;
use url::Url;
use widgets::{Entry, FetchError, Moment, PendingValue, Request, Response, Side, ViewerHints, WidgetContext};

pub use self::memory::WidgetMemory;
use crate::{
    http_client::{BlockReason, HttpClient, HttpClientError, HttpRequest, PrivateReach, Purpose, TlsProblem, Waits},
    panels::{ExchangeLog, NamedHosts, PanelKey, own_addresses::OwnAddresses},
};

/// The time limit for ending a session at a service.
const LOGOUT_TIMEOUT: Duration = Duration::from_secs(2);

/// The current time.
pub fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Ends the sessions that panels no longer need, all at once, each with its own time limit.
pub async fn end_unused_sessions(http_client: &HttpClient, memory: &WidgetMemory) {
    let mut logout_requests = JoinSet::new();
    for (request, insecure) in memory.take_unused() {
        let http_client = http_client.clone();
        logout_requests.spawn(async move {
            let host = request.host().to_owned();
            // If a service does not respond, the session expires by itself.
            match http_client.send(outgoing(request, LOGOUT_TIMEOUT, insecure)).await {
                Ok(reply) => tracing::debug!(host, status = reply.status.as_u16(), "ended a session"),
                Err(_) => tracing::info!(host, "a session could not be ended"),
            }
        });
    }
    while logout_requests.join_next().await.is_some() {}
}

/// Turns a widget's request into the one to send, within the limits of its entry.
fn outgoing(request: Request, timeout: Duration, insecure: bool) -> HttpRequest {
    let mut headers = request.headers;
    let is_web_socket = request.web_socket;
    let body = request.body.map(|body| {
        if !is_web_socket {
            headers.push(("Content-Type".to_owned(), body.content_type.to_owned()));
        }
        body.bytes
    });
    let method = Method::from_bytes(request.method.word().as_bytes()).unwrap_or_default();
    HttpRequest {
        // What opens a WebSocket is a GET (RFC 6455, section 4.1).
        method: if is_web_socket { Method::GET } else { method },
        json_rpc: is_web_socket,
        headers,
        body: body.unwrap_or_default().into(),
        timeout: request.timeout.map_or(timeout, |own| own.min(timeout)),
        max_bytes: request.max_bytes.unwrap_or(HttpRequest::MAX_BYTES).min(HttpRequest::MAX_BYTES),
        max_redirects: if request.follows_redirects { HttpRequest::MAX_REDIRECTS } else { 0 },
        accept_invalid_certs: insecure || request.insecure,
        secret_query_keys: request.secret_query_keys,
        socket: request.socket.map(PathBuf::from),
        spacing: request.spacing,
        ..HttpRequest::get(Purpose::Configured, request.url)
    }
}

/// The `WidgetContext` of one entry, for one lookup.
#[derive(Debug)]
pub struct ServerContext {
    http_client: HttpClient,
    memory: WidgetMemory,
    /// The panel that this is for.
    owner: PanelKey,
    /// The values that this lookup has read, so that it forgets none that another lookup has stored since.
    recalled: Mutex<HashMap<String, Value>>,
    own: Option<OwnAddresses>,
    timeout: Duration,
    insecure: bool,
    viewer: ViewerHints,
    /// The hosts that the entry names, which may be in the private network.
    hosts: NamedHosts,
    /// The host of the page that contains the entry, if it is not ours.
    page_host: Option<Arc<str>>,
    log_lines: Mutex<Vec<String>>,
    /// The time of the oldest data that another lookup has fetched.
    data_time: Mutex<Option<Moment>>,
    exchanges: ExchangeLog,
    waits: Waits,
}

impl ServerContext {
    /// With the limits of an entry.
    pub fn new(http_client: HttpClient, memory: WidgetMemory, entry: &Entry, viewer: ViewerHints) -> Self {
        Self {
            http_client,
            memory,
            owner: PanelKey::default(),
            recalled: Mutex::default(),
            own: None,
            timeout: entry.timeout,
            insecure: entry.insecure,
            viewer,
            hosts: NamedHosts::of(entry),
            page_host: None,
            log_lines: Mutex::default(),
            data_time: Mutex::default(),
            exchanges: ExchangeLog::default(),
            waits: Waits::default(),
        }
    }

    /// For a panel: remembered values are needed as long as the panel is.
    #[must_use]
    pub fn with_owner(self, owner: PanelKey) -> Self {
        Self { owner, ..self }
    }

    /// For an entry on a page from this host instead of ours: it may only read, and that host is the only private one
    /// it may contact.
    #[must_use]
    pub fn for_page_of(self, page_host: Option<Arc<str>>) -> Self {
        Self { page_host, ..self }
    }

    /// The key under which a value is remembered. Pages from other hosts never share values with ours, which may be
    /// sessions.
    fn memory_key<'a>(&self, key: &'a str) -> Cow<'a, str> {
        match &self.page_host {
            Some(host) => Cow::Owned(format!("page of {host} {key}")),
            None => Cow::Borrowed(key),
        }
    }

    /// The widget's log lines, for the log.
    pub fn take_log(&self) -> Vec<String> {
        std::mem::take(&mut *self.log_lines.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// When the oldest data were fetched, if another lookup has fetched them.
    pub fn data_time(&self) -> Option<Moment> {
        *self.data_time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The outcomes of the exchanges.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.exchanges
    }

    /// How long requests have waited for their turn.
    pub fn waits(&self) -> &Waits {
        &self.waits
    }

    /// With the addresses that this server answers itself.
    #[must_use]
    pub fn with_own(mut self, own: OwnAddresses) -> Self {
        self.own = Some(own);
        self
    }

    /// The request to send, within the limits of the entry.
    pub fn outgoing(&self, request: Request) -> HttpRequest {
        let may_be_private = self.hosts.may_be_private(&request.url, self.page_host.as_deref());
        HttpRequest {
            waits: self.waits.clone(),
            private_reach: if may_be_private { PrivateReach::OwnHost } else { PrivateReach::Nowhere },
            ..outgoing(request, self.timeout, self.insecure)
        }
    }

    async fn fetch_from_self(&self, request: &Request) -> Result<Response, FetchError> {
        let host = "this server".to_owned();
        let found = match &self.own {
            // The author of a page on another host may not show our files, services and machine to its viewers.
            Some(_) if self.page_host.is_some() => None,
            Some(own) if request.method == widgets::Method::Get => own.get(&request.url).await,
            _ => None,
        };
        let (status, headers, body) = match found {
            Some((body, content_type)) => (200, vec![("content-type".to_owned(), content_type)], body.to_vec()),
            None => (404, Vec::new(), Vec::new()),
        };
        Ok(Response { status, headers, body, host, received: self.now() })
    }

    fn note_recalled(&self, key: &str, value: &Value) {
        let mut recalled = self.recalled.lock().unwrap_or_else(PoisonError::into_inner);
        recalled.insert(key.to_owned(), value.clone());
    }
}

#[async_trait]
impl WidgetContext for ServerContext {
    async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        if request.url.starts_with('/') {
            return self.fetch_from_self(&request).await;
        }
        let host = request.host().to_owned();
        if self.page_host.is_some() {
            check_reads_only(&request)?;
        }
        let outgoing = self.outgoing(request);
        let reply = self.http_client.send(outgoing).await.map_err(|error| fetch_error(error, &host))?;
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = reply.headers.iter().map(|(name, value)| (name.to_string(), text(value)));
        let cookies = reply.set_cookies.into_iter().map(|cookie| ("set-cookie".to_owned(), cookie));
        Ok(Response {
            status: reply.status.as_u16(),
            headers: headers.chain(cookies).collect(),
            body: reply.body.to_vec(),
            host,
            received: self.now(),
        })
    }

    fn now(&self) -> Moment {
        now()
    }

    fn side(&self) -> Side {
        Side::Server
    }

    fn viewer(&self) -> &ViewerHints {
        &self.viewer
    }

    fn data_from(&self, at: Moment) {
        let mut data_time = self.data_time.lock().unwrap_or_else(PoisonError::into_inner);
        *data_time = Some(data_time.map_or(at, |before| before.min(at)));
    }

    fn log(&self, line: &str) {
        self.log_lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }

    fn recall(&self, key: &str) -> Option<Value> {
        let value = self.memory.get(&self.memory_key(key), &self.owner)?;
        self.note_recalled(key, &value);
        Some(value)
    }

    fn remember(&self, key: &str, value: Value, life: Duration) {
        self.note_recalled(key, &value);
        self.memory.keep(&self.memory_key(key), &self.owner, value, life);
    }

    fn forget(&self, key: &str) {
        let recalled = self.recalled.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
        // A value that another lookup has stored since is not the one that proved invalid.
        self.memory.drop_if(&self.memory_key(key), recalled.as_ref());
    }

    fn logout_request(&self, key: &str, request: Request) {
        // A page from another host has no sessions, and sends nothing on its own.
        if self.page_host.is_none() {
            self.memory.set_logout_request(key, request, self.insecure);
        }
    }

    async fn recall_or_make(&self, key: &str, life: Duration, make: PendingValue<'_>) -> Result<Value, FetchError> {
        if let Some(value) = self.recall(key) {
            return Ok(value);
        }
        let maker = self.memory.maker(&self.memory_key(key));
        let _turn = maker.lock().await;
        if let Some(value) = self.recall(key) {
            return Ok(value);
        }
        let value = make.await?;
        self.remember(key, value.clone(), life);
        Ok(value)
    }
}

/// Headers that an entry on a page from another host may send: none that a service could treat as a credential.
const HEADERS_OF_OTHER_PAGES: [&str; 6] =
    ["accept", "accept-language", "cache-control", "if-modified-since", "if-none-match", "user-agent"];

/// Refuses requests of pages from other hosts that do more than read.
fn check_reads_only(request: &Request) -> Result<(), FetchError> {
    let refused = |what: &str| {
        Err(FetchError::message(format!(
            "Widgets of a page from another host may not {what}. Put this one into a page of this server."
        )))
    };
    if request.socket.is_some() {
        return refused("open sockets of this server");
    }
    if request.method != widgets::Method::Get || request.body.is_some() {
        return refused("send data, only read it");
    }
    let has_credentials =
        Url::parse(&request.url).is_ok_and(|url| !url.username().is_empty() || url.password().is_some());
    let is_allowed =
        |name: &str| HEADERS_OF_OTHER_PAGES.iter().any(|allowed| allowed.eq_ignore_ascii_case(name.trim()));
    if has_credentials || !request.headers.iter().all(|(name, _)| is_allowed(name)) {
        return refused("send passwords, keys or headers of their own");
    }
    Ok(())
}

/// The message for a viewer.
fn fetch_error(error: HttpClientError, host: &str) -> FetchError {
    let host = host.to_owned();
    match error {
        HttpClientError::Blocked { reason: BlockReason::Offline, .. } => {
            FetchError::message("The server is set to be offline. Unset OFFLINE to allow requests.")
        }
        HttpClientError::Blocked { host, reason: BlockReason::NotNamed } => FetchError::message(format!(
            "{host} is in a private network. Only hosts that the options of a widget on a page of this server name may be \
             called there: write its address into them, or list it in OUTBOUND_ALLOWED_HOSTS."
        )),
        HttpClientError::Blocked { .. } => FetchError::Forbidden,
        HttpClientError::NoSocket { path } => FetchError::message(format!(
            "There is no socket {path}. Check that the service is running, and, if Portico runs in a container, that the \
             socket is mounted into it."
        )),
        HttpClientError::SocketDenied { path } => FetchError::message(format!(
            "Portico may not open the socket {path}. Add the user that it runs as to the group of the socket (docker for \
             Docker's own), or use the address of a socket proxy."
        )),
        HttpClientError::NameNotFound { .. } => unreachable_host(host, "name not found"),
        HttpClientError::Refused { .. } => unreachable_host(host, "connection refused"),
        HttpClientError::Unreachable { .. } => unreachable_host(host, "no connection"),
        HttpClientError::Tls { problem: TlsProblem::Certificate, .. } => FetchError::Untrusted { host },
        HttpClientError::Tls { .. } => unreachable_host(host, "no encrypted connection"),
        HttpClientError::TimedOut { after, .. } => FetchError::TimedOut { host, after },
        HttpClientError::TooLarge { .. } => FetchError::TooLarge { host },
        HttpClientError::TooManyRedirects { .. } => unexpected(host, "too many redirects"),
        HttpClientError::BadAddress { problem } => {
            FetchError::Config { problems: vec![format!("The address cannot be used ({problem}).")] }
        }
        HttpClientError::BadHeader { name } => {
            FetchError::Config { problems: vec![format!("The header {name} cannot be sent.")] }
        }
        HttpClientError::Protocol { problem, .. } => unexpected(host, problem),
    }
}

fn unreachable_host(host: String, reason: &str) -> FetchError {
    FetchError::Unreachable { host, reason: reason.to_owned() }
}

fn unexpected(host: String, what: &str) -> FetchError {
    FetchError::Unexpected { host, what: what.to_owned() }
}
