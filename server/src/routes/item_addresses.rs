//! Which items of a config file name an address. Requests that name one are answered without a look at every item: a config may
//! have thousands, and anybody may ask often.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock, Weak},
};

use config::{Config, Viewer, model::item::Item};
use tokio::sync::Mutex;
use url::Url;

use crate::{http_client::plain_host, platform::blocking_pool, store::ConfigFile};

/// The addresses in config files, by file. They live as long as the file does. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct ItemAddresses(Arc<Known>);

#[derive(Debug, Default)]
struct Known {
    files: RwLock<Vec<(Weak<ConfigFile>, Arc<FileAddresses>)>>,
    /// Held while a file is read, so that it is read once.
    turn: Mutex<()>,
}

/// The addresses in one file.
#[derive(Debug, Default)]
pub struct FileAddresses {
    by_url: HashMap<String, Vec<Place>>,
    /// By the host that is pinged.
    by_host: HashMap<String, Vec<Place>>,
}

/// The positions of a section, and of an item in it.
type Place = (usize, usize);

impl ItemAddresses {
    /// The addresses in a file, which is read beside the threads that serve requests.
    pub async fn of(&self, file: &Arc<ConfigFile>) -> Arc<FileAddresses> {
        if let Some(known) = self.find(file) {
            return known;
        }
        let _turn = self.0.turn.lock().await;
        if let Some(known) = self.find(file) {
            return known;
        }
        let of = Arc::clone(file);
        let addresses = blocking_pool::compute(move || FileAddresses::of(&of.config)).await.unwrap_or_default();
        let addresses = Arc::new(addresses);
        let mut files = self.0.files.write().unwrap_or_else(PoisonError::into_inner);
        files.retain(|(file, _)| file.strong_count() > 0);
        files.push((Arc::downgrade(file), Arc::clone(&addresses)));
        addresses
    }

    fn find(&self, file: &Arc<ConfigFile>) -> Option<Arc<FileAddresses>> {
        let files = self.0.files.read().unwrap_or_else(PoisonError::into_inner);
        // A weak pointer keeps the address of its file from being used again, so equal addresses are equal files.
        let known = files.iter().find(|(known, _)| Weak::as_ptr(known) == Arc::as_ptr(file));
        known.map(|(_, addresses)| Arc::clone(addresses))
    }
}

impl FileAddresses {
    fn of(config: &Config) -> Self {
        let mut addresses = Self::default();
        for (section_index, section) in config.sections.iter().enumerate() {
            for (item_index, item) in section.items.iter().enumerate() {
                let place = (section_index, item_index);
                let checked = config.status_request(item).map(|target| target.url);
                let own = [&item.url, &item.local_url, &checked].into_iter().flatten();
                let of_sub_items = item.sub_items.iter().flat_map(|item| [&item.url, &item.local_url]).flatten();
                for url in own.chain(of_sub_items).filter_map(|url| Url::parse(url).ok()) {
                    add(&mut addresses.by_url, url.into(), place);
                }
                if let Some(target) = config.ping_request(item) {
                    add(&mut addresses.by_host, plain_host(&target.host), place);
                }
            }
        }
        addresses
    }

    /// The items that name an address in any of their fields, as far as the viewer sees them.
    pub fn items_at<'a>(&'a self, url: &Url, config: &'a Config, viewer: &'a Viewer) -> impl Iterator<Item = &'a Item> {
        seen(self.by_url.get(url.as_str()), config, viewer)
    }

    /// The items whose host is the one that would be pinged for them, as far as the viewer sees them.
    pub fn items_on<'a>(
        &'a self,
        host: &str,
        config: &'a Config,
        viewer: &'a Viewer,
    ) -> impl Iterator<Item = &'a Item> {
        seen(self.by_host.get(&plain_host(host)), config, viewer)
    }
}

/// Records that an item names an address.
fn add(known: &mut HashMap<String, Vec<Place>>, address: String, place: Place) {
    let places = known.entry(address).or_default();
    if places.last() != Some(&place) {
        places.push(place);
    }
}

fn seen<'a>(places: Option<&'a Vec<Place>>, config: &'a Config, viewer: &'a Viewer) -> impl Iterator<Item = &'a Item> {
    places.into_iter().flatten().filter_map(|&(section, item)| {
        let section = config.sections.get(section).filter(|section| viewer.sees(&section.display.visibility))?;
        section.items.get(item).filter(|item| viewer.sees(&item.display.visibility))
    })
}
