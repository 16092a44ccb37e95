//! The database that several servers share: PostgreSQL, named by `DATABASE_URL`. Without that variable, nothing of this runs.
//!
//! A server keeps in memory, and in a folder of its own, what it needs to show pages. The database has the files, who changed
//! them and what they contained before, and tells all servers about changes.

mod clock;
mod error;
mod files;
mod guesses;
mod lead;
mod listen;
mod migrations;
mod shared_icons;
mod sign_outs;
mod turns;

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

pub use self::{
    error::DatabaseError,
    files::{Contents, FileChange, NewRevision, StoredFile, StoredRevision, WrittenFile},
    guesses::{GUESSES, Guess},
    lead::Lead,
    listen::{COMPARE, Event},
    shared_icons::SharedIcon,
    turns::{Lease, News, Turn},
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
type Parameters<'a> = &'a [(&'a (dyn ToSql + Sync), Type)];

/// The database.
pub struct Database {
    pool: Pool,
    config: Config,
    tls: MakeRustlsConnect,
    /// Tells this server from the others.
    id: String,
    /// Whether the last contact succeeded.
    is_up: AtomicBool,
    /// Whether the connection that listens for changes is lost.
    is_cut: AtomicBool,
    queries: AtomicU64,
    /// When the clock of the database was last read, and its time in milliseconds since 1970.
    time: Mutex<Option<(Instant, i64)>>,
    /// How many leases this server holds.
    leases: Arc<AtomicUsize>,
    news: broadcast::Sender<News>,
}

/// Counts a lease until it is dropped.
#[derive(Debug)]
struct Held(Arc<AtomicUsize>);

impl Held {
    fn count(leases: &Arc<AtomicUsize>) -> Self {
        leases.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(leases))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Database").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A connection from the pool. It goes back only if nothing was left half done.
struct Connection<'a> {
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

    /// Connects, and creates or extends the tables if they are older than this program.
    ///
    /// # Errors
    ///
    /// The database cannot be reached, or this user may not create the tables.
    pub async fn prepare(&self) -> Result<(), DatabaseError> {
        let connection = self.connection().await?;
        migrations::run(&connection).await?;
        connection.done();
        Ok(())
    }

    /// The id that the database was given when its tables were created. Reads its clock, too.
    ///
    /// # Errors
    ///
    /// It cannot be reached.
    pub async fn identity(&self) -> Result<String, DatabaseError> {
        let connection = self.connection().await?;
        let asked = Instant::now();
        let rows = connection.query(&format!("select id, {} from portico.identity", clock::TIME), &[]).await?;
        connection.done();
        let row = rows.first().ok_or_else(|| DatabaseError::Failed("it has no identity".to_owned()))?;
        self.set_time(asked, row.get(1));
        Ok(row.get(0))
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
    async fn query(&self, statement: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, DatabaseError> {
        let connection = self.connection().await?;
        let rows = connection.query(statement, parameters).await?;
        connection.done();
        Ok(rows)
    }

    async fn connection(&self) -> Result<Connection<'_>, DatabaseError> {
        // Waiting for a connection that the listener has just failed to get would only delay the answer.
        if self.is_cut.load(Ordering::Relaxed) {
            return Err(DatabaseError::Away("the connection is lost".to_owned()));
        }
        let got = self.pool.get().await.map_err(DatabaseError::from);
        self.note(got.as_ref().err());
        Ok(Connection { object: Some(got?), database: self, is_clean: false })
    }

    /// The result of work, unless it takes too long.
    async fn timed<T>(&self, work: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, DatabaseError> {
        let result = match tokio::time::timeout(QUERY_TIMEOUT, work).await {
            Ok(result) => result.map_err(DatabaseError::from),
            Err(_) => Err(DatabaseError::Away(format!("it did not respond within {} s", QUERY_TIMEOUT.as_secs()))),
        };
        self.note(result.as_ref().err());
        result
    }

    /// Remembers whether a contact succeeded.
    fn note(&self, error: Option<&DatabaseError>) {
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
    fn client(&self) -> Result<&Object, DatabaseError> {
        self.object.as_ref().ok_or_else(|| DatabaseError::Away("its connection is closed".to_owned()))
    }

    async fn query(&self, statement: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, DatabaseError> {
        self.database.queries.fetch_add(1, Ordering::Relaxed);
        let client = self.client()?;
        self.database.timed(client.query_typed(statement, parameters)).await
    }

    async fn run(&self, statement: &str) -> Result<(), DatabaseError> {
        let client = self.client()?;
        self.database.timed(client.batch_execute(statement)).await
    }

    /// Gives the connection back.
    fn done(mut self) {
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
