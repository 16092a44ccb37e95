//! The panels of widgets that the server looks up: planned when a config file is read, looked up once for all viewers,
//! and cached as markup.
//!
//! A lookup outlives the request that started it, so a viewer who leaves does not cancel it for others.
//! [`crate::http_client`] decides which hosts may be contacted.

mod browser_requests;
mod browser_step;
pub mod context;
pub mod demo;
pub mod embedded;
mod exchange_log;
mod following;
mod isolated;
mod named_hosts;
pub mod own_addresses;
mod panel_cache;
mod panel_entry;
mod panel_set;
mod picture_lookup;
mod pictures;
mod plan_cache;
mod plans;
mod problems;
mod recording;
mod refresh;
mod rendered_panel;
mod responses;
mod run;
mod secrets;
pub mod service_status;
mod shared;
pub mod shared_services;
mod slot;
mod slots;
#[cfg(test)]
mod tests;
mod tile_plan;
mod tiles;
mod usage;

use std::{collections::HashSet, sync::Arc, time::Duration};

use app::backend::{BrowserRefresh, BrowserResponse, PanelQuery, PanelResponse, PanelState};
use tokio::time::{sleep_until, timeout};
use widgets::{Action, Audience, Moment, Panel, ResponseContent, RunSide, ViewerHints, WidgetContext as _};

use self::{
    browser_requests::BrowserRequests,
    browser_step::{Progress, step},
    exchange_log::Failed,
    panel_entry::{PanelEntry, PanelStatus, named_wait},
    panel_set::life,
    refresh::{Refreshed, failed, is_too_large, log, too_large},
    responses::{Requester, action_failed, advised, blanked, hints, respond, sentence},
    run::{DataSource, Lookup, render},
    shared::Shared,
    usage::WidgetUsage,
};
pub use self::{
    exchange_log::ExchangeLog,
    following::{Followed, Following},
    named_hosts::NamedHosts,
    panel_set::{CachedPanel, Panels},
    pictures::Pictures,
    plan_cache::PlanCache,
    plans::{PanelKey, PlannedWidget, WidgetPlans},
    problems::{AdminMessages, admin_messages, problems},
    recording::Recording,
    secrets::Secrets,
    slot::Slots,
    slots::{Pieces, allow_writing, fill, keep_one},
    tile_plan::TilePlan,
};
use crate::{
    database::Database,
    http_client::HttpClient,
    panels::{
        context::{ServerContext, WidgetMemory, end_unused_sessions},
        own_addresses::OwnAddresses,
    },
    platform::{blocking_pool, metrics::metrics},
};

/// How long a request waits for a slow service. A browser has few connections, and other widgets need them too.
const HOLD: Duration = Duration::from_secs(2);

impl Panels {
    /// An empty set of panels. `base` is the path prefix of the product.
    pub fn new(http_client: HttpClient, own: OwnAddresses, base: &str) -> Self {
        Self {
            cache: Arc::default(),
            following: Following::default(),
            http_client,
            memory: WidgetMemory::default(),
            own,
            pictures: Arc::default(),
            base: base.into(),
            demo: false,
            runs_scripts: true,
            shared: None,
        }
    }

    /// The same panels for pages below another path prefix.
    #[must_use]
    pub fn below(&self, base: &str) -> Self {
        Self {
            cache: Arc::clone(&self.cache),
            following: self.following.clone(),
            http_client: self.http_client.clone(),
            memory: self.memory.clone(),
            own: self.own.clone(),
            pictures: Arc::clone(&self.pictures),
            base: base.into(),
            demo: self.demo,
            runs_scripts: self.runs_scripts,
            shared: self.shared.clone(),
        }
    }

    /// For a server that shows recordings.
    #[must_use]
    pub fn for_demo(self) -> Self {
        Self { demo: true, ..self }
    }

    /// Whether the panels are recordings, without a config file behind them.
    pub fn is_demo(&self) -> bool {
        self.demo
    }

    /// With or without scripts from the config file in frames.
    #[must_use]
    pub fn with_scripts(self, runs_scripts: bool) -> Self {
        Self { runs_scripts, ..self }
    }

    /// Shares lookups with the other servers of a database.
    #[must_use]
    pub fn with_database(self, database: Option<&Arc<Database>>) -> Self {
        let shared = database.map(|database| Shared::start(Arc::clone(database), Arc::clone(&self.pictures)));
        Self { shared, ..self }
    }

    /// The paths that this server answers itself.
    pub fn own_addresses(&self) -> &OwnAddresses {
        &self.own
    }

    /// Sets the current panels, and ends sessions at services that no current panel uses.
    pub async fn keep_sessions_of(&self, panels: HashSet<PanelKey>) {
        self.memory.set_panels(panels);
        end_unused_sessions(&self.http_client, &self.memory).await;
    }

    /// The streams that say when panels are outdated.
    pub fn following(&self) -> &Following {
        &self.following
    }

    /// Opens the stream of a widget that has one, or shares it; figures of a tile are looked up regularly. Both go on as long as
    /// the returned value lives.
    pub fn follow(&self, planned: &Arc<PlannedWidget>) -> Option<Arc<Followed>> {
        if planned.tile.is_some() {
            return (planned.recording.is_none()).then(|| self.following.refresh(planned, || self.below(&self.base)));
        }
        self.following.follow(planned, &self.http_client, &self.cache)
    }

    /// How many panels are cached.
    pub fn count(&self) -> usize {
        self.cache.len()
    }

    /// The known state of a panel, for a page that is about to be sent to someone with this language, who may be an
    /// admin. Starts a lookup if the panel is stale; never waits.
    pub fn cached(&self, planned: &Arc<PlannedWidget>, locale: Option<&str>, is_admin: bool) -> Option<CachedPanel> {
        self.find_cached(planned, locale, is_admin, true)
    }

    /// The same, without a lookup: an entry that is being typed names half an address.
    pub fn cached_without_refresh(
        &self,
        planned: &Arc<PlannedWidget>,
        locale: Option<&str>,
        is_admin: bool,
    ) -> Option<CachedPanel> {
        self.find_cached(planned, locale, is_admin, false)
    }

    fn find_cached(
        &self,
        planned: &Arc<PlannedWidget>,
        locale: Option<&str>,
        is_admin: bool,
        refresh: bool,
    ) -> Option<CachedPanel> {
        let own_hints = hints(&PanelQuery { locale: locale.map(str::to_owned), ..PanelQuery::default() });
        let (entry, own) = match planned.audience {
            Audience::Viewer => return None,
            // A viewer without scripts makes no further requests, so the page itself starts the lookup in their
            // language.
            Audience::Everyone | Audience::Language => self.entry_for_page(planned, &own_hints),
        };
        entry.touch();
        if refresh && entry.begin(life(planned), false) {
            self.start(planned, Arc::clone(&entry), own, entry.max_age(life(planned), false));
        }
        let known = entry.known();
        count_request(&known);
        let rendered = known.rendered.as_ref().map(|(rendered, _)| Arc::clone(rendered));
        let requester = self.requester(own_hints, is_admin);
        let response = respond(planned, &known, rendered.as_ref().map(|rendered| rendered.version), &requester);
        (response.state != PanelState::Pending).then_some(CachedPanel {
            response,
            rendered,
            base: Arc::clone(&self.base),
        })
    }

    fn requester(&self, hints: ViewerHints, is_admin: bool) -> Requester<'_> {
        Requester { hints, base: &self.base, is_admin }
    }

    /// The panel for a viewer who requests it. Waits about two seconds for a slow service.
    pub async fn request(&self, planned: &Arc<PlannedWidget>, query: &PanelQuery, is_admin: bool) -> PanelResponse {
        let requester = self.requester(hints(query), is_admin);
        if planned.audience == Audience::Viewer {
            return self.request_for_one(planned, requester).await;
        }
        let (entry, own) = self.entry(planned, &requester.hints);
        entry.touch();
        let mut ended = entry.ended();
        if entry.begin(life(planned), query.force) {
            self.start(planned, Arc::clone(&entry), own, entry.max_age(life(planned), query.force));
        }
        let known = entry.known();
        count_request(&known);
        let has_news = known.rendered.as_ref().is_some_and(|(rendered, _)| Some(rendered.version) != query.seen);
        if known.refreshing && (query.force || !has_news) {
            // The state afterwards shows whether it finished or took too long.
            _ = timeout(HOLD, ended.changed()).await;
        }
        let known = entry.known();
        if known.refreshing && query.force {
            return PanelResponse { next: Some(1), ..PanelResponse::default() };
        }
        respond(planned, &known, query.seen, &requester)
    }

    /// The next step of a lookup whose requests the viewer's browser makes. Nothing of it is cached.
    pub async fn browser_step(
        &self,
        planned: &Arc<PlannedWidget>,
        query: &PanelQuery,
        is_admin: bool,
        (began, responses): (Option<i64>, Vec<BrowserResponse>),
    ) -> BrowserRefresh {
        let (now, hints) = (context::now(), hints(query));
        let requests = BrowserRequests::new(planned, hints.clone(), began.map(Moment::from_millis), now, responses);
        let began = requests.began().millis();
        let Some(kind) = planned.kind else { return BrowserRefresh::default() };
        let (own, pictures) = (Arc::clone(planned), Arc::clone(&self.pictures));
        // A separate task, so that a panic in a widget is only its own failure.
        let task = tokio::spawn(blocking_pool::run(async move {
            let panel = match step(kind, &own, requests).await? {
                Progress::Wants(requests) => return Ok((requests, None)),
                Progress::Done(panel) => panel,
            };
            let rendered = render(*panel, &own, &pictures, now);
            if is_too_large(&rendered) { Err(too_large().into()) } else { Ok((Vec::new(), Some(rendered))) }
        }));
        let panel = match task.await.unwrap_or_else(|_| Err(failed().into())) {
            Ok((requests, None)) => return BrowserRefresh { requests, began, panel: None },
            Ok((_, Some(rendered))) => PanelResponse {
                state: PanelState::Content,
                version: rendered.version,
                html: Some(rendered.html(&self.base)),
                at: Some(rendered.at.millis()),
                ..PanelResponse::default()
            },
            Err(Failed { error, detail }) => {
                let wait = named_wait(&error, now);
                let error = error.retried_at(now.after(wait.unwrap_or_default()));
                // The page hides errors that are set to be ignored, but not those that an admin has to fix.
                let is_theirs = is_admin && planned.entry.ignore_errors && error.is_rejection();
                PanelResponse {
                    state: if error.is_config() || is_theirs { PanelState::Broken } else { PanelState::Error },
                    note: Some(sentence(planned, &error, &hints)),
                    detail: blanked(planned, detail.as_deref()),
                    next: wait.and_then(|wait| u32::try_from(wait.as_secs()).ok()),
                    ..PanelResponse::default()
                }
            }
        };
        BrowserRefresh { requests: Vec::new(), began, panel: Some(panel) }
    }

    /// Presses a button of a panel, and returns the panel afterwards.
    pub async fn act(
        &self,
        planned: &Arc<PlannedWidget>,
        action: Action,
        query: &PanelQuery,
        is_admin: bool,
    ) -> PanelResponse {
        let requester = self.requester(hints(query), is_admin);
        let hints = &requester.hints;
        let Some(lookup) = self.lookup(planned, hints.clone()) else { return PanelResponse::default() };
        let done = tokio::spawn(blocking_pool::run(async move { lookup.act(action).await }));
        let done = done.await.unwrap_or_else(|_| Err(failed()));
        let (entry, _) = self.entry(planned, hints);
        let known = respond(planned, &entry.known(), query.seen, &requester);
        match done {
            Ok(None) => {}
            Ok(Some(rendered)) if is_too_large(&rendered) => {
                let note = Some(sentence(planned, &too_large(), hints));
                return PanelResponse { state: PanelState::Stale, note, at: None, ..known };
            }
            // The result is only for this viewer until the next lookup, which everybody shares.
            Ok(Some(rendered)) => {
                let (html, at) = (Some(rendered.html(&self.base)), Some(rendered.at.millis()));
                let state = PanelState::Content;
                return PanelResponse { state, version: rendered.version, html, at, note: None, detail: None, ..known };
            }
            Err(error) => {
                log(planned, &error);
                return action_failed(planned, known, &error, hints);
            }
        }
        // A button must not be a way to query a service more often than otherwise.
        sleep_until(entry.outdate()).await;
        self.request(planned, &PanelQuery { force: true, ..query.clone() }, is_admin).await
    }

    /// What the service of an `api-response` responds, for someone who chooses values of it. Nothing of it is cached.
    ///
    /// # Errors
    ///
    /// What went wrong and what to do, in sentences.
    pub async fn content(&self, planned: &Arc<PlannedWidget>, query: &PanelQuery) -> Result<ResponseContent, String> {
        let hints = hints(query);
        let lookup = self.lookup(planned, hints.clone());
        let find = async move { lookup.ok_or_else(failed)?.content().await };
        // A separate task, so that a panic in a widget is only its own failure.
        let found = tokio::spawn(blocking_pool::run(find)).await.unwrap_or_else(|_| Err(failed()));
        found.map_err(|error| {
            log(planned, &error);
            advised(planned, &error, &hints)
        })
    }

    /// A panel that belongs to one viewer is looked up only for them, and not cached.
    async fn request_for_one(&self, planned: &Arc<PlannedWidget>, requester: Requester<'_>) -> PanelResponse {
        let entry = Arc::new(PanelEntry::default());
        let mut ended = entry.ended();
        if entry.begin(Duration::ZERO, false) {
            self.start(planned, Arc::clone(&entry), requester.hints.clone(), Duration::ZERO);
        }
        _ = ended.changed().await;
        respond(planned, &entry.known(), None, &requester)
    }

    /// The cache key of a panel for a viewer with these hints, and the hints that the panel may depend on: none if
    /// other viewers share it.
    fn entry(&self, planned: &PlannedWidget, hints: &ViewerHints) -> (Arc<PanelEntry>, ViewerHints) {
        let (locale, zone) = (hints.locale.as_deref().unwrap_or_default(), hints.time_zone.as_deref());
        if planned.audience == Audience::Language {
            let variant = planned.key.with(&[locale, zone.unwrap_or_default()]);
            if self.cache.add_variant(&planned.key, hints, variant) {
                return (self.cache.get(&variant), hints.clone());
            }
        }
        (self.cache.get(&planned.key), ViewerHints::default())
    }

    /// The cache key of a panel for a page, whose time zone is unknown: the variant that someone with this language
    /// requested last.
    fn entry_for_page(&self, planned: &PlannedWidget, asked: &ViewerHints) -> (Arc<PanelEntry>, ViewerHints) {
        let locale = asked.locale.as_deref().unwrap_or_default();
        match self.cache.variant(&planned.key, locale).filter(|_| planned.audience == Audience::Language) {
            Some((hints, variant)) => (self.cache.get(&variant), hints),
            None => self.entry(planned, asked),
        }
    }

    fn lookup(&self, planned: &Arc<PlannedWidget>, hints: ViewerHints) -> Option<Lookup> {
        let source = match &planned.recording {
            Some(recording) => {
                let mut recorded = recording.replay();
                if planned.audience != Audience::Everyone {
                    recorded.viewer = hints;
                }
                DataSource::Recorded(Box::new(recorded), ExchangeLog::default())
            }
            None => {
                let (http_client, memory) = (self.http_client.clone(), self.memory.clone());
                let context = ServerContext::new(http_client, memory, &planned.entry, hints);
                DataSource::Live(Box::new(
                    context.with_owner(planned.key).with_own(self.own.clone()).for_page_of(planned.page_host.clone()),
                ))
            }
        };
        Some(Lookup { kind: planned.kind?, planned: Arc::clone(planned), source, pictures: Arc::clone(&self.pictures) })
    }

    /// Refreshes in the background. The caller has marked the refresh of the entry as started. What another server has looked
    /// up within `max_age` will do.
    fn start(&self, planned: &Arc<PlannedWidget>, entry: Arc<PanelEntry>, hints: ViewerHints, max_age: Duration) {
        // Without hints, it is the panel of everyone.
        let parts = [hints.locale.as_deref().unwrap_or_default(), hints.time_zone.as_deref().unwrap_or_default()];
        let key = if hints == ViewerHints::default() { planned.key } else { planned.key.with(&parts) };
        let is_shared = planned.audience != Audience::Viewer && planned.recording.is_none();
        let shared = self.shared.clone().filter(|_| is_shared);
        if let Some(shared) = &shared {
            shared.expect(&key, planned, &entry);
        }
        let Some(lookup) = self.lookup(planned, hints) else {
            entry.end(Err(failed().into()), Moment::default());
            return;
        };
        let (http_client, memory) = (self.http_client.clone(), self.memory.clone());
        let work = async move {
            let refreshed = match shared {
                Some(shared) => shared.run(&lookup, &key, max_age).await,
                None => Refreshed::from((lookup.run().await, lookup.source.now())),
            };
            // The widget may have been removed during the lookup, and have left a new session.
            end_unused_sessions(&http_client, &memory).await;
            refreshed
        };
        refresh::refresh(Arc::clone(&self.cache), Arc::clone(planned), entry, work);
    }

    /// The lookups of a widget in the last hour.
    pub fn usage(&self, planned: &PlannedWidget) -> WidgetUsage {
        self.cache.usage.of(&planned.key)
    }

    /// The panel of a widget that makes no requests, for someone who pressed one of its buttons. `note` says why the
    /// action failed.
    pub fn after_writing(&self, planned: &PlannedWidget, note: Option<String>) -> PanelResponse {
        let state = if note.is_some() { PanelState::Stale } else { PanelState::Content };
        let RunSide::Local(panel) = &planned.place else {
            return PanelResponse { state: PanelState::Broken, note, ..PanelResponse::default() };
        };
        let rendered = render(Panel::clone(panel), planned, &self.pictures, Moment::default());
        let html = Some(rendered.html(&self.base));
        PanelResponse { state, version: rendered.version, html, note, ..PanelResponse::default() }
    }

    /// The panel of a widget that makes no requests, as markup; `frame` is the address of what it embeds.
    pub fn local(&self, panel: &Panel, planned: &PlannedWidget, frame: &str) -> String {
        let mut panel = panel.clone();
        self.address_frames(&mut panel, planned, frame);
        render(panel, planned, &self.pictures, Moment::default()).html(&self.base)
    }
}

/// Counts a requested panel, which is cached or not.
fn count_request(known: &PanelStatus) {
    if let Some(metrics) = metrics() {
        metrics.panel(known.rendered.is_some());
    }
}
