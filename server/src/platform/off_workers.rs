//! Work that may take long, kept away from the threads that serve requests: reading documents of others, and whatever
//! else a widget does between two requests. Few such steps run at once, so hostile documents can slow down each other
//! and nothing else.

use std::{
    panic::resume_unwind,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

use tokio::{
    sync::{Notify, Semaphore},
    task::spawn_blocking,
};

/// Most steps at once. Each may need a multiple of the size of the document that it reads.
const MAX_AT_ONCE: usize = 2;

static TURNS: Semaphore = Semaphore::const_new(MAX_AT_ONCE);

/// Wakes the task that waits for the next step.
struct Alarm(Notify);

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
}

/// Runs a future. Each step of it, from one wait to the next, runs on a thread for blocking work; while it waits it holds
/// no thread and no turn. A panic continues in the task that waits.
pub async fn run<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    let mut future = Box::pin(future);
    let alarm = Arc::new(Alarm(Notify::new()));
    loop {
        // The semaphore is never closed, so there is always a turn.
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
                // The server stops: nobody waits any more.
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
    async fn steps_that_take_long_hold_up_nothing_else() {
        static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
        static MAX: AtomicUsize = AtomicUsize::new(0);
        let step = || async {
            MAX.fetch_max(AT_ONCE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(20));
            AT_ONCE.fetch_sub(1, Ordering::SeqCst);
        };
        let steps: Vec<_> = (0..10).map(|_| tokio::spawn(run(step()))).collect();
        // This runtime has one thread, which would be asleep.
        tokio::task::yield_now().await;
        assert!(!steps.iter().all(|step| step.is_finished()));
        for step in steps {
            step.await.unwrap();
        }
        assert!((1..=MAX_AT_ONCE).contains(&MAX.load(Ordering::SeqCst)));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_has_no_turn() {
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
    async fn a_panic_reaches_whoever_waits() {
        let error = tokio::spawn(run(async { panic!("wanted by the test") })).await.unwrap_err();
        assert!(error.is_panic());
        assert_eq!(run(async { 1 }).await, 1);
    }
}
