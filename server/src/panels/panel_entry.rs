//! One cached panel: the last result, the last failure, and when to refresh.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};
use widgets::{FetchError, Moment};

use super::{exchange_log::Failed, rendered_panel::RenderedPanel};

/// After an error the next attempt waits this long, then twice as long, and so on.
const FIRST_WAIT: Duration = Duration::from_secs(5);
/// A rejected key is not tried often: some services lock an account for that.
const FIRST_WAIT_OF_REFUSED: Duration = Duration::from_secs(60);
/// The longest wait that we choose ourselves; a service may ask for a longer one.
const MAX_WAIT: Duration = Duration::from_secs(300);
/// The longest wait that a service may ask for.
const MAX_NAMED_WAIT: Duration = Duration::from_secs(24 * 3600);
/// How long a server waits for the one that looked a panel up last, before it does so itself.
const GRACE: Duration = Duration::from_secs(3);
/// The minimum time between two lookups, even on request.
pub const MIN_LIFE: Duration = Duration::from_secs(1);

/// Why there is no newer panel.
#[derive(Clone, Debug)]
pub struct RefreshFailure {
    /// The error from the service or the network.
    pub error: FetchError,
    /// The detail line for people who look for the cause.
    pub detail: Option<String>,
    /// The number of consecutive failures.
    count: u32,
    since: Instant,
    /// No automatic refresh before this time.
    pub until: Instant,
    /// The service itself named the time, so it applies to manual refreshes too.
    is_named: bool,
}

/// The known state of one panel.
#[derive(Clone, Debug, Default)]
pub struct PanelStatus {
    /// The last successful result, and its time.
    pub rendered: Option<(Arc<RenderedPanel>, Instant)>,
    /// Set when the last refresh failed.
    pub failure: Option<RefreshFailure>,
    /// A refresh is in progress.
    pub refreshing: bool,
    /// Something has changed upstream, so the panel is stale whatever its age.
    outdated: bool,
    /// The result is that of another server, which will look it up again.
    is_theirs: bool,
}

/// The entry of one panel in the cache.
#[derive(Debug)]
pub struct PanelEntry {
    known: Mutex<PanelStatus>,
    last_requested: Mutex<Instant>,
    /// Counts the refreshes that have finished.
    ended: watch::Sender<u64>,
}

impl Default for PanelEntry {
    fn default() -> Self {
        Self { known: Mutex::default(), last_requested: Mutex::new(Instant::now()), ended: watch::Sender::new(0) }
    }
}

impl PanelEntry {
    fn lock(&self) -> MutexGuard<'_, PanelStatus> {
        // Nothing panics while it holds the lock, and the state would still be valid if it did.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current state.
    pub fn known(&self) -> PanelStatus {
        self.lock().clone()
    }

    /// The number of finished refreshes; changes with the next one.
    pub fn ended(&self) -> watch::Receiver<u64> {
        self.ended.subscribe()
    }

    /// Records that someone requested this panel.
    pub fn touch(&self) {
        *self.last_requested.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// When someone last requested this panel.
    pub fn last_requested(&self) -> Instant {
        *self.last_requested.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to refresh now; if so, the caller must refresh, and report the result with [`PanelEntry::end`].
    pub fn begin(&self, life: Duration, forced: bool) -> bool {
        let mut known = self.lock();
        let begin = !known.refreshing && known.is_due(life, forced, Instant::now());
        known.refreshing |= begin;
        begin
    }

    /// How old a result of another server may be.
    pub fn max_age(&self, life: Duration, forced: bool) -> Duration {
        if forced || self.lock().outdated { MIN_LIFE } else { life }
    }

    /// A refresh has finished. Returns whether its outcome differs from the previous one.
    pub fn end(&self, outcome: Result<RenderedPanel, Failed>, wall_clock: Moment) -> bool {
        self.end_as(outcome, wall_clock, None)
    }

    /// The same, where another server has looked it up, so long ago.
    pub fn end_as(&self, outcome: Result<RenderedPanel, Failed>, wall_clock: Moment, theirs: Option<Duration>) -> bool {
        let changed = {
            let mut known = self.lock();
            known.refreshing = false;
            known.outdated = false;
            known.is_theirs = theirs.is_some();
            match outcome {
                Ok(rendered) => {
                    let now = Instant::now();
                    let at = now.checked_sub(theirs.unwrap_or_default()).unwrap_or(now);
                    known.rendered = Some((Arc::new(rendered), at));
                    known.failure.take().is_some()
                }
                Err(Failed { error, detail }) => {
                    let before = known.failure.take();
                    let changed = before.as_ref().is_none_or(|before| before.error.to_string() != error.to_string());
                    let count = before.map_or(1, |before| before.count.saturating_add(1));
                    known.failure = Some(RefreshFailure::new(error, detail, count, wall_clock));
                    changed
                }
            }
        };
        self.ended.send_modify(|ended| *ended += 1);
        changed
    }

    /// Something has changed upstream. Returns when the next refresh may start.
    pub fn outdate(&self) -> Instant {
        let mut known = self.lock();
        known.outdated = true;
        known.rendered.as_ref().map_or_else(Instant::now, |(_, since)| *since + MIN_LIFE)
    }

    /// The number of cached bytes.
    pub fn size(&self) -> usize {
        self.lock().rendered.as_ref().map_or(0, |(rendered, _)| rendered.size())
    }
}

impl PanelStatus {
    fn is_due(&self, life: Duration, forced: bool, now: Instant) -> bool {
        match (&self.failure, &self.rendered) {
            (Some(failure), _) => {
                let impatient = forced && !failure.is_named && now >= failure.since + FIRST_WAIT;
                now >= failure.until || impatient
            }
            (None, None) => true,
            (None, Some((_, since))) => {
                let grace = if self.is_theirs { GRACE } else { Duration::ZERO };
                let life = if forced || self.outdated { MIN_LIFE } else { life + grace };
                now.saturating_duration_since(*since) >= life
            }
        }
    }
}

/// The wait that a service asks for, within bounds.
pub fn named_wait(error: &FetchError, now: Moment) -> Option<Duration> {
    error.retry_at().map(|at| at.since(now).clamp(FIRST_WAIT, MAX_NAMED_WAIT))
}

impl RefreshFailure {
    fn new(error: FetchError, detail: Option<String>, count: u32, wall_clock: Moment) -> Self {
        let first = if error.is_rejection() { FIRST_WAIT_OF_REFUSED } else { FIRST_WAIT };
        let own = first.saturating_mul(2_u32.saturating_pow(count.saturating_sub(1))).min(MAX_WAIT);
        let named = named_wait(&error, wall_clock);
        let since = Instant::now();
        let wait = named.map_or(own, |named| named.max(own));
        let is_named = named.is_some_and(|named| named > FIRST_WAIT);
        // The sentence says when the next refresh starts, which may be later than the service demands.
        let error = error.retried_at(wall_clock.after(wait));
        Self { error, detail, count, since, until: since + wait, is_named }
    }
}

#[cfg(test)]
mod tests {
    use widgets::Panel;

    use super::*;

    const LIFE: Duration = Duration::from_secs(60);

    fn rendered() -> RenderedPanel {
        RenderedPanel::new(Panel::default(), String::new(), Moment::default())
    }

    fn down() -> Failed {
        FetchError::Unreachable { host: "nas.lan".to_owned(), reason: "connection refused".to_owned() }.into()
    }

    async fn after(seconds: u64) {
        tokio::time::advance(Duration::from_secs(seconds)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_panel_is_looked_up_once_for_its_life() {
        let entry = PanelEntry::default();
        assert!(entry.begin(LIFE, false));
        assert!(!entry.begin(LIFE, true), "somebody is refreshing already");
        entry.end(Ok(rendered()), Moment::default());
        assert!(!entry.begin(LIFE, false) && !entry.begin(LIFE, true));
        after(1).await;
        assert!(entry.begin(LIFE, true), "a person may ask each second");
        entry.end(Ok(rendered()), Moment::default());
        after(59).await;
        assert!(!entry.begin(LIFE, false));
        after(1).await;
        assert!(entry.begin(LIFE, false));
    }

    #[tokio::test(start_paused = true)]
    async fn waits_double_up_to_five_minutes_and_end_with_a_success() {
        let entry = PanelEntry::default();
        for wait in [5, 10, 20, 40, 80, 160, 300, 300] {
            assert!(entry.begin(LIFE, false));
            entry.end(Err(down()), Moment::default());
            after(wait - 1).await;
            assert!(!entry.begin(LIFE, false), "{wait}");
            after(1).await;
        }
        assert!(entry.begin(LIFE, false));
        entry.end(Ok(rendered()), Moment::default());
        after(60).await;
        assert!(entry.begin(LIFE, false));
        entry.end(Err(down()), Moment::default());
        after(5).await;
        assert!(entry.begin(LIFE, false));
        entry.end(Err(down()), Moment::default());
        after(5).await;
        assert!(entry.begin(LIFE, true), "a person need not wait longer than 5 s");
    }

    #[tokio::test(start_paused = true)]
    async fn a_time_that_the_service_names_holds_for_all() {
        let entry = PanelEntry::default();
        let now = Moment::from_seconds(1_000_000);
        assert!(entry.begin(LIFE, false));
        let retry_at = Some(now.after(Duration::from_secs(900)));
        entry.end(Err(FetchError::TooMany { host: "api.example".to_owned(), retry_at }.into()), now);
        after(899).await;
        assert!(!entry.begin(LIFE, false) && !entry.begin(LIFE, true));
        after(1).await;
        assert!(entry.begin(LIFE, false));
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_in_the_sentence_is_that_of_the_next_refresh() {
        let now = Moment::parse("2026-11-21T11:45:00Z").unwrap();
        let too_many = |named: &str| {
            let retry_at = Moment::parse(named);
            Failed::from(FetchError::TooMany { host: "api.example".to_owned(), retry_at })
        };
        for (named, failures, expected) in [
            ("2026-11-21T12:00:00Z", 1, "2026-11-21T12:00:00Z"),
            // Sooner than our own pause after several failures.
            ("2026-11-21T11:45:01Z", 7, "2026-11-21T11:50:00Z"),
            // Over already, by the clock of the service.
            ("2026-11-21T11:00:00Z", 1, "2026-11-21T11:45:05Z"),
            // Later than we wait.
            ("2026-12-24T00:00:00Z", 1, "2026-11-22T11:45:00Z"),
        ] {
            let entry = PanelEntry::default();
            for _ in 0..failures {
                entry.end(Err(too_many(named)), now);
            }
            let failure = entry.known().failure.unwrap();
            let until = now.after(failure.until - Instant::now());
            assert_eq!((failure.error.retry_at(), until), (Moment::parse(expected), Moment::parse(expected).unwrap()));
        }
    }
}
