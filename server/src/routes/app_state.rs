//! Everything that handlers need, created once at start.

use std::{
    collections::HashSet,
    sync::{Arc, Weak},
    time::Instant,
};

use config::model::PageSource;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    access::{self, AccessControl, DatabaseClock, SignInMethod, SystemClock, TimeSource},
    alerts::Alerts,
    database::{Database, DatabaseError},
    found::FoundServices,
    http_client::HttpClient,
    icons::{IconSettings, Icons, Pack},
    panels::{PanelKey, Panels, PlanCache, demo, own_addresses::OwnAddresses, service_status::ItemStatuses},
    platform::{assets::Assets, metrics, system_info::Machine},
    routes::{
        backend::{MAX_OTHER_ITEMS, OtherItems},
        events::Streams,
        files::{ConfigTexts, MAX_CONFIG_TEXTS},
        framed::Framings,
        gallery::Gallery,
        headers::PagePolicy,
        item_addresses::ItemAddresses,
        new_version::Releases,
        offline::{MAX_MANIFESTS, Manifests, OfflineScripts},
        own_page::OwnPageProofs,
        pages::PageCache,
        widget_draft_frame::DraftFrames,
    },
    settings::Settings,
    status::{Check, CheckId, Checker},
    store::{ConfigFile, Disk, LocalDisk, ReplicaError, Store, remote_main, remote_pages::RemotePages},
};

/// The running product.
pub struct AppState {
    /// The settings from the environment.
    pub settings: Arc<Settings>,
    /// The config files.
    pub store: Arc<Store>,
    /// The access control.
    pub access_control: Arc<AccessControl>,
    /// The program's own files.
    pub assets: Assets,
    /// Sub-pages on other hosts.
    pub remote_pages: Arc<RemotePages>,
    /// All icons.
    pub icons: Icons,
    /// Guarded requests to other hosts.
    pub http_client: HttpClient,
    /// The plans for the widgets of the config files.
    pub plans: Arc<PlanCache>,
    /// The panels of widgets.
    pub panels: Arc<Panels>,
    /// The status checks of items.
    pub checker: Checker,
    /// Messages about services that are down.
    pub alerts: Alerts,
    /// What the sources of discovery find.
    pub found: FoundServices,
    /// The proofs that requests with an address in them come from our own pages.
    pub own_page: Arc<OwnPageProofs>,
    /// Which sites may be shown in frames.
    pub framings: Framings,
    /// Which items name an address.
    pub item_addresses: ItemAddresses,
    /// What widgets that are being edited embed.
    pub draft_frames: Arc<DraftFrames>,
    /// The last result of the check for a newer version.
    pub releases: Arc<Releases>,
    /// Cancelled when the server begins to stop.
    pub stopping: CancellationToken,
    /// The streams of tabs that follow a page.
    pub streams: Streams,
    /// The cache of rendered pages.
    pub pages: PageCache,
    /// The texts of config files.
    pub config_texts: Arc<ConfigTexts>,
    /// The items of other pages, for the search.
    pub other_items: OtherItems,
    /// The manifest of the installed app.
    pub manifests: Manifests,
    /// The Content-Security-Policy of pages.
    pub policy: PagePolicy,
    /// The scripts for offline use.
    pub offline: OfflineScripts,
    /// The gallery of widgets for admins.
    pub gallery: Gallery,
    /// Whether this is the gallery, or the demo.
    pub shows_cases: bool,
    /// When the program started.
    pub started: Instant,
}

/// Why the product cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The browser bundle is missing.
    #[error(transparent)]
    Assets(#[from] crate::platform::assets::AssetsError),
    /// The icon pack is damaged.
    #[error("the icon pack cannot be read")]
    Icons(#[from] crate::icons::PackError),
    /// A case of the demo is broken.
    #[error(transparent)]
    Demo(#[from] demo::DemoError),
    /// The HTTP client cannot be created.
    #[error("outgoing requests cannot be set up")]
    HttpClient(#[from] crate::http_client::SetupError),
    /// The system cannot create threads for outgoing requests.
    #[error("outgoing requests get no threads: {0}")]
    Threads(#[from] std::io::Error),
    /// An address cannot be bound, or a certificate cannot be used.
    #[error("{0}")]
    Listen(String),
    /// The settings of the database cannot be used, or it cannot be reached and there is no copy of it yet.
    #[error("DATABASE_URL: {0}")]
    Database(#[from] DatabaseError),
    /// The copy of the database's files cannot be used.
    #[error(transparent)]
    Copy(#[from] ReplicaError),
    /// Several servers share a database, so they must share the key of the sessions too.
    #[error(
        "with DATABASE_URL, all servers need the same SESSION_SECRET: a session that one has opened is valid for all. Set \
         this one, which was made just now, for each of them: SESSION_SECRET={0}"
    )]
    NoSecret(String),
}

impl AppState {
    /// Reads the config and prepares everything.
    ///
    /// # Errors
    ///
    /// [`StartError`]. A broken config is not an error; the page reports it.
    pub async fn start(settings: Settings, assets: Assets, started: Instant) -> Result<Arc<Self>, StartError> {
        Self::start_on(Arc::new(LocalDisk), Arc::new(SystemClock), settings, assets, started).await
    }

    /// Like [`AppState::start`], with another disk for writing, and another clock.
    ///
    /// # Errors
    ///
    /// As for [`AppState::start`].
    pub async fn start_on(
        disk: Arc<dyn Disk>,
        clock: Arc<dyn TimeSource>,
        settings: Settings,
        assets: Assets,
        started: Instant,
    ) -> Result<Arc<Self>, StartError> {
        let database = Database::new(&settings)?;
        if database.is_some() && settings.session_secret.is_none() {
            return Err(StartError::NoSecret(access::new_secret()));
        }
        let settings = match &database {
            Some(_) => Store::settings_of_copy(&settings),
            None => settings.settled(),
        };
        if let Some(address) = &settings.main_address {
            let http_client = HttpClient::new(settings.http_client())?;
            remote_main::refresh(&http_client, address, &settings.user_data.join(&settings.main_config)).await;
        }
        let store = Arc::new(match database {
            Some(database) => Store::open_copy(database, &settings).await?,
            None => Store::open(&settings, disk).await,
        });
        let plans = PlanCache::new(settings.variables.clone());
        let portico = Self::with_store(store, plans, clock, settings, assets, started, false)?;
        portico.access_control.catch_up().await;
        Ok(portico)
    }

    /// Whether everybody who reaches the dashboard may change it, as no sign-in is set up.
    pub fn is_open(&self) -> bool {
        self.access_control.policy(&self.store.site()).kind == SignInMethod::Open
    }

    /// Prepares the gallery of widgets, without config files and without network.
    ///
    /// # Errors
    ///
    /// [`StartError`].
    pub fn start_demo(settings: Settings, assets: Assets, started: Instant) -> Result<Arc<Self>, StartError> {
        Self::show_cases(settings, assets, started, false)
    }

    /// The same; with `is_below`, one level below the address of a dashboard.
    fn show_cases(
        settings: Settings,
        assets: Assets,
        started: Instant,
        is_below: bool,
    ) -> Result<Arc<Self>, StartError> {
        let settings = Settings {
            // No such folder exists, so nothing is read or written.
            user_data: std::env::temp_dir().join(format!("no-user-data-{}", std::process::id())),
            offline: true,
            enable_api: false,
            ..settings
        };
        let plans = PlanCache::default();
        let store = Arc::new(Store::fixed(&settings, demo::site(&plans, is_below.then_some(settings.base.as_str()))?));
        Self::with_store(store, plans, Arc::new(SystemClock), settings, assets, started, true)
    }

    /// The gallery of widgets at a path below this product, without accounts of its own.
    ///
    /// # Errors
    ///
    /// [`StartError`].
    pub fn gallery_below(&self, path: &str) -> Result<Arc<Self>, StartError> {
        let base = format!("{}{path}", self.settings.base);
        let assets = self.assets.below(&base);
        let settings = Settings {
            base,
            api_token: None,
            enable_http_auth: false,
            static_account: None,
            session_secret: None,
            oidc_client_secret: None,
            ..Settings::clone(&self.settings)
        };
        Self::show_cases(settings, assets, self.started, true)
    }

    /// Prepares pages for these files, whose widgets may be answered from recordings.
    #[cfg(test)]
    pub(crate) fn of_site(site: crate::store::Site, plans: PlanCache, assets: Assets) -> Arc<Self> {
        let settings = Settings { user_data: "nowhere".into(), offline: true, ..Settings::default() };
        let store = Arc::new(Store::fixed(&settings, site));
        Self::with_store(store, plans, Arc::new(SystemClock), settings, assets, Instant::now(), false).unwrap()
    }

    fn with_store(
        store: Arc<Store>,
        plans: PlanCache,
        clock: Arc<dyn TimeSource>,
        settings: Settings,
        assets: Assets,
        started: Instant,
        demo: bool,
    ) -> Result<Arc<Self>, StartError> {
        if settings.metrics_address.is_some() {
            metrics::turn_on();
        }
        let assets = if demo || settings.export.is_some() { assets.without_stream() } else { assets };
        let http_client = HttpClient::new(settings.http_client())?;
        let clock = match store.database() {
            Some(database) => DatabaseClock::over(clock, database),
            None => clock,
        };
        let access_control = AccessControl::new(&settings, &store.site(), http_client.clone(), clock);
        let access_control = access_control.with_database(store.database());
        let bundled: HashSet<String> = assets.names().map(str::to_owned).collect();
        let icons = Icons::new(
            IconSettings {
                base: settings.base.clone(),
                web_roots: [settings.user_data.clone()].into_iter().chain(settings.old_user_data.clone()).collect(),
                cache_directory: (!demo).then(|| settings.user_data.join(".cache").join("icons")),
                offline: settings.offline,
                database: store.database().cloned(),
                address_secret: store.database().and(settings.session_secret.clone()),
                is_bundled_file: Arc::new(move |path| bundled.contains(path)),
            },
            Pack::open(assets.icon_pack())?,
            Arc::new(http_client.clone()),
        );
        icons.rescan();
        let policy = page_policy(&settings, &assets);
        let offline = OfflineScripts::new(&assets, &settings.base);
        let remote_pages = Arc::default();
        let checker = Checker::new(http_client.clone(), store.database());
        let own = OwnAddresses::new(settings.user_data.clone(), Machine::new(settings.container.clone()))
            .with_services(ItemStatuses::new(Arc::clone(&store), checker.clone()));
        let alerts = Alerts::new(Arc::clone(&store), checker.clone(), http_client.clone(), settings.variables.clone());
        let (variables, sources) = (settings.variables.clone(), settings.sources_in(&settings.user_data));
        let found = FoundServices::new(Arc::clone(&store), icons.clone(), checker.clone(), variables, sources);
        // In the demo, neither the server nor browsers send requests to other hosts.
        let runs_scripts = settings.widget_scripts && !demo;
        let panels = Panels::new(http_client.clone(), own, &settings.base).with_scripts(runs_scripts);
        let panels = if demo { panels.for_demo() } else { panels.with_database(store.database()) };
        let portico = Arc::new(Self {
            settings: Arc::new(settings),
            store,
            access_control: Arc::new(access_control),
            remote_pages,
            assets,
            icons,
            http_client,
            plans: Arc::new(plans),
            panels: Arc::new(panels),
            checker,
            alerts,
            found,
            own_page: Arc::default(),
            framings: Framings::default(),
            item_addresses: ItemAddresses::default(),
            draft_frames: Arc::default(),
            releases: Arc::default(),
            stopping: CancellationToken::new(),
            streams: Streams::default(),
            pages: PageCache::default(),
            config_texts: Arc::new(ConfigTexts::new(MAX_CONFIG_TEXTS)),
            other_items: OtherItems::new(MAX_OTHER_ITEMS),
            manifests: Manifests::new(MAX_MANIFESTS),
            policy,
            offline,
            gallery: Gallery::default(),
            shows_cases: demo,
            started,
        });
        tokio::spawn(forget_what_is_gone(Arc::downgrade(&portico), portico.store.revisions()));
        Ok(portico)
    }

    /// The same product under another path prefix, with its own pages.
    pub fn below(&self, base: &str) -> Arc<Self> {
        self.with_settings(Settings { base: base.to_owned(), ..Settings::clone(&self.settings) })
    }

    /// The same product with another path prefix, or other settings for an export; further settings count only at its start.
    pub(super) fn with_settings(&self, settings: Settings) -> Arc<Self> {
        let base = settings.base.as_str();
        let assets = self.assets.below(base);
        Arc::new(Self {
            store: Arc::clone(&self.store),
            access_control: Arc::new(self.access_control.below(base)),
            remote_pages: Arc::clone(&self.remote_pages),
            icons: self.icons.below(base),
            http_client: self.http_client.clone(),
            plans: Arc::clone(&self.plans),
            panels: Arc::new(self.panels.below(base)),
            checker: self.checker.clone(),
            alerts: self.alerts.clone(),
            found: self.found.clone(),
            own_page: Arc::clone(&self.own_page),
            framings: self.framings.clone(),
            item_addresses: self.item_addresses.clone(),
            draft_frames: Arc::clone(&self.draft_frames),
            releases: Arc::clone(&self.releases),
            stopping: self.stopping.clone(),
            streams: self.streams.clone(),
            pages: PageCache::below(),
            config_texts: Arc::clone(&self.config_texts),
            other_items: OtherItems::new(MAX_OTHER_ITEMS),
            manifests: Manifests::new(MAX_MANIFESTS),
            policy: page_policy(&settings, &assets),
            offline: OfflineScripts::new(&assets, base),
            settings: Arc::new(settings),
            assets,
            gallery: Gallery::default(),
            shows_cases: self.shows_cases,
            started: self.started,
        })
    }

    /// The files of all pages.
    pub(super) fn files(&self) -> Vec<Arc<ConfigFile>> {
        let site = self.store.site();
        let Some(root) = &site.root else { return Vec::new() };
        let files = site.pages.values().filter_map(|page| page.file.clone());
        let remote = root.config.pages.iter().filter_map(|page| match &page.source {
            PageSource::Remote(address) => self.remote_pages.get(address)?.file,
            PageSource::File(_) => None,
        });
        [Arc::clone(root)].into_iter().chain(files).chain(remote).collect()
    }

    /// The keys of all widgets of all pages.
    fn widget_keys(&self) -> HashSet<PanelKey> {
        let files = self.files();
        files.iter().flat_map(|file| self.plans.of(file).all().map(|planned| planned.key).collect::<Vec<_>>()).collect()
    }

    /// The status checks of all items of all pages.
    fn check_ids(&self) -> HashSet<CheckId> {
        let mut ids = HashSet::new();
        for file in self.files() {
            let items = file.config.sections.iter().flat_map(|section| &section.items);
            let targets = items.flat_map(|item| file.config.checks(item));
            ids.extend(
                targets
                    .map(|target| self.checker.wanted(Check::of(&target, file.host.as_deref()), target.interval()).id),
            );
        }
        ids
    }
}

/// The policy for pages with the inline scripts that they may contain.
fn page_policy(settings: &Settings, assets: &Assets) -> PagePolicy {
    let mut scripts = app::document::inline_scripts().to_vec();
    if settings.export.as_ref().is_some_and(|export| export.languages.len() > 1) {
        scripts.push(app::document::LANGUAGE_SCRIPT);
    }
    PagePolicy::new(&scripts, &assets.page().styles)
}

/// Ends the sessions of changed and removed widgets at their services, which allow only a few, and forgets the data of
/// removed items.
async fn forget_what_is_gone(portico: Weak<AppState>, mut revisions: watch::Receiver<u64>) {
    loop {
        revisions.mark_unchanged();
        let Some(portico) = portico.upgrade() else { return };
        portico.panels.keep_sessions_of(portico.widget_keys()).await;
        portico.checker.keep_only(&portico.check_ids());
        drop(portico);
        if revisions.changed().await.is_err() {
            return;
        }
    }
}
