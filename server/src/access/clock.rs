//! The time of day, passed in so that tests can set it.

use std::{
    fmt::Debug,
    time::{SystemTime, UNIX_EPOCH},
};

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
