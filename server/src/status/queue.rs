//! The schedule of the checks.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use tokio::time::Instant;

use super::{
    check::Check,
    containers::Containers,
    history::History,
    outcome::{Outcome, ServiceState},
    wanted::{CheckId, RegularCheck, SHARED, WatchReason},
};

/// How long a server waits for the one that checked last, before it does so itself.
const GRACE: Duration = Duration::from_secs(3);

/// The state of one check, and who is watching it.
pub(super) struct QueuedCheck {
    pub(super) check: Arc<Check>,
    /// The requested intervals, each with the number of watchers.
    intervals: Vec<(u32, usize)>,
    /// When it is due, if it is queued.
    due: Option<Instant>,
    is_running: bool,
    /// The last result, and when it came.
    pub(super) last: Option<(Instant, Outcome)>,
    /// The number of the change that led to the current state.
    changed: u64,
    /// How many checks have failed since the last success, and when the first of them did, in seconds since 1970.
    pub(super) failed: (u32, u64),
    pub(super) history: History,
}

/// All checks, and the order in which they are due.
pub(super) struct Queue {
    pub(super) entries: HashMap<CheckId, QueuedCheck>,
    due: BTreeSet<(Instant, CheckId)>,
    /// The number of the newest change.
    newest: u64,
    /// The time from which the offsets of checks in their intervals are counted.
    start: Instant,
}

/// What to do next.
pub(super) enum Next {
    /// This check is due, which has this interval.
    Due(CheckId, Arc<Check>, Option<Duration>),
    /// The next one is due then.
    At(Instant),
    /// No item is being watched.
    Nothing,
}

impl QueuedCheck {
    fn new(check: Arc<Check>) -> Self {
        Self {
            check,
            intervals: Vec::new(),
            due: None,
            is_running: false,
            last: None,
            changed: 0,
            failed: (0, 0),
            history: History::default(),
        }
    }

    pub(super) fn is_watched(&self) -> bool {
        !self.intervals.is_empty() || self.is_running
    }

    /// The shortest requested interval; `None` if it is checked once per page load.
    fn interval(&self) -> Option<Duration> {
        let seconds = self.intervals.iter().map(|(seconds, _)| *seconds).filter(|seconds| *seconds > 0).min()?;
        Some(Duration::from_secs(seconds.into()))
    }

    pub(super) fn state(&self) -> (ServiceState, u64) {
        (self.last.as_ref().map(|(_, outcome)| outcome.state()).unwrap_or_default(), self.changed)
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self { entries: HashMap::new(), due: BTreeSet::new(), newest: 0, start: Instant::now() }
    }
}

impl Queue {
    /// Adds a watcher to a check.
    pub(super) fn add(&mut self, wanted: &RegularCheck, occasion: WatchReason, now: Instant) {
        let start = self.start;
        let entry = self.entries.entry(wanted.id).or_insert_with(|| QueuedCheck::new(Arc::clone(&wanted.check)));
        match entry.intervals.iter_mut().find(|(interval, _)| *interval == wanted.interval) {
            Some((_, count)) => *count += 1,
            None => entry.intervals.push((wanted.interval, 1)),
        }
        if entry.is_running {
            return;
        }
        let interval = entry.interval();
        let age = entry.last.as_ref().map(|(at, _)| now.saturating_duration_since(*at));
        let is_due = match (age, interval, occasion) {
            // A look at the state of a container costs nothing.
            _ if !entry.check.is_request() => true,
            (None, _, _) => true,
            (Some(age), Some(interval), _) => age >= interval,
            (Some(age), None, WatchReason::Load) => age >= SHARED,
            (Some(_), None, WatchReason::Return) => false,
        };
        let due = if is_due { Some(now) } else { interval.map(|interval| slot_after(start, wanted.id, interval, now)) };
        // Another watcher must not postpone a check that is due.
        let due = [entry.due, due].into_iter().flatten().min();
        self.schedule(wanted.id, due);
    }

    /// Removes a watcher from a check.
    pub(super) fn remove(&mut self, wanted: &RegularCheck) {
        let Some(entry) = self.entries.get_mut(&wanted.id) else { return };
        if let Some(at) = entry.intervals.iter().position(|(interval, _)| *interval == wanted.interval) {
            entry.intervals[at].1 -= 1;
            if entry.intervals[at].1 == 0 {
                entry.intervals.swap_remove(at);
            }
        }
        if entry.intervals.is_empty() {
            self.schedule(wanted.id, None);
        }
    }

    /// The new results of the watched checks of containers.
    pub(super) fn news(&self, containers: &Containers) -> Vec<(CheckId, Outcome)> {
        let watched = self.entries.iter().filter(|(_, entry)| entry.is_watched());
        let looked = watched.filter_map(|(id, entry)| Some((id, entry, entry.check.look(containers)?)));
        let new = looked.filter(|(_, entry, outcome)| entry.last.as_ref().is_none_or(|(_, last)| last != outcome));
        new.map(|(id, _, outcome)| (*id, outcome)).collect()
    }

    /// Takes the next check that is due.
    pub(super) fn next(&mut self, now: Instant) -> Next {
        let Some(&(at, id)) = self.due.first() else { return Next::Nothing };
        if at > now {
            return Next::At(at);
        }
        self.due.pop_first();
        match self.entries.get_mut(&id) {
            Some(entry) => {
                entry.due = None;
                entry.is_running = true;
                Next::Due(id, Arc::clone(&entry.check), entry.interval())
            }
            None => Next::At(now),
        }
    }

    /// Stores a result, and returns the number of the change if the state has changed. `theirs` says that another server has checked,
    /// and will do so again.
    pub(super) fn finish_as(
        &mut self,
        id: CheckId,
        outcome: Outcome,
        now: Instant,
        time: u64,
        theirs: bool,
    ) -> Option<u64> {
        let start = self.start;
        let entry = self.entries.get_mut(&id)?;
        let is_change = entry.state().0 != outcome.state();
        if is_change {
            self.newest += 1;
            entry.changed = self.newest;
        }
        entry.failed = match entry.failed {
            _ if outcome.is_up => (0, 0),
            (0, _) => (1, time),
            (count, since) => (count.saturating_add(1), since),
        };
        entry.history.add(&outcome, time);
        entry.last = Some((now, outcome));
        entry.is_running = false;
        let next = |interval| if theirs { now + interval + GRACE } else { slot_after(start, id, interval, now) };
        let due = entry.interval().map(next);
        self.schedule(id, due);
        is_change.then_some(self.newest)
    }

    /// Whether a check is running now.
    pub(super) fn is_running(&self, id: CheckId) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.is_running)
    }

    fn schedule(&mut self, id: CheckId, due: Option<Instant>) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        if let Some(before) = entry.due.take() {
            self.due.remove(&(before, id));
        }
        if let Some(due) = due {
            entry.due = Some(due);
            self.due.insert((due, id));
        }
    }
}

/// The next time for a check that has just run. Each check has its own offset in its interval, derived from its random
/// number, so thousands of checks are spread over the interval, and each runs once per interval.
fn slot_after(start: Instant, id: CheckId, interval: Duration, now: Instant) -> Instant {
    let length = u64::try_from(interval.as_millis()).unwrap_or(u64::MAX).max(1);
    let place = id.0 % length;
    // At least half an interval later, so that a check that ran late does not run again at once.
    let earliest = now.saturating_duration_since(start) + interval / 2;
    let earliest = u64::try_from(earliest.as_millis()).unwrap_or(u64::MAX);
    let rounds = earliest.saturating_sub(place).div_ceil(length);
    start + Duration::from_millis(place.saturating_add(rounds.saturating_mul(length)))
}
