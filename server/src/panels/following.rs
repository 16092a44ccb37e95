//! Streams of services that say when there is something new, so that a panel is refreshed at once. A stream is open while
//! a page with its widget is, and all pages share it.

use std::{
    collections::HashMap,
    hash::{BuildHasher as _, RandomState},
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    sync::{mpsc, watch},
    task::AbortHandle,
    time::{Instant, sleep, sleep_until, timeout},
};
use widgets::{Kind, Request, ViewerHints};

use super::{
    context::{ServerContext, WidgetMemory},
    panel_cache::PanelCache,
    panel_entry::MIN_LIFE,
    plans::{PanelKey, PlannedWidget},
};
use crate::http_client::{HttpClient, HttpRequest};

/// Maximum number of open streams. Further widgets refresh at their interval only.
const MAX_STREAMS: usize = 64;
/// How long a stream may say nothing. Services send something more often, so that both sides notice a lost connection.
const MAX_SILENCE: Duration = Duration::from_secs(180);
/// When a stream is opened anew, whatever happens.
const MAX_AGE: Duration = Duration::from_secs(6 * 60 * 60);
/// Maximum number of bytes of a stream, until it is opened anew.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// Longer lines count as news unread.
const MAX_LINE: usize = 64 * 1024;
/// The first wait before a stream is opened again, and the longest. Each is followed by a random one of up to its length.
const WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(120));
/// A stream that lasted so long was no failure.
const STEADY: Duration = Duration::from_secs(30);
/// How long to wait for a lookup that began before the news.
const LOOKUP_LIMIT: Duration = Duration::from_secs(60);

/// All open streams. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Following(pub(super) Arc<Inner>);

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) open: Mutex<HashMap<PanelKey, Weak<Followed>>>,
    /// Changes whenever a panel is outdated.
    pub(super) changes: watch::Sender<u64>,
}

/// A stream that is open as long as this is held.
#[derive(Debug)]
pub struct Followed {
    pub(super) news: Arc<AtomicU64>,
    pub(super) task: AbortHandle,
}

impl Followed {
    /// How often the panel was outdated.
    pub fn news(&self) -> u64 {
        self.news.load(Ordering::Relaxed)
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Following {
    /// Announces that some panels are outdated.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    /// The stream for a widget; `None` if it has none.
    pub(super) fn follow(
        &self,
        planned: &Arc<PlannedWidget>,
        http_client: &HttpClient,
        cache: &Arc<PanelCache>,
    ) -> Option<Arc<Followed>> {
        let request = planned.follow.clone().filter(|_| planned.recording.is_none())?;
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(followed) = open.get(&planned.key).and_then(Weak::upgrade) {
            return Some(followed);
        }
        open.retain(|_, followed| followed.strong_count() > 0);
        if open.len() >= MAX_STREAMS {
            return None;
        }
        let news = Arc::<AtomicU64>::default();
        let reader = Reader {
            kind: planned.kind?,
            planned: Arc::clone(planned),
            cache: Arc::clone(cache),
            news: Arc::clone(&news),
            all: Arc::downgrade(&self.0),
            line: Vec::new(),
        };
        let task = tokio::spawn(reader.run(request, http_client.clone())).abort_handle();
        let followed = Arc::new(Followed { news, task });
        open.insert(planned.key, Arc::downgrade(&followed));
        Some(followed)
    }
}

/// Reads the stream for one widget.
struct Reader {
    kind: Kind,
    planned: Arc<PlannedWidget>,
    cache: Arc<PanelCache>,
    news: Arc<AtomicU64>,
    all: Weak<Inner>,
    /// What has arrived of a line.
    line: Vec<u8>,
}

impl Reader {
    /// Keeps the stream open.
    async fn run(mut self, request: Request, http_client: HttpClient) {
        let context = ServerContext::new(
            http_client.clone(),
            WidgetMemory::default(),
            &self.planned.entry,
            ViewerHints::default(),
        );
        let random = RandomState::new();
        let mut wait = WAIT.0;
        for number in 0_u64.. {
            let (sender, pieces) = mpsc::channel(1);
            let outgoing = HttpRequest {
                timeout: MAX_AGE,
                max_bytes: MAX_BYTES,
                pieces: Some(sender),
                ..context.outgoing(request.clone())
            };
            let began = Instant::now();
            self.line.clear();
            self.read(&http_client, outgoing, pieces).await;
            if began.elapsed() >= STEADY {
                wait = WAIT.0;
            }
            tracing::debug!(widget = self.kind.name(), "a stream of news has ended");
            // At most two minutes.
            let millis = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            sleep(wait + Duration::from_millis(random.hash_one(number) % millis)).await;
            wait = (wait * 2).min(WAIT.1);
        }
    }

    /// Reads one stream to its end.
    async fn read(&mut self, http_client: &HttpClient, request: HttpRequest, mut pieces: mpsc::Receiver<Bytes>) {
        let mut exchange = pin!(http_client.send(request));
        loop {
            let piece = tokio::select! {
                biased;
                piece = timeout(MAX_SILENCE, pieces.recv()) => piece.ok().flatten(),
                _ = exchange.as_mut() => None,
            };
            let Some(piece) = piece else { return };
            if self.has_news(&piece) {
                self.announce().await;
            }
        }
    }

    /// Whether a piece of the stream completes a line with news.
    fn has_news(&mut self, piece: &[u8]) -> bool {
        let mut has_news = false;
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let room = (MAX_LINE + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                let line = String::from_utf8_lossy(&self.line);
                let line = line.trim();
                has_news |= self.line.len() > MAX_LINE || (!line.is_empty() && self.kind.is_news(line));
                self.line.clear();
            }
        }
        has_news
    }

    /// Marks the panel as outdated, and tells the open pages when it can be refreshed.
    async fn announce(&self) {
        let entry = self.cache.get(&self.planned.key);
        let mut ended = entry.ended();
        if entry.known().refreshing {
            // That lookup may have begun before the news.
            _ = timeout(LOOKUP_LIMIT, ended.changed()).await;
        }
        // Several messages at once cost one lookup.
        sleep_until(entry.outdate().max(Instant::now() + MIN_LIFE / 10)).await;
        self.news.fetch_add(1, Ordering::Relaxed);
        if let Some(all) = self.all.upgrade() {
            all.changes.send_modify(|changes| *changes += 1);
        }
    }
}
