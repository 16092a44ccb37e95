//! The database that several servers share: PostgreSQL, named by `DATABASE_URL`. Without that variable, nothing of this runs.
//!
//! A server keeps in memory, and in a folder of its own, what it needs to show pages. The database has the files, who changed
//! them and what they contained before, and tells all servers about changes.

mod client;
mod clock;
mod error;
mod files;
mod guesses;
mod lead;
mod listen;
mod migrations;
mod news;
mod shared_icons;
mod sign_outs;
mod turns;

use std::time::Instant;

use self::client::Connection;
pub use self::{
    client::Database,
    error::DatabaseError,
    files::{Contents, FileChange, NewRevision, StoredFile, StoredRevision, WrittenFile},
    guesses::{GUESSES, Guess},
    lead::Lead,
    listen::{COMPARE, Event},
    news::News,
    shared_icons::SharedIcon,
    turns::{Lease, Turn},
};

impl Database {
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
}
