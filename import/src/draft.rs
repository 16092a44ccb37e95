//! The config that is being built.

use serde_json::{Map, Value};

use crate::report::{Report, SourceLocation};

/// Longest caption of a widget, in characters.
const MAX_LABEL_LENGTH: usize = 200;
/// Most tags of an item.
const MAX_TAGS: usize = 12;

/// The parts of a `conf.yml`.
#[derive(Debug, Default)]
pub struct ConfigDraft {
    /// `pageInfo`.
    pub page_info: Map<String, Value>,
    /// `appConfig`.
    pub app_config: Map<String, Value>,
    /// `sections`.
    pub sections: Vec<SectionDraft>,
}

/// A section.
#[derive(Debug, Default)]
pub struct SectionDraft {
    /// Its heading.
    pub name: String,
    /// Its icon.
    pub icon: Option<String>,
    /// `displayData`.
    pub display: Map<String, Value>,
    /// Its items.
    pub items: Vec<Map<String, Value>>,
    /// Its widgets.
    pub widgets: Vec<WidgetDraft>,
}

/// A widget.
#[derive(Debug)]
pub struct WidgetDraft {
    /// Its type.
    pub kind: &'static str,
    /// The caption.
    pub label: Option<String>,
    /// Whether any certificate is accepted.
    pub insecure: bool,
    /// Whether it is a small fact below the header, not a card in its section.
    pub in_header: bool,
    /// The name of its tab.
    pub tab: Option<String>,
    /// Seconds between two refreshes.
    pub interval: Option<u64>,
    /// Its options.
    pub options: Map<String, Value>,
}

/// Sets keys only if there is a value.
pub trait Put {
    /// Sets a key, unless there is no value for it.
    fn put(&mut self, key: &str, value: Option<impl Into<Value>>);
}

impl Put for Map<String, Value> {
    fn put(&mut self, key: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.insert(key.to_owned(), value.into());
        }
    }
}

impl ConfigDraft {
    /// The config. Sections with nothing in them are left out.
    pub fn into_value(self) -> Value {
        let mut config = Map::new();
        config.put("pageInfo", Some(self.page_info).filter(|info| !info.is_empty()));
        config.put("appConfig", Some(self.app_config).filter(|app| !app.is_empty()));
        let sections = self.sections.into_iter().filter(|section| !section.is_empty()).map(SectionDraft::into_value);
        config.insert("sections".to_owned(), sections.collect());
        Value::Object(config)
    }
}

impl SectionDraft {
    /// An empty section.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.widgets.is_empty()
    }

    fn into_value(self) -> Value {
        let mut section = Map::new();
        section.insert("name".to_owned(), self.name.into());
        section.put("icon", self.icon);
        section.put("displayData", Some(self.display).filter(|display| !display.is_empty()));
        let items = self.items.into_iter().map(Value::Object).collect::<Vec<_>>();
        section.put("items", Some(items).filter(|items| !items.is_empty()));
        let widgets = self.widgets.into_iter().map(WidgetDraft::into_value).collect::<Vec<_>>();
        section.put("widgets", Some(widgets).filter(|widgets| !widgets.is_empty()));
        Value::Object(section)
    }
}

impl WidgetDraft {
    /// A widget without options.
    pub fn new(kind: &'static str) -> Self {
        Self { kind, label: None, insecure: false, in_header: false, tab: None, interval: None, options: Map::new() }
    }

    /// With a caption.
    pub fn labelled(mut self, label: Option<String>) -> Self {
        self.label = label.map(|label| label.chars().take(MAX_LABEL_LENGTH).collect());
        self
    }

    /// With an option, if there is a value for it.
    pub fn with(mut self, key: &str, value: Option<impl Into<Value>>) -> Self {
        self.options.put(key, value);
        self
    }

    fn into_value(self) -> Value {
        let mut widget = Map::new();
        widget.insert("type".to_owned(), self.kind.into());
        widget.put("label", self.label);
        widget.put("place", self.in_header.then_some("header"));
        widget.put("tab", self.tab);
        widget.put("updateInterval", self.interval);
        widget.put("insecure", self.insecure.then_some(true));
        widget.put("options", Some(self.options).filter(|options| !options.is_empty()));
        Value::Object(widget)
    }
}

/// An item with a title; without one, the host of the address or the address itself is its title.
pub fn item(title: Option<String>, url: Option<String>) -> Map<String, Value> {
    let title = title.filter(|title| !title.trim().is_empty()).or_else(|| {
        let url = url.as_deref()?;
        let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
        let host = after_scheme.split(['/', '?', '#']).next().filter(|host| !host.is_empty());
        Some(host.unwrap_or(url).to_owned())
    });
    let mut item = Map::new();
    item.insert("title".to_owned(), title.unwrap_or_else(|| "Untitled".to_owned()).into());
    item.put("url", url.filter(|url| !url.is_empty()));
    item
}

/// Whether an item has nothing but its title, so that a widget with this caption can take its place.
pub fn is_bare(item: &Map<String, Value>) -> bool {
    item.keys().all(|key| matches!(key.as_str(), "title" | "target"))
}

/// Puts the tags into an item; those that are too many are noted.
pub fn put_tags(item: &mut Map<String, Value>, mut tags: Vec<String>, place: &SourceLocation, report: &mut Report) {
    tags.retain(|tag| !tag.trim().is_empty());
    if tags.len() > MAX_TAGS {
        let rest = tags.split_off(MAX_TAGS);
        report.lost(place, format!("the tags after the twelfth: {}", rest.join(", ")));
    }
    item.put("tags", Some(tags).filter(|tags| !tags.is_empty()));
}
