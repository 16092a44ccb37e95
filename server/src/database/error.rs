//! Why the database did not do something, in plain words.

use std::error::Error;

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

/// Why the database did not do something. The texts contain no password.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be reached, or takes no writes at the moment; it is tried again.
    #[error("the database cannot be used at the moment ({0})")]
    Away(String),
    /// Its disk is full.
    #[error("the disk of the database is full")]
    Full,
    /// It refused what was asked.
    #[error("the database reports an error: {0}")]
    Failed(String),
}

/// An error with its causes.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let more = cause.to_string();
        // Some errors repeat their cause.
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = cause.source();
    }
    text
}

impl From<tokio_postgres::Error> for DatabaseError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(code) = error.code() else { return Self::Away(chain(&error)) };
        let is_away = [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::TOO_MANY_CONNECTIONS,
            // A standby, which is not promoted yet.
            SqlState::READ_ONLY_SQL_TRANSACTION,
            SqlState::QUERY_CANCELED,
        ];
        match code {
            code if is_away.contains(code) => Self::Away(chain(&error)),
            code if *code == SqlState::DISK_FULL => Self::Full,
            _ => Self::Failed(chain(&error)),
        }
    }
}

impl From<PoolError> for DatabaseError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(_) => Self::Away("it did not respond in time".to_owned()),
            error => Self::Away(chain(&error)),
        }
    }
}
