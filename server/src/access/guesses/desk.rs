//! Who may check a credential now, who waits, and who is next.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    time::Duration,
};

use quick_cache::unsync::Cache;
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use super::recent::Recent;
use crate::database::Guess;

/// Failures within a minute that cause no delay, of an address and of an account.
const FREE_FAILURES: usize = 5;

/// The same of a network.
const FREE_FAILURES_PER_NETWORK: usize = 20;

/// The first delay; each further failure doubles it.
const FIRST_DELAY: Duration = Duration::from_millis(250);

/// The longest delay.
const MAX_DELAY: Duration = Duration::from_secs(2);

/// The longest delay because of an account or a network, for the first failure of a quiet address. So even a crowd of such addresses
/// passes within seconds, and the owner of the account after it.
const QUIET_DELAY: Duration = Duration::from_millis(400);

/// Failures within a minute up to which an IPv6 network is quiet. Its owner has thousands of addresses; an IPv4 network has
/// no more than pass quickly.
const QUIET_FAILURES_PER_NETWORK: usize = 16;

/// How many passwords are checked at the same time: some kinds take a lot of processor time, so that whoever is quiet must
/// not wait behind the checks of others. The limit is higher than that of one address.
const MAX_CHECKS: usize = 4;

/// How many credentials of one address are checked, or delayed after a failure, at the same time.
pub(super) const SLOTS_PER_PEER: usize = 2;

/// The same for one account. The limit is higher than that of one address.
const SLOTS_PER_ACCOUNT: usize = 4;

/// The same for one network. It does not apply to quiet addresses.
const SLOTS_PER_NETWORK: usize = 16;

/// How many requests of one address may wait for a slot. All requests of a page carry the same password.
pub(super) const MAX_WAITING_PER_PEER: usize = 64;

/// The requests of how many addresses may wait for a slot of one account.
const MAX_PEERS_WAITING_PER_ACCOUNT: usize = 32;

/// How many requests may wait in total.
const MAX_WAITING: usize = 512;

/// How many addresses are remembered, and how many networks.
pub(super) const MAX_REMEMBERED: usize = 4096;

/// How many lanes the accounts share.
pub(super) const ACCOUNT_LANES: u64 = 1024;

/// The lane of the API token.
pub(super) const API_TOKEN_LANE: u64 = ACCOUNT_LANES;

/// How many pairs of an account and an address that has signed in to it are remembered.
pub(super) const MAX_OWNERS: usize = 1024;

/// What a credential needs slots for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    /// The address, or the network of addresses that everybody has.
    pub peer: Option<IpAddr>,
    /// The wider network around it.
    pub network: Option<IpAddr>,
    /// The lane of the account, if it is for one.
    pub lane: Option<u64>,
    /// The hash of account and address.
    pub owner: Option<u64>,
    /// Whether the address has signed in to the account before. Set by the desk.
    pub is_owner: bool,
    /// Whether the check may take long.
    pub is_slow: bool,
}

/// How a request is received.
#[derive(Debug)]
pub(super) enum Entry<Permit> {
    Granted(Claim),
    /// The permit comes later, if it comes.
    Waits(oneshot::Receiver<Permit>),
    Refused,
}

/// All that is known about current guesses. Who waits gets a `Permit`.
#[derive(Debug)]
pub(super) struct Desk<Permit> {
    pub peers: HashMap<Option<IpAddr>, Guesser>,
    pub networks: HashMap<Option<IpAddr>, Guesser>,
    accounts: HashMap<u64, Guesser>,
    checks: usize,
    /// In the order of arrival.
    waiting: Vec<Waiter<Permit>>,
    /// Those who have signed in.
    pub owners: Cache<u64, ()>,
    /// Tells the other servers of failures here.
    pub others: Option<mpsc::Sender<Guess>>,
}

/// An address, a network, or an account that is guessed at.
#[derive(Debug, Default)]
pub(super) struct Guesser {
    /// How many slots are taken.
    pub held: usize,
    failures: Recent,
    /// Attempts that were not successful, or not yet. Only counted for addresses.
    attempts: Recent,
}

#[derive(Debug)]
struct Waiter<Permit> {
    claim: Claim,
    sender: oneshot::Sender<Permit>,
}

impl<Permit> Default for Desk<Permit> {
    fn default() -> Self {
        Self {
            peers: HashMap::new(),
            networks: HashMap::new(),
            accounts: HashMap::new(),
            checks: 0,
            waiting: Vec::new(),
            owners: Cache::new(MAX_OWNERS),
            others: None,
        }
    }
}

impl<Permit> Desk<Permit> {
    /// Grants a claim, has it wait, or refuses it.
    pub fn enter(&mut self, mut claim: Claim, now: Instant) -> Entry<Permit> {
        self.waiting.retain(|waiter| !waiter.sender.is_closed());
        claim.is_owner = claim.owner.is_some_and(|owner| self.owners.get(&owner).is_some());
        claim.peer = room_for(&mut self.peers, claim.peer, self.waiting.iter().map(|waiter| waiter.claim.peer), now);
        claim.network = room_for(&mut self.networks, claim.network, std::iter::empty(), now);
        self.peers.entry(claim.peer).or_default().attempts.note(now);
        if self.is_possible(&claim, now) {
            self.take(&claim);
            return Entry::Granted(claim);
        }
        if !self.make_room_in_line(&claim, now) {
            return Entry::Refused;
        }
        let (sender, receiver) = oneshot::channel();
        self.waiting.push(Waiter { claim, sender });
        Entry::Waits(receiver)
    }

    /// The next request that can have its slots, which it takes: the one whose address is the quietest, of equals the one
    /// that came first.
    pub fn next(&mut self, now: Instant) -> Option<(Claim, oneshot::Sender<Permit>)> {
        self.waiting.retain(|waiter| !waiter.sender.is_closed());
        let mut best = None;
        for at in 0..self.waiting.len() {
            let Some(claim) = self.waiting.get(at).map(|waiter| waiter.claim) else { break };
            let noise = self.noise(&claim, now);
            if best.is_none_or(|(least, _)| noise < least) && self.is_possible(&claim, now) {
                best = Some((noise, at));
            }
        }
        let Waiter { claim, sender } = self.waiting.remove(best?.1);
        self.take(&claim);
        Some((claim, sender))
    }

    /// Makes room for one more waiting request, if necessary by refusing one from a louder address. Returns false if the
    /// request itself is the one to refuse.
    fn make_room_in_line(&mut self, claim: &Claim, now: Instant) -> bool {
        let of_peer = self.waiting.iter().filter(|waiter| waiter.claim.peer == claim.peer).count();
        if of_peer >= MAX_WAITING_PER_PEER {
            return false;
        }
        let is_rival = |waiter: &Waiter<Permit>| {
            claim.needs_lane() && waiter.claim.needs_lane() && waiter.claim.lane == claim.lane
        };
        let rivals: HashSet<_> =
            self.waiting.iter().filter(|waiter| is_rival(waiter)).map(|waiter| waiter.claim.peer).collect();
        if rivals.len() >= MAX_PEERS_WAITING_PER_ACCOUNT && !rivals.contains(&claim.peer) {
            let Some(loudest) = self.loudest(claim, now, is_rival) else { return false };
            self.waiting.retain(|waiter| !is_rival(waiter) || waiter.claim.peer != loudest);
        }
        if self.waiting.len() < MAX_WAITING {
            return true;
        }
        let Some(loudest) = self.loudest(claim, now, |_| true) else { return false };
        let first = self.waiting.iter().position(|waiter| waiter.claim.peer == loudest);
        first.map(|at| self.waiting.remove(at)).is_some()
    }

    /// The loudest address among those that wait, of equals the one that came first; `None` if that is the one that
    /// wants to join them.
    fn loudest(
        &mut self,
        claim: &Claim,
        now: Instant,
        is_among: impl Fn(&Waiter<Permit>) -> bool,
    ) -> Option<Option<IpAddr>> {
        let claims: Vec<Claim> =
            self.waiting.iter().filter(|waiter| is_among(waiter)).map(|waiter| waiter.claim).collect();
        let mut loudest: Option<(usize, Option<IpAddr>)> = None;
        for other in claims {
            let noise = self.noise(&other, now);
            if loudest.is_none_or(|(most, _)| noise > most) {
                loudest = Some((noise, other.peer));
            }
        }
        let own = self.noise(claim, now);
        loudest.filter(|(noise, peer)| *noise >= own && *peer != claim.peer).map(|(_, peer)| peer)
    }

    /// How often the address has tried lately; 0 if it belongs to the owner of the account.
    fn noise(&mut self, claim: &Claim, now: Instant) -> usize {
        if claim.is_owner {
            return 0;
        }
        self.peers.get_mut(&claim.peer).map_or(0, |peer| peer.attempts.count(now))
    }

    fn is_possible(&mut self, claim: &Claim, now: Instant) -> bool {
        let held = |guesser: Option<&Guesser>| guesser.map_or(0, |guesser| guesser.held);
        if held(self.peers.get(&claim.peer)) >= SLOTS_PER_PEER || (claim.is_slow && self.checks >= MAX_CHECKS) {
            return false;
        }
        let account = claim.lane.filter(|_| claim.needs_lane()).and_then(|lane| self.accounts.get(&lane));
        if held(account) >= SLOTS_PER_ACCOUNT {
            return false;
        }
        held(self.networks.get(&claim.network)) < SLOTS_PER_NETWORK || self.noise(claim, now) <= 1
    }

    fn take(&mut self, claim: &Claim) {
        self.for_each(claim, |guesser| guesser.held += 1);
        self.checks += usize::from(claim.is_slow);
    }

    /// The result is known, so the next credential can be checked.
    pub fn end_check(&mut self, claim: &Claim) {
        self.checks = self.checks.saturating_sub(usize::from(claim.is_slow));
    }

    /// Gives all other slots back.
    pub fn give_back(&mut self, claim: &Claim) {
        self.for_each(claim, |guesser| guesser.held = guesser.held.saturating_sub(1));
    }

    /// Changes the address, the network and the account of a claim.
    fn for_each(&mut self, claim: &Claim, change: impl Fn(&mut Guesser)) {
        change(self.peers.entry(claim.peer).or_default());
        change(self.networks.entry(claim.network).or_default());
        if let Some(lane) = claim.lane.filter(|_| claim.needs_lane()) {
            change(self.accounts.entry(lane).or_default());
        }
    }

    /// Counts a failure, and returns the delay it causes.
    pub fn note_failure(&mut self, claim: &Claim, now: Instant) -> Duration {
        if let Some(others) = &self.others {
            // If too many wait to be told, the other servers count fewer.
            _ = others.try_send(Guess { peer: claim.peer, lane: claim.lane });
        }
        self.count_failure(claim, now)
    }

    /// Counts a failure at another server.
    pub fn note_failure_elsewhere(&mut self, mut claim: Claim, now: Instant) {
        claim.peer = room_for(&mut self.peers, claim.peer, self.waiting.iter().map(|waiter| waiter.claim.peer), now);
        claim.network = room_for(&mut self.networks, claim.network, std::iter::empty(), now);
        self.peers.entry(claim.peer).or_default().attempts.note(now);
        self.count_failure(&claim, now);
    }

    fn count_failure(&mut self, claim: &Claim, now: Instant) -> Duration {
        let attempts = self.noise(claim, now);
        let count = |guesser: &mut Guesser| {
            guesser.failures.note(now);
            guesser.failures.count(now)
        };
        let of_peer = count(self.peers.entry(claim.peer).or_default());
        let of_network = count(self.networks.entry(claim.network).or_default());
        let of_account = claim.lane.map_or(0, |lane| count(self.accounts.entry(lane).or_default()));
        let is_network_quiet =
            of_network <= QUIET_FAILURES_PER_NETWORK || !claim.network.is_some_and(|ip| ip.is_ipv6());
        let is_quiet = attempts <= 1 && is_network_quiet;
        let for_others = delay(of_account, FREE_FAILURES).max(delay(of_network, FREE_FAILURES_PER_NETWORK));
        delay(of_peer, FREE_FAILURES).max(if is_quiet { for_others.min(QUIET_DELAY) } else { for_others })
    }

    /// The attempt does not count.
    pub fn take_back_attempt(&mut self, claim: &Claim) {
        if let Some(peer) = self.peers.get_mut(&claim.peer) {
            peer.attempts.take_back();
        }
    }

    /// Remembers that an address has signed in to an account.
    pub fn add_owner(&mut self, claim: &Claim) {
        let Some(owner) = claim.owner.filter(|owner| self.owners.get(owner).is_none()) else { return };
        self.owners.insert(owner, ());
        for waiter in self.waiting.iter_mut().filter(|waiter| waiter.claim.owner == Some(owner)) {
            waiter.claim.is_owner = true;
        }
    }
}

impl Claim {
    /// Whether it needs a slot of its account.
    fn needs_lane(&self) -> bool {
        self.lane.is_some() && !self.is_owner
    }
}

/// The key under which a guesser is remembered. If there are too many, those without current guesses are forgotten; if all
/// have some, the new one shares the entry of requests without an address.
fn room_for(
    guessers: &mut HashMap<Option<IpAddr>, Guesser>,
    key: Option<IpAddr>,
    waiting: impl Iterator<Item = Option<IpAddr>>,
    now: Instant,
) -> Option<IpAddr> {
    if guessers.len() < MAX_REMEMBERED || guessers.contains_key(&key) {
        return key;
    }
    guessers.retain(|_, guesser| guesser.held > 0 || guesser.is_remembered(now));
    if guessers.len() >= MAX_REMEMBERED {
        let waiting: HashSet<_> = waiting.collect();
        guessers.retain(|key, guesser| guesser.held > 0 || waiting.contains(key));
    }
    key.filter(|_| guessers.len() < MAX_REMEMBERED)
}

impl Guesser {
    fn is_remembered(&mut self, now: Instant) -> bool {
        self.attempts.count(now) > 0 || self.failures.count(now) > 0
    }
}

/// The delay after a number of failures.
fn delay(failures: usize, free: usize) -> Duration {
    match failures.checked_sub(free + 1) {
        None => Duration::ZERO,
        Some(beyond) => MAX_DELAY.min(FIRST_DELAY * (1 << beyond.min(8))),
    }
}
