//! The registry of what may be fetched: only what the config names, and what the style sheets that it names need. A
//! visitor's request carries the key of an entry, never an address, so visitors cannot make the server fetch anything else.

use std::sync::{Arc, PoisonError, RwLock};

use config::icon::FaviconService;
use quick_cache::unsync::Cache;
use url::Url;

use super::collection::Collection;
use super::drawing::key_of;
use super::fetch::HostTrust;
use super::keys::IconKeys;
use super::style_sheet::Use;

/// More than any real config has. If years of edits exceed it, targets that no page asks for any longer go first.
const MAX_ENTRIES: usize = 16_384;
/// The same for what style sheets of other sites name. It is stored separately, because those sites decide how large it
/// gets.
const MAX_NAMED_BY_OTHERS: usize = 2048;

/// Something external that the config names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RemoteResource {
    /// The icon of a web page.
    Favicon {
        /// The page, without query and fragment.
        page: Url,
        /// The service to query if the page's own host has no icon.
        service: FaviconService,
    },
    /// A picture named by its address.
    Picture(Url),
    /// A style sheet named by its address.
    StyleSheet(Url),
    /// A picture or a font that styles name.
    StylePart(Url),
    /// A picture of one of the collections.
    Application(Collection, String),
}

/// A target, and how far its host is trusted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WantedResource {
    /// What to fetch.
    pub target: RemoteResource,
    /// The trust in its host: it is named if our own config names it, or if it is the host of the page from another host
    /// that names it.
    pub trust: HostTrust,
}

impl WantedResource {
    /// Its cache key. Never leaves the server.
    pub fn key(&self) -> String {
        let key = self.target.key();
        match self.trust {
            HostTrust::Named => key,
            HostTrust::NamedInsecure => format!("{key} insecure"),
            HostTrust::Foreign => format!("{key} public"),
        }
    }
}

impl RemoteResource {
    /// What styles name.
    pub fn of_style(address: Url, purpose: Use) -> Self {
        match purpose {
            Use::Import => Self::StyleSheet(address),
            Use::Part => Self::StylePart(address),
        }
    }

    /// Identifies a target. Sixteen digits of a hash, or a name where the name is the address.
    fn key(&self) -> String {
        match self {
            Self::Favicon { page, service } => key_of(&format!("favicon {service:?} {page}")),
            Self::Picture(address) => key_of(&format!("picture {address}")),
            Self::StyleSheet(address) => key_of(&format!("style sheet {address}")),
            Self::StylePart(address) => key_of(&format!("part {address}")),
            Self::Application(collection, name) => format!("{}/{name}", collection.word()),
        }
    }
}

/// The targets by the keys used in addresses.
#[derive(Debug)]
pub struct Registry {
    keys: IconKeys,
    entries: Entries,
    named_by_others: Entries,
}

type Entries = RwLock<Cache<String, Arc<WantedResource>>>;

impl Registry {
    /// An empty registry, which creates its keys with these.
    pub fn new(keys: IconKeys) -> Self {
        let entries = |max| RwLock::new(Cache::new(max));
        Self { keys, entries: entries(MAX_ENTRIES), named_by_others: entries(MAX_NAMED_BY_OTHERS) }
    }

    /// Creates the keys.
    pub fn keys(&self) -> &IconKeys {
        &self.keys
    }

    /// Registers a target and returns its key. Keys cannot be guessed, so nobody can find out by trying which hosts the
    /// config names; a name in a collection is its own key.
    pub fn register(&self, wanted: WantedResource) -> String {
        self.insert(&self.entries, wanted)
    }

    /// The same for what a style sheet of another site names.
    pub fn register_for_other(&self, wanted: WantedResource) -> String {
        self.insert(&self.named_by_others, wanted)
    }

    fn insert(&self, entries: &Entries, wanted: WantedResource) -> String {
        let key = self.key(&wanted);
        // The entry nearly always exists, and readers do not wait for each other.
        if find(entries, &key).is_none() {
            let mut entries = entries.write().unwrap_or_else(PoisonError::into_inner);
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
        find(&self.entries, key).or_else(|| find(&self.named_by_others, key))
    }
}

fn find(entries: &Entries, key: &str) -> Option<Arc<WantedResource>> {
    entries.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icons::keys::IconKeys;

    #[test]
    fn what_is_asked_for_outlives_what_other_sites_name() {
        let registry = Registry::new(IconKeys::load(None));
        let wanted = |number: usize| {
            let target = RemoteResource::Picture(Url::parse(&format!("http://a.lan/{number}")).unwrap());
            WantedResource { target, trust: HostTrust::Foreign }
        };
        let used = registry.register_for_other(wanted(0));
        for number in 1..3 * MAX_NAMED_BY_OTHERS {
            let key = registry.register_for_other(wanted(number));
            assert!(registry.get(&key).is_some() && registry.get(&used).is_some());
            assert!(registry.named_by_others.read().unwrap().len() <= MAX_NAMED_BY_OTHERS);
        }
    }
}
