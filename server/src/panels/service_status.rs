//! `/service-status`: the results of the server's own status checks, for the widget of that name.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use config::{Visibility, model::Item};
use serde_json::{Value, json};
use tokio::time::timeout;
use url::form_urlencoded;

use crate::{
    status::{Check, Checker, RegularCheck, ServiceState, WatchReason},
    store::{ConfigFile, Store},
};

/// The path that widgets request.
pub const PATH: &str = "/service-status";
/// Maximum number of services in one response.
const MAX_SERVICES: usize = 100;
/// Seconds between two checks of an item without its own interval.
const INTERVAL: u32 = 60;
/// How long to wait for the first results.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a lookup keeps the checks running: longer than until the next lookup.
const HOLD: Duration = Duration::from_secs(150);

/// The items of the config files and the state of their services. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ItemStatuses {
    store: Arc<Store>,
    checker: Checker,
}

/// An item that is checked.
struct Service<'a> {
    item: &'a Item,
    section: &'a str,
    wanted: RegularCheck,
    /// Whether the config hides it from anyone.
    is_hidden: bool,
}

impl ItemStatuses {
    /// The items of these files.
    pub fn new(store: Arc<Store>, checker: Checker) -> Self {
        Self { store, checker }
    }

    /// The response to a query that names items; keeps their checks running for a while. Without names it covers all
    /// items that are not hidden from anyone. A named item is shown to everyone who sees the widget.
    pub async fn respond(&self, query: &str) -> Bytes {
        let files = self.files();
        let services: Vec<Service<'_>> =
            files.iter().flat_map(|(file, is_hidden)| self.services(file, *is_hidden)).collect();
        let names: Vec<_> = form_urlencoded::parse(query.as_bytes())
            .filter(|(key, _)| key == "item")
            .map(|(_, name)| name.into_owned())
            .take(MAX_SERVICES)
            .collect();
        let (mut chosen, mut unknown) = (Vec::new(), Vec::new());
        if names.is_empty() {
            chosen.extend(services.iter().filter(|service| !service.is_hidden).take(MAX_SERVICES));
        }
        for name in names {
            match services.iter().find(|service| service.is_called(&name)) {
                Some(service) => chosen.push(service),
                None => unknown.push(name),
            }
        }
        self.keep_going(&chosen);
        // Checks that have not finished by then show up at the next lookup.
        _ = timeout(PATIENCE, self.all_are_known(&chosen)).await;
        let services: Vec<Value> = chosen.into_iter().map(|service| self.json(service)).collect();
        Bytes::from(json!({ "services": services, "unknown": unknown }).to_string())
    }

    /// All files of this server, and whether the config hides their page from anyone.
    fn files(&self) -> Vec<(Arc<ConfigFile>, bool)> {
        let site = self.store.site();
        let Some(root) = &site.root else { return Vec::new() };
        let pages = site.pages.iter().filter_map(|(path, page)| {
            let is_hidden = root.config.pages.iter().any(|page| page.file() == path && is_hidden(&page.visibility));
            Some((page.file.clone()?, is_hidden))
        });
        // A page may include the root again.
        let pages = pages.filter(|(file, _)| !Arc::ptr_eq(file, root));
        std::iter::once((Arc::clone(root), false)).chain(pages).collect()
    }

    fn services<'a>(&self, file: &'a ConfigFile, page_is_hidden: bool) -> Vec<Service<'a>> {
        let mut found = Vec::new();
        for section in &file.config.sections {
            for item in &section.items {
                // Its dot, or the first of two.
                let Some(target) = file.config.checks(item).next() else { continue };
                let interval = if target.interval() == 0 { INTERVAL } else { target.interval() };
                found.push(Service {
                    item,
                    section: &section.name,
                    wanted: self.checker.wanted(Check::of(&target, file.host.as_deref()), interval),
                    is_hidden: page_is_hidden
                        || is_hidden(&section.display.visibility)
                        || is_hidden(&item.display.visibility),
                });
            }
        }
        found
    }

    fn keep_going(&self, chosen: &[&Service<'_>]) {
        let wanted: Vec<RegularCheck> = chosen.iter().map(|service| service.wanted.clone()).collect();
        let watch = self.checker.watch(&wanted, WatchReason::Return);
        tokio::spawn(async move {
            tokio::time::sleep(HOLD).await;
            drop(watch);
        });
    }

    /// Waits until each has been checked once.
    async fn all_are_known(&self, chosen: &[&Service<'_>]) {
        let mut changes = self.checker.changes();
        let ids = || chosen.iter().map(|service| service.wanted.id);
        while self.checker.states(ids()).iter().any(|(state, _)| *state == ServiceState::Waiting) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    fn json(&self, service: &Service<'_>) -> Value {
        let mut fields = json!({ "title": service.item.title, "section": service.section });
        if let Some(report) = self.checker.report(service.wanted.id) {
            fields["up"] = report.outcome.is_up.into();
            fields["outcome"] = report.outcome.summary().into();
            fields["uptime"] = report.summary.uptime.into();
            fields["checks"] = report.summary.checks.into();
            fields["millis"] = report.summary.millis.into();
            fields["hours"] = report.summary.hours.into();
        }
        fields
    }
}

impl Service<'_> {
    /// Whether a name refers to this item: its title, or its section and its title.
    fn is_called(&self, name: &str) -> bool {
        let same = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
        same(name, &self.item.title) || same(name, &format!("{}/{}", self.section.trim(), self.item.title.trim()))
    }
}

fn is_hidden(rules: &Visibility) -> bool {
    *rules != Visibility::default()
}
