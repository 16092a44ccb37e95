//! Work that may panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message for viewers after a panic.
pub const FAILED: &str = "This widget failed. The log of the server says more.";

/// The result of `work`; `None` if it panics. For the parts of a widget that need no lookup.
pub fn isolated<T>(work: impl FnOnce() -> T) -> Option<T> {
    // Widgets keep no state between two calls, so a panic leaves nothing half done.
    catch_unwind(AssertUnwindSafe(work)).ok()
}
