//! What containers use, when somebody looks.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use discovery::{Connection, Usage};
use quick_cache::unsync::Cache;
use tokio::{sync::Semaphore, time::Instant};

use super::{FoundServices, containers_of};
use crate::status::source_of;

/// How long a usage counts. An engine needs a second for a new one.
const KEPT: Duration = Duration::from_secs(5);
/// How many are kept.
const MAX_KEPT: usize = 256;
/// How many are measured at once, for all viewers.
const MAX_AT_ONCE: usize = 4;

/// The usages that were measured last, by source and container.
#[derive(Debug)]
pub(super) struct Usages {
    kept: Mutex<Cache<(String, String), (Instant, Option<Usage>)>>,
    permits: Semaphore,
}

impl Default for Usages {
    fn default() -> Self {
        Self { kept: Mutex::new(Cache::new(MAX_KEPT)), permits: Semaphore::new(MAX_AT_ONCE) }
    }
}

impl Usages {
    fn kept(&self, key: &(String, String)) -> Option<Option<Usage>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|(at, _)| at.elapsed() < KEPT).map(|(_, usage)| *usage)
    }
}

impl FoundServices {
    /// What a container uses, by its name as `container` of an item gives it. `None` if that is not known.
    pub async fn usage(&self, name: &str) -> Option<Usage> {
        let (source, container) = {
            let states = self.states();
            let sources: Vec<_> = states.iter().map(containers_of).collect();
            let (position, container) = source_of(&sources, name)?;
            (states[position].source.clone(), container.to_owned())
        };
        let usages = &self.0.usages;
        let key = (source.title(), container);
        if let Some(usage) = usages.kept(&key) {
            return usage;
        }
        let _permit = usages.permits.acquire().await.ok()?;
        // Somebody else may have asked meanwhile.
        if let Some(usage) = usages.kept(&key) {
            return usage;
        }
        let asked = async { Connection::new(&source, &self.0.settings)?.usage(&key.1).await };
        let usage = asked.await.unwrap_or_else(|error| {
            tracing::debug!("discovery: {}: {error}", key.0);
            None
        });
        usages.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (Instant::now(), usage));
        usage
    }
}
