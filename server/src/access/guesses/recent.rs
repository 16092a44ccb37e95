//! What happened within the last minute.

use std::{collections::VecDeque, time::Duration};

use tokio::time::Instant;

/// How long something counts.
const WINDOW: Duration = Duration::from_secs(60);

/// More than these make no difference.
const MAX: usize = 32;

/// How often something happened within the last minute, up to a maximum.
#[derive(Debug, Default)]
pub(super) struct Recent(VecDeque<Instant>);

impl Recent {
    pub fn note(&mut self, now: Instant) {
        if self.count(now) >= MAX {
            self.0.pop_front();
        }
        self.0.push_back(now);
    }

    /// Forgets the latest.
    pub fn take_back(&mut self) {
        self.0.pop_back();
    }

    pub fn count(&mut self, now: Instant) -> usize {
        while self.0.front().is_some_and(|time| now.duration_since(*time) >= WINDOW) {
            self.0.pop_front();
        }
        self.0.len()
    }
}
