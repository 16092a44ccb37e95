//! Status checks: one checker for all viewers. It checks only items that somebody is watching, at most 16 at a time,
//! each once per interval however many tabs are open, and keeps the results of one day.
//!
//! The watchers decide who sees which item; this module knows only checks.

mod check;
mod containers;
mod history;
mod inner;
mod outcome;
mod queue;
mod shared;
#[cfg(test)]
mod tests;
mod wanted;

use std::{
    collections::HashSet,
    hash::{BuildHasher as _, RandomState},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{Notify, Semaphore, watch},
    time::{Instant, sleep_until},
};

pub use self::{
    check::Check,
    containers::{EngineState, SourceContainers, source_of},
    history::{History, MAX_SAMPLES, Summary},
    outcome::{Answer, Failure, Outcome, ServiceState},
    wanted::{CheckId, RegularCheck, SHARED, WatchReason},
};
use self::{
    containers::Containers,
    inner::{Inner, Pending, since_1970},
    queue::{Next, Queue, QueuedCheck},
};
use crate::{database::Database, http_client::HttpClient};

/// Maximum number of concurrent checks (docs/spec/behavior.md 11.2).
const MAX_AT_ONCE: usize = 16;
/// Maximum number of cached results of checks that belong to no item.
const MAX_SHARED: usize = 256;

/// The state of a check, for a tooltip.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The last result.
    pub outcome: Outcome,
    /// The age of the result.
    pub age: Duration,
    /// The response times of the latest results in milliseconds; `None` for failed checks. Empty for containers.
    pub samples: Vec<Option<u32>>,
    /// The last 24 hours.
    pub summary: Summary,
}

/// The last results of a check, for alerts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Streak {
    /// How many checks have failed since the last success; 0 if the service is up.
    pub failures: u32,
    /// When the first of them failed, in seconds since 1970.
    pub since: u64,
    /// The last result.
    pub outcome: Outcome,
}

/// All checks. Cheap to clone.
#[derive(Clone)]
pub struct Checker(Arc<Inner>);

/// Keeps checks running until it is dropped.
pub struct Watch {
    inner: Weak<Inner>,
    wanted: Vec<RegularCheck>,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Checker").finish_non_exhaustive()
    }
}

impl Checker {
    /// A checker that uses HTTP, and shares its results with the other servers of a database. Must be created inside a runtime.
    pub fn new(http_client: HttpClient, database: Option<&Arc<Database>>) -> Self {
        let containers = Arc::<Containers>::default();
        let seen = Arc::clone(&containers);
        let run = move |check: Arc<Check>| -> Pending {
            let (http_client, containers) = (http_client.clone(), Arc::clone(&seen));
            Box::pin(async move { check.run(&http_client, &containers).await })
        };
        Self::create(run, containers, database.cloned())
    }

    #[cfg(test)]
    fn with_run(run: impl Fn(Arc<Check>) -> Pending + Send + Sync + 'static) -> Self {
        Self::create(run, Arc::default(), None)
    }

    fn create(
        run: impl Fn(Arc<Check>) -> Pending + Send + Sync + 'static,
        containers: Arc<Containers>,
        database: Option<Arc<Database>>,
    ) -> Self {
        let news = database.as_ref().map(|database| database.news());
        let inner = Arc::new(Inner {
            run: Arc::new(run),
            containers,
            database,
            shared_ids: Mutex::default(),
            ids: RandomState::new(),
            queue: Mutex::new(Queue::default()),
            wake: Arc::default(),
            changes: watch::Sender::new(0),
            results: watch::Sender::new(0),
            permits: Arc::new(Semaphore::new(MAX_AT_ONCE)),
            shared: Mutex::default(),
        });
        tokio::spawn(work(Arc::downgrade(&inner), Arc::clone(&inner.wake), Arc::clone(&inner.permits)));
        if let Some(news) = news {
            tokio::spawn(shared::follow(Arc::downgrade(&inner), news));
        }
        Self(inner)
    }

    /// What is wanted for a check.
    pub fn wanted(&self, check: Check, interval: u32) -> RegularCheck {
        RegularCheck { id: CheckId(self.0.ids.hash_one(&check)), check: Arc::new(check), interval }
    }

    /// Keeps these checks running for as long as the returned value lives.
    pub fn watch(&self, wanted: &[RegularCheck], occasion: WatchReason) -> Watch {
        let now = Instant::now();
        let mut queue = self.0.queue();
        for one in wanted {
            queue.add(one, occasion, now);
        }
        drop(queue);
        self.0.share(wanted);
        self.0.wake.notify_one();
        Watch { inner: Arc::downgrade(&self.0), wanted: wanted.to_vec() }
    }

    /// Takes what the sources of containers give now, and shows it at once.
    pub fn observe_containers(&self, sources: Vec<SourceContainers>) {
        self.0.containers.replace(sources);
        let news = self.0.queue().news(&self.0.containers);
        for (id, outcome) in news {
            self.0.finish(id, outcome, false);
        }
    }

    /// The states of the services, each with the number of the change that led to it; 0 for unchecked services.
    pub fn states(&self, ids: impl IntoIterator<Item = CheckId>) -> Vec<(ServiceState, u64)> {
        let queue = self.0.queue();
        ids.into_iter().map(|id| queue.entries.get(&id).map(QueuedCheck::state).unwrap_or_default()).collect()
    }

    /// Announces state changes by their number.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    /// Announces every result, also where the state stays the same.
    pub fn results(&self) -> watch::Receiver<u64> {
        self.0.results.subscribe()
    }

    /// The last results of these checks; `None` for those without any.
    pub fn streaks(&self, ids: impl IntoIterator<Item = CheckId>) -> Vec<Option<Streak>> {
        let queue = self.0.queue();
        let streak = |id| {
            let entry = queue.entries.get(&id)?;
            let ((failures, since), (_, outcome)) = (entry.failed, entry.last.as_ref()?);
            Some(Streak { failures, since, outcome: outcome.clone() })
        };
        ids.into_iter().map(streak).collect()
    }

    /// The state of a check; `None` before its first result.
    pub fn report(&self, id: CheckId) -> Option<CheckReport> {
        let queue = self.0.queue();
        let entry = queue.entries.get(&id)?;
        let (at, outcome) = entry.last.as_ref()?;
        let mut summary = entry.history.summary(since_1970());
        let has_times = entry.check.is_request();
        if !has_times {
            (summary.millis, summary.hours) = (None, Vec::new());
        }
        Some(CheckReport {
            outcome: outcome.clone(),
            age: at.elapsed(),
            samples: if has_times { entry.history.samples() } else { Vec::new() },
            summary,
        })
    }

    /// Checks now, for a waiting caller. Equal checks within five seconds share one request.
    pub async fn check_now(&self, wanted: &RegularCheck) -> Outcome {
        let now = Instant::now();
        if let Some((at, outcome)) = self.0.queue().entries.get(&wanted.id).and_then(|entry| entry.last.clone())
            && now.duration_since(at) < SHARED
        {
            return outcome;
        }
        let cell = {
            let mut shared = self.0.shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.retain(|_, (began, _)| now.duration_since(*began) < SHARED);
            if shared.len() >= MAX_SHARED {
                // An extra check is better than a full memory.
                Arc::default()
            } else {
                Arc::clone(&shared.entry(wanted.id).or_insert_with(|| (now, Arc::default())).1)
            }
        };
        let check = Arc::clone(&wanted.check);
        let inner = Arc::clone(&self.0);
        let run = move || async move {
            let _permit = Arc::clone(&inner.permits).acquire_owned().await;
            (inner.run)(check).await
        };
        cell.get_or_init(run).await.clone()
    }

    /// Forgets all checks except these and those that somebody is watching.
    pub fn keep_only(&self, ids: &HashSet<CheckId>) {
        let mut queue = self.0.queue();
        queue.entries.retain(|id, entry| entry.is_watched() || ids.contains(id));
        let mut shared = self.0.shared_ids.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|_, id| queue.entries.contains_key(id));
    }

    /// How many services are up, down, and not checked yet.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for entry in self.0.queue().entries.values() {
            let at = match entry.state().0 {
                ServiceState::Up | ServiceState::Warning => 0,
                ServiceState::Down => 1,
                ServiceState::Waiting => 2,
            };
            counts[at] += 1;
        }
        counts
    }

    /// How many checks are remembered.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.0.queue().entries.len()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let Some(inner) = self.inner.upgrade() else { return };
        let mut queue = inner.queue();
        for one in &self.wanted {
            queue.remove(one);
        }
    }
}

/// Runs all checks that are due, for as long as the checker exists.
async fn work(checker: Weak<Inner>, wake: Arc<Notify>, permits: Arc<Semaphore>) {
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        let (id, check, interval) = loop {
            let Some(inner) = checker.upgrade() else { return };
            let next = inner.queue().next(Instant::now());
            drop(inner);
            match next {
                Next::Due(id, check, interval) => break (id, check, interval),
                Next::At(at) => tokio::select! {
                    () = sleep_until(at) => {}
                    () = wake.notified() => {}
                },
                Next::Nothing => wake.notified().await,
            }
        };
        let Some(inner) = checker.upgrade() else { return };
        let wake = Arc::clone(&wake);
        tokio::spawn(async move {
            // A separate task, so that a panic counts as a failed check.
            let run = Arc::clone(&inner.run);
            let work = async move |check| tokio::spawn(run(check)).await.unwrap_or_else(|_| Outcome::broken());
            let (outcome, theirs) = match &inner.database {
                Some(database) if check.is_request() => shared::run(database, check, interval, work).await,
                _ => (work(check).await, false),
            };
            inner.finish(id, outcome, theirs);
            drop(permit);
            wake.notify_one();
        });
    }
}
