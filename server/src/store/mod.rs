//! The config files: read once, cached until they change on disk, replaced as a whole.
//!
//! A background task polls the files a few times a second. It compares time stamps, sizes and inode numbers behind
//! links, so it notices an editor that replaces the file, a mount that swaps a link and a container's single-file
//! mount, and no request ever touches the disk.

mod backup;
mod disk;
mod failure;
mod name;
mod new_folder;
mod own_files;
pub mod pictures;
mod queue;
mod read;
pub mod remote_main;
pub mod remote_pages;
mod stamp;
pub mod starter;
mod temporary;
pub mod user_files;
mod write;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use bytes::Bytes;
use config::{Config, Document, model::PageSource};
use tokio::sync::{Mutex, watch};

pub use self::{
    backup::Backup,
    disk::{Disk, LocalDisk},
    failure::{FileFailure, FileFault},
    name::{FileName, FileNameError},
    own_files::{KEY_FILE, SIGN_OUTS_FILE},
    read::Loaded,
    write::{Edited, Parsed, WriteError, Written},
};
use self::{
    backup::Backups,
    queue::Queues,
    stamp::Stamp,
    temporary::{FileAccess, Temporary},
    write::InPlace,
};
use crate::{platform::io_error::reason, settings::Settings};

/// Time between two polls of the files.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);
/// A file that does not parse or has become empty is read again after this time: an editor may be in the middle of
/// writing it.
const SECOND_LOOK: Duration = Duration::from_millis(150);
/// Polls between two listings of the user's pictures.
const LOOKS_PER_LISTING: u32 = 12;

/// All config files as they are at one moment.
#[derive(Debug, Default)]
pub struct Site {
    /// Increases with every change; pages rendered for another revision are stale.
    pub revision: u64,
    /// The root config: the current one, or the last readable one.
    pub root: Option<Arc<ConfigFile>>,
    /// Why the file on disk is not the one in use.
    pub failure: Option<Arc<FileFailure>>,
    /// The files of sub-pages in the user-data directory, by the path in the root config.
    pub pages: BTreeMap<String, PageFile>,
}

/// The file of a sub-page.
#[derive(Clone, Debug, Default)]
pub struct PageFile {
    /// The current file, or its last readable version.
    pub file: Option<Arc<ConfigFile>>,
    /// Why the file on disk is not the one in use.
    pub failure: Option<Arc<FileFailure>>,
}

impl PageFile {
    /// The file, if it matches the disk.
    pub fn current(&self) -> Option<&Arc<ConfigFile>> {
        self.file.as_ref().filter(|_| self.failure.is_none())
    }
}

/// A config file that was read successfully.
#[derive(Debug)]
pub struct ConfigFile {
    /// Its name inside the user-data directory.
    pub name: String,
    /// The bytes on disk.
    pub bytes: Bytes,
    /// The raw value.
    pub document: Document,
    /// The typed config: of the root, or of a page merged with the root.
    pub config: Config,
    /// The host it was fetched from; `None` for a file on this server.
    pub host: Option<String>,
    /// Whether it is on disk. The starter is shown from memory if it cannot be written.
    pub stored: bool,
}

/// Reads and watches the config files of one user-data directory.
#[derive(Debug)]
pub struct Store {
    directory: PathBuf,
    main: String,
    /// Whether the main config is a copy of one on another host, which cannot be changed here.
    main_is_copy: bool,
    site: ArcSwap<Site>,
    /// The revision of `site`, for tasks that wait for the next one.
    revision: watch::Sender<u64>,
    /// The file stamps of `site`; the lock also ensures that only one reload runs at a time.
    stamps: Mutex<BTreeMap<String, Stamp>>,
    disk: Arc<dyn Disk>,
    /// None when backups are off.
    backups: Option<Backups>,
    /// The directory of backups, including those of earlier runs.
    backup_directory: PathBuf,
    queues: Queues,
    in_place: Arc<InPlace>,
}

impl Store {
    /// Fixed files that are not on disk.
    pub fn fixed(settings: &Settings, site: Site) -> Self {
        let main = site.root.as_ref().map_or_else(|| settings.main_config.clone(), |root| root.name.clone());
        Self { main, site: ArcSwap::from_pointee(site), ..Self::unread(settings, Arc::new(LocalDisk)) }
    }

    /// Reads the directory for the first time; writes the starter config if the directory is new.
    pub async fn open(settings: &Settings, disk: Arc<dyn Disk>) -> Self {
        let store = Self::unread(settings, disk);
        let directory = store.directory.clone();
        let backup_directory = backup_directory(settings);
        let clean = move || [directory, backup_directory].iter().for_each(|place| temporary::remove_leftovers(place));
        if let Err(error) = tokio::task::spawn_blocking(clean).await {
            tracing::warn!("leftovers of earlier writes cannot be removed: {error}");
        }
        store.write_starter().await;
        store.reload_if_changed().await;
        store
    }

    fn unread(settings: &Settings, disk: Arc<dyn Disk>) -> Self {
        let backups = &settings.backups;
        Self {
            directory: settings.user_data.clone(),
            main: settings.main_config.clone(),
            main_is_copy: settings.main_address.is_some(),
            site: ArcSwap::from_pointee(Site::default()),
            revision: watch::Sender::default(),
            stamps: Mutex::new(BTreeMap::new()),
            disk,
            backups: (!backups.disabled).then(|| Backups::new(backup_directory(settings), backups.limit)),
            backup_directory: backup_directory(settings),
            queues: Queues::default(),
            in_place: Arc::default(),
        }
    }

    /// The current config files. Never waits.
    pub fn site(&self) -> Arc<Site> {
        self.site.load_full()
    }

    /// The user-data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Name of the main config.
    pub fn main(&self) -> &str {
        &self.main
    }

    /// Whether a file is the copy of a main config on another host.
    pub fn is_copy(&self, name: &str) -> bool {
        self.main_is_copy && name == self.main
    }

    /// Polls the files forever. `list_pictures` is called from time to time, because new pictures change pages too; it
    /// may block, and returns whether anything changed.
    pub async fn watch(self: Arc<Self>, list_pictures: Arc<dyn Fn() -> bool + Send + Sync>) {
        let mut looks = 0_u32;
        loop {
            tokio::time::sleep(LOOK_INTERVAL).await;
            self.reload_if_changed().await;
            looks += 1;
            if looks.is_multiple_of(LOOKS_PER_LISTING) {
                let list = Arc::clone(&list_pictures);
                if tokio::task::spawn_blocking(move || list()).await.unwrap_or_default() {
                    self.touch();
                }
            }
        }
    }

    /// Makes rendered pages stale although no file has changed.
    pub fn touch(&self) {
        let site = self.site();
        self.set_site(Site {
            revision: site.revision + 1,
            root: site.root.clone(),
            failure: site.failure.clone(),
            pages: site.pages.clone(),
        });
    }

    fn set_site(&self, site: Site) {
        let revision = site.revision;
        self.site.store(Arc::new(site));
        self.revision.send_replace(revision);
    }

    /// Announces every new revision.
    pub fn revisions(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

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

    /// Rereads what a write has changed, so that the writer sees it at once. The written document is not parsed again.
    async fn reload(&self, name: &str, written: Parsed) {
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
            tracing::error!("{}: {}", failure.name, failure.reason);
        }
        if site.root.is_none() && known.is_empty() {
            tracing::error!("the dashboard stays closed until `{}` can be read", self.main);
        }
        *stamps = names;
        self.set_site(site);
    }

    async fn read_site(&self, before: &Site, mut written: Option<Parsed>) -> (Site, BTreeMap<String, Stamp>) {
        let mut stamps = self.stamps_of(vec![self.main.clone()]).await;
        let mut read = self.read_root(before, &mut written).await;
        if read.as_ref().is_err_and(|failure| !failure.is_missing()) && before.root.is_some() {
            tokio::time::sleep(SECOND_LOOK).await;
            stamps = self.stamps_of(vec![self.main.clone()]).await;
            read = self.read_root(before, &mut None).await;
        }
        let (root, failure) = match read {
            Ok(root) => (Some(root), None),
            Err(failure) => (before.root.clone(), Some(Arc::new(failure))),
        };
        let mut pages = BTreeMap::new();
        if let Some(root) = &root {
            for page in &root.config.pages {
                let PageSource::File(path) = &page.source else { continue };
                stamps.extend(self.stamps_of(vec![path.clone()]).await);
                let page = if *path == self.main {
                    PageFile { file: Some(Arc::clone(root)), failure: failure.clone() }
                } else {
                    match self.read_page(before, root, path, &mut written).await {
                        Ok(file) => PageFile { file: Some(file), failure: None },
                        Err(failure) => {
                            PageFile { file: Self::last_good(before, root, path), failure: Some(Arc::new(failure)) }
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
                (Bytes::from(starter::config(&self.directory.join(&self.main))), false)
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
                let config = config.map_or_else(|| meaning(&self.main, Config::read(&document)), Ok)?;
                let config = config.of_main_file(&self.main);
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
        tokio::time::sleep(SECOND_LOOK).await;
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

    /// The last readable version of a page's file, merged with the current root.
    fn last_good(before: &Site, root: &Arc<ConfigFile>, path: &str) -> Option<Arc<ConfigFile>> {
        let page = before.pages.get(path)?.file.as_ref()?;
        if is_same_root(before, root) {
            return Some(Arc::clone(page));
        }
        page_over(root, path, page.bytes.clone(), None).ok()
    }

    async fn stamps_of(&self, names: Vec<String>) -> BTreeMap<String, Stamp> {
        let directory = self.directory.clone();
        let look = move || names.into_iter().map(|name| (name.clone(), Stamp::of(&directory.join(name)))).collect();
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }

    /// Whether the folder is new: there is no trace of a config.
    async fn is_new_folder(&self) -> bool {
        // The config of such a folder is elsewhere, and may let nobody in.
        if self.main_is_copy {
            return false;
        }
        let (directory, main, backups) = (self.directory.clone(), self.main.clone(), self.backup_directory.clone());
        let look = move || new_folder::is_new(&directory, &main, &backups);
        tokio::task::spawn_blocking(look).await.unwrap_or(false)
    }

    /// Whether a file is still the starter config.
    pub fn is_starter(&self, file: &ConfigFile) -> bool {
        file.name == self.main && file.bytes == starter::config(&self.directory.join(&self.main)).as_bytes()
    }

    async fn write_starter(&self) {
        if !self.is_new_folder().await {
            return;
        }
        let path = self.directory.join(&self.main);
        let (disk, target) = (Arc::clone(&self.disk), path.clone());
        let write = move || {
            let folder = target.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            let name = target.file_name().unwrap_or_default().to_string_lossy();
            Temporary::write(&*disk, folder, &name, starter::config(&target).as_bytes(), FileAccess::NEW)?
                .replace(&*disk, &target)
        };
        let written = tokio::task::spawn_blocking(write).await.unwrap_or_else(|error| Err(io::Error::other(error)));
        match written {
            Ok(()) => tracing::info!("wrote a starter config to {}", path.display()),
            Err(error) => tracing::warn!(
                "there is no config and {} cannot be written ({}): a starter page is shown from memory",
                path.display(),
                reason(&error)
            ),
        }
    }
}

fn backup_directory(settings: &Settings) -> PathBuf {
    settings.backups.directory.clone().unwrap_or_else(|| settings.user_data.join("config-backups"))
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
