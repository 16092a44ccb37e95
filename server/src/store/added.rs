//! Items that the main page shows although no file has them, such as those of containers. They are in the typed config only: the
//! text of the file, its document, and whatever is written stay as they are.

use std::sync::Arc;

use config::{Config, model::Section};

use super::{ConfigFile, Site, Store, SubPageFile};

impl Store {
    /// Shows these items on the main page, as [`Config::add_sections`] does, in place of the ones before.
    pub async fn show_added(&self, added: Vec<Section>) {
        // Nothing is reloaded meanwhile.
        let _stamps = self.stamps.lock().await;
        self.added.store(Arc::new(added));
        let site = self.site();
        let Some(before) = &site.root else { return };
        let Ok(config) = self.main_config(Config::read(&before.document)) else { return };
        let root = Arc::new(before.with_config(config));
        let page = |(path, page): (&String, &SubPageFile)| {
            // A page may show the main file again.
            let is_main = page.file.as_ref().is_some_and(|file| Arc::ptr_eq(file, before));
            let file = if is_main { Some(Arc::clone(&root)) } else { page.file.clone() };
            (path.clone(), SubPageFile { file, failure: page.failure.clone() })
        };
        let pages = site.pages.iter().map(page).collect();
        let (revision, failure) = (site.revision + 1, site.failure.clone());
        self.set_site(Site { revision, root: Some(root), failure, pages });
    }

    /// A draft of the main file as the main page shows it, with the items that are not in it.
    pub fn with_added(&self, draft: &ConfigFile) -> ConfigFile {
        let mut config = draft.config.clone();
        config.add_sections(&self.added.load());
        draft.with_config(config)
    }

    /// The config of the main file, with the items that are not in it.
    pub(super) fn main_config<E>(&self, read: Result<Config, E>) -> Result<Config, E> {
        let mut config = read?.of_main_file(&self.main);
        config.add_sections(&self.added.load());
        Ok(config)
    }
}
