//! Threads of their own for outgoing requests. A service that sends faster than its answer can be read, such as one
//! informational response (RFC 9110, section 15.2) after another, keeps the thread busy that reads it. Here it slows down
//! other outgoing requests at most, never the dashboard.

use std::{io, panic::resume_unwind, sync::OnceLock};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::task::AbortOnDropHandle;

/// Two, so that one busy service leaves a thread to the others.
const THREADS: usize = 2;

/// The runtime of the process that all outgoing requests run on. It lives as long as the process does.
///
/// # Errors
///
/// If the system gives no further threads.
pub fn dedicated() -> io::Result<Handle> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime.handle().clone());
    }
    let runtime =
        Builder::new_multi_thread().worker_threads(THREADS).thread_name("http_client").enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| runtime).handle().clone())
}

/// Runs a future as a task on this runtime, or on the current one if there is none. Dropping the returned future ends the
/// task; a panic continues in the task that waits.
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
            // The runtime stops, and so do all that wait.
            Err(_) => std::future::pending().await,
        },
    }
}
