//! A server in memory over a temporary folder, in the state that docs/spec/api.md 11 begins with.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use axum::Router;
use serde_json::Value;
use server::{
    access::{SystemClock, TimeSource},
    platform::{
        assets::Assets,
        page_files::{FONT, HashedFile},
    },
    routes::{
        app_state::AppState,
        connections::{Connections, Limits},
        router,
    },
    settings::{ExportSettings, Settings},
    store::{Disk, LocalDisk, remote_main},
};
use tempfile::TempDir;

pub use crate::exchange::{Reply, TestRequest};

/// The main config of the common state.
pub const CONF: &str = "\
pageInfo: { title: Base }
sections:
  - name: Alpha
    icon: mdi-alpha
    items:
      - { title: One, url: 'https://one.example' }
      - { title: Two }
      - { title: One, url: 'https://dup.example' }
  - name: Beta
  - name: Alpha
    items: [ { title: Shadow } ]
  - name: 'A/B & C'
    items: [ { title: 'x/y?z#1' } ]
  - name: 'Größe 日本'
    items: [ { title: '😀 fun' } ]
  - name: '2'
";

/// The address of the main config.
pub const C: &str = "/api/config/conf.yml";

/// Two accounts: Anna is an admin with the password `anna`, Bob is not, his is `bob`.
pub const USERS: &str = "\
appConfig:
  auth:
    users:
      - { user: Anna, hash: 55579B557896D0CE1764C47FED644F9B35F58BAD620674AF23F356D80ED0C503, type: admin }
      - { user: bob, hash: 81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9 }
";

/// What a server is started with.
pub struct Setup {
    environment: HashMap<String, String>,
    files: BTreeMap<String, String>,
    disk: Arc<dyn Disk>,
    clock: Arc<dyn TimeSource>,
    directory: Option<PathBuf>,
    old_directory: Option<PathBuf>,
    is_export: bool,
}

/// A running server and its folder.
pub struct World {
    /// Kept so that it is removed at the end; none when the folder is somebody else's.
    _owned: Option<TempDir>,
    directory: PathBuf,
    portico: Arc<AppState>,
    router: Router,
    before: BTreeMap<PathBuf, Vec<u8>>,
}

impl Setup {
    pub fn new() -> Self {
        let files = [
            ("conf.yml", CONF),
            ("extra.yml", "pageInfo: { title: Extra }\n"),
            ("broken.yml", "a: [1"),
            ("list.yml", "- 1\n"),
            ("scalar.yml", "sections: text\n"),
            ("odd.yml", "sections: [ { name: S, items: text } ]\n"),
            ("notes.txt", "hello"),
            ("config-backups/conf-1600000000000.backup.yml", "sections: []\n"),
        ];
        Self {
            environment: HashMap::from([("ENABLE_API".to_owned(), "true".to_owned())]),
            files: files.map(|(name, text)| (name.to_owned(), text.to_owned())).into(),
            disk: Arc::new(LocalDisk),
            clock: Arc::new(SystemClock),
            directory: None,
            old_directory: None,
            is_export: false,
        }
    }

    /// Sets an environment variable; an empty text unsets it.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        if value.is_empty() {
            self.environment.remove(name);
        } else {
            self.environment.insert(name.to_owned(), value.to_owned());
        }
        self
    }

    pub fn file(mut self, name: &str, text: impl Into<String>) -> Self {
        self.files.insert(name.to_owned(), text.into());
        self
    }

    /// Leaves a file of the common state out.
    pub fn without(mut self, name: &str) -> Self {
        self.files.remove(name);
        self
    }

    pub fn disk(mut self, disk: impl Disk + 'static) -> Self {
        self.disk = Arc::new(disk);
        self
    }

    pub fn clock(mut self, clock: Arc<dyn TimeSource>) -> Self {
        self.clock = clock;
        self
    }

    /// Starts what writes the files of an export.
    pub fn exports(mut self) -> Self {
        self.is_export = true;
        self
    }

    /// Uses a folder as it is.
    pub fn directory(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self.files.clear();
        self
    }

    /// Uses this folder in place of `/app/public`.
    pub fn old_directory(mut self, directory: &Path) -> Self {
        self.old_directory = Some(directory.to_owned());
        self
    }

    pub async fn start(self) -> World {
        _ = rustls::crypto::ring::default_provider().install_default();
        let owned = self.directory.is_none().then(|| tempfile::tempdir().unwrap());
        let directory = self.directory.unwrap_or_else(|| owned.as_ref().unwrap().path().to_owned());
        for (name, text) in &self.files {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let settings = Settings::read(|name| match name {
            "USER_DATA_DIR" => Some(directory.display().to_string()),
            _ => self.environment.get(name).cloned(),
        });
        let mut settings = settings.unwrap().with_variables(self.environment);
        settings.old_user_data = self.old_directory.or(settings.old_user_data);
        settings.export = self.is_export.then(ExportSettings::default);
        let assets = tempfile::tempdir().unwrap();
        write_assets(assets.path());
        let read = Assets::read(assets.path(), &settings.base).unwrap();
        let portico = AppState::start_on(self.disk, self.clock, settings, read, Instant::now()).await.unwrap();
        let before = files_of(&directory);
        World { _owned: owned, directory, router: router(Arc::clone(&portico)), portico, before }
    }
}

impl World {
    /// The common state and nothing else.
    pub async fn new() -> Self {
        Setup::new().start().await
    }

    pub fn request(&self, method: &str, path: &str) -> TestRequest {
        TestRequest::new(self.router.clone(), method, path)
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.request("GET", path).send().await
    }

    pub async fn send(&self, method: &str, path: &str, body: &str) -> Reply {
        self.request(method, path).body(body).send().await
    }

    /// The value of a successful read.
    pub async fn value(&self, path: &str) -> Value {
        self.get(path).await.expect_status(200).json()
    }

    pub async fn value_with_token(&self, path: &str, token: &str) -> Value {
        self.request("GET", path).bearer(token).send().await.expect_status(200).json()
    }

    /// Looks at the files, as the server does several times a second.
    pub async fn poll(&self) {
        self.portico.store.reload_if_changed().await;
    }

    /// Fetches the pages on other hosts that are due, as the server does each second.
    pub async fn fetch_pages(&self) {
        let AppState { remote_pages, store, http_client, .. } = &*self.portico;
        if remote_pages.refresh(store, http_client).await {
            store.touch();
        }
    }

    /// Fetches the main config on another host, as the server does every few minutes, and looks at the files.
    pub async fn fetch_main(&self) -> bool {
        let AppState { store, http_client, settings, .. } = &*self.portico;
        let address = settings.main_address.as_deref().unwrap();
        let is_fetched = remote_main::refresh(http_client, address, &store.directory().join(store.main())).await;
        self.poll().await;
        is_fetched
    }

    /// Does what the server does for services before it stops.
    pub async fn stop(&self) {
        self.portico.panels.keep_sessions_of(HashSet::new()).await;
    }

    /// Ends what has no end of its own, as the server does before it stops.
    pub fn end_streams(&self) {
        self.portico.streams.end();
    }

    /// Answers on the addresses of the settings too.
    pub fn listen(&self) {
        let portico = Arc::clone(&self.portico);
        let connections = Connections::new(Limits::for_descriptors(1024), portico.settings.trusted_proxies.clone());
        tokio::spawn(async move {
            server::commands::serve::listen(&portico, axum_server::Handle::new(), connections).await
        });
    }

    pub fn portico(&self) -> Arc<AppState> {
        Arc::clone(&self.portico)
    }

    pub fn router(&self) -> Router {
        self.router.clone()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all backups in order.
    pub fn backups(&self) -> Vec<String> {
        names_in(&self.path("config-backups"))
    }

    /// Nothing on disk is other than at the start.
    #[track_caller]
    pub fn assert_unchanged(&self) {
        let now = files_of(&self.directory);
        let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&now), names(&self.before));
        assert!(now == self.before, "a file has other bytes than before");
    }
}

/// All files below a folder with their bytes; none for a folder that is not there.
fn files_of(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = fs::read_dir(directory) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_of(&path));
        } else {
            // A link that leads nowhere has no bytes.
            let bytes = if path.exists() { fs::read(&path).unwrap() } else { Vec::new() };
            found.insert(path, bytes);
        }
    }
    found
}

/// The names in a folder in order; none for a folder that is not there.
pub fn names_in(directory: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The least that a page needs of the browser's bundle.
pub fn write_assets(directory: &Path) {
    fs::create_dir_all(directory.join("fonts")).unwrap();
    let names = HashedFile::ALL.map(|file| file.with_hash("0123456789abcdef"));
    for name in names.iter().map(String::as_str).chain([FONT]) {
        fs::write(directory.join(name), "").unwrap();
    }
    let styles = format!("@font-face{{font-family:Figtree;src:url(\"{FONT}\")}}");
    fs::write(directory.join(HashedFile::STYLES.with_hash("0123456789abcdef")), styles).unwrap();
    // A pack that announces no sets, no view boxes and no records.
    let mut pack = b"PORTICO3".to_vec();
    pack.extend([0; 12]);
    fs::write(directory.join("icons.pack"), pack).unwrap();
}
