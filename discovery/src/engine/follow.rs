//! Follows an engine by its events: one list at the start, then only what has changed.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::client::{Engine, EngineError};
use crate::resource::{Malformed, Resource};

/// How long events are collected before the changed containers are listed: a container's start causes several.
const SETTLE: Duration = Duration::from_millis(150);
/// The longest time for which a steady flow of events delays the list.
const MAX_SETTLE: Duration = Duration::from_millis(600);
/// The waits after a lost stream: from the first, doubled up to the longest.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// A stream that lasted so long has worked. Proxies end streams after some minutes, which is no failure.
const STEADY: Duration = Duration::from_secs(30);
/// Maximum length of an event in bytes.
const MAX_EVENT: usize = 1024 * 1024;
/// With more changed containers than this, all are listed.
const MAX_CHANGED: usize = 50;

/// Something new about an engine.
#[derive(Debug)]
pub enum Change {
    /// What there is now; the complete list.
    Listed(Vec<Result<Resource, Malformed>>),
    /// The connection is lost or refused; what was listed last may be outdated. It is tried again after this time.
    Lost(EngineError, Duration),
}

/// The list, by id; malformed elements count by their names.
type Listed = BTreeMap<String, Result<Resource, Malformed>>;

/// Follows an engine until `changed` returns `false`. It gets a list at first and after every change, and learns when
/// the connection is lost. While nothing happens, nothing is sent.
pub async fn follow(engine: &Engine, mut changed: impl FnMut(Change) -> bool) {
    let mut wait = FIRST_WAIT;
    loop {
        let started = Instant::now();
        let error = match follow_once(engine, &mut changed).await {
            Ok(()) => return,
            Err(error) => error,
        };
        if started.elapsed() >= STEADY {
            wait = FIRST_WAIT;
        }
        if !changed(Change::Lost(error, wait)) {
            return;
        }
        sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// Lists, and follows one stream to its end. Returns `Ok` if nothing more is wanted.
async fn follow_once(engine: &Engine, changed: &mut impl FnMut(Change) -> bool) -> Result<(), EngineError> {
    // The stream is opened before the list, so that no change falls between them. Without it the list is still worth having.
    let stream = engine.events().await;
    let mut listed = by_id(engine.list().await?);
    if !changed(Change::Listed(listed.values().cloned().collect())) {
        return Ok(());
    }
    let mut events = Events { stream: stream?, buffer: Vec::new(), scanned: 0 };
    loop {
        let mut ids = BTreeSet::new();
        let first = events.next(engine).await?;
        ids.insert(first);
        let latest = Instant::now() + MAX_SETTLE;
        loop {
            let end = (Instant::now() + SETTLE).min(latest);
            match timeout_at(end, events.next(engine)).await {
                Ok(id) => _ = ids.insert(id?),
                Err(_) => break,
            }
        }
        let known: Option<Vec<String>> = ids.into_iter().collect();
        match known.filter(|ids| ids.len() <= MAX_CHANGED) {
            Some(ids) => {
                let now = by_id(engine.list_only(&ids).await?);
                for id in &ids {
                    listed.remove(id);
                }
                listed.extend(now);
            }
            None => listed = by_id(engine.list().await?),
        }
        if !changed(Change::Listed(listed.values().cloned().collect())) {
            return Ok(());
        }
    }
}

fn by_id(list: Vec<Result<Resource, Malformed>>) -> Listed {
    let id = |element: &Result<Resource, Malformed>| match element {
        Ok(resource) => resource.id.clone(),
        Err(malformed) => malformed.name.clone(),
    };
    list.into_iter().map(|element| (id(&element), element)).collect()
}

/// A stream of JSON objects, one after the other; Docker puts each on a line.
struct Events {
    stream: reqwest::Response,
    buffer: Vec<u8>,
    /// How much of the buffer has no end of a line.
    scanned: usize,
}

impl Events {
    /// The id of the next changed container; `None` if the event does not say which. Cancel safe: what has arrived stays in the
    /// buffer.
    async fn next(&mut self, engine: &Engine) -> Result<Option<String>, EngineError> {
        let unreadable = |reason: &str| EngineError::Unreadable { path: "/events", reason: reason.to_owned() };
        loop {
            while let Some(length) = self.buffer[self.scanned..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=self.scanned + length).collect();
                self.scanned = 0;
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let event: Value =
                    serde_json::from_slice(&line).map_err(|_| unreadable("has a line that is not JSON"))?;
                return Ok(id_of(&event));
            }
            self.scanned = self.buffer.len();
            if self.scanned > MAX_EVENT {
                return Err(unreadable("has an event that is too long"));
            }
            match self.stream.chunk().await.map_err(|error| engine.unreachable(&error))? {
                Some(piece) => self.buffer.extend_from_slice(&piece),
                None => return Err(EngineError::Unreachable("the stream of events has ended".to_owned())),
            }
        }
    }
}

fn id_of(event: &Value) -> Option<String> {
    let id = event.pointer("/Actor/ID").or_else(|| event.get("id"))?;
    id.as_str().filter(|id| !id.is_empty() && id.len() <= 128).map(str::to_owned)
}
