//! Work that is done once for all servers: whoever has the turn does it, and the others get the result.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::broadcast,
    task::AbortHandle,
    time::{Instant, sleep, timeout},
};
use tokio_postgres::types::Type;

use super::{Database, DatabaseError, News};

/// How long a turn lasts without a renewal. A server that dies in the middle of its work is replaced within this time.
const LEASE: Duration = Duration::from_secs(8);
/// Time between two renewals.
const RENEWAL: Duration = Duration::from_secs(3);
/// How long the work of another server is waited for, before it is done here too.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// How long a failure counts for all servers.
const FAILURE_AGE: Duration = Duration::from_millis(4500);

/// Counts a lease until it is dropped.
#[derive(Debug)]
pub(super) struct Held(Arc<AtomicUsize>);

impl Held {
    pub(super) fn count(leases: &Arc<AtomicUsize>) -> Self {
        leases.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(leases))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whose turn it is.
#[derive(Debug)]
pub enum Turn {
    /// Ours: the result is reported with [`Lease::finish`].
    Ours(Lease),
    /// Another server has found it out, this long ago.
    Theirs(String, Duration),
    /// The database cannot be used, so every server works for itself.
    Alone,
}

/// The right and the duty to find something out.
#[derive(Debug)]
pub struct Lease {
    database: Arc<Database>,
    key: String,
    renewing: AbortHandle,
    _held: Held,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.renewing.abort();
    }
}

impl Lease {
    /// Tells all servers the result. If that fails, another server finds it out again.
    pub async fn finish(self, value: &str, has_failed: bool) {
        let finish = "select portico.finish($1, $2, $3, $4)";
        let parameters = [
            (&self.key as _, Type::TEXT),
            (&value as _, Type::TEXT),
            (&has_failed as _, Type::BOOL),
            (&self.database.id as _, Type::TEXT),
        ];
        if let Err(error) = self.database.query(finish, &parameters).await {
            tracing::debug!("a result was not shared: {error}");
        }
    }
}

impl Database {
    /// What other servers find out from now on.
    pub fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    /// Takes the turn to find something out, unless another server has done so within `max_age`, or is doing it; then waits for
    /// its result.
    pub async fn turn(self: &Arc<Self>, key: &str, max_age: Duration) -> Turn {
        let began = Instant::now();
        let mut news = self.news();
        while began.elapsed() < MAX_WAIT {
            let wait = match self.claim(key, max_age).await {
                Ok(Claimed::Ours) => return Turn::Ours(self.lease(key)),
                Ok(Claimed::Fresh(value, age)) => return Turn::Theirs(value, age),
                Ok(Claimed::Held(wait)) => wait,
                Err(error) => {
                    tracing::debug!("a result is not shared: {error}");
                    return Turn::Alone;
                }
            };
            // Until the result is announced, or the turn of the other server ends.
            let announced = async {
                loop {
                    match news.recv().await {
                        Ok(news) if &*news.key == key => return,
                        Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                        Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
                    }
                }
            };
            _ = timeout(wait + Duration::from_millis(10), announced).await;
        }
        Turn::Alone
    }

    fn lease(self: &Arc<Self>, key: &str) -> Lease {
        let (database, own) = (Arc::clone(self), key.to_owned());
        let renew = async move {
            loop {
                sleep(RENEWAL).await;
                if let Err(error) = database.renew(&own).await {
                    tracing::debug!("a turn was not renewed: {error}");
                }
            }
        };
        let renewing = tokio::spawn(renew).abort_handle();
        Lease { database: Arc::clone(self), key: key.to_owned(), renewing, _held: Held::count(&self.leases) }
    }

    async fn claim(&self, key: &str, max_age: Duration) -> Result<Claimed, DatabaseError> {
        let claim = "select is_ours, fresh, age_ms, wait_ms from portico.claim($1, $2, $3, $4, $5)";
        let (max_age, failure_age, lease) = (millis(max_age), millis(FAILURE_AGE), millis(LEASE));
        let parameters = [
            (&key as _, Type::TEXT),
            (&max_age as _, Type::INT8),
            (&failure_age as _, Type::INT8),
            (&self.id as _, Type::TEXT),
            (&lease as _, Type::INT8),
        ];
        let rows = self.query(claim, &parameters).await?;
        let row = rows.first().ok_or_else(|| DatabaseError::Failed("it did not give a turn".to_owned()))?;
        let time = |column| {
            let millis = row.get::<_, Option<i64>>(column).and_then(|millis| u64::try_from(millis).ok());
            Duration::from_millis(millis.unwrap_or_default())
        };
        Ok(match row.get::<_, Option<String>>(1) {
            _ if row.get(0) => Claimed::Ours,
            Some(fresh) => Claimed::Fresh(fresh, time(2)),
            None => Claimed::Held(time(3)),
        })
    }

    async fn renew(&self, key: &str) -> Result<(), DatabaseError> {
        let renew = "update portico.states set until = clock_timestamp() + $3 * interval '1 ms'
            where key = $1 and holder = $2";
        let lease = millis(LEASE);
        let parameters = [(&key as _, Type::TEXT), (&self.id as _, Type::TEXT), (&lease as _, Type::INT8)];
        self.query(renew, &parameters).await.map(|_| ())
    }
}

/// The answer to a claim.
enum Claimed {
    Ours,
    Fresh(String, Duration),
    Held(Duration),
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
