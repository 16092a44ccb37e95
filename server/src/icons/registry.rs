//! What may be looked up: only what the config names. A visitor's request carries the key of an entry, never an
//! address, so nobody can make the server fetch something of their choice.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use config::icon::FaviconService;
use url::Url;

use super::collection::Collection;
use super::drawing::key_of;
use super::keys::IconKeys;

/// More than any real config has. When it is exceeded, by years of edits, the entries begin again and fill up with the
/// next pages.
const MAX_ENTRIES: usize = 16_384;

/// Something that the config names and that lies elsewhere.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RemoteResource {
    /// The icon of a web page.
    Favicon {
        /// The page, without query and fragment.
        page: Url,
        /// Who is asked when the page's own host has none.
        service: FaviconService,
        /// What the stand-in shows the first letter of.
        title: String,
    },
    /// A picture named by its address.
    Picture(Url),
    /// A style sheet named by its address.
    StyleSheet(Url),
    /// A picture of one of the collections.
    Application(Collection, String),
}

/// A target, and how far the server goes for it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WantedResource {
    /// What is wanted.
    pub target: RemoteResource,
    /// Whether its host may be in the private network: our own configuration names it, or it is the host of the page of
    /// another host that does.
    pub may_be_private: bool,
}

impl WantedResource {
    /// The key under which it is kept. Never leaves the server.
    pub fn key(&self) -> String {
        let key = self.target.key();
        if self.may_be_private { key } else { format!("{key} public") }
    }
}

impl RemoteResource {
    /// Tells targets apart. Sixteen digits of a hash, or a name where the name is the address.
    fn key(&self) -> String {
        match self {
            Self::Favicon { page, service, .. } => key_of(&format!("favicon {service:?} {page}")),
            Self::Picture(address) => key_of(&format!("picture {address}")),
            Self::StyleSheet(address) => key_of(&format!("style sheet {address}")),
            Self::Application(collection, name) => format!("{}/{name}", collection.word()),
        }
    }
}

/// The targets by the keys that stand in addresses.
#[derive(Debug)]
pub struct Registry {
    keys: IconKeys,
    entries: RwLock<HashMap<String, Arc<WantedResource>>>,
}

impl Registry {
    /// No targets yet. Their keys will be made with these.
    pub fn new(keys: IconKeys) -> Self {
        Self { keys, entries: RwLock::default() }
    }

    /// What makes the keys.
    pub fn keys(&self) -> &IconKeys {
        &self.keys
    }

    /// Makes a target known and returns its key. Nobody can work it out who has not been shown it, so that nobody can
    /// find out by trying which hosts the config names; a name of a collection is its own key.
    pub fn register(&self, wanted: WantedResource) -> String {
        let key = self.key(&wanted);
        // Nearly always the entry is there, and readers do not wait for each other.
        if self.get(&key).is_none() {
            let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
            if entries.len() >= MAX_ENTRIES {
                entries.clear();
            }
            entries.insert(key.clone(), Arc::new(wanted));
        }
        key
    }

    /// The key of a target in addresses.
    pub fn key(&self, wanted: &WantedResource) -> String {
        match &wanted.target {
            target @ RemoteResource::Application(..) => target.key(),
            _ => self.keys.of(&wanted.key()),
        }
    }

    /// The target of a key.
    pub fn get(&self, key: &str) -> Option<Arc<WantedResource>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }
}
