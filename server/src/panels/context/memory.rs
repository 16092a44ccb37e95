//! What widgets remember between lookups: sessions and daily data, shared by all of them.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use serde_json::Value;
use tokio::time::Instant;
use widgets::Request;

use crate::panels::PanelKey;

/// Maximum number of remembered values; more are not stored.
const MAX: usize = 1024;

/// The values that widgets remember. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct WidgetMemory(Arc<Mutex<Remembered>>);

#[derive(Debug, Default)]
struct Remembered {
    values: HashMap<String, RememberedValue>,
    /// Held by the task that creates a value, while others wait for it.
    makers: HashMap<String, Weak<tokio::sync::Mutex<()>>>,
    /// The panels that exist; `None` until they are set, and then all panels count.
    panels: Option<HashSet<PanelKey>>,
}

/// One value. Never printed, because it may be a session.
struct RememberedValue {
    value: Value,
    until: Instant,
    /// The panels that have used it.
    owners: HashSet<PanelKey>,
    /// The request to send once no panel needs it, and whether to accept any certificate for it.
    logout_request: Option<(Request, bool)>,
}

impl fmt::Debug for RememberedValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl WidgetMemory {
    fn with<T>(&self, change: impl FnOnce(&mut Remembered) -> T) -> T {
        let mut remembered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut remembered)
    }

    /// The value remembered under a key, for a panel.
    pub(super) fn get(&self, key: &str, owner: &PanelKey) -> Option<Value> {
        self.with(|remembered| {
            let kept = remembered.values.get_mut(key).filter(|kept| kept.until > Instant::now())?;
            kept.owners.insert(*owner);
            Some(kept.value.clone())
        })
    }

    /// Remembers a value for a panel. If the value is there already, its other panels are kept, and so is its
    /// logout_request if that is the same.
    pub(super) fn keep(&self, key: &str, owner: &PanelKey, value: Value, life: Duration) {
        let now = Instant::now();
        self.with(|remembered| {
            remembered.values.retain(|_, kept| kept.until > now);
            let mut before = remembered.values.remove(key);
            if remembered.values.len() >= MAX {
                return;
            }
            let logout_request =
                before.as_mut().filter(|before| before.value == value).and_then(|kept| kept.logout_request.take());
            let mut owners = before.map(|before| before.owners).unwrap_or_default();
            owners.insert(*owner);
            remembered
                .values
                .insert(key.to_owned(), RememberedValue { value, until: now + life, owners, logout_request });
        });
    }

    /// Forgets a value if it is this one.
    pub(super) fn drop_if(&self, key: &str, value: Option<&Value>) {
        self.with(|remembered| {
            if remembered.values.get(key).is_some_and(|kept| Some(&kept.value) == value) {
                remembered.values.remove(key);
            }
        });
    }

    /// The requests to send once no panel needs a value.
    pub(super) fn set_logout_request(&self, key: &str, request: Request, insecure: bool) {
        self.with(|remembered| {
            if let Some(kept) = remembered.values.get_mut(key) {
                kept.logout_request = Some((request, insecure));
            }
        });
    }

    /// The right to create the value of a key; only one holder at a time.
    pub(super) fn maker(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        self.with(|remembered| {
            if let Some(maker) = remembered.makers.get(key).and_then(Weak::upgrade) {
                return maker;
            }
            remembered.makers.retain(|_, maker| maker.strong_count() > 0);
            let maker = Arc::default();
            remembered.makers.insert(key.to_owned(), Arc::downgrade(&maker));
            maker
        })
    }

    /// Sets the panels that now exist.
    pub fn set_panels(&self, panels: HashSet<PanelKey>) {
        self.with(|remembered| remembered.panels = Some(panels));
    }

    /// Forgets every session that no panel needs; returns the requests that end them.
    pub(super) fn take_unused(&self) -> Vec<(Request, bool)> {
        let now = Instant::now();
        self.with(|remembered| {
            let Some(panels) = &remembered.panels else { return Vec::new() };
            let is_unused = |kept: &RememberedValue| kept.logout_request.is_some() && kept.owners.is_disjoint(panels);
            let unused = remembered.values.extract_if(|_, kept| is_unused(kept));
            // A session that has expired needs no logout.
            unused.filter(|(_, kept)| kept.until > now).filter_map(|(_, kept)| kept.logout_request).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn key(name: &str) -> PanelKey {
        PanelKey::default().with(&[name])
    }

    fn urls(memory: &WidgetMemory) -> Vec<String> {
        memory.take_unused().into_iter().map(|(request, _)| request.url).collect()
    }

    fn log_in(memory: &WidgetMemory, owner: &str, session: &str) {
        memory.keep("nas", &key(owner), json!(session), HOUR);
        memory.set_logout_request("nas", Request::get(format!("http://nas.lan/logout?{session}")), false);
    }

    #[test]
    fn a_session_ends_with_the_last_panel_that_used_it() {
        let memory = WidgetMemory::default();
        log_in(&memory, "one", "a");
        memory.get("nas", &key("other")).unwrap();
        memory.keep("daily", &key("gone"), json!(1), HOUR);
        assert!(urls(&memory).is_empty(), "nobody has said which panels there are");
        memory.set_panels([key("other")].into());
        assert!(urls(&memory).is_empty());
        memory.set_panels([key("third")].into());
        assert_eq!(urls(&memory), ["http://nas.lan/logout?a"]);
        assert!(urls(&memory).is_empty() && memory.get("nas", &key("one")).is_none(), "it ends once");
        assert!(memory.get("daily", &key("one")).is_some(), "what needs no logout_request is kept");
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_that_has_ended_gets_no_logout_request() {
        let memory = WidgetMemory::default();
        memory.set_panels(HashSet::new());
        log_in(&memory, "one", "a");
        memory.drop_if("nas", Some(&json!("a")));
        assert!(urls(&memory).is_empty());
        log_in(&memory, "one", "b");
        tokio::time::advance(HOUR).await;
        assert!(urls(&memory).is_empty());
        log_in(&memory, "one", "c");
        // A different value in its place is another session; the same value with a longer lifetime is not.
        memory.keep("nas", &key("one"), json!("c"), HOUR * 2);
        assert_eq!(urls(&memory), ["http://nas.lan/logout?c"]);
        log_in(&memory, "one", "d");
        memory.keep("nas", &key("one"), json!("e"), HOUR);
        assert!(urls(&memory).is_empty());
    }

    #[test]
    fn it_is_never_printed() {
        let memory = WidgetMemory::default();
        log_in(&memory, "one", "s3cret-session");
        assert!(!format!("{memory:?}").contains("s3cret"), "{memory:?}");
    }
}
