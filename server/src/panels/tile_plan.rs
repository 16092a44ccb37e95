//! Entries of the widget `service-figures` that items have in place of sections, planned like widgets (docs/spec/widgets.md 12).

use app::parts::PanelContext;
use config::model::figures::written_figures;
use serde_json::{Map, Value};
use widgets::{
    Entry, Panel, figure_labels,
    panel::{Datum, Phrase, Stat, Stats},
};

/// Our name of the widget.
pub(super) const KIND: &str = "service-figures";

/// The options of the widget. Anything else that is written belongs to the service.
const OPTIONS: [&str; 7] = ["url", "key", "username", "password", "fields", "headers", "highlight"];

/// Fields that all widgets share.
const SHARED_FIELDS: [&str; 5] = ["timeout", "insecure", "allowInsecure", "ignoreErrors", "updateInterval"];

/// Fields of Homepage that need nothing here: the server refreshes by itself.
const NEEDLESS: [&str; 3] = ["refreshInterval", "label", "showStats"];

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
pub(super) fn as_widget(written: &Value) -> Value {
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
    pub(super) fn of(entry: &Entry) -> Self {
        Self { labels: figure_labels(entry) }
    }

    /// The figures without values.
    pub(super) fn pending(&self, base: &str) -> String {
        let stats = self.labels.iter().map(|label| Stat { label: label.clone(), ..Stat::new("", Datum::Missing) });
        html(&Panel::new(vec![Stats { stats: stats.collect() }.into()]), base)
    }
}

/// A panel as the figures of a tile.
pub(super) fn html(panel: &Panel, base: &str) -> String {
    app::parts::tile_figures(panel, &PanelContext { base: base.to_owned(), label: String::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries_are_read_as_homepage_users_write_them() {
        let item = json!({
            "title": "Films",
            "widget": { "type": "uptimekuma", "url": "http://h", "slug": "home", "label": "Home", "hideErrors": true },
            "figures": [{ "type": "sonarr", "url": "http://s", "key": "k", "version": 3, "fields": ["queued"], "timeout": 500 }, 5],
        });
        assert_eq!(
            entries_of(&item),
            [
                json!({ "timeout": 500, "options": { "service": "sonarr", "url": "http://s", "key": "k", "fields": ["queued"], "settings": { "version": 3 } } }),
                json!({ "ignoreErrors": true, "options": { "service": "uptimekuma", "url": "http://h", "settings": { "slug": "home" } } }),
            ]
        );
    }
}
