//! The connections of browsers and proxies: how many are allowed, and how long each may keep the server waiting.
//!
//! Clients that send nothing must not keep others out. While there is room, a connection may be silent for a while; when
//! there is none, the one that has been silent longest is closed to make room. A connection that the server works for
//! is never cut, however long its response takes. No peer has more connections than are free, so however many a few peers
//! open, others get theirs.
//!
//! What is held in memory for clients has a limit too ([`memory`]).

mod connection;
mod descriptors;
mod listener;
mod memory;
mod requests;
mod server;

use std::{
    cmp::Reverse,
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Notify, Semaphore},
    time::Instant,
};

use self::memory::{Memory, Peer};
pub use self::{
    connection::Connection,
    descriptors::raise_descriptor_limit,
    listener::{ConnectionService, ListenAddress, Listener, Stream},
    requests::{BodyError, OpenRequest, StreamHold, track},
    server::{Acceptor, server, service},
};
use crate::platform::peers::{TrustedProxies, person};

/// How long a new connection waits for the place of one that is being closed, per attempt.
const CLOSING: Duration = Duration::from_millis(100);

/// How many times a new connection waits.
const MAX_WAITS: usize = 5;

/// When all places are taken, one of this many connections is closed to make room.
const CUT_SHARE: usize = 64;

/// Maximum number of connections, however many descriptors there are.
const MAX_CONNECTIONS: usize = 2048;

/// Maximum number of connections of one client. A browser needs six.
const MAX_PER_PERSON: usize = 64;

/// How many connections may read at once what may be many requests, such as a hundred in a thousand bytes. What is held for a
/// request counts only when the request is handled, so the others wait until then.
const MAX_READERS: usize = 4;

/// Maximum memory that is held for clients, in bytes.
const MAX_MEMORY: usize = 20 * 1024 * 1024;

/// The limits of connections. The times follow the behavior of real clients: browsers and proxies keep idle
/// connections for a minute, and no client needs ten seconds to send a head.
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
    /// While the other end takes nothing of a response.
    pub write: Duration,
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum number of connections of a trusted proxy or of this machine, which stand for many people.
    pub per_proxy: usize,
    /// Maximum number of connections of any other peer.
    pub per_person: usize,
    /// Maximum memory that is held for all connections, in bytes: heads and bodies that are being handled, and responses that
    /// have not been taken. At most half of it is for one peer.
    pub memory: usize,
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
            write: Duration::from_secs(30),
            connections,
            per_proxy: connections / 4 * 3,
            per_person: MAX_PER_PERSON.min(connections / 4),
            memory: MAX_MEMORY,
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
    memory: Arc<Memory>,
    /// The turns of those that read what may be many requests.
    readers: Arc<Semaphore>,
    open: Mutex<OpenConnections>,
    /// Held while connections are cut to free memory.
    freeing: Mutex<()>,
    /// Signals that one was closed.
    closed: Notify,
    /// Signals that one was opened.
    opened: Notify,
}

#[derive(Debug, Default)]
struct OpenConnections {
    by_number: HashMap<u64, Arc<Connection>>,
    /// The other ends, and how many connections each has.
    peers: HashMap<IpAddr, (Arc<Peer>, usize)>,
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
        Self(Arc::new_cyclic(|registry| Inner {
            limits,
            proxies,
            memory: Arc::new(Memory::new(limits.memory, registry.clone())),
            readers: Arc::new(Semaphore::new(MAX_READERS)),
            open: Mutex::default(),
            freeing: Mutex::default(),
            closed: Notify::new(),
            opened: Notify::new(),
        }))
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
        let own = open.count(peer);
        let free = self.0.limits.connections.saturating_sub(open.by_number.len());
        let own_is_full = own > 0 && (own >= self.max_of(peer) || own >= free);
        if !own_is_full && free > 0 {
            let memory = &self.0.memory;
            let (known, count) =
                open.peers.entry(peer).or_insert_with(|| (Arc::new(Peer::new(peer, Arc::clone(memory))), 0));
            *count += 1;
            let connection = Arc::new(Connection::new(Arc::clone(known), now));
            let number = open.next;
            open.next += 1;
            open.by_number.insert(number, Arc::clone(&connection));
            drop(open);
            self.0.opened.notify_one();
            return Ok(Admission { connections: self.clone(), number, connection });
        }
        // The share of its limit that a peer uses, in thousandths: the peer with the largest share loses a connection first.
        let share = |peer: IpAddr| open.count(peer) * 1000 / self.max_of(peer).max(1);
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
        if silent.is_empty() {
            return Err(Full::Busy);
        }
        // When many come at once, the next ones need not wait too.
        let count = if own_is_full { 1 } else { (self.0.limits.connections / CUT_SHARE).max(1) };
        silent.sort_unstable_by_key(|(share, time, _)| (Reverse(*share), Reverse(*time)));
        for (_, _, connection) in silent.into_iter().take(count) {
            connection.cut();
        }
        Err(Full::Soon)
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
        self.0.open()
    }
}

/// The connections of a peer when memory must be freed.
#[derive(Default)]
struct Weighed<'a> {
    held: usize,
    weight: u128,
    /// With their weights.
    connections: Vec<(u128, &'a Arc<Connection>)>,
}

impl Inner {
    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts connections until no more memory is held than may be, neither for all nor for one peer: those for which most is
    /// held, and which have taken nothing for the longest time.
    fn free_memory(&self) {
        // Others need not wait meanwhile: this looks at what they hold too, or the next one does.
        let Ok(_turn) = self.freeing.try_lock() else { return };
        let now = Instant::now();
        let open = self.open();
        let mut peers: HashMap<IpAddr, Weighed<'_>> = HashMap::new();
        let mut used = 0;
        // What is held for those that were cut is free in a moment.
        for connection in open.by_number.values().filter(|connection| !connection.is_cut()) {
            let weight = connection.weight(now);
            let peer = peers.entry(connection.peer()).or_default();
            used += connection.memory.used();
            peer.held += connection.memory.held();
            peer.weight += weight;
            peer.connections.push((weight, connection));
        }
        // Several may use the same.
        let mut all = used.min(self.memory.held());
        for peer in peers.values_mut() {
            peer.connections.sort_by_key(|(weight, _)| *weight);
        }
        let max = self.memory.limit();
        let has_too_much = all > max;
        // If there is too much, some more is freed, so that this is not necessary again at once.
        while has_too_much && all > max / 4 * 3 {
            let Some(peer) = peers.values_mut().max_by_key(|peer| peer.weight) else { return };
            let Some(used) = peer.cut_heaviest() else { return };
            all = all.saturating_sub(used);
        }
        for peer in peers.values_mut() {
            while peer.held > max / 2
                && peer.connections.last().is_some_and(|(_, connection)| connection.is_slow(now))
                && peer.cut_heaviest().is_some()
            {}
        }
    }
}

impl Weighed<'_> {
    /// Cuts the connection with the greatest weight, and returns how much memory that may free.
    fn cut_heaviest(&mut self) -> Option<usize> {
        let (weight, connection) = self.connections.pop()?;
        let held = connection.memory.held();
        let used = connection.memory.doom();
        connection.cut();
        self.held = self.held.saturating_sub(held);
        self.weight = self.weight.saturating_sub(weight);
        Some(used)
    }
}

impl OpenConnections {
    /// How many connections a peer has.
    fn count(&self, peer: IpAddr) -> usize {
        self.peers.get(&peer).map_or(0, |(_, count)| *count)
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        open.by_number.remove(&self.number);
        let peer = self.connection.peer();
        if let Some((_, count)) = open.peers.get_mut(&peer) {
            *count -= 1;
            if *count == 0 {
                open.peers.remove(&peer);
            }
        }
        drop(open);
        self.connections.0.closed.notify_waiters();
    }
}

#[cfg(test)]
mod tests;
