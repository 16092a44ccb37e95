//! What may be looked up: only what the config names. A visitor's request carries the key of an entry, never an
//! address, so nobody can make the server fetch something of their choice.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use config::icon::FaviconService;
use url::Url;

use super::collection::Collection;
use super::drawing::key_of;

/// More than any real config has. When it is exceeded, by years of edits, the entries begin anew and fill up with the
/// next pages.
const MOST_ENTRIES: usize = 16_384;

/// Something that the config names and that lies elsewhere.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Target {
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

impl Target {
    /// The key in the address. Sixteen digits of a hash, or a name where the name is the address.
    pub fn key(&self) -> String {
        match self {
            Self::Favicon { page, service, .. } => key_of(&format!("favicon {service:?} {page}")),
            Self::Picture(address) => key_of(&format!("picture {address}")),
            Self::StyleSheet(address) => key_of(&format!("style sheet {address}")),
            Self::Application(collection, name) => format!("{}/{name}", collection.word()),
        }
    }
}

/// The targets by key.
#[derive(Debug, Default)]
pub struct Registry(RwLock<HashMap<String, Arc<Target>>>);

impl Registry {
    /// Makes a target known and returns its key.
    pub fn register(&self, target: Target) -> String {
        let key = target.key();
        // Nearly always the entry is there, and readers do not wait for each other.
        if self.get(&key).is_none() {
            let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
            if entries.len() >= MOST_ENTRIES {
                entries.clear();
            }
            entries.insert(key.clone(), Arc::new(target));
        }
        key
    }

    /// The target of a key.
    pub fn get(&self, key: &str) -> Option<Arc<Target>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }
}
