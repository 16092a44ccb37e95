//! Separate threads for outgoing requests. A service that sends data faster than it can be read, such as an endless
//! series of informational responses (RFC 9110, section 15.2), keeps the reading thread busy. Here it slows down at
//! most other outgoing requests, never the dashboard.

use std::{io, panic::resume_unwind, sync::OnceLock};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::task::AbortOnDropHandle;

/// Two, so that one busy service leaves a thread for the others.
const THREADS: usize = 2;

/// The process-wide runtime of all outgoing requests. It lives as long as the process does.
///
/// # Errors
///
/// The system provides no more threads.
pub fn dedicated() -> io::Result<Handle> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime.handle().clone());
    }
    let runtime =
        Builder::new_multi_thread().worker_threads(THREADS).thread_name("http_client").enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| runtime).handle().clone())
}

/// Runs a future as a task on this runtime, or on the current one if there is none. Dropping the returned future
/// cancels the task; a panic propagates to the awaiting task.
pub(super) async fn run<T: Send + 'static>(
    runtime: Option<&Handle>,
    future: impl Future<Output = T> + Send + 'static,
) -> T {
    let task = match runtime {
        Some(runtime) => runtime.spawn(future),
        None => tokio::spawn(future),
    };
    match AbortOnDropHandle::new(task).await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime is shutting down, and so is everything that waits for it.
            Err(_) => std::future::pending().await,
        },
    }
}
