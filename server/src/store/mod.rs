//! The config files: read once, cached until they change on disk, replaced as a whole.
//!
//! A background task polls the files a few times a second. It compares time stamps, sizes and inode numbers behind
//! links, so it notices an editor that replaces the file, a mount that swaps a link and a container's single-file
//! mount, and no request for a page ever touches the disk. Reads of the API compare the stamp of their file.

mod added;
mod backup;
mod disk;
mod failure;
mod folder;
mod follow;
mod history;
mod in_place;
mod last_read;
mod lock;
mod name;
mod new_folder;
mod own_files;
pub mod pictures;
mod queue;
mod read;
mod record_version;
mod reload;
pub mod remote_main;
pub mod remote_pages;
mod replica;
pub mod rights;
mod site;
mod stamp;
mod starter;
mod storage;
mod temporary;
pub mod transfer;
pub mod user_files;
mod write;
mod write_error;

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use bytes::Bytes;
use config::model::Section;
use tokio::sync::{Mutex, watch};

pub use self::{
    backup::Backup,
    disk::{Disk, LocalDisk},
    failure::{FileFailure, FileProblem},
    history::{Author, Change, Via},
    lock::Lead,
    name::{FileName, FileNameError},
    own_files::{ALERTS_FILE, HISTORY_FILE, KEY_FILE, LAST_READ_FILE, SIGN_OUTS_FILE, TOKENS_FILE},
    read::Loaded,
    record_version::RecordVersion,
    replica::ReplicaError,
    site::{ConfigFile, Site, SubPageFile},
    starter::GALLERY_PATH,
    write::{Edited, Parsed, WriteResult},
    write_error::WriteError,
};
use self::{
    folder::Folder,
    pictures::KeptPicture,
    queue::Queues,
    replica::{Replica, settings_of_copy},
    stamp::Stamp,
    storage::{Edit, Storage, Stored},
};
use crate::{database::Database, platform::system_info::Machine, settings::Settings};

/// Time between two polls of the files.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Polls between two listings of the user's pictures.
const POLLS_PER_LISTING: u32 = 12;

/// Reads and watches the config files of one user-data directory.
#[derive(Debug)]
pub struct Store {
    main: String,
    /// The path prefix, for links in the starter config.
    base: String,
    /// Whether the starter config shows the load of this machine.
    has_machine: bool,
    /// Whether the main config is a copy of one on another host, which cannot be changed here.
    main_is_copy: bool,
    site: ArcSwap<Site>,
    /// The revision of `site`, for tasks that wait for the next one.
    revision: watch::Sender<u64>,
    /// The file stamps of `site`; the lock also ensures that only one reload runs at a time.
    stamps: Mutex<BTreeMap<String, Stamp>>,
    /// The same stamps, for those who only read them.
    last_stamps: ArcSwap<BTreeMap<String, Stamp>>,
    /// The files as they are read.
    folder: Arc<Folder>,
    /// Where changes go: the same folder, or a database of which the folder is a copy.
    storage: Arc<dyn Storage>,
    /// The database and the copy of it, if there is one.
    replica: Option<Arc<Replica>>,
    queues: Queues,
    /// Items that no file has.
    added: ArcSwap<Vec<Section>>,
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
        let directory = store.directory().to_owned();
        let backup_directory = store.folder.backup_directory.clone();
        let clean = move || {
            [&directory, &backup_directory].into_iter().for_each(|place| temporary::remove_leftovers(place));
            lock::remove_leftover(&directory);
        };
        if let Err(error) = tokio::task::spawn_blocking(clean).await {
            tracing::warn!("leftovers of earlier writes cannot be removed: {error}");
        }
        store.write_starter().await;
        store.reload_if_changed().await;
        store
    }

    /// The settings of a server whose files are in a database: its folder is a copy of them, in the user-data folder.
    #[must_use]
    pub fn settings_of_copy(settings: &Settings) -> Settings {
        settings_of_copy(settings)
    }

    /// Brings the copy of a database up to date and reads it. `settings` are those of the copy.
    ///
    /// # Errors
    ///
    /// [`ReplicaError`].
    pub async fn open_copy(database: Arc<Database>, settings: &Settings) -> Result<Self, ReplicaError> {
        let mut store = Self { has_machine: false, ..Self::unread(settings, Arc::new(LocalDisk)) };
        let replica = Arc::new(Replica::open(database, Arc::clone(&store.folder), settings).await?);
        store.storage = Arc::clone(&replica) as Arc<dyn Storage>;
        store.replica = Some(Arc::clone(&replica));
        if !store.main_is_copy && !store.directory().join(&store.main).exists() {
            if replica.is_new().await {
                replica.write_new(&store.main, store.starter().into()).await?;
            }
            // Another new server may have been faster.
            replica.compare().await?;
        }
        store.reload_if_changed().await;
        Ok(store)
    }

    /// The database, if the files are in one.
    pub fn database(&self) -> Option<&Arc<Database>> {
        self.replica.as_ref().map(|replica| replica.database())
    }

    fn unread(settings: &Settings, disk: Arc<dyn Disk>) -> Self {
        let folder = Arc::new(Folder::new(settings, disk));
        Self {
            main: settings.main_config.clone(),
            base: settings.base.clone(),
            has_machine: Machine::new(settings.container.clone()).has_facts(),
            main_is_copy: settings.main_address.is_some(),
            site: ArcSwap::from_pointee(Site::default()),
            revision: watch::Sender::default(),
            stamps: Mutex::new(BTreeMap::new()),
            last_stamps: ArcSwap::default(),
            storage: Arc::clone(&folder) as Arc<dyn Storage>,
            replica: None,
            folder,
            queues: Queues::default(),
            added: ArcSwap::default(),
        }
    }

    /// The current config files. Never waits.
    pub fn site(&self) -> Arc<Site> {
        self.site.load_full()
    }

    /// The user-data directory.
    pub fn directory(&self) -> &Path {
        &self.folder.directory
    }

    /// Name of the main config.
    pub fn main(&self) -> &str {
        &self.main
    }

    /// Where the next backup of a file will be, with `time` in place of the milliseconds; `None` if no backups are made.
    pub fn next_backup(&self, name: &str, time: &str) -> Option<String> {
        self.storage.next_backup(name, time)
    }

    /// The latest changes of all files before a time in milliseconds since 1970, the newest first.
    ///
    /// # Errors
    ///
    /// The history cannot be read.
    pub async fn changes(&self, before: u64, count: usize) -> std::io::Result<Vec<Change>> {
        Arc::clone(&self.storage).changes(before, count).await
    }

    /// Replaces a file that this program stores for itself, such as [`ALERTS_FILE`].
    ///
    /// # Errors
    ///
    /// It cannot be stored.
    pub async fn write_own(&self, name: &'static str, content: Bytes) -> std::io::Result<()> {
        Arc::clone(&self.storage).write_own(name, content).await
    }

    /// The names of all backups.
    pub async fn backup_names(&self) -> HashSet<String> {
        Arc::clone(&self.storage).backup_names().await
    }

    /// Stores a picture among the user's icons, under the first of `logo.png`, `logo-2.png` … that is free or has the same
    /// content.
    ///
    /// # Errors
    ///
    /// It cannot be stored. No new file is left behind.
    pub async fn keep_picture(&self, stem: String, ending: &'static str, bytes: Bytes) -> std::io::Result<KeptPicture> {
        Arc::clone(&self.storage).keep_picture(stem, ending, bytes).await
    }

    /// Whether a file is the copy of a main config on another host.
    pub fn is_copy(&self, name: &str) -> bool {
        self.main_is_copy && name == self.main
    }

    /// Whether changes can be stored: this user may write to the user-data folder, and its file system allows it; or the
    /// database can be reached.
    pub fn is_writable(&self) -> bool {
        self.storage.is_writable()
    }

    /// Polls the files forever. `list_pictures` is called from time to time, because new pictures change pages too; it
    /// may block, and returns whether anything changed.
    pub async fn watch(self: Arc<Self>, list_pictures: Arc<dyn Fn() -> bool + Send + Sync>) {
        let mut saved = None;
        let mut looks = 0_u32;
        loop {
            let site = self.site();
            if site.root.is_some() && saved != Some(site.revision) {
                let is_first = saved.replace(site.revision).is_none();
                let save = move |storage: &dyn Storage| {
                    if is_first {
                        storage.note_changes_since_last_run(&site);
                    }
                    storage.save_last_read(&site);
                };
                self.with_storage(save).await;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
            self.reload_if_changed().await;
            looks += 1;
            if looks.is_multiple_of(POLLS_PER_LISTING) {
                let list = Arc::clone(&list_pictures);
                if tokio::task::spawn_blocking(move || list()).await.unwrap_or_default() {
                    self.touch();
                }
            }
        }
    }

    /// Runs what waits for the disk on a thread for such work.
    async fn with_storage(&self, work: impl FnOnce(&dyn Storage) + Send + 'static) {
        let storage = Arc::clone(&self.storage);
        if tokio::task::spawn_blocking(move || work(&*storage)).await.is_err() {
            tracing::error!("a change on disk was not noted");
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

    /// Changes what the current files mean, for an export; `amend` also learns which config is that of the main file. The files stay
    /// as they are on disk.
    pub fn amend(&self, amend: impl Fn(&mut config::Config, bool)) {
        let site = self.site();
        let amended = |file: &Arc<ConfigFile>, is_main: bool| {
            let mut config = file.config.clone();
            amend(&mut config, is_main);
            Arc::new(file.with_config(config))
        };
        let root = site.root.as_ref().map(|root| amended(root, true));
        let of_page = |file: &Arc<ConfigFile>| match (&site.root, &root) {
            // A page that shows the main file again.
            (Some(before), Some(root)) if Arc::ptr_eq(before, file) => Arc::clone(root),
            _ => amended(file, false),
        };
        let page = |(path, page): (&String, &SubPageFile)| {
            (path.clone(), SubPageFile { file: page.file.as_ref().map(of_page), failure: page.failure.clone() })
        };
        let pages = site.pages.iter().map(page).collect();
        self.set_site(Site { revision: site.revision + 1, root, failure: site.failure.clone(), pages });
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
}
