//! Keeps slow work away from the threads that serve requests. Parsing external documents, and everything else that a
//! widget does between two requests, runs in a limited number of steps at once, so hostile documents can only slow down
//! each other. Rendering and compressing have separate permits.

use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::{Arc, LazyLock},
    task::{Context, Poll, Wake, Waker},
    thread::available_parallelism,
};

use tokio::{
    sync::{Notify, Semaphore},
    task::{JoinError, spawn_blocking},
};

use super::trace;

/// Maximum number of concurrent steps. Each may need a multiple of the size of the document that it parses.
const MAX_AT_ONCE: usize = 2;

static TURNS: Semaphore = Semaphore::const_new(MAX_AT_ONCE);

/// One computation per core: more would not finish sooner, and each needs memory while it runs. A Brotli encoder takes
/// megabytes, and a crowd may request a hundred panels within a second.
static CORES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, NonZero::get)));

/// How many results of computations may wait for the tasks that want them, or are being made. Each may be as large as a page, and
/// when many clients ask at once, tasks wait long for their turn.
const MAX_RESULTS: usize = 16;

static RESULTS: Semaphore = Semaphore::const_new(MAX_RESULTS);

/// Computes something of our own, such as a page or its compressed form, on a blocking thread.
///
/// # Errors
///
/// The computation panicked, or the server is shutting down.
pub async fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    // The semaphores are never closed, so there is always a permit.
    let _result = RESULTS.acquire().await;
    let turn = CORES.acquire().await;
    let context = trace::current();
    spawn_blocking(move || {
        let _turn = turn;
        trace::within_now(context, work)
    })
    .await
}

/// Wakes the task that waits for the next step.
struct Alarm(Notify);

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
}

/// Runs a future. Each step of it, from one await to the next, runs on a blocking thread; while it waits it holds
/// neither a thread nor a permit. A panic propagates to the awaiting task.
pub async fn run<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    let mut future = Box::pin(future);
    let alarm = Arc::new(Alarm(Notify::new()));
    loop {
        // The semaphore is never closed, so there is always a permit.
        let turn = TURNS.acquire().await;
        let waker = Waker::from(Arc::clone(&alarm));
        let step = spawn_blocking(move || {
            let outcome = future.as_mut().poll(&mut Context::from_waker(&waker));
            drop(turn);
            (future, outcome)
        });
        match step.await {
            Ok((_, Poll::Ready(value))) => return value,
            Ok((unfinished, Poll::Pending)) => future = unfinished,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                // The server is shutting down, and the result is not needed.
                Err(_) => return std::future::pending().await,
            },
        }
        alarm.0.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        thread,
        time::Duration,
    };

    use super::*;

    #[tokio::test]
    async fn no_more_is_computed_at_once_than_there_are_cores() {
        static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
        static MAX: AtomicUsize = AtomicUsize::new(0);
        let cores = available_parallelism().map_or(1, NonZero::get);
        let work = || {
            MAX.fetch_max(AT_ONCE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(10));
            AT_ONCE.fetch_sub(1, Ordering::SeqCst);
        };
        let all: Vec<_> = (0..4 * cores).map(|_| tokio::spawn(compute(work))).collect();
        for one in all {
            one.await.unwrap().unwrap();
        }
        assert!((1..=cores).contains(&MAX.load(Ordering::SeqCst)));
        assert!(compute(|| panic!("wanted by the test")).await.unwrap_err().is_panic());
        // A panic releases its permit.
        for number in 0..=cores {
            assert_eq!(compute(move || number).await.unwrap(), number);
        }
    }

    #[tokio::test]
    async fn steps_that_take_long_hold_up_nothing_else() {
        static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
        static MAX: AtomicUsize = AtomicUsize::new(0);
        let step = || async {
            MAX.fetch_max(AT_ONCE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(20));
            AT_ONCE.fetch_sub(1, Ordering::SeqCst);
        };
        let steps: Vec<_> = (0..10).map(|_| tokio::spawn(run(step()))).collect();
        // This runtime has one thread, which would be blocked.
        tokio::task::yield_now().await;
        assert!(!steps.iter().all(|step| step.is_finished()));
        for step in steps {
            step.await.unwrap();
        }
        assert!((1..=MAX_AT_ONCE).contains(&MAX.load(Ordering::SeqCst)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_waiting_guess_takes_no_turn() {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let waiting: Vec<_> = (0..10).map(|_| tokio::spawn(run(tokio::time::sleep(Duration::from_secs(5))))).collect();
        let last = tokio::spawn(run(receiver));
        run(async { sender.send(7).unwrap() }).await;
        assert_eq!(last.await.unwrap(), Ok(7));
        for waiting in waiting {
            waiting.await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_panic_reaches_all_waiters() {
        let error = tokio::spawn(run(async { panic!("wanted by the test") })).await.unwrap_err();
        assert!(error.is_panic());
        assert_eq!(run(async { 1 }).await, 1);
    }
}
