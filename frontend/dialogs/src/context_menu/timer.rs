//! The timer of a long press.

use std::cell::RefCell;

use leptos::leptos_dom::helpers::TimeoutHandle;

thread_local! {
    pub(super) static TIMER: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
}

/// Ends the press.
pub(super) fn release() {
    if let Some(timer) = TIMER.take() {
        timer.clear();
    }
}
