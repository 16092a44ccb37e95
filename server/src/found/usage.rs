//! What containers use, when somebody looks.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use config::model::DiscoverySource;
use discovery::{Connection, SourceSettings, Usage, kubernetes::PodGroup};
use quick_cache::unsync::Cache;
use tokio::{sync::Semaphore, time::Instant};

/// How long a usage counts. An engine needs a second for a new one.
const KEPT: Duration = Duration::from_secs(5);
/// How many are kept.
const MAX_KEPT: usize = 256;
/// How many are measured at once, for all viewers.
const MAX_AT_ONCE: usize = 4;

/// The usages that were measured last, by source and container.
#[derive(Debug)]
pub(super) struct Usages {
    kept: Mutex<Cache<(String, String), Measured>>,
    permits: Semaphore,
}

/// A usage, if it is known, and when it was measured.
#[derive(Clone, Copy, Debug)]
struct Measured {
    at: Instant,
    usage: Option<Usage>,
}

impl Default for Usages {
    fn default() -> Self {
        Self { kept: Mutex::new(Cache::new(MAX_KEPT)), permits: Semaphore::new(MAX_AT_ONCE) }
    }
}

impl Usages {
    /// What a container of a source uses, or the pods of a route. `None` if that is not known.
    pub(super) async fn of(
        &self,
        source: &DiscoverySource,
        settings: &SourceSettings,
        container: &str,
        pods: &[PodGroup],
    ) -> Option<Usage> {
        let key = (source.title(), container.to_owned());
        if let Some(usage) = self.kept(&key) {
            return usage;
        }
        let _permit = self.permits.acquire().await.ok()?;
        // Somebody else may have asked meanwhile.
        if let Some(usage) = self.kept(&key) {
            return usage;
        }
        let asked = async { Connection::new(source, settings)?.usage(container, pods).await };
        let usage = asked.await.unwrap_or_else(|error| {
            tracing::debug!("discovery: {}: {error}", key.0);
            None
        });
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Measured { at: Instant::now(), usage });
        usage
    }

    fn kept(&self, key: &(String, String)) -> Option<Option<Usage>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|measured| measured.at.elapsed() < KEPT).map(|measured| measured.usage)
    }
}
