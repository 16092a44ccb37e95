//! Turns what an engine lists into items, and says why something is left out.

use std::collections::BTreeMap;

use config::{
    Config, Document, Problem,
    check::check_read,
    model::{AddMode, DiscoveryRule, DiscoverySource, EngineAddress, LabelFamily, figures::written_figures},
};
use serde_json::{Map, Value, json};

use crate::{
    address::{self, AddressOrigin},
    image,
    labels::{self, Entry, LabelProblem},
    names,
    resource::{Malformed, Resource},
    variables,
};

/// Where the problems of a checked item are.
const ITEM_PATH: &str = "/sections/0/items/0/";

/// What the labels of a container gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Id of the container in its engine.
    pub id: String,
    /// Name of the container.
    pub container: String,
    /// Its state as the engine says it, such as `running`.
    pub state: String,
    /// Whether its state is known, and can be shown.
    pub has_state: bool,
    /// Containers that are parts of it, with their states.
    pub parts: Vec<(String, String)>,
    /// Whose labels describe it; `None` if it has none.
    pub family: Option<LabelFamily>,
    /// What the source does with it.
    pub add: AddMode,
    /// Name of its section.
    pub section: String,
    /// Its place in the section: smaller ones come first, then the order of titles.
    pub weight: i64,
    /// The item, as in `conf.yml`. It has passed the checks of the file.
    pub item: Map<String, Value>,
    /// Where its address comes from; `None` if it has none.
    pub address_origin: Option<AddressOrigin>,
    /// Its entries with figures. Secrets in them are still names of variables, and only of allowed ones.
    pub widgets: Vec<Map<String, Value>>,
    /// What was left out or changed, as sentences.
    pub notes: Vec<String>,
}

/// A container that gave nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Dropped {
    /// Name of the container.
    pub container: String,
    /// The reason, as a sentence.
    pub reason: String,
    /// Whether somebody meant it to be found: it has labels for that.
    pub is_meant: bool,
}

/// What a source gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// By section in the order of names, then by weight and title.
    pub found: Vec<Found>,
    /// In the order of the list.
    pub dropped: Vec<Dropped>,
}

/// What labels may refer to.
pub struct Surroundings<'a> {
    /// The value of an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The icon of an application by its name, as the config would write it.
    pub icon: &'a dyn Fn(&str) -> Option<String>,
}

/// Examines what an engine lists. One that cannot be read costs only itself.
pub fn examine(
    list: &[Result<Resource, Malformed>],
    source: &DiscoverySource,
    surroundings: &Surroundings<'_>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut parts: Vec<(String, &Resource)> = Vec::new();
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    for element in list {
        let resource = match element {
            Ok(resource) => resource,
            Err(Malformed { name, reason }) => {
                let reason = format!("the engine describes it in an unknown form: {reason}");
                outcome.dropped.push(Dropped { container: name.clone(), reason, is_meant: true });
                continue;
            }
        };
        let mut drop = |reason: String, is_meant| {
            outcome.dropped.push(Dropped { container: resource.name.clone(), reason, is_meant });
        };
        if !is_included(resource, source) {
            drop("`include` or `exclude` leaves it out".to_owned(), false);
            continue;
        }
        if add_mode(resource, source) == AddMode::Never {
            drop("`add: never` leaves it out".to_owned(), false);
            continue;
        }
        let entries = match labels::read(&resource.labels, &source.labels, source.instance.as_deref()) {
            Ok(entries) => entries.into_iter().map(Some).collect(),
            Err(LabelProblem::None) if left_out(resource).is_some() => {
                drop(left_out(resource).unwrap_or_default(), false);
                continue;
            }
            Err(LabelProblem::None) if source.unlabelled => vec![None],
            Err(LabelProblem::None) => {
                drop("it has no labels for a dashboard".to_owned(), false);
                continue;
            }
            Err(LabelProblem::Hidden(reason)) => {
                drop(reason, false);
                continue;
            }
            Err(LabelProblem::Incomplete(reason)) => {
                drop(reason, true);
                continue;
            }
        };
        for entry in entries {
            if let Some(parent) = entry.as_ref().and_then(|entry| entry.parent.clone()) {
                parts.push((parent, resource));
                continue;
            }
            let id = entry.as_ref().and_then(|entry| entry.id.clone());
            let is_meant = entry.is_some();
            match found(resource, entry, source, surroundings) {
                Ok(found) => {
                    if let Some(id) = id {
                        ids.entry(id).or_insert(outcome.found.len());
                    }
                    outcome.found.push(found);
                }
                Err(reason) => outcome.dropped.push(Dropped { container: resource.name.clone(), reason, is_meant }),
            }
        }
    }
    for (parent, resource) in parts {
        match ids.get(&parent).and_then(|index| outcome.found.get_mut(*index)) {
            Some(found) => found.parts.push((resource.name.clone(), resource.state.clone())),
            None => {
                let reason = format!("no container that was found has the label `glance.id={}`", brief(&parent));
                outcome.dropped.push(Dropped { container: resource.name.clone(), reason, is_meant: true });
            }
        }
    }
    let key = |found: &Found| (found.section.to_lowercase(), found.weight, title_of(found).to_lowercase());
    outcome.found.sort_by_cached_key(key);
    outcome
}

fn title_of(found: &Found) -> &str {
    found.item.get("title").and_then(Value::as_str).unwrap_or_default()
}

fn found(
    resource: &Resource,
    entry: Option<Entry>,
    source: &DiscoverySource,
    surroundings: &Surroundings<'_>,
) -> Result<Found, String> {
    let family = entry.as_ref().map(|entry| entry.family);
    let (mut item, mut section, weight, mut widgets, mut notes) = match entry {
        Some(entry) => (entry.item, entry.section, entry.weight, entry.widgets, entry.notes),
        None => Default::default(),
    };
    let is_own =
        |name: &&String| LabelFamily::ALL.iter().any(|family| name.starts_with(&format!("{}.", family.word())));
    notes.extend(resource.oversized.iter().filter(is_own).map(|name| format!("the label `{name}` is too long")));
    notes.extend(resource.route.iter().flat_map(|route| route.notes.iter().cloned()));
    // Labels of ours may describe figures as the file does.
    widgets
        .extend(written_figures(&Value::from(item.clone())).into_iter().filter_map(|entry| entry.as_object().cloned()));
    item.retain(|key, _| !["figures", "widget", "widgets"].contains(&key.as_str()));
    let allowed = &source.allowed_variables;
    let replace =
        |text: &str| variables::replaced(text, allowed, surroundings.variable).map_err(|problem| problem.to_string());
    without_failures(&mut item, "", &mut notes, &replace);
    let for_option = |text: &str| variables::for_option(text, allowed).map_err(|problem| problem.to_string());
    for widget in &mut widgets {
        without_failures(widget, "widget.", &mut notes, &for_option);
    }
    if let Some(text) = &section {
        section = match replace(text) {
            Ok(text) => Some(text),
            Err(problem) => {
                notes.push(format!("the section {problem}"));
                None
            }
        };
    }

    check(&mut item, family, &mut notes)?;
    let address_origin = add_address(&mut item, resource, family, source, &mut notes)?;
    if !item.contains_key("title") {
        let name = resource.compose_service().unwrap_or_else(|| resource.short_name());
        item.insert("title".to_owned(), readable(name).into());
    }
    if !item.contains_key("icon") {
        // A route has no image, but often the name of its application.
        let image = if resource.route.is_some() { resource.short_name() } else { &resource.image };
        let mut names = image::names_of(image);
        names.extend(resource.compose_service().map(str::to_ascii_lowercase));
        if let Some(icon) = names.iter().find_map(|name| (surroundings.icon)(name)) {
            item.insert("icon".to_owned(), icon.into());
        }
    }
    if !source.show_to_guests {
        // Whatever the labels say about it.
        item.insert("hideForGuests".to_owned(), true.into());
    }
    // Addresses from routers are not labels of the entry, but no less foreign.
    check(&mut item, family, &mut notes)?;
    let of_rule = rule(resource, source).and_then(|rule| rule.section.clone());
    let section = of_rule.or(section).filter(|name| !name.trim().is_empty()).or_else(|| source.section.clone());
    let section = section.or_else(|| resource.project().map(readable)).unwrap_or_else(|| source.title());
    Ok(Found {
        id: resource.id.clone(),
        container: resource.name.clone(),
        state: resource.state.clone(),
        has_state: resource.container_state.is_some(),
        parts: Vec::new(),
        family,
        add: add_mode(resource, source),
        section,
        weight,
        item,
        address_origin,
        widgets,
        notes,
    })
}

fn is_included(resource: &Resource, source: &DiscoverySource) -> bool {
    let is_included = source.include.is_empty() || names::matches_any(&source.include, &resource.name);
    is_included && !names::matches_any(&source.exclude, &resource.name)
}

/// The first rule of a source for a resource.
fn rule<'a>(resource: &Resource, source: &'a DiscoverySource) -> Option<&'a DiscoveryRule> {
    source.rules.iter().find(|rule| names::matches_any(&rule.names, &resource.name))
}

fn add_mode(resource: &Resource, source: &DiscoverySource) -> AddMode {
    rule(resource, source).and_then(|rule| rule.add).unwrap_or(source.add)
}

fn left_out(resource: &Resource) -> Option<String> {
    resource.route.as_ref()?.left_out.clone()
}

/// Whether a resource may become an item, so that its state matters.
pub fn is_wanted(resource: &Resource, source: &DiscoverySource) -> bool {
    let read = || labels::read(&resource.labels, &source.labels, source.instance.as_deref());
    is_included(resource, source)
        && match read() {
            Ok(_) => true,
            Err(LabelProblem::None) => source.unlabelled && left_out(resource).is_none(),
            Err(_) => false,
        }
}

/// Gives the item an address if its labels have none.
///
/// # Errors
///
/// It has no labels either, so it would be a tile that leads nowhere.
fn add_address(
    item: &mut Map<String, Value>,
    resource: &Resource,
    family: Option<LabelFamily>,
    source: &DiscoverySource,
    notes: &mut Vec<String>,
) -> Result<Option<AddressOrigin>, String> {
    if item.contains_key("url") || item.contains_key("subItems") {
        return Ok(item.contains_key("url").then_some(AddressOrigin::Label));
    }
    let mut put = |address: String| _ = item.insert("url".to_owned(), address.into());
    if let Some(route) = &resource.route {
        return match route.address.clone() {
            Ok(address) => {
                put(address);
                Ok(Some(AddressOrigin::Route))
            }
            Err(reason) if family.is_none() => Err(reason.to_owned()),
            Err(reason) => {
                notes.push(reason.to_owned());
                Ok(None)
            }
        };
    }
    if let Some(address) = address::traefik::address(&resource.labels, notes) {
        put(address);
        return Ok(Some(AddressOrigin::Traefik));
    }
    if let Some(address) = address::caddy::address(&resource.labels) {
        put(address);
        return Ok(Some(AddressOrigin::Caddy));
    }
    let host = source.host.clone().or_else(|| match &source.url {
        EngineAddress::Web(address) => config::address::host(address).map(str::to_owned),
        _ => None,
    });
    match address::ports::address(&resource.ports, host.as_deref(), address::traefik::port(&resource.labels)) {
        Ok(address) => {
            put(address);
            Ok(Some(AddressOrigin::Port))
        }
        Err(reason) if family.is_none() => Err(reason.to_owned()),
        Err(reason) => {
            notes.push(reason.to_owned());
            Ok(None)
        }
    }
}

/// Removes each field that `conf.yml` could not have, such as an address that runs code, with a note.
///
/// # Errors
///
/// A rule about who sees the item has a problem. Without the rule, more people would see it.
fn check(item: &mut Map<String, Value>, family: Option<LabelFamily>, notes: &mut Vec<String>) -> Result<(), String> {
    let prefix = family.filter(|family| *family == LabelFamily::Portico).map_or("", |_| "portico.");
    // A field that is left out may have hidden the problems of another one. Each round removes one.
    loop {
        let mut checked = item.clone();
        checked.entry("title").or_insert_with(|| "title".into());
        let document = Document::from_json(json!({ "sections": [{ "name": "section", "items": [checked] }] }));
        let config = Config::read(&document).map_err(|error| error.to_string())?;
        let problems = check_read(&document, &config);
        let Some((key, problem)) = problems.iter().find_map(|problem| Some((field_of(problem, item)?, problem))) else {
            return Ok(());
        };
        let message = &problem.message;
        if key == "displayData" || key.starts_with("hideFor") || key.starts_with("showFor") {
            return Err(format!("`{prefix}{key}` says who sees it, but has a problem: {message}"));
        }
        item.shift_remove(&key);
        notes.push(format!("`{prefix}{key}` is left out: {message}"));
    }
}

/// The field of the item that a problem is about.
fn field_of(problem: &Problem, item: &Map<String, Value>) -> Option<String> {
    let rest = problem.path.strip_prefix(ITEM_PATH)?;
    let key = rest.split('/').next()?.replace("~1", "/").replace("~0", "~");
    item.contains_key(&key).then_some(key)
}

/// Changes all texts below a mapping; a field with a text that cannot be used is removed, with a note.
fn without_failures(
    mapping: &mut Map<String, Value>,
    prefix: &str,
    notes: &mut Vec<String>,
    change: &dyn Fn(&str) -> Result<String, String>,
) {
    let fields = std::mem::take(mapping);
    for (key, mut value) in fields {
        match change_texts(&mut value, change) {
            Ok(()) => _ = mapping.insert(key, value),
            Err(problem) => notes.push(format!("`{prefix}{key}` is left out: it {problem}")),
        }
    }
}

fn change_texts(value: &mut Value, change: &dyn Fn(&str) -> Result<String, String>) -> Result<(), String> {
    match value {
        Value::String(text) => *text = change(text)?,
        Value::Array(list) => list.iter_mut().try_for_each(|element| change_texts(element, change))?,
        Value::Object(mapping) => mapping.values_mut().try_for_each(|value| change_texts(value, change))?,
        _ => {}
    }
    Ok(())
}

/// A name of a container as people write it: `home-assistant_2` is "Home Assistant 2".
fn readable(name: &str) -> String {
    let words = name.split(['-', '_', '.', ' ']).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    words.map(capital).collect::<Vec<_>>().join(" ")
}

fn brief(text: &str) -> String {
    text.chars().take(60).collect()
}
