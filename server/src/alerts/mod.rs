//! Alerts: messages to the targets in `appConfig.alerts` when services fail and when they recover (docs/spec/behavior.md 11.3).
//!
//! One task keeps the checks of all items running while there is a target, follows their results, and sends messages. A target
//! that does not respond holds up nothing else.

mod mail;
mod message;
mod outages;
mod saved;
mod target;

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use config::model::CheckTarget;
use jiff::Zoned;
use languages::Locale;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

use self::{
    message::Message,
    outages::{Batch, CheckKey, Outages, Seen, Service, TargetKey, Wish},
    target::Target,
};
use crate::{
    http_client::HttpClient,
    platform::{metrics::metrics, time_zone},
    settings::variables::Variables,
    status::{Check, CheckId, Checker, RegularCheck, Watch, WatchReason},
    store::{ConfigFile, Lead, Site, Store},
};

/// Seconds between two checks of an item without its own interval.
const INTERVAL: u32 = 60;
/// How long results are gathered before they are looked at.
const SETTLE: Duration = Duration::from_millis(200);

/// All alerts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Alerts(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Arc<Store>,
    checker: Checker,
    http_client: HttpClient,
    variables: Variables,
    /// What became of the last message to each target.
    reports: Mutex<HashMap<TargetKey, DeliveryReport>>,
}

/// What became of a message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DeliveryReport {
    /// When, in seconds since 1970.
    pub at: u64,
    /// Why it has not arrived; `None` if it has.
    pub problem: Option<String>,
}

/// A target, for admins.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TargetState {
    /// What it is called.
    pub name: String,
    /// Why it can get no messages at all.
    pub problem: Option<String>,
    /// What became of the last message.
    pub last: Option<DeliveryReport>,
}

/// An item that is checked for alerts.
struct Watched {
    key: CheckKey,
    service: Service,
    wanted: RegularCheck,
}

/// What the config wants at a moment.
struct Plan {
    targets: Vec<Target>,
    wishes: Vec<(TargetKey, Wish)>,
    watched: Vec<Watched>,
    dashboard: String,
    locale: Locale,
}

impl Alerts {
    /// The alerts for these files. Nothing is sent before [`Alerts::run`].
    pub fn new(store: Arc<Store>, checker: Checker, http_client: HttpClient, variables: Variables) -> Self {
        Self(Arc::new(Inner { store, checker, http_client, variables, reports: Mutex::default() }))
    }

    /// Sends messages for as long as the store exists. Of several servers with one database or folder, one does so.
    pub async fn run(self) {
        let Some(database) = self.0.store.database() else { return self.run_for_folder().await };
        loop {
            let lead = database.lead("alerts").await;
            tokio::select! {
                () = self.run_here() => return,
                () = lead.lost() => {}
            }
        }
    }

    async fn run_for_folder(&self) {
        // Where no alerts are wanted, nothing is locked.
        let mut revisions = self.0.store.revisions();
        while targets(&self.0.store.site(), &self.0.variables).is_empty() {
            if revisions.changed().await.is_err() {
                return;
            }
        }
        let _lead = Lead::wait(self.0.store.directory()).await;
        self.run_here().await;
    }

    async fn run_here(&self) {
        let Inner { store, checker, .. } = &*self.0;
        let mut revisions = store.revisions();
        let mut results = checker.results();
        let mut outages = Outages::restored(saved::read(store.directory()));
        let mut deliveries = JoinSet::new();
        loop {
            revisions.mark_unchanged();
            let plan = self.plan();
            let _watch = self.watch(&plan);
            let keys = plan.watched.iter().map(|watched| &watched.key).collect();
            outages.keep_only(&keys, &plan.targets.iter().map(|target| &target.key).collect());
            loop {
                self.note(&plan, &mut outages);
                let next = self.deliver(&plan, &mut outages, &mut deliveries);
                if let Some(known) = outages.take_unsaved() {
                    saved::write(store, known).await;
                }
                let due = async {
                    match next {
                        Some(next) => sleep_until(next).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    changed = revisions.changed() => match changed {
                        Ok(()) => break,
                        Err(_) => return,
                    },
                    changed = results.changed(), if !plan.watched.is_empty() => match changed {
                        Ok(()) => sleep(SETTLE).await,
                        Err(_) => return,
                    },
                    Some(sent) = deliveries.join_next(), if !deliveries.is_empty() => {
                        let Ok((target, batch, has_arrived)) = sent else { continue };
                        outages.sent(&target, &batch, has_arrived, Instant::now());
                    }
                    () = due => {}
                }
            }
        }
    }

    /// Sends a test message to a target, by its place in the list from 0.
    ///
    /// # Errors
    ///
    /// Why it has not arrived, for admins.
    pub async fn test(&self, position: usize) -> Result<(), String> {
        let plan = self.plan();
        let target = plan.targets.get(position).ok_or("This target is gone. Reload the page.")?;
        let result = target.send(&self.0.http_client, &Message::test(&plan.dashboard, &plan.locale)).await;
        self.report(target, result.as_ref().err().cloned());
        result
    }

    /// The targets in the order of the config, for admins.
    pub fn targets(&self) -> Vec<TargetState> {
        let targets = targets(&self.0.store.site(), &self.0.variables);
        let reports = self.0.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let state = |target: Target| TargetState {
            last: reports.get(&target.key).cloned(),
            name: target.name,
            problem: target.delivery.err(),
        };
        targets.into_iter().map(state).collect()
    }

    fn report(&self, target: &Target, problem: Option<String>) {
        let mut reports = self.0.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = reports.get(&target.key).is_none_or(|last| last.problem != problem);
        match &problem {
            Some(problem) if is_news => tracing::warn!(target = target.name, "an alert could not be sent: {problem}"),
            Some(_) => {}
            None => tracing::info!(target = target.name, "an alert was sent"),
        }
        reports.insert(target.key.clone(), DeliveryReport { at: since_1970(), problem });
    }

    fn plan(&self) -> Plan {
        let site = self.0.store.site();
        let targets = targets(&site, &self.0.variables);
        for target in &targets {
            if let Err(problem) = &target.delivery {
                self.report(target, Some(problem.clone()));
            }
        }
        let usable: Vec<&Target> = targets.iter().filter(|target| target.delivery.is_ok()).collect();
        let wishes = usable.iter().map(|target| (target.key.clone(), target.wish)).collect();
        let watched = if usable.is_empty() { Vec::new() } else { self.watched(&site) };
        let root = site.root.as_ref().map(|root| &root.config);
        let language = root.and_then(|root| root.app.language.as_deref());
        Plan {
            targets,
            wishes,
            watched,
            dashboard: root.map_or(config::PRODUCT, title_of).to_owned(),
            locale: Locale::choose(None, language, None),
        }
    }

    /// All items of this server's own files that have a status check. The config of a page from another host could otherwise
    /// make this server send requests forever.
    fn watched(&self, site: &Site) -> Vec<Watched> {
        let mut found: Vec<Watched> = Vec::new();
        let mut known = BTreeSet::new();
        for file in own_files(site) {
            for section in &file.config.sections {
                for item in &section.items {
                    for target in file.config.checks(item) {
                        let interval = if target.interval() == 0 { INTERVAL } else { target.interval() };
                        let check = Check::of(&target, file.host.as_deref());
                        let key = check.fingerprint();
                        // Items with the same address are one service.
                        if known.insert(key.clone()) {
                            let name = match &target {
                                CheckTarget::Status(_) | CheckTarget::Container(_) => item.title.clone(),
                                CheckTarget::Ping(_) => format!("{} (ping)", item.title),
                            };
                            let service = Service { name, section: section.name.clone() };
                            found.push(Watched { key, service, wanted: self.0.checker.wanted(check, interval) });
                        }
                    }
                }
            }
        }
        found
    }

    fn watch(&self, plan: &Plan) -> Watch {
        let wanted: Vec<RegularCheck> = plan.watched.iter().map(|watched| watched.wanted.clone()).collect();
        self.0.checker.watch(&wanted, WatchReason::Return)
    }

    /// Takes note of the latest results.
    fn note(&self, plan: &Plan, outages: &mut Outages) {
        let ids: Vec<CheckId> = plan.watched.iter().map(|watched| watched.wanted.id).collect();
        let now = Instant::now();
        for (watched, streak) in plan.watched.iter().zip(self.0.checker.streaks(ids)) {
            let Some(streak) = streak else { continue };
            let seen = match streak.failures {
                0 => Seen::Up { now: since_1970() },
                failures => Seen::Down { failures, since: streak.since, reason: streak.outcome.summary() },
            };
            let interval = Duration::from_secs(watched.wanted.interval.into());
            outages.note(&watched.key, &watched.service, interval, seen, &plan.wishes, now);
        }
    }

    /// Sends what is due, and returns when the next message is.
    fn deliver(
        &self,
        plan: &Plan,
        outages: &mut Outages,
        deliveries: &mut JoinSet<(TargetKey, Batch, bool)>,
    ) -> Option<Instant> {
        let zone = time_zone::own();
        let minute = minute_of_day(&jiff::Timestamp::now().to_zoned(zone.clone()));
        let now = Instant::now();
        let mut next = None;
        for target in plan.targets.iter().filter(|target| target.delivery.is_ok()) {
            let Some(due) = outages.due(&target.key, target.wish, now, minute) else { continue };
            if due > now {
                next = Some(next.map_or(due, |next: Instant| next.min(due)));
                continue;
            }
            let batch = outages.take(&target.key);
            let message = Message::of(&batch, &plan.dashboard, &plan.locale, &zone);
            let (alerts, target) = (self.clone(), target.clone());
            deliveries.spawn(async move {
                let result = target.send(&alerts.0.http_client, &message).await;
                let has_arrived = result.is_ok();
                if let Some(metrics) = metrics() {
                    metrics.alert(has_arrived);
                }
                alerts.report(&target, result.err());
                (target.key, batch, has_arrived)
            });
        }
        next
    }
}

/// Sends a test message to each target of a config: the name of the target, and why the message has not arrived.
pub async fn test_all(
    config: &config::Config,
    variables: &Variables,
    http_client: &HttpClient,
) -> Vec<(String, Result<(), String>)> {
    let locale = Locale::choose(None, config.app.language.as_deref(), None);
    let message = Message::test(title_of(config), &locale);
    let mut results = Vec::new();
    for (position, written) in config.app.alerts.iter().enumerate() {
        let target = Target::of(written, position + 1, variables);
        results.push((target.name.clone(), target.send(http_client, &message).await));
    }
    results
}

/// What messages call the dashboard.
fn title_of(config: &config::Config) -> &str {
    config.page_info.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(config::PRODUCT)
}

fn targets(site: &Site, variables: &Variables) -> Vec<Target> {
    let written = site.root.iter().flat_map(|root| &root.config.app.alerts);
    written.enumerate().map(|(position, target)| Target::of(target, position + 1, variables)).collect()
}

/// The files of this server. A page may include the root again.
fn own_files(site: &Site) -> Vec<Arc<ConfigFile>> {
    let Some(root) = &site.root else { return Vec::new() };
    let pages = site.pages.values().filter_map(|page| page.file.clone()).filter(|file| !Arc::ptr_eq(file, root));
    std::iter::once(Arc::clone(root)).chain(pages).collect()
}

fn minute_of_day(now: &Zoned) -> u16 {
    u16::from(now.hour().unsigned_abs()) * 60 + u16::from(now.minute().unsigned_abs())
}

fn since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
