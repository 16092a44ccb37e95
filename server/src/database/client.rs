//! The connections to the database.

use std::{
    fmt,
    hash::{BuildHasher as _, RandomState},
    str::FromStr as _,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use tokio::sync::broadcast;
use tokio_postgres::{
    Config, Row,
    config::TargetSessionAttrs,
    types::{ToSql, Type},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{
    error::{self, DatabaseError},
    news::News,
};
use crate::{http_client::tls_config, settings::Settings};

/// Connections for queries. One more listens for changes, and one has or waits for the lock of what only one server does.
const QUERY_CONNECTIONS: usize = 2;

/// How long one attempt to connect may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a query may take, all its round trips together. A database that is slow for two seconds each time is still usable.
const QUERY_TIMEOUT: Duration = Duration::from_secs(15);

/// After this time without a sign of life, a connection is tested.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);

/// Time between two such tests, and how many of them may fail.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);

const KEEPALIVE_RETRIES: u32 = 2;

/// The parameters of a statement, with their types.
pub(super) type Parameters<'a> = &'a [(&'a (dyn ToSql + Sync), Type)];

/// The database.
pub struct Database {
    pub(super) pool: Pool,
    pub(super) config: Config,
    pub(super) tls: MakeRustlsConnect,
    /// Tells this server from the others.
    pub(super) id: String,
    /// Whether the last contact succeeded.
    pub(super) is_up: AtomicBool,
    /// Whether the connection that listens for changes is lost.
    pub(super) is_cut: AtomicBool,
    pub(super) queries: AtomicU64,
    /// When the clock of the database was last read, and its time in milliseconds since 1970.
    pub(super) time: Mutex<Option<(Instant, i64)>>,
    /// How many leases this server holds.
    pub(super) leases: Arc<AtomicUsize>,
    pub(super) news: broadcast::Sender<News>,
}

impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Database").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A connection from the pool. It goes back only if nothing was left half done.
pub(super) struct Connection<'a> {
    object: Option<Object>,
    database: &'a Database,
    is_clean: bool,
}

impl Database {
    /// The database that the settings name; `None` without one. Does not connect yet.
    ///
    /// # Errors
    ///
    /// The address is not one of a database, or there is no encryption.
    pub fn new(settings: &Settings) -> Result<Option<Arc<Self>>, DatabaseError> {
        let Some(address) = &settings.database else { return Ok(None) };
        Self::at(address.expose(), settings).map(|database| Some(Arc::new(database)))
    }

    /// The database at an address, such as `postgres://portico@db.lan/portico`.
    ///
    /// # Errors
    ///
    /// As for [`Database::new`].
    pub fn at(address: &str, settings: &Settings) -> Result<Self, DatabaseError> {
        let failed = |error: &dyn std::error::Error| DatabaseError::Failed(error::chain(error));
        let mut config = Config::from_str(address).map_err(|error| failed(&error))?;
        config
            .application_name("portico")
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_user_timeout(KEEPALIVE_IDLE + KEEPALIVE_INTERVAL * KEEPALIVE_RETRIES)
            .keepalives_idle(KEEPALIVE_IDLE)
            .keepalives_interval(KEEPALIVE_INTERVAL)
            .keepalives_retries(KEEPALIVE_RETRIES)
            // With several hosts, the one that takes writes, which is another one after a failover.
            .target_session_attrs(TargetSessionAttrs::ReadWrite);
        let tls = tls_config(settings.extra_ca.as_deref()).map_err(|error| failed(&error))?;
        let tls = MakeRustlsConnect::new(tls);
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(config.clone(), tls.clone(), manager))
            .max_size(QUERY_CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(CONNECT_TIMEOUT))
            .create_timeout(Some(CONNECT_TIMEOUT))
            .build()
            .map_err(|error| failed(&error))?;
        let id = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        let (is_up, is_cut) = (AtomicBool::new(true), AtomicBool::new(false));
        Ok(Self {
            pool,
            config,
            tls,
            id,
            is_up,
            is_cut,
            queries: AtomicU64::new(0),
            time: Mutex::default(),
            leases: Arc::default(),
            news: broadcast::Sender::new(1024),
        })
    }

    /// Whether the database could be reached at the last contact.
    pub fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// How many queries this server has sent.
    pub fn queries(&self) -> u64 {
        self.queries.load(Ordering::Relaxed)
    }

    /// How many leases this server holds: work that it does for all servers.
    pub fn leases(&self) -> usize {
        self.leases.load(Ordering::Relaxed)
    }

    /// The version of the server.
    ///
    /// # Errors
    ///
    /// It cannot be reached.
    pub async fn version(&self) -> Result<String, DatabaseError> {
        let rows = self.query("select current_setting('server_version')", &[]).await?;
        Ok(rows.first().map(|row| row.get(0)).unwrap_or_default())
    }

    /// Runs one statement.
    pub(super) async fn query(&self, statement: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, DatabaseError> {
        let connection = self.connection().await?;
        let rows = connection.query(statement, parameters).await?;
        connection.done();
        Ok(rows)
    }

    pub(super) async fn connection(&self) -> Result<Connection<'_>, DatabaseError> {
        // Waiting for a connection that the listener has just failed to get would only delay the answer.
        if self.is_cut.load(Ordering::Relaxed) {
            return Err(DatabaseError::Away("the connection is lost".to_owned()));
        }
        let got = self.pool.get().await.map_err(DatabaseError::from);
        self.note(got.as_ref().err());
        Ok(Connection { object: Some(got?), database: self, is_clean: false })
    }

    /// The result of work, unless it takes too long.
    pub(super) async fn timed<T>(
        &self,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, DatabaseError> {
        let result = match tokio::time::timeout(QUERY_TIMEOUT, work).await {
            Ok(result) => result.map_err(DatabaseError::from),
            Err(_) => Err(DatabaseError::Away(format!("it did not respond within {} s", QUERY_TIMEOUT.as_secs()))),
        };
        self.note(result.as_ref().err());
        result
    }

    /// Remembers whether a contact succeeded.
    pub(super) fn note(&self, error: Option<&DatabaseError>) {
        let is_up = !matches!(error, Some(DatabaseError::Away(_)));
        if self.is_up.swap(is_up, Ordering::Relaxed) == is_up {
            return;
        }
        match error {
            Some(error) => tracing::error!("{error}: pages go on, but nothing can be changed until it is back"),
            None => tracing::info!("the database can be reached again"),
        }
    }
}

impl Connection<'_> {
    pub(super) fn client(&self) -> Result<&Object, DatabaseError> {
        self.object.as_ref().ok_or_else(|| DatabaseError::Away("its connection is closed".to_owned()))
    }

    pub(super) async fn query(&self, statement: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, DatabaseError> {
        self.database.queries.fetch_add(1, Ordering::Relaxed);
        let client = self.client()?;
        self.database.timed(client.query_typed(statement, parameters)).await
    }

    pub(super) async fn run(&self, statement: &str) -> Result<(), DatabaseError> {
        let client = self.client()?;
        self.database.timed(client.batch_execute(statement)).await
    }

    /// Gives the connection back.
    pub(super) fn done(mut self) {
        self.is_clean = true;
    }
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        // A transaction may be open: closing the connection ends it.
        if !self.is_clean
            && let Some(object) = self.object.take()
        {
            drop(Object::take(object));
        }
    }
}
