//! When checks run, with a clock that stands still unless all tasks are waiting.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use config::model::StatusTarget;
use http::StatusCode;
use tokio::time::sleep;

use super::{Check, Checker, Outcome, RegularCheck, ServiceState, WatchReason};

/// Services that only count their checks.
#[derive(Clone, Default)]
struct Services {
    asked: Arc<Mutex<HashMap<String, usize>>>,
    running: Arc<AtomicUsize>,
    max: Arc<AtomicUsize>,
    are_down: Arc<Mutex<bool>>,
}

impl Services {
    /// A checker whose checks take 20 ms each.
    fn checker(&self) -> Checker {
        let services = self.clone();
        Checker::with_run(move |check| {
            let services = services.clone();
            Box::pin(async move {
                let running = services.running.fetch_add(1, Ordering::SeqCst) + 1;
                services.max.fetch_max(running, Ordering::SeqCst);
                sleep(Duration::from_millis(20)).await;
                services.running.fetch_sub(1, Ordering::SeqCst);
                *services.asked.lock().unwrap().entry(format!("{check:?}")).or_default() += 1;
                let is_down = *services.are_down.lock().unwrap();
                assert!(!format!("{check:?}").contains("panics"), "a panic of this test");
                Outcome::responded(!is_down, StatusCode::OK, Duration::from_millis(20))
            })
        })
    }

    fn total(&self) -> usize {
        self.asked.lock().unwrap().values().sum()
    }
}

fn check(host: &str) -> Check {
    let target = StatusTarget {
        url: format!("http://{host}.example"),
        headers: Vec::new(),
        allow_insecure: false,
        accept_codes: Vec::new(),
        max_redirects: None,
        interval: 0,
        certificate_days: 0,
    };
    Check::new(&target, None)
}

fn items(checker: &Checker, count: usize, interval: u32) -> Vec<RegularCheck> {
    (0..count).map(|number| checker.wanted(check(&format!("host-{number}")), interval)).collect()
}

#[tokio::test(start_paused = true)]
async fn many_tabs_cost_one_round_per_interval() {
    let services = Services::default();
    let checker = services.checker();
    let wanted = items(&checker, 500, 60);
    let mut tabs = Vec::new();
    for _ in 0..50 {
        tabs.push(checker.watch(&wanted, WatchReason::Load));
        sleep(Duration::from_millis(100)).await;
    }
    // The first round, and the time in which each check gets its offset in the interval.
    sleep(Duration::from_secs(120)).await;
    for _ in 0..5 {
        services.asked.lock().unwrap().clear();
        sleep(Duration::from_secs(60)).await;
        let asked = services.asked.lock().unwrap();
        assert!(
            asked.len() == 500 && asked.values().all(|count| *count == 1),
            "{} {:?}",
            asked.len(),
            asked.values().max()
        );
    }
    assert_eq!(services.max.load(Ordering::SeqCst), 16);
    drop(tabs);
    sleep(Duration::from_secs(1)).await;
    let before = services.total();
    sleep(Duration::from_secs(600)).await;
    assert_eq!(services.total(), before, "a check runs while no item is watched");
}

#[tokio::test(start_paused = true)]
async fn without_an_interval_each_load_checks_once() {
    let services = Services::default();
    let checker = services.checker();
    let wanted = items(&checker, 3, 0);
    let first = checker.watch(&wanted, WatchReason::Load);
    let second = checker.watch(&wanted, WatchReason::Load);
    sleep(Duration::from_secs(4)).await;
    let third = checker.watch(&wanted, WatchReason::Load);
    sleep(Duration::from_secs(600)).await;
    assert_eq!(services.total(), 3);
    let back = checker.watch(&wanted, WatchReason::Return);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(services.total(), 3);
    let load = checker.watch(&wanted, WatchReason::Load);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(services.total(), 6);
    drop((first, second, third, back, load));
}

#[tokio::test(start_paused = true)]
async fn the_shortest_interval_counts_for_as_long_as_it_is_wanted() {
    let services = Services::default();
    let checker = services.checker();
    let slow = checker.watch(&items(&checker, 1, 3600), WatchReason::Load);
    sleep(Duration::from_secs(60)).await;
    assert_eq!(services.total(), 1);
    let fast = checker.watch(&items(&checker, 1, 10), WatchReason::Load);
    sleep(Duration::from_secs(100)).await;
    let asked = services.total();
    assert!((10..=12).contains(&asked), "{asked}");
    drop(fast);
    sleep(Duration::from_secs(600)).await;
    assert!(services.total() <= asked + 1, "{}", services.total());
    drop(slow);
}

#[tokio::test(start_paused = true)]
async fn changes_are_announced_and_results_remembered() {
    let services = Services::default();
    let checker = services.checker();
    let wanted = items(&checker, 1, 30);
    let (id, mut changes) = (wanted[0].id, checker.changes());
    assert_eq!(checker.states([id]), [(ServiceState::Waiting, 0)]);
    assert!(checker.report(id).is_none());
    let tab = checker.watch(&wanted, WatchReason::Load);
    changes.changed().await.unwrap();
    assert_eq!(checker.states([id]), [(ServiceState::Up, 1)]);
    sleep(Duration::from_secs(300)).await;
    // The same result again is not a change.
    assert!(!changes.has_changed().unwrap());
    *services.are_down.lock().unwrap() = true;
    changes.changed().await.unwrap();
    assert_eq!(checker.states([id]), [(ServiceState::Down, 2)]);
    let report = checker.report(id).unwrap();
    assert!(!report.outcome.is_up && report.samples.len() > 5 && report.samples.ends_with(&[None]));
    assert!(report.samples.starts_with(&[Some(20)]));
    drop(tab);
    checker.keep_only(&HashSet::from([id]));
    assert_eq!(checker.len(), 1);
    checker.keep_only(&HashSet::new());
    assert_eq!(checker.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_a_failed_check_and_others_go_on() {
    let services = Services::default();
    let checker = services.checker();
    let mut wanted = items(&checker, 20, 0);
    wanted.insert(0, checker.wanted(check("panics"), 0));
    let tab = checker.watch(&wanted, WatchReason::Load);
    sleep(Duration::from_secs(1)).await;
    let states = checker.states(wanted.iter().map(|one| one.id));
    assert_eq!(states[0].0, ServiceState::Down);
    assert!(states[1..].iter().all(|(state, _)| *state == ServiceState::Up));
    drop(tab);
}

#[tokio::test(start_paused = true)]
async fn the_same_check_within_five_seconds_is_made_once() {
    let services = Services::default();
    let checker = services.checker();
    let one = checker.wanted(check("one"), 0);
    let crowd = (0..20).map(|_| {
        let (checker, one) = (checker.clone(), one.clone());
        tokio::spawn(async move { checker.check_now(&one).await.is_up })
    });
    for asked in crowd.collect::<Vec<_>>() {
        assert!(asked.await.unwrap());
    }
    sleep(Duration::from_secs(4)).await;
    checker.check_now(&one).await;
    assert_eq!(services.total(), 1);
    sleep(Duration::from_secs(2)).await;
    checker.check_now(&one).await;
    assert_eq!(services.total(), 2);
    // Nor is a check repeated that a page load has just caused.
    let tab = checker.watch(&[checker.wanted(check("two"), 60)], WatchReason::Load);
    sleep(Duration::from_secs(1)).await;
    checker.check_now(&checker.wanted(check("two"), 0)).await;
    assert_eq!(services.total(), 3);
    drop(tab);
}
