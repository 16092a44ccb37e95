//! Work that exactly one server does for as long as it can, such as sending alerts.

use tokio::{task::JoinHandle, time::sleep};
use tokio_postgres::Client;

use super::{
    Database, DatabaseError,
    listen::{FIRST_WAIT, LONGEST_WAIT, jittered},
    turns::Held,
};

/// The database waits for nobody: it ends the connection of a machine that is gone within seven seconds, and with it the lock.
const QUICK_END: &str = "set tcp_keepalives_idle = 3; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2;
    set tcp_user_timeout = 7000; set statement_timeout = 0; set idle_session_timeout = 0;";

/// This server does the work for all.
#[derive(Debug)]
pub struct Lead {
    /// Holds the lock as long as it is connected.
    _client: Client,
    connection: JoinHandle<()>,
    _held: Held,
}

impl Lead {
    /// Waits until another server may do the work.
    pub async fn lost(self) {
        _ = self.connection.await;
    }
}

impl Database {
    /// Waits until this server is the one that does some work. Waiting costs no query: the database gives the lock to the next
    /// server as soon as the connection of the one before ends.
    pub async fn lead(&self, work: &str) -> Lead {
        let mut wait = FIRST_WAIT;
        loop {
            match self.try_lead(work).await {
                Ok(lead) => return lead,
                Err(error) => tracing::debug!("waiting for the turn to do `{work}`: {error}"),
            }
            sleep(jittered(wait)).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    async fn try_lead(&self, work: &str) -> Result<Lead, DatabaseError> {
        let (client, connection) = self.config.connect(self.tls.clone()).await?;
        let connection = tokio::spawn(async move { _ = connection.await });
        client.batch_execute(QUICK_END).await?;
        client.batch_execute(&format!("select pg_advisory_lock(hashtextextended('portico {work}', 0))")).await?;
        Ok(Lead { _client: client, connection, _held: Held::count(&self.leases) })
    }
}
