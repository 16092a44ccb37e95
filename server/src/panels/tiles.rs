//! Live figures in tiles: entries of the widget `service-figures` that items have in place of sections. They are planned,
//! looked up and cached like widgets, and pushed to open pages (docs/spec/widgets.md 12).

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use app::{page::tile_figures, parts::PanelContext};
use config::{Dashboard, model::figures::written_figures};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep_until, timeout};
use widgets::{
    Panel, RunSide, ViewerHints, figure_labels,
    panel::{Datum, Phrase, Stat, Stats},
};

use super::{
    CachedPanel, Panels, PlannedWidget, WidgetPlans, life,
    panel_entry::{MIN_LIFE, PanelEntry},
    slots::{Slot, Slots},
};

/// Our name of the widget.
pub(super) const KIND: &str = "service-figures";
/// The options of the widget. Anything else that is written belongs to the service.
const OPTIONS: [&str; 7] = ["url", "key", "username", "password", "fields", "headers", "highlight"];
/// Fields that all widgets share.
const SHARED_FIELDS: [&str; 5] = ["timeout", "insecure", "allowInsecure", "ignoreErrors", "updateInterval"];
/// Fields of Homepage that need nothing here: the version is found by asking, and the server refreshes by itself.
const NEEDLESS: [&str; 4] = ["version", "refreshInterval", "label", "showStats"];

/// What a plan of figures in a tile knows beside that of a widget.
#[derive(Debug)]
pub struct TilePlan {
    /// The labels of the figures.
    labels: Vec<Phrase>,
}

/// The entries of an item, in the form of widgets, in order.
pub(super) fn entries_of(item: &Value) -> Vec<Value> {
    written_figures(item).into_iter().map(as_widget).collect()
}

/// An entry as it would be written in the list of widgets.
fn as_widget(written: &Value) -> Value {
    let (mut options, mut settings, mut entry) = (Map::new(), Map::new(), Map::new());
    for (name, value) in written.as_object().into_iter().flatten() {
        match name.as_str() {
            "type" => _ = options.insert("service".to_owned(), value.clone()),
            "hideErrors" => _ = entry.insert("ignoreErrors".to_owned(), value.clone()),
            name if OPTIONS.contains(&name) => _ = options.insert(name.to_owned(), value.clone()),
            name if SHARED_FIELDS.contains(&name) => _ = entry.insert(name.to_owned(), value.clone()),
            name if NEEDLESS.contains(&name) => {}
            name => _ = settings.insert(name.to_owned(), value.clone()),
        }
    }
    if !settings.is_empty() {
        options.insert("settings".to_owned(), settings.into());
    }
    entry.insert("options".to_owned(), options.into());
    entry.into()
}

impl TilePlan {
    /// The plan for the figures of an entry.
    pub(super) fn of(planned: &PlannedWidget) -> Self {
        Self { labels: figure_labels(&planned.entry) }
    }

    /// The figures without values.
    fn pending(&self, base: &str) -> String {
        let stats = self.labels.iter().map(|label| Stat { label: label.clone(), ..Stat::new("", Datum::Missing) });
        html(&Panel::new(vec![Stats { stats: stats.collect() }.into()]), base)
    }
}

/// A panel as the figures of a tile.
pub(super) fn html(panel: &Panel, base: &str) -> String {
    app::parts::tile_figures(panel, &PanelContext { base: base.to_owned(), label: String::new() })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_homepage_users_write_them() {
        let item = json!({
            "title": "Films",
            "widget": { "type": "uptimekuma", "url": "http://h", "slug": "home", "version": 2, "hideErrors": true },
            "figures": [{ "type": "sonarr", "url": "http://s", "key": "k", "fields": ["queued"], "timeout": 500 }, 5],
        });
        assert_eq!(
            entries_of(&item),
            [
                json!({ "timeout": 500, "options": { "service": "sonarr", "url": "http://s", "key": "k", "fields": ["queued"] } }),
                json!({ "ignoreErrors": true, "options": { "service": "uptimekuma", "url": "http://h", "settings": { "slug": "home" } } }),
            ]
        );
    }
}
