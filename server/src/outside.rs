//! The world of a widget that the server looks up: the guarded client, the clock, a little memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use http::Method;
use serde_json::Value;
use widgets::{Entry, FetchError, Moment, Outside, Reply, Request, Side, ViewerHints};

use crate::outbound::{BlockReason, Outbound, OutboundError, Purpose, Request as OutboundRequest, TlsProblem};

/// Most values that widgets may have remembered at once; more are not kept.
const MOST_REMEMBERED: usize = 1024;

/// What widgets remember between lookups: logins and daily data, shared by all of them. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<HashMap<String, (Value, Instant)>>>);

impl Memory {
    fn with<T>(&self, change: impl FnOnce(&mut HashMap<String, (Value, Instant)>) -> T) -> T {
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut remembered)
    }
}

/// The world of one entry, for one lookup.
#[derive(Clone, Debug)]
pub struct ServerOutside {
    outbound: Outbound,
    memory: Memory,
    timeout: Duration,
    insecure: bool,
    viewer: ViewerHints,
}

impl ServerOutside {
    /// The world with the limits of an entry.
    pub fn new(outbound: Outbound, memory: Memory, entry: &Entry, viewer: ViewerHints) -> Self {
        Self { outbound, memory, timeout: entry.timeout, insecure: entry.insecure, viewer }
    }
}

impl Outside for ServerOutside {
    async fn exchange(&self, request: Request) -> Result<Reply, FetchError> {
        let host = request.host().to_owned();
        let timeout = request.timeout.map_or(self.timeout, |own| own.min(self.timeout));
        let mut headers = request.headers;
        let body = request.body.map(|body| {
            headers.push(("Content-Type".to_owned(), body.content_type.to_owned()));
            body.bytes
        });
        let outgoing = OutboundRequest {
            method: Method::from_bytes(request.method.word().as_bytes()).unwrap_or_default(),
            headers,
            body: body.unwrap_or_default().into(),
            timeout,
            max_bytes: request.max_bytes.unwrap_or(OutboundRequest::MAX_BYTES).min(OutboundRequest::MAX_BYTES),
            accept_invalid_certs: self.insecure || request.insecure,
            secret_query_keys: request.secret_query_keys.into_iter().map(str::to_owned).collect(),
            ..OutboundRequest::get(Purpose::Configured, request.url)
        };
        let reply = self.outbound.send(outgoing).await.map_err(|error| told(error, &host))?;
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = reply.headers.iter().map(|(name, value)| (name.to_string(), text(value)));
        let cookies = reply.set_cookies.into_iter().map(|cookie| ("set-cookie".to_owned(), cookie));
        Ok(Reply {
            status: reply.status.as_u16(),
            headers: headers.chain(cookies).collect(),
            body: reply.body.to_vec(),
            host,
            received: self.now(),
        })
    }

    fn now(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn side(&self) -> Side {
        Side::Server
    }

    fn viewer(&self) -> &ViewerHints {
        &self.viewer
    }

    fn recall(&self, key: &str) -> Option<Value> {
        self.memory.with(|remembered| {
            let (value, until) = remembered.get(key)?;
            (*until > Instant::now()).then(|| value.clone())
        })
    }

    fn remember(&self, key: &str, value: Value, life: Duration) {
        let now = Instant::now();
        self.memory.with(|remembered| {
            remembered.retain(|_, (_, until)| *until > now);
            if remembered.len() < MOST_REMEMBERED {
                remembered.insert(key.to_owned(), (value, now + life));
            }
        });
    }

    fn forget(&self, key: &str) {
        self.memory.with(|remembered| remembered.remove(key));
    }
}

/// The sentence for a viewer.
fn told(error: OutboundError, host: &str) -> FetchError {
    let host = host.to_owned();
    match error {
        OutboundError::Blocked { reason: BlockReason::Offline, .. } => {
            FetchError::told("The server is set to be offline.")
        }
        OutboundError::Blocked { .. } => FetchError::Forbidden,
        OutboundError::NameNotFound { .. } => unreachable_host(host, "name not found"),
        OutboundError::Refused { .. } => unreachable_host(host, "connection refused"),
        OutboundError::Unreachable { .. } => unreachable_host(host, "no connection"),
        OutboundError::Tls { problem: TlsProblem::Certificate, .. } => FetchError::Untrusted { host },
        OutboundError::Tls { .. } => unreachable_host(host, "no encrypted connection"),
        OutboundError::TimedOut { after, .. } => FetchError::TimedOut { host, after },
        OutboundError::TooLarge { .. } => FetchError::TooLarge { host },
        OutboundError::TooManyRedirects { .. } => unexpected(host, "too many redirects"),
        OutboundError::BadAddress { problem } => {
            FetchError::Config { problems: vec![format!("The address cannot be used ({problem}).")] }
        }
        OutboundError::BadHeader { name } => {
            FetchError::Config { problems: vec![format!("The header {name} cannot be sent.")] }
        }
        OutboundError::Protocol { problem, .. } => unexpected(host, problem),
    }
}

fn unreachable_host(host: String, reason: &str) -> FetchError {
    FetchError::Unreachable { host, reason: reason.to_owned() }
}

fn unexpected(host: String, what: &str) -> FetchError {
    FetchError::Unexpected { host, what: what.to_owned() }
}
