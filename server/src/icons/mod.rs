//! Icons: what the forms of docs/spec/config.md 11 stand for, and the addresses under `/icons/` that hand out the
//! pictures.
//!
//! A page is rendered without touching disk or network: [`Icons`] answers with an address of our own origin, and the
//! look-up happens when the browser asks for that address. Such an address always answers with a picture, a stand-in
//! if need be, so that no page ever shows a torn image or logs an error. Only the addresses of bundled glyphs are
//! exact.
//!
//! | Address | What |
//! |---|---|
//! | `/icons/{set}/{name}.svg` | a bundled glyph, for `<use href="…#i">` and as an image |
//! | `/icons/hl/{name}`, `/icons/sh/{name}` | an application's picture |
//! | `/icons/favicon/{key}` | the icon of a web page that the config names |
//! | `/icons/remote/{key}` | a picture or style sheet of another site that the config names |
//! | `/icons/generative/{key}.svg` | a picture derived from an address |
//! | `/icons/file/{path}` | a file in `item-icons` |
//! | `/icons/broken.svg` | the mark of a picture that cannot be had |

pub mod answer;
pub mod cache;
mod client;
pub mod collection;
pub mod drawing;
mod endpoints;
pub mod favicon;
pub mod fetch;
pub mod files;
pub mod generative;
mod keys;
pub mod media;
pub mod pack;
mod page_links;
pub mod registry;
mod resolve;
pub mod sets;
mod style_sheet;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

pub use answer::{IconResponse, Lifetime};
use cache::{CacheClock, CacheSettings, PictureCache};
pub use fetch::{Fetch, FetchFuture, FetchProblem, Fetched};
use files::PictureList;
use keys::IconKeys;
pub use pack::{Pack, PackError, PackedIcon};
use registry::{Registry, RemoteResource, WantedResource};
use tokio::sync::Semaphore;

use crate::http_client::plain_host;

/// Most pictures on disk together.
const DISK_BYTES: u64 = 128 * 1024 * 1024;
/// Most pictures in memory when the cache directory cannot be written: a small part of what the whole server may take.
const MEMORY_BYTES: usize = 3 * 1024 * 1024;
/// Most look-ups at once. Each may hold a page of a megabyte, and a dashboard of five hundred icons must not fill the
/// memory of a small machine when it is opened for the first time.
const LOOK_UPS_AT_ONCE: usize = 8;
/// More broken icons than anyone will read about.
const MAX_WARNINGS: usize = 500;

/// What the icons of an installation depend on.
pub struct IconSettings {
    /// Path prefix of the whole product without a trailing slash: empty, or for example `/start`.
    pub base: String,
    /// Directories that are served from the web root, the user-data directory first. Their folders `item-icons` hold
    /// the user's icons.
    pub web_roots: Vec<PathBuf>,
    /// Where found pictures are kept; none for memory alone.
    pub cache_directory: Option<PathBuf>,
    /// No look-ups anywhere (`OFFLINE`). Files, bundled sets and what was found before still serve.
    pub offline: bool,
    /// Whether the program brings a file of that web-root path, written without a leading slash.
    pub is_bundled_file: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

/// All icons. Cheap to clone.
#[derive(Clone)]
pub struct Icons {
    inner: Arc<Inner>,
    /// Path prefix of all addresses, without a trailing slash.
    base: Arc<str>,
    /// The host of the page that names the icons, if that is another one than ours.
    page_host: Option<Arc<str>>,
}

struct Inner {
    settings: IconSettings,
    item_icons: Vec<PathBuf>,
    pack: Pack,
    fetch: Arc<dyn Fetch>,
    cache: PictureCache,
    turn: Arc<Semaphore>,
    registry: Registry,
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
        });
        let base = settings.base.as_str().into();
        let registry = Registry::new(IconKeys::load(settings.cache_directory.as_deref()));
        let inner = Inner {
            item_icons: settings.web_roots.iter().map(|root| root.join("item-icons")).collect(),
            pictures: PictureList::new(settings.web_roots.clone()),
            settings,
            pack,
            fetch,
            cache,
            turn: Arc::new(Semaphore::new(LOOK_UPS_AT_ONCE)),
            registry,
            warned: Mutex::default(),
        };
        Self { inner: Arc::new(inner), base, page_host: None }
    }

    /// The same icons under another path prefix.
    #[must_use]
    pub fn below(&self, base: &str) -> Self {
        Self { base: base.into(), ..self.clone() }
    }

    /// The same icons for a page that lies on another host: what it names must be public, but for that host itself.
    #[must_use]
    pub fn for_page_of(&self, host: Option<&str>) -> Self {
        Self { page_host: host.map(Into::into), ..self.clone() }
    }

    /// Makes something known that the page names, and gives the key of its address.
    fn register(&self, target: RemoteResource) -> String {
        let may_be_private = match (&self.page_host, &target) {
            (_, RemoteResource::Application(..)) => false,
            (None, _) => true,
            (
                Some(host),
                RemoteResource::Favicon { page: url, .. }
                | RemoteResource::Picture(url)
                | RemoteResource::StyleSheet(url),
            ) => url.host_str().is_some_and(|own| plain_host(own) == **host),
        };
        self.inner.registry.register(WantedResource { target, may_be_private })
    }

    /// Lists the user's pictures again, for [`config::icon::IconLookup::image`], and says whether any came or went.
    /// Blocks on the disk.
    pub fn rescan(&self) -> bool {
        self.inner.pictures.rescan()
    }

    /// Says once in the log that a picture cannot be shown.
    fn warn(&self, what: &str, why: &str) {
        let mut warned = self.inner.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.len() < MAX_WARNINGS && warned.insert(what.to_owned()) {
            tracing::warn!("icon `{what}` cannot be shown: {why}");
        }
    }
}

fn seconds_since_1970() -> u64 {
    // A clock before 1970 makes everything fresh for ever, which is the lesser evil.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
