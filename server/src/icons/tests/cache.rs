use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;

use super::START;
use crate::icons::{
    cache::{CacheSettings, IconLookupState, LookupOutcome, PictureCache, StoredMedia},
    media::Media,
};

const PATIENCE: Duration = Duration::from_secs(3);
const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

struct Bench {
    cache: PictureCache,
    time: Arc<AtomicU64>,
    look_ups: Arc<AtomicUsize>,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Self::with(|settings| settings)
    }

    fn with(change: impl FnOnce(CacheSettings) -> CacheSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let time = Arc::new(AtomicU64::new(START));
        let clock = time.clone();
        let cache = PictureCache::new(change(CacheSettings {
            directory: Some(folder.path().join("icons")),
            disk_bytes: 1_000_000,
            memory_bytes: 10_000,
            clock: Arc::new(move || clock.load(Ordering::Relaxed)),
            database: None,
        }));
        Self { cache, time, look_ups: Arc::default(), folder }
    }

    async fn find(&self, key: &str, outcome: LookupOutcome) -> IconLookupState {
        let look_ups = self.look_ups.clone();
        let work = move || async move {
            look_ups.fetch_add(1, Ordering::Relaxed);
            outcome
        };
        let known = self.cache.find(key, PATIENCE, work).await;
        // Let background work finish before the test continues.
        for _ in 0..200 {
            tokio::task::yield_now().await;
            tokio::task::spawn_blocking(|| ()).await.unwrap();
        }
        known
    }

    fn look_ups(&self) -> usize {
        self.look_ups.swap(0, Ordering::Relaxed)
    }

    fn pass(&self, seconds: u64) {
        self.time.fetch_add(seconds, Ordering::Relaxed);
    }

    fn files(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("icons")).map_or(0, Iterator::count)
    }
}

fn stored(body: &str) -> StoredMedia {
    StoredMedia { media: Media::Png, body: Bytes::copy_from_slice(body.as_bytes()) }
}

fn found(body: &str) -> LookupOutcome {
    LookupOutcome::Found(stored(body))
}

#[tokio::test]
async fn a_picture_is_looked_up_once_in_seven_days() {
    let bench = Bench::new();
    assert_eq!(bench.find("key", found("one")).await, IconLookupState::Found(stored("one")));
    bench.pass(7 * DAY - 1);
    assert_eq!(bench.find("key", found("two")).await, IconLookupState::Found(stored("one")));
    assert_eq!(bench.look_ups(), 1);
    bench.pass(1);
    // The expired picture is shown while the new one is fetched.
    assert_eq!(bench.find("key", found("three")).await, IconLookupState::Found(stored("one")));
    assert_eq!(bench.look_ups(), 1);
    assert_eq!(bench.find("key", LookupOutcome::Missing).await, IconLookupState::Found(stored("three")));
    assert_eq!(bench.look_ups(), 0);
}

#[tokio::test]
async fn absence_is_believed_for_an_hour_and_failure_for_ten_minutes() {
    let bench = Bench::new();
    assert_eq!(bench.find("gone", LookupOutcome::Missing).await, IconLookupState::Missing);
    assert_eq!(bench.find("down", LookupOutcome::Failed).await, IconLookupState::Missing);
    bench.pass(599);
    bench.find("gone", found("x")).await;
    bench.find("down", found("x")).await;
    assert_eq!(bench.look_ups(), 2);
    bench.pass(1);
    bench.find("gone", found("x")).await;
    bench.find("down", found("x")).await;
    assert_eq!(bench.look_ups(), 1);
    assert_eq!(bench.find("down", LookupOutcome::Missing).await, IconLookupState::Found(stored("x")));
    bench.pass(HOUR);
    bench.find("gone", found("x")).await;
    assert_eq!(bench.find("gone", LookupOutcome::Missing).await, IconLookupState::Found(stored("x")));
}

#[tokio::test]
async fn a_host_that_goes_down_keeps_its_icon() {
    let bench = Bench::new();
    bench.find("key", found("one")).await;
    for outcome in [LookupOutcome::Failed, LookupOutcome::Missing] {
        bench.pass(8 * DAY);
        assert_eq!(bench.find("key", outcome.clone()).await, IconLookupState::Found(stored("one")));
        assert_eq!(bench.find("key", outcome).await, IconLookupState::Found(stored("one")));
    }
}

#[tokio::test]
async fn survives_a_restart() {
    let bench = Bench::new();
    bench.find("key", found("one")).await;
    bench.find("none", LookupOutcome::Missing).await;
    let again = PictureCache::new(CacheSettings {
        directory: Some(bench.folder.path().join("icons")),
        disk_bytes: 1_000_000,
        memory_bytes: 0,
        clock: Arc::new(|| START),
        database: None,
    });
    assert_eq!(again.stored("key").await, Some(stored("one")));
    assert_eq!(again.stored("none").await, None);
    assert_eq!(again.find("none", PATIENCE, || async { found("x") }).await, IconLookupState::Missing);
}

#[tokio::test]
async fn damaged_files_are_looked_up_anew() {
    let bench = Bench::new();
    bench.find("key", found("one")).await;
    for content in [
        "",
        "\n",
        "portico-icon-1 x png\n",
        "portico-icon-1 99999999999 exe\nbody",
        "portico-icon-0 99999999999 png\nbody",
    ] {
        let file = std::fs::read_dir(bench.folder.path().join("icons")).unwrap().next().unwrap().unwrap().path();
        std::fs::write(file, content).unwrap();
        assert_eq!(bench.find("key", found("two")).await, IconLookupState::Found(stored("two")), "{content}");
    }
}

#[tokio::test]
async fn one_look_up_for_many_callers() {
    let bench = Bench::new();
    let mut callers = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (cache, look_ups) = (bench.cache.clone(), bench.look_ups.clone());
        callers.spawn(async move {
            cache
                .find("key", PATIENCE, || async move {
                    look_ups.fetch_add(1, Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    found("one")
                })
                .await
        });
    }
    while let Some(known) = callers.join_next().await {
        assert_eq!(known.unwrap(), IconLookupState::Found(stored("one")));
    }
    assert_eq!(bench.look_ups(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_slow_host_delays_no_page() {
    let bench = Bench::with(|settings| CacheSettings { directory: None, ..settings });
    let slow = || async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        found("late")
    };
    let begun = tokio::time::Instant::now();
    assert_eq!(bench.cache.find("key", PATIENCE, slow).await, IconLookupState::Pending);
    assert_eq!(begun.elapsed(), PATIENCE);
    // The lookup continues although its only caller has left, and the next caller joins it.
    tokio::time::sleep(Duration::from_secs(15)).await;
    assert_eq!(bench.find("key", LookupOutcome::Missing).await, IconLookupState::Found(stored("late")));
    assert_eq!(bench.look_ups(), 0);
}

#[tokio::test]
async fn a_panic_in_a_look_up_is_an_absence() {
    let bench = Bench::new();
    assert_eq!(
        bench.cache.find("key", PATIENCE, || async { panic!("wanted by the test") }).await,
        IconLookupState::Missing
    );
    assert_eq!(bench.find("key", found("one")).await, IconLookupState::Found(stored("one")));
}

#[tokio::test]
async fn an_unwritable_directory_leaves_a_small_memory() {
    let bench = Bench::with(|settings| CacheSettings { memory_bytes: 1000, ..settings });
    // A file in place of the directory: nothing can be created below it, whoever runs the tests.
    std::fs::write(bench.folder.path().join("icons"), "in the way").unwrap();
    let body = "x".repeat(200);
    for number in 0..10 {
        bench.pass(1);
        bench.find(&format!("key {number}"), found(&body)).await;
    }
    assert_eq!(bench.cache.stored("key 9").await, Some(stored(&body)));
    assert_eq!(bench.cache.stored("key 0").await, None);
    assert_eq!(bench.find("huge", found(&"x".repeat(2000))).await, IconLookupState::Found(stored(&"x".repeat(2000))));
    assert_eq!(bench.cache.stored("huge").await, None);
}

#[tokio::test]
async fn the_directory_stays_below_its_bound() {
    let bench = Bench::with(|settings| CacheSettings { disk_bytes: 10_000, ..settings });
    let foreign = bench.folder.path().join("icons/notes.txt");
    super::write(&foreign, &[b'x'; 20_000]);
    for number in 0..40 {
        bench.find(&format!("key {number}"), found(&"x".repeat(1000))).await;
        assert!(bench.files() <= 11);
    }
    assert!(bench.files() >= 6);
    assert!(foreign.exists(), "files of others are left alone");
}
