//! When people last signed out, for all servers.

use tokio_postgres::types::Type;

use super::{Database, DatabaseError};

impl Database {
    /// Ends the sessions of a person that began at or before a time in seconds since 1970.
    ///
    /// # Errors
    ///
    /// The database cannot be reached: other servers do not know of it yet.
    pub async fn sign_out(&self, person: &str, at: u64) -> Result<(), DatabaseError> {
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        let parameters = [(&person as _, Type::TEXT), (&at as _, Type::INT8), (&self.id as _, Type::TEXT)];
        self.query("select portico.sign_out($1, $2, $3)", &parameters).await.map(|_| ())
    }

    /// All people who have signed out, and when.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn sign_outs(&self) -> Result<Vec<(String, u64)>, DatabaseError> {
        let rows = self.query("select person, at from portico.sign_outs", &[]).await?;
        Ok(rows.iter().map(|row| (row.get(0), u64::try_from(row.get::<_, i64>(1)).unwrap_or_default())).collect())
    }
}
