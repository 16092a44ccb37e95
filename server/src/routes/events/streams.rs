//! The number of event streams is limited, and all of them end when the server stops.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio_util::sync::CancellationToken;

use crate::platform::peers::person;

/// Maximum number of streams.
const MAX_STREAMS: usize = 1024;
/// Maximum number of streams of one client. Only visible tabs have one.
const MAX_PER_PERSON: usize = 64;

/// All open streams. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    open: Arc<Mutex<HashMap<Option<IpAddr>, usize>>>,
    end: CancellationToken,
}

/// The place of one stream; freed when it is dropped.
#[derive(Debug)]
pub struct StreamPermit {
    streams: Streams,
    client: Option<IpAddr>,
}

impl Streams {
    /// A place for a stream to a client; `None` if there are too many. Requests from this machine may come from many people.
    pub(super) fn admit(&self, client: Option<IpAddr>) -> Option<StreamPermit> {
        let client = client.map(person);
        let max = if client.is_none_or(|client| client.is_loopback()) { MAX_STREAMS } else { MAX_PER_PERSON };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.values().sum::<usize>() >= MAX_STREAMS || open.get(&client).is_some_and(|count| *count >= max) {
            return None;
        }
        *open.entry(client).or_default() += 1;
        Some(StreamPermit { streams: self.clone(), client })
    }

    /// Ends all streams, and any that would begin later, because the server stops.
    pub fn end(&self) {
        self.end.cancel();
    }

    /// Completes when the server stops.
    pub(super) fn ended(&self) -> CancellationToken {
        self.end.clone()
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_does_not_take_all_places() {
        let streams = Streams::default();
        let person = Some("198.51.100.7".parse().unwrap());
        let mut places: Vec<_> = std::iter::from_fn(|| streams.admit(person)).collect();
        assert_eq!(places.len(), MAX_PER_PERSON);
        assert!(streams.admit(Some("198.51.100.8".parse().unwrap())).is_some());
        places.pop();
        assert!(streams.admit(person).is_some());
        drop(places);
        let local = Some("127.0.0.1".parse().unwrap());
        let places: Vec<_> = std::iter::from_fn(|| streams.admit(local)).collect();
        assert_eq!((places.len(), streams.count()), (MAX_STREAMS, MAX_STREAMS));
        assert!(streams.admit(person).is_none());
        drop(places);
        assert_eq!(streams.count(), 0);
    }
}
