//! Follows what other servers change. PostgreSQL announces each change (`NOTIFY`); after every new connection, everything is
//! compared, so that nothing is missed. Where announcements do not arrive, such as behind a pooler, it is compared each second.

use std::{
    future::poll_fn,
    hash::{BuildHasher as _, RandomState},
    sync::{Arc, Weak, atomic::Ordering},
    time::Duration,
};

use tokio::{
    sync::mpsc,
    time::{Instant, timeout, timeout_at},
};
use tokio_postgres::{AsyncMessage, SimpleQueryMessage};

use super::{Database, DatabaseError, News, clock::TIME, guesses::GUESSES};

/// The first wait before connecting again, and the longest.
pub(super) const FIRST_WAIT: Duration = Duration::from_millis(200);
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Time between two tests whether announcements still arrive.
const TEST_INTERVAL: Duration = Duration::from_secs(60);
/// How long a test may take.
const TEST_TIME: Duration = Duration::from_secs(5);
/// Time between two comparisons where announcements do not arrive.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The key of the news that anything may have changed.
pub const COMPARE: &str = "compare";

/// What the listener finds out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Event {
    /// Anything may have changed: compare everything.
    Compare,
    /// A file has this revision now.
    File {
        /// Its name.
        name: String,
        /// Its revision.
        revision: i64,
    },
}

impl Database {
    /// Sends events for as long as the receiver and the database exist.
    pub fn listen(self: &Arc<Self>) -> mpsc::Receiver<Event> {
        let (sender, receiver) = mpsc::channel(1024);
        tokio::spawn(listen(Arc::downgrade(self), sender));
        receiver
    }

    /// Listens until the connection is lost.
    async fn listen_once(&self, events: &mpsc::Sender<Event>) -> Result<(), DatabaseError> {
        let (client, mut connection) = self.config.connect(self.tls.clone()).await?;
        let (sender, mut announced) = mpsc::unbounded_channel();
        // Ends when the client is dropped, or the connection is lost.
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(notification) = message {
                    _ = sender.send(notification.payload().to_owned());
                }
            }
        });
        client.batch_execute("listen portico").await?;
        self.is_cut.store(false, Ordering::Relaxed);
        self.note(None);
        if !self.compare(events).await {
            return Ok(());
        }
        let hello = format!("hello {}", self.id);
        let mut test = Instant::now();
        // When the announcement of the current test must have arrived.
        let mut deadline = None;
        let mut is_deaf = false;
        loop {
            if test <= Instant::now() {
                let (asked, announce) =
                    (std::time::Instant::now(), format!("select {TIME}, pg_notify('portico', '{hello}')"));
                let answer = timeout(TEST_TIME, client.simple_query(&announce))
                    .await
                    .map_err(|_| DatabaseError::Away("it did not respond in time".to_owned()))??;
                let time = answer.iter().find_map(|message| match message {
                    SimpleQueryMessage::Row(row) => row.get(0)?.parse().ok(),
                    _ => None,
                });
                if let Some(time) = time {
                    self.set_time(asked, time);
                }
                self.queries.fetch_add(1, Ordering::Relaxed);
                self.note(None);
                deadline = Some(Instant::now() + TEST_TIME);
                test = Instant::now() + TEST_INTERVAL;
            }
            let next = if is_deaf { Instant::now() + POLL_INTERVAL } else { deadline.unwrap_or(test) };
            let received = tokio::select! {
                () = events.closed() => return Ok(()),
                received = timeout_at(next, announced.recv()) => received,
            };
            let Ok(message) = received else {
                is_deaf = is_deaf || deadline.is_some();
                deadline = None;
                if is_deaf && !self.compare(events).await {
                    return Ok(());
                }
                continue;
            };
            let Some(message) = message else {
                return Err(DatabaseError::Away("the connection is lost".to_owned()));
            };
            if message == hello {
                (is_deaf, deadline) = (false, None);
            } else if let Some(event) = self.event(&message)
                && events.send(event).await.is_err()
            {
                return Ok(());
            }
        }
    }

    /// The event that a message announces; `None` for one that is ours, or of a later version.
    fn event(&self, message: &str) -> Option<Event> {
        let (kind, rest) = message.split_once(' ')?;
        let (origin, rest) = rest.split_once(' ')?;
        match kind {
            "file" if origin != self.id => {
                let (revision, name) = rest.split_once(' ')?;
                Some(Event::File { name: name.to_owned(), revision: revision.parse().ok()? })
            }
            // Ours too: a waiting lookup of another path prefix may want it.
            "state" => {
                let (key, value) = rest.split_once(' ')?;
                let value = Some(value).filter(|value| !value.is_empty() && origin != self.id);
                // Without a receiver there is nothing to tell.
                _ = self.news.send(News { key: key.into(), value: value.map(Into::into) });
                None
            }
            "guess" if origin != self.id => {
                _ = self.news.send(News { key: GUESSES.into(), value: Some(rest.into()) });
                None
            }
            "sign-out" if origin != self.id => {
                let (person, at) = rest.split_once(' ')?;
                let key = format!("sign-out/{person}").into();
                _ = self.news.send(News { key, value: Some(at.into()) });
                None
            }
            _ => None,
        }
    }

    /// Tells everyone to compare what they know with the database.
    async fn compare(&self, events: &mpsc::Sender<Event>) -> bool {
        _ = self.news.send(News { key: COMPARE.into(), value: None });
        events.send(Event::Compare).await.is_ok()
    }
}

async fn listen(database: Weak<Database>, events: mpsc::Sender<Event>) {
    let mut wait = FIRST_WAIT;
    while let Some(database) = database.upgrade() {
        let began = Instant::now();
        match database.listen_once(&events).await {
            Ok(()) => return,
            Err(error) => {
                database.is_cut.store(true, Ordering::Relaxed);
                let error = DatabaseError::Away(error.to_string());
                database.note(Some(&error));
            }
        }
        drop(database);
        if events.is_closed() {
            return;
        }
        if began.elapsed() > LONGEST_WAIT * 2 {
            wait = FIRST_WAIT;
        }
        tokio::time::sleep(jittered(wait)).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// Between a half and the whole of a time, so that servers do not all come back at once.
pub(super) fn jittered(wait: Duration) -> Duration {
    let random = RandomState::new().hash_one(0) % 1000;
    wait / 2 + wait / 2 * u32::try_from(random).unwrap_or_default() / 1000
}
