//! Icons: what the forms in docs/spec/config.md 11 mean, and the addresses under `/icons/` that serve the pictures.
//!
//! Rendering a page touches neither disk nor network: [`Icons`] returns an address on our own origin, and the lookup
//! happens when the browser requests that address. Such an address always returns a picture, if necessary a
//! placeholder, so that no page ever shows a broken image or logs an error. Only the addresses of bundled glyphs must
//! match exactly.
//!
//! | Address | What |
//! |---|---|
//! | `/icons/{set}/{name}.svg` | a bundled glyph, for `<use href="…#i">` and as an image |
//! | `/icons/hl/{name}`, `/icons/sh/{name}` | an application's picture |
//! | `/icons/favicon/{key}` | the icon of a web page that the config names |
//! | `/icons/remote/{key}` | a picture, font or style sheet of another site that the config names |
//! | `/icons/generative/{key}.svg` | a picture derived from an address |
//! | `/icons/file/{path}` | a file in `item-icons` |
//! | `/icons/broken.svg` | the picture for an image that cannot be loaded |

pub mod cache;
pub mod choice;
mod client;
pub mod collection;
pub mod drawing;
mod endpoints;
mod fallbacks;
pub mod favicon;
pub mod fetch;
pub mod files;
pub mod generative;
mod keys;
mod known_addresses;
pub mod media;
mod missing;
mod on_dark;
pub mod pack;
mod page_links;
pub mod registry;
mod resolve;
pub mod response;
pub mod sets;
mod style_sheet;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use cache::{CacheClock, CacheSettings, PictureCache};
use config::model::auth::SecretText;
use fallbacks::Fallbacks;
pub use fetch::{Fetch, FetchFuture, FetchProblem, Fetched, HostTrust};
use files::PictureList;
use keys::IconKeys;
pub use pack::{Pack, PackError, PackedIcon};
use registry::{Registry, RemoteResource, WantedResource};
pub use response::{IconResponse, Lifetime};
use tokio::sync::Semaphore;

use crate::{database::Database, http_client::plain_host};

/// Maximum total size of pictures on disk.
const DISK_BYTES: u64 = 128 * 1024 * 1024;
/// Maximum size of pictures in memory if the cache directory cannot be written: a small part of the server's memory.
const MEMORY_BYTES: usize = 3 * 1024 * 1024;
/// Maximum concurrent lookups. Each may hold a page of a megabyte, and the first visit to a dashboard of five hundred
/// icons must not fill the memory of a small machine.
const MAX_CONCURRENT_LOOKUPS: usize = 8;
/// Maximum number of broken icons in the log; a longer list is not read.
const MAX_WARNINGS: usize = 500;

/// The settings that icons depend on.
pub struct IconSettings {
    /// Path prefix of the whole product without a trailing slash: empty, or for example `/start`.
    pub base: String,
    /// Directories that are served from the web root, the user-data directory first. Their subfolders `item-icons` hold
    /// the user's icons.
    pub web_roots: Vec<PathBuf>,
    /// Where fetched pictures are cached; `None` for memory only.
    pub cache_directory: Option<PathBuf>,
    /// No lookups (`OFFLINE`). Files, bundled sets and cached pictures are still served.
    pub offline: bool,
    /// Where fetched pictures are shared with other servers, if there is one.
    pub database: Option<Arc<Database>>,
    /// What the keys in addresses are made with, if other servers need the same ones.
    pub address_secret: Option<SecretText>,
    /// Whether the program contains a file with that web-root path, written without a leading slash.
    pub is_bundled_file: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

/// All icons. Cheap to clone.
#[derive(Clone)]
pub struct Icons {
    inner: Arc<Inner>,
    /// Path prefix of all addresses, without a trailing slash.
    base: Arc<str>,
    /// The host of the page that names the icons, if it is not ours.
    page_host: Option<Arc<str>>,
    /// Whether icons that are not known yet are looked up.
    looks_up: bool,
}

struct Inner {
    settings: IconSettings,
    item_icons: Vec<PathBuf>,
    pack: Pack,
    fetch: Arc<dyn Fetch>,
    cache: PictureCache,
    turn: Arc<Semaphore>,
    registry: Registry,
    fallbacks: Fallbacks,
    pictures: PictureList,
    warned: Mutex<HashSet<String>>,
}

impl Icons {
    /// The icons of an installation. Call [`Icons::rescan`] before the first page and whenever user-data changes.
    pub fn new(settings: IconSettings, pack: Pack, fetch: Arc<dyn Fetch>) -> Self {
        Self::with_clock(settings, pack, fetch, Arc::new(seconds_since_1970))
    }

    /// The same with another clock.
    fn with_clock(settings: IconSettings, pack: Pack, fetch: Arc<dyn Fetch>, clock: CacheClock) -> Self {
        let cache = PictureCache::new(CacheSettings {
            directory: settings.cache_directory.clone(),
            disk_bytes: DISK_BYTES,
            memory_bytes: MEMORY_BYTES,
            clock,
            database: settings.database.clone(),
        });
        let base = settings.base.as_str().into();
        let registry = Registry::new(match &settings.address_secret {
            Some(secret) => IconKeys::of_secret(secret.expose()),
            None => IconKeys::load(settings.cache_directory.as_deref()),
        });
        let inner = Inner {
            item_icons: settings.web_roots.iter().map(|root| root.join("item-icons")).collect(),
            pictures: PictureList::new(settings.web_roots.clone()),
            settings,
            pack,
            fetch,
            cache,
            turn: Arc::new(Semaphore::new(MAX_CONCURRENT_LOOKUPS)),
            registry,
            fallbacks: Fallbacks::default(),
            warned: Mutex::default(),
        };
        Self { inner: Arc::new(inner), base, page_host: None, looks_up: true }
    }

    /// The same icons under another path prefix.
    #[must_use]
    pub fn below(&self, base: &str) -> Self {
        Self { base: base.into(), ..self.clone() }
    }

    /// The same icons for a page on another host: what it names must be public, except for that host itself.
    #[must_use]
    pub fn for_page_of(&self, host: Option<&str>) -> Self {
        Self { page_host: host.map(Into::into), ..self.clone() }
    }

    /// The same icons for a viewer who may not make this server contact anybody: only those that are known already.
    #[must_use]
    pub fn without_lookups(&self) -> Self {
        Self { looks_up: false, ..self.clone() }
    }

    /// Registers something that the page names, and returns the key of its address.
    fn register(&self, target: RemoteResource) -> String {
        self.register_with(target, HostTrust::Named)
    }

    /// The same for a host that the config trusts so far.
    fn register_with(&self, target: RemoteResource, trust: HostTrust) -> String {
        let is_named = match (&self.page_host, &target) {
            (_, RemoteResource::Application(..)) => false,
            (None, _) => true,
            (
                Some(host),
                RemoteResource::Favicon { page: url, .. }
                | RemoteResource::Picture(url)
                | RemoteResource::StyleSheet(url)
                | RemoteResource::StylePart(url),
            ) => url.host_str().is_some_and(|own| plain_host(own) == **host),
        };
        self.inner.registry.register(WantedResource { target, trust: trust.only_if(is_named) })
    }

    /// Lists the user's pictures again, for [`config::icon::IconLookup::image`], and returns whether the list has
    /// changed. Blocks on the disk.
    pub fn rescan(&self) -> bool {
        self.inner.pictures.rescan()
    }

    /// How often the problem of a picture has appeared or disappeared. Pages for admins show these problems, and are
    /// stale after a change.
    pub fn problem_changes(&self) -> u64 {
        self.inner.fallbacks.changes()
    }

    /// Logs once that a picture cannot be shown.
    fn warn(&self, what: &str, why: &str) {
        let mut warned = self.inner.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.len() < MAX_WARNINGS && warned.insert(what.to_owned()) {
            tracing::warn!("icon `{what}` cannot be shown: {why}");
        }
    }
}

fn seconds_since_1970() -> u64 {
    // A clock before 1970 makes everything fresh forever, which is the lesser evil.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
