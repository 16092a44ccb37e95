//! The connections of browsers and proxies: how many are allowed, and how long each may keep the server waiting.
//!
//! Clients that send nothing must not keep others out. While there is room, a connection may be silent for a while; when
//! there is none, the one that has been silent longest is closed to make room. A connection that the server works for
//! is never cut, however long its response takes.

mod connection;
mod descriptors;
mod listener;
mod requests;
mod server;

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

pub use self::{
    connection::{Connection, StreamHold},
    descriptors::raise_descriptor_limit,
    listener::{ConnectionService, ListenAddress, Listener},
    requests::track,
    server::{server, service},
};
use crate::platform::peers::{TrustedProxies, person};

/// How long a new connection waits for the place of one that is being closed, per attempt.
const CLOSING: Duration = Duration::from_millis(100);

/// How many times a new connection waits.
const MAX_WAITS: usize = 5;

/// Maximum number of connections, however many descriptors there are.
const MAX_CONNECTIONS: usize = 2048;

/// Maximum number of connections of one person. A browser needs six.
const MAX_PER_PERSON: usize = 64;

/// The limits of connections. The times follow the behavior of real clients: browsers and proxies keep idle
/// connections for a minute, and nobody needs ten seconds to send a head.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until the first request has arrived (including a TLS handshake), and from the first byte of a later head to its last.
    pub head: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// Between two pieces of a body.
    pub body_pause: Duration,
    /// For a whole body.
    pub body: Duration,
    /// While the other end reads nothing of a response.
    pub write: Duration,
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum number of connections of a trusted proxy or of this machine, which stand for many people.
    pub per_proxy: usize,
    /// Maximum number of connections of any other peer.
    pub per_person: usize,
}

impl Limits {
    /// Limits for a process that may have this many open files. The rest is for files and for requests to services, which
    /// must work even when all connections are in use.
    pub fn for_descriptors(descriptors: usize) -> Self {
        let kept_back = (descriptors / 2).clamp(64, 1024).min(descriptors / 4 * 3);
        let connections = (descriptors - kept_back).clamp(8, MAX_CONNECTIONS);
        Self {
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            body_pause: Duration::from_secs(20),
            body: Duration::from_secs(120),
            write: Duration::from_secs(120),
            connections,
            per_proxy: connections / 4 * 3,
            per_person: MAX_PER_PERSON.min(connections / 4),
        }
    }
}

/// All connections, of all listeners. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Connections(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: Limits,
    proxies: TrustedProxies,
    open: Mutex<OpenConnections>,
    /// Signals that one was closed.
    closed: Notify,
    /// Signals that one was opened.
    opened: Notify,
}

#[derive(Debug, Default)]
struct OpenConnections {
    by_number: HashMap<u64, Arc<Connection>>,
    next: u64,
}

/// The place of a connection; freed when it is dropped.
#[derive(Debug)]
struct Admission {
    connections: Connections,
    number: u64,
    connection: Arc<Connection>,
}

/// Why there is no free place.
enum Full {
    /// One is being freed.
    Soon,
    /// All connections are in use.
    Busy,
}

impl Connections {
    /// No connections yet.
    pub fn new(limits: Limits, proxies: TrustedProxies) -> Self {
        let (closed, opened) = (Notify::new(), Notify::new());
        Self(Arc::new(Inner { limits, proxies, open: Mutex::default(), closed, opened }))
    }

    /// The limits of connections.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.open().by_number.len()
    }

    /// A place for a connection of a peer; `None` if all connections are in use.
    async fn admit(&self, peer: IpAddr) -> Option<Admission> {
        let peer = person(peer.to_canonical());
        for _ in 0..MAX_WAITS {
            let closed = self.0.closed.notified();
            match self.try_admit(peer, Instant::now()) {
                Ok(place) => return Some(place),
                Err(Full::Busy) => return None,
                Err(Full::Soon) => _ = tokio::time::timeout(CLOSING, closed).await,
            }
        }
        None
    }

    fn try_admit(&self, peer: IpAddr, now: Instant) -> Result<Admission, Full> {
        let mut open = self.open();
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for connection in open.by_number.values() {
            *counts.entry(connection.peer()).or_default() += 1;
        }
        let own_is_full = counts.get(&peer).is_some_and(|count| *count >= self.max_of(peer));
        if !own_is_full && open.by_number.len() < self.0.limits.connections {
            let number = open.next;
            open.next += 1;
            let connection = Arc::new(Connection::new(peer, now));
            open.by_number.insert(number, Arc::clone(&connection));
            drop(open);
            self.0.opened.notify_one();
            return Ok(Admission { connections: self.clone(), number, connection });
        }
        // The share of its limit that a peer uses, in thousandths: the peer with the largest share loses a connection first.
        let share = |peer: IpAddr| counts.get(&peer).copied().unwrap_or_default() * 1000 / self.max_of(peer).max(1);
        let candidates = open.by_number.values().filter(|connection| !own_is_full || connection.peer() == peer);
        let mut soon = false;
        let mut silent = Vec::new();
        for connection in candidates {
            if connection.is_cut() {
                soon = true;
            } else if let Some(since) = connection.silent_since() {
                silent.push((share(connection.peer()), now.saturating_duration_since(since), connection));
            }
        }
        if soon {
            return Err(Full::Soon);
        }
        match silent.into_iter().max_by_key(|(share, time, _)| (*share, *time)) {
            Some((_, _, longest)) => {
                longest.cut();
                Err(Full::Soon)
            }
            None => Err(Full::Busy),
        }
    }

    fn max_of(&self, peer: IpAddr) -> usize {
        let limits = &self.0.limits;
        let is_many = peer.is_loopback() || self.0.proxies.cover(peer);
        if is_many { limits.per_proxy } else { limits.per_person }
    }

    /// Closes connections that have kept the server waiting for too long; runs as long as the server.
    pub async fn sweep(self) {
        let limits = &self.0.limits;
        let shortest = limits.head.min(limits.idle).min(limits.write);
        let pause = (shortest / 4).clamp(Duration::from_millis(5), Duration::from_secs(1));
        loop {
            let opened = self.0.opened.notified();
            if self.count() == 0 {
                opened.await;
            }
            tokio::time::sleep(pause).await;
            let now = Instant::now();
            for connection in self.open().by_number.values() {
                if connection.is_overdue(limits, now) {
                    connection.cut();
                }
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.connections.open().by_number.remove(&self.number);
        self.connections.0.closed.notify_waiters();
    }
}

#[cfg(test)]
mod tests;
