//! The time of day, passed in so that tests can set it.

use std::{
    fmt::Debug,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use crate::database::Database;

/// Tells the time of day.
pub trait TimeSource: Debug + Send + Sync {
    /// Whole seconds since 1970.
    fn now(&self) -> u64;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl TimeSource for SystemClock {
    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }
}

/// The clock of the database that several servers share, so that a sign-out at one ends what began before it at another.
#[derive(Debug)]
pub struct DatabaseClock {
    own: Arc<dyn TimeSource>,
    database: Arc<Database>,
}

impl DatabaseClock {
    /// Corrects a clock by that of the database.
    pub fn over(own: Arc<dyn TimeSource>, database: &Arc<Database>) -> Arc<dyn TimeSource> {
        Arc::new(Self { own, database: Arc::clone(database) })
    }
}

impl TimeSource for DatabaseClock {
    fn now(&self) -> u64 {
        self.own.now().saturating_add_signed(self.database.ahead() / 1000)
    }
}
