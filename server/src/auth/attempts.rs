//! Wrong credentials cost time (docs/spec/api.md 3.4): who guesses waits for each answer.

use std::{
    collections::{HashMap, VecDeque},
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// How long a failure counts.
const MEMORY: Duration = Duration::from_secs(60);

/// Failures within the time of memory that cost nothing.
const FREE: usize = 5;

/// The first delay; each further failure doubles it.
const FIRST_DELAY: Duration = Duration::from_millis(250);

/// The longest delay.
const LONGEST_DELAY: Duration = Duration::from_secs(2);

/// Most addresses that are remembered.
const MOST_ADDRESSES: usize = 4096;

/// The failures of the last minute.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<HashMap<Option<IpAddr>, VecDeque<Instant>>>);

impl Attempts {
    /// Notes a failure and waits as long as it costs. Only failures wait: behind a proxy all people have one address,
    /// and those who know their password must not pay for one who does not.
    pub(super) async fn failed(&self, peer: Option<IpAddr>) {
        let delay = self.note(peer.map(origin));
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
    }

    fn note(&self, peer: Option<IpAddr>) -> Duration {
        let now = Instant::now();
        let mut addresses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |failure: &Instant| now.duration_since(*failure) < MEMORY;
        if addresses.len() >= MOST_ADDRESSES {
            addresses.retain(|_, failures| failures.back().is_some_and(is_recent));
            if addresses.len() >= MOST_ADDRESSES {
                addresses.clear();
            }
        }
        let failures = addresses.entry(peer).or_default();
        failures.retain(is_recent);
        failures.push_back(now);
        let count = failures.len();
        // More than these make no difference, so they need not be kept.
        if count > FREE + 8 {
            failures.pop_front();
        }
        match count.checked_sub(FREE + 1) {
            None => Duration::ZERO,
            Some(beyond) => LONGEST_DELAY.min(FIRST_DELAY * (1 << beyond.min(8))),
        }
    }
}

/// What counts as one address: of IPv6 a whole network, since anybody has one.
fn origin(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
    }
}
