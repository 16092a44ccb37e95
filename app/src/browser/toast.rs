//! Short messages.

use std::time::Duration;

use leptos::prelude::*;

use crate::page::PageState;

/// How long a toast stays.
const TOAST_TIME: Duration = Duration::from_secs(4);

/// Shows a message for a while.
pub(crate) fn toast(state: PageState, text: String) {
    state.toast.set(Some(text.clone()));
    set_timeout(
        move || {
            if state.toast.with_untracked(|shown| shown.as_ref() == Some(&text)) {
                state.toast.set(None);
            }
        },
        TOAST_TIME,
    );
}
