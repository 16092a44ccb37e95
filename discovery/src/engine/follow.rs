//! Follows an engine by its events: one list at the start, then only what has changed.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::client::{Engine, EngineError};
use crate::{
    change::{Change, Listing},
    http::JsonLines,
    resource::{Malformed, Resource},
};

/// How long events are collected before the changed containers are listed: a container's start causes several.
const SETTLE: Duration = Duration::from_millis(150);
/// The longest time for which a steady flow of events delays the list.
const MAX_SETTLE: Duration = Duration::from_millis(600);
/// The waits after a lost stream: from the first, doubled up to the longest.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// A stream that lasted so long has worked. Proxies end streams after some minutes, which is no failure.
const STEADY: Duration = Duration::from_secs(30);
/// With more changed containers than this, all are listed.
const MAX_CHANGED: usize = 50;
/// How often the services of a Swarm are listed. Docker has no events about their tasks, so nothing else tells that one has
/// failed or has become ready.
const TASKS_PERIOD: Duration = Duration::from_secs(15);

/// The list, by id; malformed elements count by their names.
type Listed = BTreeMap<String, Result<Resource, Malformed>>;

/// Follows an engine until `changed` returns `false`. It gets a list at first and after every change, and learns when
/// the connection is lost. While nothing happens, nothing is sent, except to a Swarm.
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
        if !changed(Change::Lost(error.to_string(), wait)) {
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
    if !changed(listing(&listed)) {
        return Ok(());
    }
    let mut lines = JsonLines::new(stream?);
    let mut next = async || lines.next().await.map_err(|error| engine.broken("/events", error));
    let mut next_list = Instant::now() + TASKS_PERIOD;
    loop {
        let mut ids = BTreeSet::new();
        let has_tasks = engine.is_swarm() && listed.values().flatten().any(|service| service.container_state.is_some());
        let first = if has_tasks { timeout_at(next_list, next()).await.ok() } else { Some(next().await) };
        // Without an event, nothing says which services have changed.
        ids.insert(first.transpose()?.as_ref().and_then(id_of));
        let latest = Instant::now() + MAX_SETTLE;
        loop {
            let end = (Instant::now() + SETTLE).min(latest);
            match timeout_at(end, next()).await {
                Ok(event) => _ = ids.insert(id_of(&event?)),
                Err(_) => break,
            }
        }
        let known: Option<Vec<String>> = ids.into_iter().collect();
        let now: Listed = match known.filter(|ids| ids.len() <= MAX_CHANGED) {
            Some(ids) => {
                let some = by_id(engine.list_only(&ids).await?);
                let others = listed.iter().filter(|(id, _)| !ids.contains(id));
                others.map(|(id, element)| (id.clone(), element.clone())).chain(some).collect()
            }
            None => {
                next_list = Instant::now() + TASKS_PERIOD;
                by_id(engine.list().await?)
            }
        };
        if now != listed {
            listed = now;
            if !changed(listing(&listed)) {
                return Ok(());
            }
        }
    }
}

fn listing(listed: &Listed) -> Change {
    Change::Listed(Listing { resources: listed.values().cloned().collect(), missing: Vec::new() })
}

fn by_id(list: Vec<Result<Resource, Malformed>>) -> Listed {
    let id = |element: &Result<Resource, Malformed>| match element {
        Ok(resource) => resource.id.clone(),
        Err(malformed) => malformed.name.clone(),
    };
    list.into_iter().map(|element| (id(&element), element)).collect()
}

/// The id of the changed container; `None` if the event does not say which.
fn id_of(event: &Value) -> Option<String> {
    let id = event.pointer("/Actor/ID").or_else(|| event.get("id"))?;
    id.as_str().filter(|id| !id.is_empty() && id.len() <= 128).map(str::to_owned)
}
