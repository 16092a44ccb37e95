//! Slows down guessing of passwords and tokens (docs/spec/api.md 3.4). A credential takes a slot before it is checked:
//! one of a few for the address and one of a few for the account. A wrong credential keeps its slots for a while. If no
//! slot is free, the request waits; if too many are waiting already, one of them is refused unchecked.
//!
//! The owner of an account still gets in. Whoever has tried least within the last minute is next, and the loudest are
//! refused first: a quiet address with the right password waits for seconds at most, however many addresses guess. An
//! address that has signed in to the account before needs no slot of the account, and a session needs no slot at all.

mod desk;
mod recent;
#[cfg(test)]
mod tests;

use std::{
    hash::{BuildHasher as _, RandomState},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::Duration,
};

use config::user_name::folded_name;
use tokio::{
    runtime::Handle,
    sync::{broadcast::error::RecvError, mpsc},
    task::JoinHandle,
    time::{Instant, sleep, timeout_at},
};

use self::desk::{ACCOUNT_LANES, API_TOKEN_LANE, Claim, Desk, Entry};
use super::seal::Sealer;
use crate::{
    database::{Database, GUESSES, Guess},
    platform::peers::{network, person},
};

/// The longest wait for a slot.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The value of `Retry-After`, in seconds.
pub(crate) const RETRY_AFTER: u32 = 10;

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

/// All addresses and accounts with current guesses.
#[derive(Debug, Default)]
pub(crate) struct Guesses {
    desk: SharedDesk,
    hasher: RandomState,
    /// Chooses the same lane for an account at all servers of a database.
    sealer: OnceLock<Sealer>,
}

#[derive(Clone, Debug, Default)]
struct SharedDesk(Arc<Mutex<Desk<GuessPermit>>>);

/// The right to check one credential. If it is dropped without a result, for instance because the client has
/// disconnected, the credential counts as wrong: abandoning a slow response does not allow the next guess at once.
#[derive(Debug)]
pub(crate) struct GuessPermit {
    desk: SharedDesk,
    held: Option<Claim>,
}

/// How many failures may wait until the other servers are told.
const MAX_UNTOLD: usize = 256;

/// How many failures are told at once.
const MAX_TOLD: usize = 64;

impl Guesses {
    /// Counts together with the other servers of a database, from now on.
    pub(crate) fn share(&self, database: &Arc<Database>, sealer: &Sealer) {
        if self.sealer.set(sealer.clone()).is_ok() {
            let (sender, failures) = mpsc::channel(MAX_UNTOLD);
            self.desk.lock().others = Some(sender);
            tokio::spawn(follow(Arc::downgrade(&self.desk.0), failures, Arc::clone(database)));
        }
    }

    /// Takes the slots for checking one credential.
    pub(crate) async fn begin(
        &self,
        peer: Option<IpAddr>,
        account: ClaimedAccount<'_>,
    ) -> Result<GuessPermit, TooManyGuesses> {
        let now = Instant::now();
        let entry = self.desk.lock().enter(self.claim(peer, account), now);
        let granted = match entry {
            Entry::Granted(claim) => return Ok(GuessPermit { desk: self.desk.clone(), held: Some(claim) }),
            Entry::Refused => return Err(TooManyGuesses),
            Entry::Waits(granted) => granted,
        };
        // The wait ends without a permit if a quieter client needed the place.
        timeout_at(now + MAX_WAIT, granted).await.ok().and_then(Result::ok).ok_or(TooManyGuesses)
    }

    fn claim(&self, peer: Option<IpAddr>, account: ClaimedAccount<'_>) -> Claim {
        let peer = peer.map(person);
        let network = peer.map(network);
        // The lane of an account is chosen by a keyed hash of its name, whether the account exists or not. So made-up
        // names use no memory, evict nothing, and are treated like real ones.
        let (lane, owner) = match account {
            ClaimedAccount::Named(name) => {
                let name = folded_name(name);
                (Some(self.lane(&name)), Some(self.hasher.hash_one((name, peer))))
            }
            ClaimedAccount::ApiToken => (Some(API_TOKEN_LANE), Some(self.hasher.hash_one(((), peer)))),
            ClaimedAccount::Signed => (None, None),
        };
        Claim { peer, network, lane, owner, is_owner: false, is_slow: matches!(account, ClaimedAccount::Named(_)) }
    }
}

impl Guesses {
    fn lane(&self, name: &str) -> u64 {
        let shared = self.sealer.get().and_then(|sealer| u64::from_str_radix(&sealer.mark(name), 16).ok());
        shared.unwrap_or_else(|| self.hasher.hash_one(name)) % ACCOUNT_LANES
    }
}

/// Tells the other servers of failures here, and counts theirs.
async fn follow(desk: Weak<Mutex<Desk<GuessPermit>>>, mut failures: mpsc::Receiver<Guess>, database: Arc<Database>) {
    let mut news = database.news();
    let mut untold = Vec::new();
    loop {
        tokio::select! {
            count = failures.recv_many(&mut untold, MAX_TOLD) => {
                if count == 0 {
                    return;
                }
                if let Err(error) = database.announce_guesses(&untold).await {
                    tracing::debug!("the other servers do not count wrong passwords of this one: {error}");
                }
                untold.clear();
            }
            received = news.recv() => match received {
                Ok(news) if &*news.key == GUESSES => {
                    let Some((guess, count)) = news.value.as_deref().and_then(Guess::parse) else { continue };
                    let Some(desk) = desk.upgrade() else { return };
                    let (peer, now) = (guess.peer, Instant::now());
                    let claim = Claim {
                        peer,
                        network: peer.map(network),
                        lane: guess.lane,
                        owner: None,
                        is_owner: false,
                        is_slow: false,
                    };
                    let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
                    (0..count.min(MAX_TOLD)).for_each(|_| desk.note_failure_elsewhere(claim, now));
                }
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
        }
    }
}

impl SharedDesk {
    fn lock(&self) -> MutexGuard<'_, Desk<GuessPermit>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is held, and gives the freed slots to those who wait for them.
    fn change<T>(&self, change: impl FnOnce(&mut Desk<GuessPermit>) -> T) -> T {
        let mut desk = self.lock();
        let changed = change(&mut desk);
        let now = Instant::now();
        while let Some((claim, waiting)) = desk.next(now) {
            // If the client has gone, the permit is dropped, and its slots are free again.
            if let Err(mut permit) = waiting.send(GuessPermit { desk: self.clone(), held: Some(claim) })
                && let Some(claim) = permit.held.take()
            {
                desk.end_check(&claim);
                desk.give_back(&claim);
            }
        }
        changed
    }
}

impl GuessPermit {
    /// The credential was correct: frees the slots at once.
    pub(crate) fn succeeded(mut self) {
        if let Some(claim) = self.held.take() {
            self.desk.change(|desk| {
                desk.take_back_attempt(&claim);
                desk.add_owner(&claim);
                desk.end_check(&claim);
                desk.give_back(&claim);
            });
        }
    }

    /// The credential could not be checked at all.
    pub(crate) fn unchecked(mut self) {
        if let Some(claim) = self.held.take() {
            self.desk.change(|desk| {
                desk.take_back_attempt(&claim);
                desk.end_check(&claim);
                desk.give_back(&claim);
            });
        }
    }

    /// The credential was wrong. The response is delayed for as long as the slots are kept.
    pub(crate) async fn failed(mut self) {
        if let Some(delay) = self.keep_slots() {
            _ = delay.await;
        }
    }

    /// Keeps the slots for the delay of the failure, even if the client has gone.
    fn keep_slots(&mut self) -> Option<JoinHandle<()>> {
        let claim = self.held.take()?;
        let runtime = Handle::try_current().ok();
        let delay = self.desk.change(|desk| {
            desk.end_check(&claim);
            let delay = desk.note_failure(&claim, Instant::now());
            if delay.is_zero() || runtime.is_none() {
                desk.give_back(&claim);
            }
            delay
        });
        let desk = self.desk.clone();
        runtime.filter(|_| !delay.is_zero()).map(|runtime| {
            runtime.spawn(async move {
                sleep(delay).await;
                desk.change(|desk| desk.give_back(&claim));
            })
        })
    }
}

impl Drop for GuessPermit {
    fn drop(&mut self) {
        self.keep_slots();
    }
}
