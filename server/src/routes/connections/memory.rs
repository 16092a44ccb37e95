//! The memory that the server holds for the other ends of its connections: heads and bodies of requests that are being
//! handled, and responses that clients have not taken yet. It has a limit for all connections together and one for each
//! peer, so that nobody can make the server run out of memory by sending much or by reading nothing.

use std::{
    collections::HashMap,
    future::poll_fn,
    net::IpAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, Sleep, sleep, timeout},
};
use tokio_util::sync::PollSemaphore;

use super::{Connection, Inner};

/// What a request costs besides its head and its body, in bytes: the tasks and maps that handle it.
pub(super) const PER_REQUEST: usize = 32 * 1024;

/// How much memory a byte of a request's body may take while it is read and handled: JSON as a tree of values, a config as a
/// document with positions.
pub(super) const PER_BODY_BYTE: usize = 4;

/// How long a request waits for room, and how often it looks.
const ROOM_TIME: Duration = Duration::from_secs(2);
const ROOM_PAUSE: Duration = Duration::from_millis(20);

/// How many look for room at the same time.
const MAX_LOOKING: usize = 16;

/// How often connections of a peer are looked at because too much is held for it alone.
const PEER_PAUSE: Duration = Duration::from_millis(100);

/// The memory held for all connections, in bytes.
#[derive(Debug)]
pub(super) struct Memory {
    limit: usize,
    held: AtomicUsize,
    /// What was held for the connections that were cut and are not gone yet: free in a moment.
    doomed: AtomicUsize,
    /// The turns of those that look for room. The others wait for a turn.
    queue: Arc<Semaphore>,
    /// Where the data is that clients have not taken, how long it is, and how many of them have not. Many get the same page, and
    /// it is in memory once.
    lent: Mutex<HashMap<Place, usize>>,
    registry: Weak<Inner>,
}

/// Address and length of data in memory.
type Place = (usize, usize);

impl Memory {
    pub fn new(limit: usize, registry: Weak<Inner>) -> Self {
        Self {
            limit,
            held: AtomicUsize::new(0),
            doomed: AtomicUsize::new(0),
            queue: Arc::new(Semaphore::new(MAX_LOOKING)),
            lent: Mutex::default(),
            registry,
        }
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    fn is_full(&self) -> bool {
        self.held() > self.limit
    }

    /// Frees some if more is held than may be, and what will be free in a moment is not enough.
    fn free_if_full(&self) {
        if self.held().saturating_sub(self.doomed.load(Ordering::Relaxed)) > self.limit {
            self.free();
        }
    }

    fn free(&self) {
        if let Some(registry) = self.registry.upgrade() {
            registry.free_memory();
        }
    }
}

/// The other end of connections: a client or a proxy, with the memory held for all of its connections.
#[derive(Debug)]
pub(super) struct Peer {
    pub address: IpAddr,
    held: AtomicUsize,
    /// When its connections were last looked at because too much was held for them.
    looked_at: Mutex<Option<Instant>>,
    memory: Arc<Memory>,
}

impl Peer {
    pub fn new(address: IpAddr, memory: Arc<Memory>) -> Self {
        Self { address, held: AtomicUsize::new(0), looked_at: Mutex::default(), memory }
    }

    /// Whether too much is held for it, and its connections have not been looked at for a while.
    fn is_due(&self) -> bool {
        if self.held() <= self.limit() {
            return false;
        }
        let now = Instant::now();
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = looked_at.is_none_or(|last| now.duration_since(last) >= PEER_PAUSE);
        if is_due {
            *looked_at = Some(now);
        }
        is_due
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
    /// What was held for this connection when it was cut, and is not free yet.
    doomed: AtomicUsize,
}

impl HeldMemory {
    pub fn new(peer: Arc<Peer>) -> Self {
        Self { peer, held: AtomicUsize::new(0), lent: AtomicUsize::new(0), doomed: AtomicUsize::new(0) }
    }

    /// What is held for this connection alone.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// What is held for this connection, and maybe for others too.
    pub fn used(&self) -> usize {
        self.held() + self.lent.load(Ordering::Relaxed)
    }

    /// Records that the connection is being cut, and returns how much that frees at most.
    pub fn doom(&self) -> usize {
        let used = self.used();
        self.doomed.fetch_add(used, Ordering::Relaxed);
        self.peer.memory.doomed.fetch_add(used, Ordering::Relaxed);
        used
    }

    /// Records that this much of it is free.
    fn is_free(&self, bytes: usize) {
        let doomed = self.doomed.load(Ordering::Relaxed).min(bytes);
        if doomed > 0 {
            self.doomed.fetch_sub(doomed, Ordering::Relaxed);
            self.peer.memory.doomed.fetch_sub(doomed, Ordering::Relaxed);
        }
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
        if !self.peer.memory.is_full() {
            return true;
        }
        let mut room = RoomWait::new(self);
        timeout(ROOM_TIME, poll_fn(|context| room.poll(self, context))).await.is_ok()
    }

    fn add(&self, bytes: usize) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
        self.peer.held.fetch_add(bytes, Ordering::Relaxed);
        self.peer.memory.held.fetch_add(bytes, Ordering::Relaxed);
        if self.peer.is_due() {
            self.peer.memory.free();
        } else {
            self.peer.memory.free_if_full();
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
        if is_first {
            memory.held.fetch_add(place.1, Ordering::Relaxed);
            memory.free_if_full();
        }
    }

    fn take_back(&self, place: Place) {
        let memory = &self.peer.memory;
        self.lent.fetch_sub(place.1, Ordering::Relaxed);
        self.is_free(place.1);
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
        self.is_free(bytes);
    }
}

impl Drop for HeldMemory {
    fn drop(&mut self) {
        self.is_free(usize::MAX);
    }
}

/// Waits while more is held than may be.
#[derive(Debug)]
pub(super) struct RoomWait {
    queue: PollSemaphore,
    /// Held by the first ones in the queue.
    turn: Option<OwnedSemaphorePermit>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl RoomWait {
    pub fn new(own: &HeldMemory) -> Self {
        Self { queue: PollSemaphore::new(Arc::clone(&own.peer.memory.queue)), turn: None, pause: None }
    }

    /// Ready as soon as there is room.
    pub fn poll(&mut self, own: &HeldMemory, context: &mut Context<'_>) -> Poll<()> {
        let memory = &own.peer.memory;
        while memory.is_full() {
            memory.free_if_full();
            if self.turn.is_none() {
                self.turn = ready!(self.queue.poll_acquire(context));
                continue;
            }
            let pause = self.pause.get_or_insert_with(|| Box::pin(sleep(ROOM_PAUSE)));
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        (self.turn, self.pause) = (None, None);
        Poll::Ready(())
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
