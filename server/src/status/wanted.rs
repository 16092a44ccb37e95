//! What the watchers want.

use std::{sync::Arc, time::Duration};

use super::check::Check;

/// Equal checks within this time share one request (docs/spec/behavior.md 11.2).
pub const SHARED: Duration = Duration::from_secs(5);

/// A check, identified by a number that means nothing outside this process.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CheckId(pub(super) u64);

/// A check that someone wants to run regularly.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RegularCheck {
    /// Which check.
    pub id: CheckId,
    /// The request.
    pub check: Arc<Check>,
    /// Seconds between two checks; 0 means once per page load.
    pub interval: u32,
}

/// Why someone starts watching.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum WatchReason {
    /// A page was loaded, so everything on it that is older than its interval is checked.
    Load,
    /// A tab came back, or shows a changed page: only items without a result are checked ahead of their interval.
    Return,
}
