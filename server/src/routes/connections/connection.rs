//! One connection: what the server is waiting for, and since when.

use std::{
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use http::Version;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    Limits,
    memory::{HeldMemory, Peer},
    server::MAX_STREAMS,
};

/// What hyper reads at first, in bytes. Every connection has such a buffer.
const USUAL_BUFFER: usize = 8 * 1024;
/// Who does nothing for this long is slow. Those who are quick need their memory only for a moment.
const SLOW: Duration = Duration::from_secs(1);
/// How large buffers become at most, in bytes: with a head, or with what HTTP/2 lets clients send unasked.
const LARGEST_BUFFER: usize = 64 * 1024;

/// One connection, as the registry, its stream and its requests see it.
#[derive(Debug)]
pub struct Connection {
    /// Cancelled when the connection must end at once.
    end: CancellationToken,
    state: Mutex<ConnectionState>,
    pub(super) memory: HeldMemory,
    /// The bytes that have arrived since the server last began a request or wrote something: at most those wait in buffers.
    unread: AtomicUsize,
    /// How large the buffers have become, in bytes. They do not shrink before the connection ends.
    buffers: AtomicUsize,
    /// Whether a few bytes may be many requests: it uses HTTP/2, or is about to.
    is_multiplexed: AtomicBool,
}

#[derive(Debug)]
struct ConnectionState {
    /// The requests without a complete response. An HTTP/2 connection may have several.
    requests: Vec<RequestState>,
    next: u64,
    /// Whether there has been a request.
    has_served: bool,
    /// Whether it used HTTP/2, where bytes between requests belong to the connection and not to a head.
    is_http2: bool,
    /// Since when there has been no request.
    idle_since: Instant,
    /// Since when a head has been coming in.
    head_since: Option<Instant>,
    /// Since when the other end has read nothing.
    write_since: Option<Instant>,
}

#[derive(Debug)]
struct RequestState {
    number: u64,
    turn: Turn,
    /// Since when the response has been an event stream, which has no end.
    stream_since: Option<Instant>,
}

/// Who has to do something for a request to go on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Turn {
    Server,
    /// The client: to send more of the body, since this moment.
    Sender(Instant),
    /// The client: to take what it was given of the response, since this moment.
    Reader(Instant),
}

impl RequestState {
    /// Since when the server has been waiting for the client. Event streams count from their beginning: browsers reopen them by
    /// themselves.
    fn silent_since(&self) -> Option<Instant> {
        self.stream_since.or(match self.turn {
            Turn::Server => None,
            Turn::Sender(since) | Turn::Reader(since) => Some(since),
        })
    }
}

impl Connection {
    pub(super) fn new(peer: Arc<Peer>, now: Instant) -> Self {
        let state = ConnectionState {
            requests: Vec::new(),
            next: 0,
            has_served: false,
            is_http2: false,
            idle_since: now,
            head_since: None,
            write_since: None,
        };
        Self {
            end: CancellationToken::new(),
            state: Mutex::new(state),
            memory: HeldMemory::new(peer),
            unread: AtomicUsize::new(0),
            buffers: AtomicUsize::new(USUAL_BUFFER),
            is_multiplexed: AtomicBool::new(false),
        }
    }

    /// The other end, in the unit in which peers are counted.
    pub(super) fn peer(&self) -> IpAddr {
        self.memory.peer.address
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

    /// Records that a few bytes may be many requests.
    pub(super) fn multiplexes(&self) {
        self.is_multiplexed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_multiplexed(&self) -> bool {
        self.is_multiplexed.load(Ordering::Relaxed)
    }

    /// Whether the next bytes may take more memory than every connection has. They are read only if there is room.
    pub(super) fn needs_room(&self) -> bool {
        self.is_multiplexed() || self.unread.load(Ordering::Relaxed) >= USUAL_BUFFER
    }

    /// Records that bytes have arrived, and returns by how much the buffers may have grown.
    #[must_use]
    pub(super) fn bytes_came(&self, count: usize) -> usize {
        let mut state = self.state();
        if state.requests.is_empty() && state.head_since.is_none() {
            state.head_since = Some(Instant::now());
        }
        drop(state);
        // Buffers double when they are full.
        let unread = (self.unread.fetch_add(count, Ordering::Relaxed) + count).next_power_of_two().min(LARGEST_BUFFER);
        let before = self.buffers.fetch_max(unread, Ordering::Relaxed);
        unread.saturating_sub(before)
    }

    /// Records whether the other end reads what is sent.
    pub(super) fn writes(&self, is_stuck: bool) {
        let mut state = self.state();
        if is_stuck {
            state.write_since.get_or_insert_with(Instant::now);
        } else {
            self.unread.store(0, Ordering::Relaxed);
            if state.write_since.take().is_some() && state.requests.is_empty() {
                // The end of a response may still be on its way when its request counts as answered.
                state.idle_since = Instant::now();
            }
        }
    }

    /// Records that the head of a request is complete, and returns the number of the request.
    pub(super) fn request_began(&self, version: Version) -> u64 {
        self.unread.store(0, Ordering::Relaxed);
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.requests.push(RequestState { number, turn: Turn::Server, stream_since: None });
        state.has_served = true;
        state.is_http2 = version == Version::HTTP_2;
        state.head_since = None;
        number
    }

    /// The most requests that HTTP/2 may have had open at once: all there were, since they may have come together.
    pub(super) fn most_streams(&self) -> usize {
        let state = self.state();
        if state.is_http2 { usize::try_from(state.next).unwrap_or(usize::MAX).min(MAX_STREAMS as usize) } else { 0 }
    }

    /// Records that a response was taken as a whole, or was abandoned.
    pub(super) fn request_ended(&self, number: u64) {
        let mut state = self.state();
        state.requests.retain(|request| request.number != number);
        if state.requests.is_empty() {
            state.idle_since = Instant::now();
        }
    }

    /// Records that the server works on a request.
    pub(super) fn works(&self, number: u64) {
        self.turn(number, Turn::Server);
    }

    /// Records that the server waits for more of the body of a request.
    pub(super) fn waits_for_body(&self, number: u64) {
        self.turn(number, Turn::Sender(Instant::now()));
    }

    /// Records that the client has something of a response to take.
    pub(super) fn waits_for_reader(&self, number: u64) {
        self.turn(number, Turn::Reader(Instant::now()));
    }

    fn turn(&self, number: u64, turn: Turn) {
        if let Some(request) = self.state().requests.iter_mut().find(|request| request.number == number) {
            request.turn = turn;
        }
    }

    /// Records whether the response to a request is an event stream, which has no end.
    pub(super) fn is_stream(&self, number: u64, is_stream: bool) {
        if let Some(request) = self.state().requests.iter_mut().find(|request| request.number == number) {
            request.stream_since = is_stream.then(Instant::now);
        }
    }

    /// Since when the server has been waiting for the other end; `None` while the server works for it.
    pub(super) fn silent_since(&self) -> Option<Instant> {
        let state = self.state();
        if state.requests.is_empty() {
            return Some(state.idle_since);
        }
        let waits: Option<Vec<Instant>> = state.requests.iter().map(RequestState::silent_since).collect();
        waits.and_then(|waits| waits.into_iter().max()).or(state.write_since)
    }

    /// Whether the server has waited for the other end for too long. Bodies of requests have their own timers.
    pub(super) fn is_overdue(&self, limits: &Limits, now: Instant) -> bool {
        let state = self.state();
        let is_past = |since: Instant, limit| now.saturating_duration_since(since) >= limit;
        if let Some(since) = state.write_since {
            return is_past(since, limits.write);
        }
        let stuck = state.requests.iter().filter_map(|request| match request.turn {
            Turn::Reader(since) => Some(since),
            Turn::Server | Turn::Sender(_) => None,
        });
        if let Some(since) = stuck.min() {
            // A stream cannot be ended alone, so those that the server works on get some more time.
            let is_working = state.requests.iter().any(|request| request.silent_since().is_none());
            return is_past(since, if is_working { limits.write * 2 } else { limits.write });
        }
        if !state.requests.is_empty() {
            return false;
        }
        let head = state.head_since.filter(|_| !state.is_http2);
        match (state.has_served, head) {
            (false, _) => is_past(state.idle_since, limits.head),
            (true, Some(since)) => is_past(since, limits.head),
            (true, None) => is_past(state.idle_since, limits.idle),
        }
    }

    /// Whether the other end has taken nothing and sent nothing for a while.
    pub(super) fn is_slow(&self, now: Instant) -> bool {
        self.silent_since().is_some_and(|since| now.saturating_duration_since(since) >= SLOW)
    }

    /// How much is gained by cutting this connection: what is held for it, more so the longer it has taken nothing. Memory
    /// that a client is about to take will soon be free anyway.
    pub(super) fn weight(&self, now: Instant) -> u128 {
        let waited = self.silent_since().map_or(0, |since| now.saturating_duration_since(since).as_millis());
        self.memory.used() as u128 * (waited + 100)
    }

    fn state(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
