//! The memory that the server holds for the other ends of its connections: heads and bodies of requests that are being
//! handled, and responses that clients have not taken yet. It has a limit for all connections together and one for each
//! peer, so that nobody can make the server run out of memory by sending much or by reading nothing.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use tokio::time::sleep;

use super::{Connection, Inner};

/// What a request costs besides its head and its body, in bytes: the tasks and maps that handle it.
pub(super) const PER_REQUEST: usize = 4 * 1024;

/// How much memory a byte of a request's body may take while it is read and handled: JSON as a tree of values, a config as a
/// document with positions.
pub(super) const PER_BODY_BYTE: usize = 4;

/// How often a request looks for room, and how long it waits each time.
const ROOM_CHECKS: usize = 100;
const ROOM_PAUSE: Duration = Duration::from_millis(20);

/// The memory held for all connections, in bytes.
#[derive(Debug)]
pub(super) struct Memory {
    limit: usize,
    held: AtomicUsize,
    /// Where the data is that clients have not taken, how long it is, and how many of them have not. Many get the same page, and
    /// it is in memory once.
    lent: Mutex<HashMap<Place, usize>>,
    registry: Weak<Inner>,
}

/// Address and length of data in memory.
type Place = (usize, usize);

impl Memory {
    pub fn new(limit: usize, registry: Weak<Inner>) -> Self {
        Self { limit, held: AtomicUsize::new(0), lent: Mutex::default(), registry }
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    fn free(&self) {
        if let Some(registry) = self.registry.upgrade() {
            registry.free_memory();
        }
    }
}

/// The other end of connections: a person or a proxy, with the memory held for all of its connections.
#[derive(Debug)]
pub(super) struct Peer {
    pub address: IpAddr,
    held: AtomicUsize,
    memory: Arc<Memory>,
}

impl Peer {
    pub fn new(address: IpAddr, memory: Arc<Memory>) -> Self {
        Self { address, held: AtomicUsize::new(0), memory }
    }

    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// The most that may be held for one peer: half of everything, so that there is always room for others.
    fn limit(&self) -> usize {
        self.memory.limit / 2
    }
}

/// The memory held for one connection.
#[derive(Debug)]
pub(super) struct HeldMemory {
    pub peer: Arc<Peer>,
    held: AtomicUsize,
    /// Bytes of the responses that were not taken. Others may use the same.
    lent: AtomicUsize,
}

impl HeldMemory {
    pub fn new(peer: Arc<Peer>) -> Self {
        Self { peer, held: AtomicUsize::new(0), lent: AtomicUsize::new(0) }
    }

    /// What is held for this connection alone.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// What is held for this connection, and maybe for others too.
    pub fn used(&self) -> usize {
        self.held() + self.lent.load(Ordering::Relaxed)
    }

    /// Whether this much more may be held: a peer may hold no more than is free for all others, so a peer that holds little
    /// is never refused because of those that hold much.
    fn has_room(&self, bytes: usize) -> bool {
        let memory = &self.peer.memory;
        let free = memory.limit.saturating_sub(memory.held());
        self.peer.held().saturating_add(bytes) <= free
    }

    /// Waits while more is held than may be: until the connections that were cut for it are gone. Whether there is room.
    pub async fn wait_for_room(&self) -> bool {
        let memory = &self.peer.memory;
        for _ in 0..ROOM_CHECKS {
            if memory.held() <= memory.limit {
                return true;
            }
            sleep(ROOM_PAUSE).await;
        }
        false
    }

    fn add(&self, bytes: usize) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
        let by_peer = self.peer.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let memory = &self.peer.memory;
        let by_all = memory.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if by_peer > self.peer.limit() || by_all > memory.limit {
            memory.free();
        }
    }

    fn lend(&self, place: Place) {
        let memory = &self.peer.memory;
        self.lent.fetch_add(place.1, Ordering::Relaxed);
        let mut lent = memory.lent.lock().unwrap_or_else(PoisonError::into_inner);
        let count = lent.entry(place).or_default();
        *count += 1;
        let is_first = *count == 1;
        drop(lent);
        if is_first && memory.held.fetch_add(place.1, Ordering::Relaxed) + place.1 > memory.limit {
            memory.free();
        }
    }

    fn take_back(&self, place: Place) {
        let memory = &self.peer.memory;
        self.lent.fetch_sub(place.1, Ordering::Relaxed);
        let mut lent = memory.lent.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(count) = lent.get_mut(&place) else { return };
        *count -= 1;
        if *count == 0 {
            lent.remove(&place);
            memory.held.fetch_sub(place.1, Ordering::Relaxed);
        }
    }

    fn remove(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
        self.peer.held.fetch_sub(bytes, Ordering::Relaxed);
        self.peer.memory.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Some memory that is held for a connection, until this is dropped.
#[derive(Debug)]
pub(super) struct Hold {
    connection: Arc<Connection>,
    bytes: usize,
}

impl Hold {
    /// Holds memory. If that is too much, the connections for which most is held are cut.
    pub fn new(connection: &Arc<Connection>, bytes: usize) -> Self {
        connection.memory.add(bytes);
        Self { connection: Arc::clone(connection), bytes }
    }

    /// Holds more, unless that would leave too little for others.
    #[must_use]
    pub fn try_grow(&mut self, bytes: usize) -> bool {
        let has_room = self.connection.memory.has_room(bytes);
        if has_room {
            self.grow(bytes);
        }
        has_room
    }

    /// Holds more, as [`Hold::new`] does.
    pub fn grow(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.connection.memory.add(bytes);
    }

    /// Holds this much from now on, which must not be more than before.
    pub fn shrink_to(&mut self, bytes: usize) {
        let freed = self.bytes.saturating_sub(bytes);
        self.bytes -= freed;
        self.connection.memory.remove(freed);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.connection.memory.remove(self.bytes);
    }
}

/// Data of a response that a client may take, until this is dropped.
#[derive(Debug)]
pub(super) struct Lent {
    connection: Arc<Connection>,
    place: Place,
}

impl Lent {
    /// Lends data, which must live longer than this. If too much is lent, the connections that have taken nothing of much data
    /// for a long time are cut.
    pub fn new(connection: &Arc<Connection>, data: &Bytes) -> Self {
        let place = (data.as_ptr().addr(), data.len());
        connection.memory.lend(place);
        Self { connection: Arc::clone(connection), place }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.connection.memory.take_back(self.place);
    }
}
