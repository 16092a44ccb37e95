//! Time limits in the browser, and cancelling requests whose responses are no longer needed.

use std::{pin::pin, time::Duration};

use futures_util::future::{Either, select};
use js_sys::Promise;
use leptos::prelude::window;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal};

/// The result of a future; `None` if it takes too long. Dropping the future cancels its requests.
pub(crate) async fn with_timeout<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    let timer = Promise::new(&mut |resolve, _| {
        let limit = i32::try_from(limit.as_millis()).unwrap_or(i32::MAX);
        _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, limit);
    });
    match select(pin!(future), JsFuture::from(timer)).await {
        Either::Left((outcome, _)) => Some(outcome),
        Either::Right(_) => None,
    }
}

/// Cancels a request when it is dropped.
pub(crate) struct AbortOnDrop(AbortController);

impl AbortOnDrop {
    /// `None` in a browser that cannot cancel requests.
    pub(crate) fn new() -> Option<Self> {
        AbortController::new().ok().map(Self)
    }

    /// The signal to pass to the request.
    pub(crate) fn signal(&self) -> AbortSignal {
        self.0.signal()
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
