//! Live figures in tiles: they are looked up and cached like widgets, and pushed to open pages (docs/spec/widgets.md 12).

use std::sync::{
    Arc, PoisonError, Weak,
    atomic::{AtomicU64, Ordering},
};

use app::page::tile_figures;
use config::Dashboard;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep_until, timeout};
use widgets::{RunSide, ViewerHints};

use super::{
    following::{Followed, Following},
    panel_entry::{MIN_LIFE, PanelEntry},
    panel_set::{CachedPanel, Panels, life},
    plans::{PlannedWidget, WidgetPlans},
    slot::{Slot, Slots},
};

/// What stands in a tile, in the language in which this thread draws now.
pub fn body(planned: &PlannedWidget, panel: Option<&CachedPanel>) -> Option<String> {
    let tile = planned.tile.as_ref()?;
    Some(tile_figures::body(panel.map(CachedPanel::whole).as_ref(), &tile.pending("")))
}

/// Fills in the figures of the tiles of a page. What is wrong with their options is shown to admins only.
pub(super) fn fill(dashboard: &mut Dashboard, plans: &WidgetPlans, is_admin: bool, slots: &mut Slots) {
    for section in &mut dashboard.sections {
        let index = section.index;
        for item in &mut section.items {
            let place = format!("{index}-{}", item.index);
            for figures in &mut item.figures {
                let Some(planned) = plans.figures(index, item.index, figures.index) else { continue };
                figures.html = match planned.place {
                    RunSide::Server => {
                        let marker = tile_figures::marker(&tile_figures::place(&place, figures.index));
                        slots.looked_up.push(Slot { marker: marker.clone(), planned: Arc::clone(planned) });
                        marker
                    }
                    RunSide::Broken if is_admin => tile_figures::warning(&planned.errors.join(" ")),
                    RunSide::Broken | RunSide::Browser | RunSide::Local(_) => String::new(),
                };
            }
        }
    }
}

/// Looks the figures of a plan up again and again, and announces each change: `news` counts them. Runs until it is aborted.
pub(super) async fn keep_fresh(
    panels: Panels,
    planned: Arc<PlannedWidget>,
    news: Arc<AtomicU64>,
    announce: impl Fn() + Send,
) {
    let entry: Arc<PanelEntry> = panels.cache.get(&planned.key);
    let mut last = stamp(&entry);
    loop {
        entry.touch();
        let mut ended = entry.ended();
        if entry.begin(life(&planned), false) {
            let max_age = entry.max_age(life(&planned), false);
            panels.start(&planned, Arc::clone(&entry), ViewerHints::default(), max_age);
        }
        if entry.known().refreshing {
            // Every lookup ends, so this is only a net.
            _ = timeout(planned.entry.timeout * 4, ended.changed()).await;
        }
        let now = stamp(&entry);
        if now != last {
            last = now;
            news.fetch_add(1, Ordering::Relaxed);
            announce();
        }
        sleep_until(next(&entry, &planned)).await;
    }
}

impl Following {
    /// Keeps the figures of a tile fresh as long as the returned value lives. `panels` makes the panels that look them up.
    pub(super) fn refresh(&self, planned: &Arc<PlannedWidget>, panels: impl FnOnce() -> Panels) -> Arc<Followed> {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(followed) = open.get(&planned.key).and_then(Weak::upgrade) {
            return followed;
        }
        open.retain(|_, followed| followed.strong_count() > 0);
        let news = Arc::<AtomicU64>::default();
        let all = Arc::downgrade(&self.0);
        let announce = move || {
            if let Some(all) = all.upgrade() {
                all.changes.send_modify(|changes| *changes += 1);
            }
        };
        let work = keep_fresh(panels(), Arc::clone(planned), Arc::clone(&news), announce);
        let followed = Arc::new(Followed { news, task: tokio::spawn(work).abort_handle() });
        open.insert(planned.key, Arc::downgrade(&followed));
        followed
    }
}

/// What can be seen of an entry: the version of its panel, and why there is no newer one.
fn stamp(entry: &PanelEntry) -> (Option<u64>, Option<String>) {
    let known = entry.known();
    (known.rendered.map(|(rendered, _)| rendered.version), known.failure.map(|failure| failure.error.to_string()))
}

/// When the next lookup is due.
fn next(entry: &PanelEntry, planned: &PlannedWidget) -> Instant {
    let known = entry.known();
    let due = match (known.failure, known.rendered) {
        (Some(failure), _) => failure.until,
        (None, Some((_, since))) => since + life(planned),
        (None, None) => Instant::now() + MIN_LIFE,
    };
    due.max(Instant::now() + MIN_LIFE / 2)
}

impl Panels {
    /// The figures of these plans that have changed within the last `age`, by their ids, as the data of an event.
    pub fn figures_since(
        &self,
        planned: &[Arc<PlannedWidget>],
        age: std::time::Duration,
        locale: Option<&str>,
        is_admin: bool,
    ) -> Option<String> {
        let mut changed = Map::new();
        for planned in planned.iter().filter(|planned| planned.tile.is_some()) {
            let known = self.cache.get(&planned.key).known();
            let is_recent = known.rendered.as_ref().is_some_and(|(_, since)| since.elapsed() <= age);
            if !is_recent && known.failure.is_none() {
                continue;
            }
            let panel = self.cached_without_refresh(planned, locale, is_admin);
            if let Some(html) = body(planned, panel.as_ref()) {
                changed.insert(planned.id.clone(), json!(html));
            }
        }
        (!changed.is_empty()).then(|| Value::Object(changed).to_string())
    }
}
