//! The labels by which people describe a tile: ours, and those of other dashboards.

mod fields;
mod tree;

use std::collections::BTreeMap;

use config::model::LabelFamily;
use import::Source as Dashboard;
use serde_json::{Map, Value};

use self::fields::typed_item;

/// Maximum number of entries of one container.
const MAX_ENTRIES: usize = 20;

/// An entry that labels describe.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Whose labels they are.
    pub family: LabelFamily,
    /// The item, with the fields of `conf.yml`; not checked yet.
    pub item: Map<String, Value>,
    /// Name of its section.
    pub section: Option<String>,
    /// Its place in the section: smaller ones come first, before equal names.
    pub weight: i64,
    /// Options of its widgets, as the labels have them.
    pub widgets: Vec<Map<String, Value>>,
    /// Glance: the name by which other containers join this entry.
    pub id: Option<String>,
    /// Glance: the entry that this container is a part of.
    pub parent: Option<String>,
    /// Labels that mean nothing or cannot be used, each as a sentence.
    pub notes: Vec<String>,
}

/// Why labels describe no entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum LabelProblem {
    /// There are no labels of these families.
    None,
    /// The labels forbid it, as a sentence.
    Hidden(String),
    /// Something is missing, as a sentence.
    Incomplete(String),
}

/// Reads the labels of the first of these families that a container has. `instance` is the name of this dashboard.
///
/// # Errors
///
/// The labels describe no entry for this dashboard.
pub fn read(
    labels: &BTreeMap<String, String>,
    families: &[LabelFamily],
    instance: Option<&str>,
) -> Result<Vec<Entry>, LabelProblem> {
    let usable = LabelFamily::ALL.into_iter().filter(|family| families.is_empty() || families.contains(family));
    for family in usable {
        let prefix = format!("{}.", family.word());
        let own: Vec<(&str, &str)> = labels
            .iter()
            .filter_map(|(name, value)| Some((name.strip_prefix(&prefix)?, value.as_str())))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        if own.is_empty() {
            continue;
        }
        return match family {
            LabelFamily::Portico => portico(&own, instance).map(|entry| vec![entry]),
            LabelFamily::Homepage => homepage(&own, instance).map(|entry| vec![entry]),
            LabelFamily::Glance => glance(&own).map(|entry| vec![entry]),
            LabelFamily::Flame => flame(&own),
        };
    }
    Err(LabelProblem::None)
}

impl Entry {
    fn new(family: LabelFamily) -> Self {
        Self {
            family,
            item: Map::new(),
            section: None,
            weight: 0,
            widgets: Vec::new(),
            id: None,
            parent: None,
            notes: Vec::new(),
        }
    }

    fn put(&mut self, key: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.item.insert(key.to_owned(), value.into());
        }
    }
}

/// The labels for this dashboard as a tree. Labels of its instance win over those for all, whatever their order; `None` if there
/// are only labels of other instances.
fn tree_for(labels: &[(&str, &str)], instance: Option<&str>, notes: &mut Vec<String>) -> Option<Map<String, Value>> {
    let of_instance = |name: &str| -> Option<Option<String>> {
        // The name of an instance may have dots, so it is compared as a whole.
        let rest = name.strip_prefix("instance.")?;
        Some(instance.and_then(|instance| Some(rest.strip_prefix(instance)?.strip_prefix('.')?.to_owned())))
    };
    let mut chosen: BTreeMap<String, &str> = BTreeMap::new();
    for (name, value) in labels.iter().filter(|(name, _)| of_instance(name).is_none()) {
        chosen.insert((*name).to_owned(), value);
    }
    for (name, value) in labels {
        if let Some(Some(own)) = of_instance(name) {
            chosen.insert(own, value);
        }
    }
    if chosen.is_empty() {
        return None;
    }
    let mut tree = Map::new();
    for (name, value) in chosen {
        if !tree::insert(&mut tree, &name, value) {
            notes.push(format!("the label `{name}` contradicts another one, or has too many steps"));
        }
    }
    match tree::with_lists(Value::Object(tree)) {
        Value::Object(tree) => Some(tree),
        _ => None,
    }
}

fn text(tree: &mut Map<String, Value>, key: &str) -> Option<String> {
    match tree.remove(key)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    }
}

fn weight(tree: &mut Map<String, Value>, notes: &mut Vec<String>) -> i64 {
    let Some(text) = text(tree, "weight") else { return 0 };
    text.parse::<f64>().ok().filter(|weight| weight.is_finite()).map_or_else(
        || {
            notes.push("`weight` is not a number, and counts as 0".to_owned());
            0
        },
        // Too large numbers become the largest one.
        |weight| weight as i64,
    )
}

const OTHER_INSTANCE: &str = "its labels are only for other instances; `instance` in the source names this one";

fn portico(labels: &[(&str, &str)], instance: Option<&str>) -> Result<Entry, LabelProblem> {
    let mut entry = Entry::new(LabelFamily::Portico);
    let mut tree =
        tree_for(labels, instance, &mut entry.notes).ok_or_else(|| LabelProblem::Hidden(OTHER_INSTANCE.to_owned()))?;
    if text(&mut tree, "enable")
        .is_some_and(|value| matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off"))
    {
        return Err(LabelProblem::Hidden("`portico.enable` is false".to_owned()));
    }
    entry.section = text(&mut tree, "section");
    entry.weight = weight(&mut tree, &mut entry.notes);
    entry.item = typed_item(tree);
    Ok(entry)
}

fn homepage(labels: &[(&str, &str)], instance: Option<&str>) -> Result<Entry, LabelProblem> {
    let mut entry = Entry::new(LabelFamily::Homepage);
    let mut tree =
        tree_for(labels, instance, &mut entry.notes).ok_or_else(|| LabelProblem::Hidden(OTHER_INSTANCE.to_owned()))?;
    let (name, group) = (text(&mut tree, "name"), text(&mut tree, "group"));
    // Homepage drops such entries. Here both have a default, but a container that only hides something has neither.
    let has_more = ["href", "icon", "description", "siteMonitor", "ping", "widget", "widgets"]
        .iter()
        .any(|key| tree.contains_key(*key));
    if name.is_none() && group.is_none() && !has_more {
        return Err(LabelProblem::Incomplete("its labels have neither `homepage.name` nor `homepage.href`".to_owned()));
    }
    entry.section = group;
    entry.weight = weight(&mut tree, &mut entry.notes);
    entry.put("title", name);
    entry.put("description", text(&mut tree, "description"));
    entry.put("icon", text(&mut tree, "icon").and_then(|icon| import::icon_name(Dashboard::Homepage, &icon)));
    entry.put("url", text(&mut tree, "href"));
    let target = text(&mut tree, "target").and_then(|target| match target.as_str() {
        "_blank" => Some("newtab"),
        "_self" => Some("sametab"),
        "_top" => Some("top"),
        "_parent" => Some("parent"),
        _ => {
            entry.notes.push(format!("`homepage.target` cannot be `{target}`"));
            None
        }
    });
    entry.put("target", target);
    if let Some(monitor) = text(&mut tree, "siteMonitor") {
        entry.put("statusCheck", Some(true));
        entry.put("statusCheckUrl", Some(monitor));
    }
    if let Some(ping) = text(&mut tree, "ping") {
        // Only the host of an address is pinged.
        let host = config::address::host(&ping).unwrap_or(&ping).to_owned();
        entry.put("pingCheckEnabled", Some(true));
        entry.put("pingCheckHost", Some(host));
    }
    let lists = [tree.remove("widgets"), tree.remove("widget")];
    for widget in lists.into_iter().flatten() {
        match widget {
            Value::Array(widgets) => {
                entry.widgets.extend(widgets.into_iter().filter_map(|widget| widget.as_object().map(with_json_lists)));
            }
            Value::Object(widget) => entry.widgets.push(with_json_lists(&widget)),
            _ => entry.notes.push("`homepage.widget` is not a mapping".to_owned()),
        }
    }
    for key in tree.keys() {
        entry.notes.push(format!("`homepage.{key}` is not used"));
    }
    Ok(entry)
}

/// `fields` and `highlight` may be written as JSON text.
fn with_json_lists(widget: &Map<String, Value>) -> Map<String, Value> {
    let mut widget = widget.clone();
    for key in ["fields", "highlight"] {
        if let Some(Value::String(text)) = widget.get(key)
            && let Ok(parsed @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text)
        {
            widget.insert(key.to_owned(), parsed);
        }
    }
    widget
}

fn glance(labels: &[(&str, &str)]) -> Result<Entry, LabelProblem> {
    let mut entry = Entry::new(LabelFamily::Glance);
    for (name, value) in labels {
        let value = value.trim();
        let is_true = value.eq_ignore_ascii_case("true");
        match *name {
            "hide" if is_true => return Err(LabelProblem::Hidden("`glance.hide` is true".to_owned())),
            "same-tab" if is_true => entry.put("target", Some("sametab")),
            "hide" | "same-tab" => {}
            _ if value.is_empty() => {}
            "name" => entry.put("title", Some(value)),
            "url" => entry.put("url", Some(value)),
            "description" => entry.put("description", Some(value)),
            "icon" => entry.put("icon", import::icon_name(Dashboard::Glance, value)),
            "category" => entry.section = Some(value.to_owned()),
            "id" => entry.id = Some(value.to_owned()),
            "parent" => entry.parent = Some(value.to_owned()),
            other => entry.notes.push(format!("`glance.{other}` is not used")),
        }
    }
    Ok(entry)
}

fn flame(labels: &[(&str, &str)]) -> Result<Vec<Entry>, LabelProblem> {
    // Several entries are separated by semicolons, at the same position in each label.
    let list = |key: &str| -> Vec<&str> {
        let value = labels.iter().find(|(name, _)| *name == key).map_or("", |(_, value)| *value);
        value.split(';').map(str::trim).take(MAX_ENTRIES).collect()
    };
    let at = |list: &[&str], index: usize| list.get(index).copied().filter(|text| !text.is_empty()).map(str::to_owned);
    let (kinds, names, urls, icons) = (list("type"), list("name"), list("url"), list("icon"));
    let is_application = |kind: &str| matches!(kind.to_ascii_lowercase().as_str(), "application" | "app");
    // One type may stand for all.
    let kind = |index: usize| at(&kinds, index).or_else(|| at(&kinds, 0)).unwrap_or_default();
    let count = names.len().max(urls.len());
    let entries: Vec<Entry> = (0..count)
        .filter(|index| is_application(&kind(*index)))
        .map(|index| {
            let mut entry = Entry::new(LabelFamily::Flame);
            entry.put("title", at(&names, index));
            entry.put("url", at(&urls, index));
            match at(&icons, index).as_deref() {
                // The default of Flame says nothing about the application.
                None | Some("docker" | "kubernetes") => {}
                Some("custom") => entry.notes.push("a picture that was uploaded to Flame is not here".to_owned()),
                Some(icon) if icon.contains(['.', '/']) => entry.put("icon", Some(icon)),
                Some(icon) => {
                    entry.put("icon", Some(format!("mdi-{}", icon.to_ascii_lowercase().trim_start_matches("mdi-"))))
                }
            }
            entry
        })
        .collect();
    if entries.is_empty() {
        return Err(LabelProblem::Incomplete("`flame.type` is neither `application` nor `app`".to_owned()));
    }
    Ok(entries)
}
