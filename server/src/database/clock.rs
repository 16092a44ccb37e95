//! The clock of the database, which counts for all servers: their own may be wrong.

use std::{
    sync::PoisonError,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use super::Database;

/// The time in milliseconds since 1970, as a column.
pub(super) const TIME: &str = "(extract(epoch from clock_timestamp()) * 1000)::int8";

impl Database {
    /// How far the clock of the database is ahead of that of this server, in milliseconds; 0 until it was read.
    pub fn ahead(&self) -> i64 {
        let Some((read, time)) = *self.time.lock().unwrap_or_else(PoisonError::into_inner) else { return 0 };
        // The clock of this server may have been set since; the time that has passed is known all the same.
        let theirs = time.saturating_add(millis(read.elapsed().as_millis()));
        theirs - millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis())
    }

    /// Remembers the time that the database has told, in milliseconds since 1970.
    pub(super) fn set_time(&self, asked: Instant, time: i64) {
        let way = asked.elapsed() / 2;
        let read = (asked + way, time);
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
    }
}

fn millis(time: u128) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}
