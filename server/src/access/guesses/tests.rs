use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, advance, sleep};

use super::{
    ClaimedAccount, Guesses, TooManyGuesses,
    desk::{MAX_OWNERS, MAX_REMEMBERED, MAX_WAITING_PER_PEER, SLOTS_PER_PEER},
};

fn peer(number: u32) -> Option<IpAddr> {
    Some(IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + number)))
}

/// Guesses wrong for `seconds`, always with as many concurrent guesses as allowed; returns how many were checked
/// and how many were refused.
async fn flood(guesses: &Arc<Guesses>, peers: u32, per_peer: usize, seconds: u64) -> (usize, usize) {
    let counts = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..peers {
        for _ in 0..per_peer {
            let (guesses, counts) = (Arc::clone(guesses), Arc::clone(&counts));
            tasks.spawn(async move {
                while Instant::now() < end {
                    match guesses.begin(peer(number), ClaimedAccount::Named("anna")).await {
                        Ok(turn) => {
                            counts.0.fetch_add(1, Ordering::SeqCst);
                            turn.failed().await;
                        }
                        Err(TooManyGuesses) => {
                            counts.1.fetch_add(1, Ordering::SeqCst);
                            sleep(Duration::from_secs(1)).await;
                        }
                    }
                }
            });
        }
    }
    tasks.join_all().await;
    (counts.0.load(Ordering::SeqCst), counts.1.load(Ordering::SeqCst))
}

#[tokio::test(start_paused = true)]
async fn one_peer_checks_about_one_guess_per_second() {
    let guesses = Arc::new(Guesses::default());
    let (checked, refused) = flood(&guesses, 1, 200, 60).await;
    assert!((50..=80).contains(&checked), "{checked}");
    assert!(refused > 200, "{refused}");
}

#[tokio::test(start_paused = true)]
async fn one_account_is_guessed_slowly_from_many_addresses_too() {
    let guesses = Arc::new(Guesses::default());
    let (checked, _) = flood(&guesses, 50, 3, 60).await;
    // The first guess of each address passes quickly; all others share four slots, which a guess takes for two seconds. The
    // last ones wait for ten.
    assert!(checked <= 50 + 70 * 4 / 2, "{checked}");
    // Names in upper case are the same account. The first failure of an address is not its fault.
    for milliseconds in [400, 2000] {
        let slow = guesses.begin(peer(9999), ClaimedAccount::Named("ANNA")).await.unwrap();
        let before = Instant::now();
        slow.failed().await;
        assert_eq!(before.elapsed(), Duration::from_millis(milliseconds));
    }
}

#[tokio::test(start_paused = true)]
async fn of_many_at_once_few_are_checked_and_most_are_refused() {
    let guesses = Arc::new(Guesses::default());
    let mut turns = Vec::new();
    for _ in 0..SLOTS_PER_PEER {
        turns.push(guesses.begin(peer(1), ClaimedAccount::Named("anna")).await.unwrap());
    }
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..2801 {
        let guesses = Arc::clone(&guesses);
        waiting.spawn(async move {
            guesses.begin(peer(1), ClaimedAccount::Named("anna")).await.map(|turn| turn.succeeded())
        });
    }
    for _ in 0..2801 - MAX_WAITING_PER_PEER {
        assert_eq!(waiting.join_next().await.unwrap().unwrap(), Err(TooManyGuesses));
    }
    let elsewhere = guesses.begin(peer(2), ClaimedAccount::Named("anna")).await.unwrap();
    elsewhere.succeeded();
    turns.into_iter().for_each(|turn| turn.succeeded());
    assert!(waiting.join_all().await.into_iter().all(|outcome| outcome == Ok(())));
}

#[tokio::test(start_paused = true)]
async fn an_owner_gets_in_while_many_addresses_guess() {
    let guesses = Arc::new(Guesses::default());
    guesses.begin(peer(7000), ClaimedAccount::Named("Anna")).await.unwrap().succeeded();
    let attack = tokio::spawn({
        let guesses = Arc::clone(&guesses);
        async move { flood(&guesses, 50, 3, 60).await }
    });
    sleep(Duration::from_secs(30)).await;
    let before = Instant::now();
    guesses.begin(peer(7000), ClaimedAccount::Named("anna")).await.unwrap().succeeded();
    assert_eq!(before.elapsed(), Duration::ZERO);
    attack.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn who_does_not_wait_for_the_answer_does_not_guess_faster() {
    let guesses = Arc::new(Guesses::default());
    let begin = Instant::now();
    for _ in 0..40 {
        drop(guesses.begin(peer(1), ClaimedAccount::ApiToken).await.unwrap());
    }
    assert!(begin.elapsed() > Duration::from_secs(25), "{:?}", begin.elapsed());
}

/// How attackers guess.
#[derive(Clone, Copy, Debug)]
struct Attack {
    addresses: u32,
    /// How many addresses each network has.
    per_network: u32,
    /// How many requests each address sends at a time.
    at_a_time: usize,
    /// Whether each guess is for an account of its own, and not for Anna's.
    many_accounts: bool,
    /// How long checking a password takes, as with Argon2.
    check: Duration,
}

impl Attack {
    /// The address of an attacker; none of them ends in 200 or more.
    fn address(self, number: u32) -> Option<IpAddr> {
        let (network, host) = (number / self.per_network, number % self.per_network);
        Some(IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + (network << 8) + host)))
    }

    /// Guesses until the task is aborted.
    fn begin(self, guesses: &Arc<Guesses>) -> tokio::task::JoinSet<()> {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..self.addresses {
            for request in 0..self.at_a_time {
                let guesses = Arc::clone(guesses);
                tasks.spawn(async move {
                    for guess in 0.. {
                        let other = format!("{number} {request} {guess}");
                        let name = if self.many_accounts { &other } else { "anna" };
                        match guesses.begin(self.address(number), ClaimedAccount::Named(name)).await {
                            Ok(turn) => {
                                sleep(self.check).await;
                                turn.failed().await;
                            }
                            Err(TooManyGuesses) => sleep(Duration::from_millis(200)).await,
                        }
                    }
                });
            }
        }
        tasks
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_quiet_address_gets_in_within_five_seconds_during_an_attack() {
    // Few and many addresses, spread over networks or in one, patient and not, at one account and at many.
    for (addresses, per_network, at_a_time, many_accounts) in
        [(45, 1, 4, false), (45, 45, 1, true), (300, 1, 1, true), (300, 200, 4, false)]
    {
        let check = Duration::from_millis(50);
        let attack = Attack { addresses, per_network, at_a_time, many_accounts, check };
        let guesses = Arc::new(Guesses::default());
        let _attack = attack.begin(&guesses);
        // From the first guesses on.
        for seconds in [1, 5, 30] {
            sleep(Duration::from_secs(seconds)).await;
            // In a network of the attackers, and in one of its own.
            for bits in [0x0a00_00c8_u32, 0xc000_0200] {
                let owner = Some(IpAddr::V4(Ipv4Addr::from_bits(bits + u32::try_from(seconds).unwrap())));
                let before = Instant::now();
                let turn = guesses.begin(owner, ClaimedAccount::Named("anna")).await;
                assert!(turn.is_ok(), "refused after {seconds} s: {attack:?}");
                sleep(check).await;
                turn.unwrap().unchecked();
                let waited = before.elapsed();
                assert!(waited <= Duration::from_secs(5), "{waited:?} after {seconds} s: {attack:?}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_network_guesses_slowly_at_many_accounts() {
    let guesses = Arc::new(Guesses::default());
    let checked = Arc::new(AtomicUsize::new(0));
    let end = Instant::now() + Duration::from_secs(60);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..250 {
        let (guesses, checked) = (Arc::clone(&guesses), Arc::clone(&checked));
        tasks.spawn(async move {
            for guess in 0.. {
                if Instant::now() >= end {
                    break;
                }
                let name = format!("{number} {guess}");
                if let Ok(turn) = guesses.begin(peer(number), ClaimedAccount::Named(&name)).await {
                    checked.fetch_add(usize::from(Instant::now() < end), Ordering::SeqCst);
                    turn.failed().await;
                }
            }
        });
    }
    tasks.join_all().await;
    // Each address has one guess when it is quiet; all others share 16 slots, which a guess takes for two seconds.
    let checked = checked.load(Ordering::SeqCst);
    assert!(checked <= 250 + 20 + 60 * 16 / 2, "{checked}");
}

#[tokio::test(start_paused = true)]
async fn memory_is_bounded() {
    let guesses = Guesses::default();
    for number in 0..10 * u32::try_from(MAX_REMEMBERED).unwrap() {
        let turn = guesses.begin(peer(number), ClaimedAccount::Named(&format!("made up {number}"))).await.unwrap();
        if number % 2 == 0 { turn.succeeded() } else { turn.unchecked() }
    }
    assert!(guesses.desk.lock().peers.len() <= MAX_REMEMBERED);
    assert!(guesses.desk.lock().networks.len() <= MAX_REMEMBERED);
    assert_eq!(guesses.desk.lock().owners.len(), MAX_OWNERS);
    // A peer that holds a slot is never forgotten, no matter who else connects.
    let held = guesses.begin(peer(5), ClaimedAccount::ApiToken).await.unwrap();
    for number in 0..2 * u32::try_from(MAX_REMEMBERED).unwrap() {
        guesses.begin(peer(1_000_000 + number), ClaimedAccount::Signed).await.unwrap().unchecked();
    }
    assert_eq!(guesses.desk.lock().peers[&peer(5)].held, 1);
    held.succeeded();
    advance(Duration::from_secs(61)).await;
}
