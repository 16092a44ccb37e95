//! One connection: what the server is waiting for, and since when.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use http::Version;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Limits;

/// One connection, as the registry, its stream and its requests see it.
#[derive(Debug)]
pub struct Connection {
    peer: IpAddr,
    /// Cancelled when the connection must end at once.
    end: CancellationToken,
    state: Mutex<ConnectionState>,
}

#[derive(Debug)]
struct ConnectionState {
    /// How many requests have no complete response yet.
    requests: usize,
    /// How many of these are event streams, and since when there has been one.
    streams: usize,
    stream_since: Instant,
    /// Whether there has been a request.
    has_served: bool,
    /// Whether it used HTTP/2, where bytes between requests belong to the connection and not to a head.
    is_http2: bool,
    /// Since when there has been no request.
    idle_since: Instant,
    /// Since when a head has been coming in.
    head_since: Option<Instant>,
    /// Since when the server has been waiting for a body.
    body_since: Option<Instant>,
    /// Since when the other end has read nothing.
    write_since: Option<Instant>,
}

/// An event stream on a connection.
#[derive(Debug)]
pub struct StreamHold(Arc<Connection>);

impl Drop for StreamHold {
    fn drop(&mut self) {
        self.0.state().streams -= 1;
    }
}

impl Connection {
    pub(super) fn new(peer: IpAddr, now: Instant) -> Self {
        let state = ConnectionState {
            requests: 0,
            streams: 0,
            stream_since: now,
            has_served: false,
            is_http2: false,
            idle_since: now,
            head_since: None,
            body_since: None,
            write_since: None,
        };
        Self { peer, end: CancellationToken::new(), state: Mutex::new(state) }
    }

    /// The other end, in the unit in which peers are counted.
    pub(super) fn peer(&self) -> IpAddr {
        self.peer
    }

    /// Ends the connection at once.
    pub(super) fn cut(&self) {
        self.end.cancel();
    }

    pub(super) fn is_cut(&self) -> bool {
        self.end.is_cancelled()
    }

    pub(super) fn end(&self) -> CancellationToken {
        self.end.clone()
    }

    /// Records that bytes have arrived.
    pub(super) fn bytes_came(&self) {
        let mut state = self.state();
        if state.requests == 0 && state.head_since.is_none() {
            state.head_since = Some(Instant::now());
        }
    }

    /// Records whether the other end reads what is sent.
    pub(super) fn writes(&self, is_stuck: bool) {
        let mut state = self.state();
        if is_stuck {
            state.write_since.get_or_insert_with(Instant::now);
        } else if state.write_since.take().is_some() && state.requests == 0 {
            // The end of a response may still be on its way when its request counts as answered.
            state.idle_since = Instant::now();
        }
    }

    /// Records whether the server is waiting for a body.
    pub(super) fn waits_for_body(&self, waits: bool) {
        self.state().body_since = waits.then(Instant::now);
    }

    /// Records that the head of a request is complete.
    pub(super) fn request_began(&self, version: Version) {
        let mut state = self.state();
        state.requests += 1;
        state.has_served = true;
        state.is_http2 = version == Version::HTTP_2;
        state.head_since = None;
    }

    /// Records that a response is complete, or was abandoned.
    pub(super) fn request_ended(&self) {
        let mut state = self.state();
        state.requests = state.requests.saturating_sub(1);
        if state.requests == 0 {
            state.idle_since = Instant::now();
            state.body_since = None;
        }
    }

    /// Records that the response to a request is an event stream, which has no end, until the result is dropped.
    pub fn hold_stream(self: Arc<Self>) -> StreamHold {
        let mut state = self.state();
        if state.streams == 0 {
            state.stream_since = Instant::now();
        }
        state.streams += 1;
        drop(state);
        StreamHold(self)
    }

    /// Since when the server has been waiting for the other end; `None` while the server works for it. A connection with
    /// nothing but event streams also makes room for new ones: browsers reopen their streams by themselves.
    pub(super) fn silent_since(&self) -> Option<Instant> {
        let state = self.state();
        let idle = (state.requests == 0).then_some(state.idle_since);
        let streams = (state.streams > 0 && state.streams == state.requests).then_some(state.stream_since);
        idle.or(streams).or(state.body_since).or(state.write_since)
    }

    /// Whether the server has waited for the other end for too long. Bodies have their own timers.
    pub(super) fn is_overdue(&self, limits: &Limits, now: Instant) -> bool {
        let state = self.state();
        let is_past = |since: Instant, limit| now.saturating_duration_since(since) >= limit;
        let head = state.head_since.filter(|_| !state.is_http2);
        let is_idle = match (state.has_served, head) {
            // A response in transit keeps the connection busy after its last byte was handed over.
            _ if state.requests > 0 || state.write_since.is_some() => false,
            (false, _) => is_past(state.idle_since, limits.head),
            (true, Some(since)) => is_past(since, limits.head),
            (true, None) => is_past(state.idle_since, limits.idle),
        };
        is_idle || state.write_since.is_some_and(|since| is_past(since, limits.write))
    }

    fn state(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
