use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, advance, sleep};

use super::{ClaimedAccount, Guesses, MAX_OWNERS, MAX_PEERS, MAX_WAITING_PER_PEER, SLOTS_PER_PEER, TooManyGuesses};

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
    assert!(checked <= 160, "{checked}");
    // Names in upper case are the same account.
    let slow = guesses.begin(peer(9999), ClaimedAccount::Named("ANNA")).await.unwrap();
    let before = Instant::now();
    slow.failed().await;
    assert_eq!(before.elapsed(), Duration::from_secs(2));
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

#[tokio::test(start_paused = true)]
async fn memory_is_bounded() {
    let guesses = Guesses::default();
    for number in 0..10 * u32::try_from(MAX_PEERS).unwrap() {
        let turn = guesses.begin(peer(number), ClaimedAccount::Named(&format!("made up {number}"))).await.unwrap();
        if number % 2 == 0 { turn.succeeded() } else { turn.unchecked() }
    }
    assert!(guesses.peers.lock().unwrap().len() <= MAX_PEERS);
    assert_eq!(guesses.owners.lock().unwrap().len(), MAX_OWNERS);
    // A peer that holds a slot is never forgotten, no matter who else connects.
    let held = guesses.begin(peer(5), ClaimedAccount::ApiToken).await.unwrap();
    for number in 0..2 * u32::try_from(MAX_PEERS).unwrap() {
        guesses.begin(peer(1_000_000 + number), ClaimedAccount::Signed).await.unwrap().unchecked();
    }
    assert!(guesses.peers.lock().unwrap().contains_key(&peer(5)));
    held.succeeded();
    advance(Duration::from_secs(61)).await;
}
