//! Rereads the config files that have changed on disk.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use bytes::Bytes;
use config::{Config, Document, model::PageSource};

use super::{ConfigFile, FileFailure, Parsed, Site, Store, SubPageFile, stamp::Stamp};

/// A file that does not parse or has become empty is read again after this time: an editor may be in the middle of
/// writing it.
const RETRY_DELAY: Duration = Duration::from_millis(150);

impl Store {
    /// Rereads what has changed on disk since the last poll.
    pub async fn reload_if_changed(&self) {
        let mut stamps = self.stamps.lock().await;
        if stamps.is_empty() || self.have_changed(&stamps).await {
            self.reload_all(&mut stamps, None).await;
        }
    }

    async fn have_changed(&self, stamps: &BTreeMap<String, Stamp>) -> bool {
        self.stamps_of(stamps.keys().cloned().collect()).await != *stamps
    }

    /// Whether a watched file has changed on disk since it was read. Takes a microsecond: handing it to a thread for blocking
    /// work would take longer.
    pub(super) fn has_changed(&self, name: &str) -> bool {
        let known = self.last_stamps.load();
        known.get(name).is_some_and(|known| *known != Stamp::of(&self.directory().join(name)))
    }

    /// Rereads what a write has changed, so that the writer sees it at once. The written document is not parsed again.
    pub(super) async fn reload(&self, name: &str, written: Parsed) {
        let mut stamps = self.stamps.lock().await;
        // The file may have been written through a link, under another name.
        if stamps.contains_key(name) || self.have_changed(&stamps).await {
            self.reload_all(&mut stamps, Some(written)).await;
        }
    }

    async fn reload_all(&self, stamps: &mut BTreeMap<String, Stamp>, written: Option<Parsed>) {
        let before = self.site();
        // Stamps are taken before reading, so that the next poll sees a change in between.
        let (site, names) = self.read_site(&before, written).await;
        let broken = |site: &Site| {
            let pages = site.pages.values().filter_map(|page| page.failure.clone());
            site.failure.iter().cloned().chain(pages).collect::<Vec<_>>()
        };
        let known = broken(&before);
        for failure in broken(&site).iter().filter(|failure| !known.contains(failure)) {
            tracing::error!("{}: {}", failure.name, failure.explained());
        }
        if site.root.is_none() && known.is_empty() {
            tracing::error!("the dashboard stays closed until `{}` can be read", self.main);
        }
        self.note_changes_on_disk(&before, &site).await;
        stamps.clone_from(&names);
        self.last_stamps.store(Arc::new(names));
        self.set_site(site);
    }

    /// Notes what another program has changed.
    async fn note_changes_on_disk(&self, before: &Site, after: &Site) {
        for old in before.stored_files().filter(|old| !self.is_copy(&old.name)) {
            let is_changed = |new: &&Arc<ConfigFile>| new.name == old.name && new.bytes != old.bytes;
            let Some(new) = after.stored_files().find(is_changed) else { continue };
            let (old, new) = (Arc::clone(old), Arc::clone(new));
            self.with_storage(move |storage| storage.note_change_on_disk(&old, &new)).await;
        }
    }

    async fn read_site(&self, before: &Site, mut written: Option<Parsed>) -> (Site, BTreeMap<String, Stamp>) {
        let mut stamps = self.stamps_of(vec![self.main.clone()]).await;
        let mut read = self.read_root(before, &mut written).await;
        if read.as_ref().is_err_and(|failure| !failure.is_missing()) && before.root.is_some() {
            tokio::time::sleep(RETRY_DELAY).await;
            stamps = self.stamps_of(vec![self.main.clone()]).await;
            read = self.read_root(before, &mut None).await;
        }
        let (root, failure) = match read {
            Ok(root) => (Some(root), None),
            Err(failure) => (before.root.clone(), Some(Arc::new(self.with_similar(failure, true).await))),
        };
        let mut pages = BTreeMap::new();
        if let Some(root) = &root {
            for page in &root.config.pages {
                let PageSource::File(path) = &page.source else { continue };
                if page.source.is_missing() {
                    continue;
                }
                stamps.extend(self.stamps_of(vec![path.clone()]).await);
                let page = if *path == self.main {
                    SubPageFile { file: Some(Arc::clone(root)), failure: failure.clone() }
                } else {
                    match self.read_page(before, root, path, &mut written).await {
                        Ok(file) => SubPageFile { file: Some(file), failure: None },
                        Err(failure) => {
                            let failure = Some(Arc::new(self.with_similar(failure, false).await));
                            SubPageFile { file: Self::last_good(before, root, path), failure }
                        }
                    }
                };
                pages.insert(path.clone(), page);
            }
        }
        (Site { revision: before.revision + 1, root, failure, pages }, stamps)
    }

    async fn read_root(&self, before: &Site, written: &mut Option<Parsed>) -> Result<Arc<ConfigFile>, FileFailure> {
        let (bytes, stored) = match self.read_file(&self.main).await {
            // The starter leaves everything open, so only a new user gets it: a file that disappears later, or cannot
            // be found, is a failure.
            Err(failure) if failure.is_missing() && before.revision == 0 && self.is_new_folder().await => {
                (Bytes::from(self.starter()), false)
            }
            other => (other?, true),
        };
        match &before.root {
            Some(root) if root.bytes == bytes && root.stored == stored => Ok(Arc::clone(root)),
            _ => {
                let (document, config) = match written.take_if(|written| written.bytes == bytes) {
                    Some(Parsed { document, config, .. }) => (document, config),
                    None => (parse(&self.main, &bytes)?, None),
                };
                let read = config.map_or_else(|| meaning(&self.main, Config::read(&document)), Ok);
                let config = self.main_config(read)?;
                Ok(Arc::new(ConfigFile { name: self.main.clone(), bytes, document, config, host: None, stored }))
            }
        }
    }

    /// Reads the file of a page. Many editors empty a file before they write it, so an empty one is believed only when it is
    /// still empty a moment later.
    async fn read_settled(&self, name: &str) -> Result<Bytes, FileFailure> {
        let bytes = self.read_file(name).await?;
        if !bytes.is_empty() {
            return Ok(bytes);
        }
        tokio::time::sleep(RETRY_DELAY).await;
        self.read_file(name).await
    }

    async fn read_page(
        &self,
        before: &Site,
        root: &Arc<ConfigFile>,
        path: &str,
        written: &mut Option<Parsed>,
    ) -> Result<Arc<ConfigFile>, FileFailure> {
        let bytes = self.read_settled(path).await?;
        // What a page means also depends on the root.
        match before.pages.get(path).and_then(|page| page.file.as_ref()) {
            Some(page) if is_same_root(before, root) && page.bytes == bytes => Ok(Arc::clone(page)),
            _ => {
                let document = written.take_if(|written| written.bytes == bytes).map(|written| written.document);
                page_over(root, path, bytes, document)
            }
        }
    }

    async fn with_similar(&self, failure: FileFailure, is_main: bool) -> FileFailure {
        let (directory, copy) = (self.directory().to_owned(), failure.clone());
        tokio::task::spawn_blocking(move || copy.with_similar(&directory, is_main)).await.unwrap_or(failure)
    }

    /// The last readable version of a page's file, merged with the current root.
    fn last_good(before: &Site, root: &Arc<ConfigFile>, path: &str) -> Option<Arc<ConfigFile>> {
        let page = before.pages.get(path)?.file.as_ref()?;
        if is_same_root(before, root) {
            return Some(Arc::clone(page));
        }
        page_over(root, path, page.bytes.clone(), None).ok()
    }

    async fn stamps_of(&self, names: Vec<String>) -> BTreeMap<String, Stamp> {
        let directory = self.directory().to_owned();
        let look = move || names.into_iter().map(|name| (name.clone(), Stamp::of(&directory.join(name)))).collect();
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }
}

fn is_same_root(before: &Site, root: &Arc<ConfigFile>) -> bool {
    before.root.as_ref().is_some_and(|before| Arc::ptr_eq(before, root))
}

/// A page merged with its root.
fn page_over(
    root: &ConfigFile,
    path: &str,
    bytes: Bytes,
    document: Option<Document>,
) -> Result<Arc<ConfigFile>, FileFailure> {
    let document = document.map_or_else(|| parse(path, &bytes), Ok)?;
    let config = meaning(path, Config::read_page(&root.document, &document))?.of_main_file(&root.name);
    Ok(Arc::new(ConfigFile { name: path.to_owned(), bytes, document, config, host: None, stored: true }))
}

fn parse(name: &str, bytes: &Bytes) -> Result<Document, FileFailure> {
    Document::parse_shared(bytes).map_err(|error| FileFailure::of_syntax(name, error))
}

fn meaning(name: &str, read: Result<Config, config::EditError>) -> Result<Config, FileFailure> {
    read.map_err(|error| FileFailure::of_content(name, error.to_string()))
}
