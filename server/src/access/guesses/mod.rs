//! Slows down guessing of passwords and tokens (docs/spec/api.md 3.4). A credential takes a slot before it is checked:
//! one of a few for the peer and one of a few for the account. A wrong credential keeps its slots for a while. If no
//! slot is free, the request waits; if too many are waiting already, the credential is refused unchecked.
//!
//! The owner of an account still gets in: from another address, which has its own slots; from an address that has
//! signed in to the account before, which needs no slot of the account; and with a session, which needs no slot at all.

#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, VecDeque, hash_map::RandomState},
    hash::BuildHasher as _,
    net::IpAddr,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinHandle,
    time::{Instant, sleep, timeout_at},
};

use crate::platform::peers::person;

/// How long a failure counts.
const WINDOW: Duration = Duration::from_secs(60);

/// Failures within the window that cause no delay.
const FREE_FAILURES: usize = 5;

/// The first delay; each further failure doubles it.
const FIRST_DELAY: Duration = Duration::from_millis(250);

/// The longest delay.
const MAX_DELAY: Duration = Duration::from_secs(2);

/// How many credentials of one peer are checked, or delayed after a failure, at the same time.
const SLOTS_PER_PEER: usize = 2;

/// The same for one account. The limit is higher than that of one peer.
const SLOTS_PER_ACCOUNT: usize = 4;

/// How many requests of one peer may wait for a slot. All requests of a page carry the same password.
const MAX_WAITING_PER_PEER: usize = 64;

/// How many requests may wait for a slot of one account.
const MAX_WAITING_PER_ACCOUNT: usize = 64;

/// How many requests may wait in total.
const MAX_WAITING: usize = 512;

/// The longest wait for a slot.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The value of `Retry-After`, in seconds.
pub(crate) const RETRY_AFTER: u32 = 10;

/// How many peers are remembered.
const MAX_PEERS: usize = 4096;

/// How many lanes the accounts share.
const ACCOUNT_LANES: usize = 1024;

/// How many pairs of an account and an address that has signed in to it are remembered.
const MAX_OWNERS: usize = 1024;

/// The account or token that a credential is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClaimedAccount<'a> {
    /// The account with this name, which may not exist.
    Named(&'a str),
    /// The API token.
    ApiToken,
    /// None: the credential is signed, so it cannot be guessed.
    Signed,
}

/// Too many requests are waiting, so the credential was not checked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct TooManyGuesses;

/// All peers and accounts with current guesses.
#[derive(Debug)]
pub(crate) struct Guesses {
    peers: Mutex<HashMap<Option<IpAddr>, Arc<Lane>>>,
    /// For peers beyond the number that can be remembered.
    other_peers: Arc<Lane>,
    /// The lane of an account is chosen by a keyed hash of its name, whether the account exists or not. So made-up
    /// names use no memory, evict nothing, and are treated like real ones.
    accounts: Box<[OnceLock<Arc<Lane>>]>,
    api_token: Arc<Lane>,
    /// Hashes of account and address.
    owners: Mutex<VecDeque<u64>>,
    waiting: Semaphore,
    hasher: RandomState,
}

/// The slots of one peer or account, and its failures.
#[derive(Debug)]
struct Lane {
    slots: Arc<Semaphore>,
    waiting: Semaphore,
    failures: Mutex<VecDeque<Instant>>,
}

/// The right to check one credential. If it is dropped without a result, for instance because the client has
/// disconnected, the credential counts as wrong: nobody can abandon a slow response and guess again at once.
#[derive(Debug)]
pub(crate) struct GuessPermit<'a> {
    guesses: &'a Guesses,
    held: Option<HeldPermits>,
}

#[derive(Debug)]
struct HeldPermits {
    lanes: Vec<Arc<Lane>>,
    _slots: Vec<OwnedSemaphorePermit>,
    owner: Option<u64>,
}

impl Default for Guesses {
    fn default() -> Self {
        Self {
            peers: Mutex::default(),
            other_peers: Lane::new(SLOTS_PER_PEER, MAX_WAITING_PER_PEER),
            accounts: (0..ACCOUNT_LANES).map(|_| OnceLock::new()).collect(),
            api_token: Lane::new(SLOTS_PER_ACCOUNT, MAX_WAITING_PER_ACCOUNT),
            owners: Mutex::default(),
            waiting: Semaphore::new(MAX_WAITING),
            hasher: RandomState::new(),
        }
    }
}

impl Guesses {
    /// Takes the slots for checking one credential.
    pub(crate) async fn begin(
        &self,
        peer: Option<IpAddr>,
        account: ClaimedAccount<'_>,
    ) -> Result<GuessPermit<'_>, TooManyGuesses> {
        let deadline = Instant::now() + MAX_WAIT;
        let peer = peer.map(person);
        let peer_lane = self.peer(peer);
        let mut slots = vec![peer_lane.enter(&self.waiting, deadline).await?];
        let mut lanes = vec![peer_lane];
        let account_lane = match account {
            ClaimedAccount::Named(name) => Some(self.account(name)),
            ClaimedAccount::ApiToken => Some(Arc::clone(&self.api_token)),
            ClaimedAccount::Signed => None,
        };
        let owner = match account {
            ClaimedAccount::Named(name) => Some(self.hasher.hash_one((name.to_lowercase(), peer))),
            ClaimedAccount::ApiToken => Some(self.hasher.hash_one(((), peer))),
            ClaimedAccount::Signed => None,
        };
        if let Some(lane) = account_lane {
            if !owner.is_some_and(|owner| self.is_owner(owner)) {
                slots.push(lane.enter(&self.waiting, deadline).await?);
            }
            lanes.push(lane);
        }
        Ok(GuessPermit { guesses: self, held: Some(HeldPermits { lanes, _slots: slots, owner }) })
    }

    fn peer(&self, peer: Option<IpAddr>) -> Arc<Lane> {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = peers.get(&peer) {
            return Arc::clone(lane);
        }
        if peers.len() >= MAX_PEERS {
            let now = Instant::now();
            peers.retain(|_, lane| lane.is_in_use() || lane.has_failures(now));
        }
        if peers.len() >= MAX_PEERS {
            peers.retain(|_, lane| lane.is_in_use());
        }
        if peers.len() >= MAX_PEERS {
            return Arc::clone(&self.other_peers);
        }
        Arc::clone(peers.entry(peer).or_insert_with(|| Lane::new(SLOTS_PER_PEER, MAX_WAITING_PER_PEER)))
    }

    fn account(&self, name: &str) -> Arc<Lane> {
        let hash = self.hasher.hash_one(name.to_lowercase());
        let index = usize::try_from(hash % ACCOUNT_LANES as u64).unwrap_or_default();
        let make = || Lane::new(SLOTS_PER_ACCOUNT, MAX_WAITING_PER_ACCOUNT);
        self.accounts.get(index).map_or_else(make, |lane| Arc::clone(lane.get_or_init(make)))
    }

    fn is_owner(&self, owner: u64) -> bool {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner).contains(&owner)
    }

    fn add_owner(&self, owner: u64) {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if owners.contains(&owner) {
            return;
        }
        if owners.len() >= MAX_OWNERS {
            owners.pop_front();
        }
        owners.push_back(owner);
    }
}

impl GuessPermit<'_> {
    /// The credential was correct: frees the slots at once.
    pub(crate) fn succeeded(mut self) {
        if let Some(owner) = self.held.take().and_then(|held| held.owner) {
            self.guesses.add_owner(owner);
        }
    }

    /// The credential could not be checked at all.
    pub(crate) fn unchecked(mut self) {
        self.held = None;
    }

    /// The credential was wrong. The response is delayed for as long as the slots are kept.
    pub(crate) async fn failed(mut self) {
        if let Some(delay) = self.keep_slots() {
            _ = delay.await;
        }
    }

    /// Keeps the slots for the delay of the failure, even if nobody waits for the response any more.
    fn keep_slots(&mut self) -> Option<JoinHandle<()>> {
        let held = self.held.take()?;
        let now = Instant::now();
        let delay = held.lanes.iter().map(|lane| lane.note_failure(now)).max().filter(|delay| !delay.is_zero())?;
        let runtime = Handle::try_current().ok()?;
        Some(runtime.spawn(async move {
            sleep(delay).await;
            drop(held);
        }))
    }
}

impl Drop for GuessPermit<'_> {
    fn drop(&mut self) {
        self.keep_slots();
    }
}

impl Lane {
    fn new(slots: usize, waiting: usize) -> Arc<Self> {
        Arc::new(Self {
            slots: Arc::new(Semaphore::new(slots)),
            waiting: Semaphore::new(waiting),
            failures: Mutex::default(),
        })
    }

    /// Takes a slot, or waits for one if there is room to wait, both here and in `room`, which all share.
    async fn enter(&self, room: &Semaphore, deadline: Instant) -> Result<OwnedSemaphorePermit, TooManyGuesses> {
        if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
            return Ok(slot);
        }
        let (Ok(_own_room), Ok(_room)) = (self.waiting.try_acquire(), room.try_acquire()) else {
            return Err(TooManyGuesses);
        };
        match timeout_at(deadline, Arc::clone(&self.slots).acquire_owned()).await {
            Ok(Ok(slot)) => Ok(slot),
            Ok(Err(_)) | Err(_) => Err(TooManyGuesses),
        }
    }

    /// Records a failure, and returns the delay it causes.
    fn note_failure(&self, now: Instant) -> Duration {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.retain(|failure| now.duration_since(*failure) < WINDOW);
        failures.push_back(now);
        let count = failures.len();
        // More failures than these make no difference, so they are not stored.
        if count > FREE_FAILURES + 8 {
            failures.pop_front();
        }
        match count.checked_sub(FREE_FAILURES + 1) {
            None => Duration::ZERO,
            Some(beyond) => MAX_DELAY.min(FIRST_DELAY * (1 << beyond.min(8))),
        }
    }

    fn has_failures(&self, now: Instant) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.back().is_some_and(|failure| now.duration_since(*failure) < WINDOW)
    }

    /// Whether someone holds a slot or waits for one.
    fn is_in_use(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) > 1
    }
}
