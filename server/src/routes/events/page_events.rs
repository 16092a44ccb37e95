//! One stream: what it knows about its page, and what it waits for.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use axum::response::sse::Event;
use config::Viewer;
use http::request::Parts;
use serde_json::json;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::streams::StreamPermit;
use crate::{
    access::authentication::Authentication,
    panels::{Followed, PlannedWidget},
    routes::{
        app_state::AppState,
        connections::StreamHold,
        known_hosts, language,
        pages::{self, PageTarget, Rendered},
        peer::auth_request,
    },
    status::{ServiceState, Watch, WatchReason},
};

/// How long changes are collected before they are sent.
const COLLECT_TIME: Duration = Duration::from_millis(200);
/// How often the session is checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(20);
/// When browsers reconnect after a broken stream.
const RETRY: Duration = Duration::from_secs(5);

/// The events of one page, for one viewer.
pub(super) struct PageEvents {
    portico: Arc<AppState>,
    viewer: Viewer,
    target: PageTarget,
    request: Parts,
    /// `None` if the viewer was not determined, which does not happen to requests from the router.
    authentication: Option<Authentication>,
    page: Option<Arc<Rendered>>,
    watch: Option<Watch>,
    revisions: watch::Receiver<u64>,
    changes: watch::Receiver<u64>,
    /// Announces that panels are outdated.
    news: watch::Receiver<u64>,
    /// The widgets of the page whose services say when they are outdated, and the figures of its tiles, each with the number
    /// of the news that was sent last.
    followed: Vec<(Arc<PlannedWidget>, Arc<Followed>, u64)>,
    ended: CancellationToken,
    /// The newest change of a state that was sent.
    sent_up_to: u64,
    /// When the changes collected so far are sent.
    send_at: Option<Instant>,
    check_at: Instant,
    ready: VecDeque<Event>,
    _held: Option<(StreamPermit, Option<StreamHold>)>,
}

impl PageEvents {
    pub(super) fn new(
        portico: Arc<AppState>,
        viewer: Viewer,
        target: PageTarget,
        request: Parts,
        authentication: Option<Authentication>,
    ) -> Self {
        let (revisions, changes) = (portico.store.revisions(), portico.checker.changes());
        Self {
            ended: portico.streams.ended(),
            news: portico.panels.following().changes(),
            followed: Vec::new(),
            portico,
            viewer,
            target,
            request,
            authentication,
            page: None,
            watch: None,
            revisions,
            changes,
            sent_up_to: 0,
            send_at: None,
            check_at: Instant::now() + CHECK_INTERVAL,
            ready: VecDeque::new(),
            _held: None,
        }
    }

    /// A stream that starts with the current page, for a tab that shows this version of it.
    pub(super) fn with_page(mut self, page: Arc<Rendered>, shown: &str, occasion: WatchReason) -> Self {
        self.ready.push_back(Event::default().retry(RETRY).comment("portico"));
        if page.version() != shown {
            self.ready.push_back(changed_to(page.version()));
        }
        self.watch_items(page, occasion);
        self
    }

    /// A stream that starts with the figures of tiles that have changed since the tab got its page, `age` milliseconds ago.
    pub(super) fn with_figures(mut self, age: f64) -> Self {
        let Some(page) = self.page.clone() else { return self };
        // What changed while the page was on its way may be missing in it.
        let age =
            Duration::try_from_secs_f64(age.max(0.0) / 1000.0).unwrap_or(Duration::MAX).saturating_add(COLLECT_TIME);
        self.push_figures(&page, page.widgets(), age);
        self
    }

    /// Sends those of these figures that have changed within the last `age`.
    fn push_figures(&mut self, page: &Rendered, planned: &[Arc<PlannedWidget>], age: Duration) {
        let data = page.figures_since(&self.portico, &self.request.headers, planned, age);
        self.ready.extend(data.map(|data| Event::default().event("figures").data(data)));
    }

    /// The same stream, holding something until it ends.
    pub(super) fn holding(self, held: (StreamPermit, Option<StreamHold>)) -> Self {
        Self { _held: Some(held), ..self }
    }

    /// The next event; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            let send_at = self.send_at;
            tokio::select! {
                biased;
                () = self.ended.cancelled() => return None,
                changed = self.revisions.changed() => {
                    changed.ok()?;
                    if !self.is_still_admitted().await {
                        return None;
                    }
                    self.check_page().await;
                }
                () = sleep_until(send_at.unwrap_or(self.check_at)), if send_at.is_some() => {
                    self.send_at = None;
                    self.send_states();
                }
                changed = self.changes.changed(), if send_at.is_none() => {
                    changed.ok()?;
                    self.send_at = Some(Instant::now() + COLLECT_TIME);
                }
                changed = self.news.changed() => {
                    changed.ok()?;
                    self.send_news();
                }
                () = sleep_until(self.check_at) => {
                    self.check_at = Instant::now() + CHECK_INTERVAL;
                    if !self.is_still_admitted().await {
                        return None;
                    }
                }
            }
        }
    }

    /// Whether the request that opened the stream would still be admitted as the same viewer.
    async fn is_still_admitted(&self) -> bool {
        let Some(authentication) = &self.authentication else { return false };
        let site = self.portico.store.site();
        let parts = auth_request(&self.request.headers, &self.request.extensions);
        let now = self.portico.access_control.authenticate(&site, parts, authentication.place.clone(), false).await;
        now.0.viewer.as_ref() == Ok(&self.viewer)
    }

    /// Compares the page with the one last announced. A tab whose page is gone finds out by itself.
    async fn check_page(&mut self) {
        let site = self.portico.store.site();
        let locale = language::of(&site, &self.request.headers);
        match pages::rendered_page(&self.portico, &site, &self.viewer, &self.target, &locale).await {
            Ok(page) => {
                let known = self.page.as_ref().map(|page| page.version().to_owned());
                if known.as_deref() != Some(page.version()) {
                    self.ready.push_back(changed_to(page.version()));
                    self.sent_up_to = 0;
                }
                self.watch_items(page, WatchReason::Return);
            }
            Err(_) => {
                self.ready.push_back(changed_to(""));
                (self.page, self.watch) = (None, None);
                self.followed.clear();
            }
        }
    }

    /// Watches the items of a page, and sends their states.
    fn watch_items(&mut self, page: Arc<Rendered>, occasion: WatchReason) {
        let wanted: Vec<_> = page.dots().iter().map(|dot| dot.wanted.clone()).collect();
        if known_hosts::may_send(&self.request.extensions) {
            // The new watch begins before the old one ends, so that no result is dropped in between.
            self.watch = Some(self.portico.checker.watch(&wanted, occasion));
            let follow = |planned: &Arc<PlannedWidget>| {
                let followed = self.portico.panels.follow(planned)?;
                let known = self.followed.iter().find(|(_, known, _)| Arc::ptr_eq(known, &followed));
                let seen = known.map_or_else(|| followed.news(), |(_, _, seen)| *seen);
                Some((Arc::clone(planned), followed, seen))
            };
            self.followed = page.widgets().iter().filter_map(follow).collect();
        }
        self.page = Some(page);
        self.send_states();
    }

    /// Sends the widgets that are outdated.
    fn send_news(&mut self) {
        let Some(page) = self.page.clone() else { return };
        let mut figures = Vec::new();
        for (planned, followed, seen) in &mut self.followed {
            let news = followed.news();
            if news <= *seen {
                continue;
            }
            *seen = news;
            if planned.tile.is_some() {
                figures.push(Arc::clone(planned));
            } else {
                self.ready.push_back(Event::default().event("panel").data(&planned.id));
            }
        }
        self.push_figures(&page, &figures, Duration::MAX);
    }

    /// Sends the states that have changed since the last time.
    fn send_states(&mut self) {
        let Some(page) = &self.page else { return };
        let states = self.portico.checker.states(page.dots().iter().map(|dot| dot.wanted.id));
        let news = page.dots().iter().zip(&states).filter(|(_, (_, changed))| *changed > self.sent_up_to);
        let (mut up, mut down, mut warn) = (Vec::new(), Vec::new(), Vec::new());
        for (dot, (state, _)) in news {
            match state {
                ServiceState::Up => up.push(dot.place.as_str()),
                ServiceState::Down => down.push(dot.place.as_str()),
                ServiceState::Warning => warn.push(dot.place.as_str()),
                ServiceState::Waiting => {}
            }
        }
        if !(up.is_empty() && down.is_empty() && warn.is_empty()) {
            let data = json!({ "up": up, "down": down, "warn": warn }).to_string();
            self.ready.push_back(Event::default().event("status").data(data));
        }
        self.sent_up_to = states.iter().map(|(_, changed)| *changed).max().unwrap_or_default().max(self.sent_up_to);
    }
}

/// The event that the page has changed; the version is empty if the page no longer exists.
fn changed_to(version: &str) -> Event {
    Event::default().event("page").data(version)
}
