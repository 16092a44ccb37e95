//! The tab of the config menu with what the sources of discovery find: admins add it to the file, or are never asked again
//! (docs/spec/behavior.md 13).

use std::{collections::HashSet, sync::Arc};

use app::manage::{FoundPlace, FoundRow, FoundSource, FoundTab};
use config::{
    Config, Document,
    address::{self, Address},
    document::{Change, ValuePath},
    icon::{Icon, IconEntry, letter},
    model::{AddMode, DiscoverySource, Permissions, comparable_address},
    selector::Selector,
};
use discovery::Found;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    api::{save_draft, version_of},
    app_state::AppState,
    error::ApiError,
    save::with_user,
};
use crate::{
    found::{SourceState, item_of},
    icons::Icons,
    store::{ConfigFile, Site},
};

/// What an admin does with what is found.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum FoundAction {
    /// Adds an entry to the file.
    Add(FoundKey),
    /// Adds everything that the source at this place gives.
    AddAll(usize),
    /// Never shows a container again.
    Hide {
        /// The place of the source.
        source: usize,
        /// Name of the container.
        container: String,
    },
}

/// An entry of a source.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct FoundKey {
    /// The place of the source.
    source: usize,
    /// Id of the container.
    id: String,
    /// The title of the entry: a container may have several.
    title: String,
}

/// The tab, after an action if there is one.
///
/// # Errors
///
/// The config forbids saving to disk.
pub(super) async fn found_tab(
    portico: &Arc<AppState>,
    site: &Site,
    permissions: Permissions,
    by: &str,
    action: Option<FoundAction>,
) -> Result<FoundTab, ApiError> {
    let mut problem = None;
    let mut hidden = None;
    if let Some(action) = action {
        if let FoundAction::Hide { source, container } = &action {
            hidden = Some((*source, container.clone()));
        }
        let store = &portico.store;
        if !permissions.save_to_disk {
            return Err(ApiError::new(StatusCode::FORBIDDEN, format!("`{}` forbids saving to disk.", store.main())));
        }
        let root = site.root.as_ref().ok_or_else(|| ApiError::not_found("there is no config"))?;
        let changed = changed(root, &portico.found.sources(), action)?;
        let version = version_of(Some(&root.bytes));
        let saved = save_draft(store, by, store.main(), Some(version), changed).await;
        problem = saved.err().map(|error| with_user(error).message);
    }
    let site = portico.store.site();
    let addresses = site.root.as_ref().map(|root| addresses(&root.document)).unwrap_or_default();
    let mut sources = portico.found.sources();
    if let Some((source, container)) = hidden.filter(|_| problem.is_none())
        && let Some(state) = sources.get_mut(source)
    {
        // Its source may not have been listed again yet.
        state.outcome.found.retain(|found| found.container != container);
    }
    let icons = &portico.icons;
    let sources =
        sources.iter().enumerate().map(|(position, state)| source(position, state, &addresses, icons)).collect();
    Ok(FoundTab { sources, problem, may_add: permissions.save_to_disk })
}

fn source(position: usize, state: &SourceState, addresses: &HashSet<String>, icons: &Icons) -> FoundSource {
    let rows: Vec<_> = state.outcome.found.iter().map(|found| row(position, found, addresses, icons)).collect();
    let has_new = rows.iter().any(|row| row.place == FoundPlace::Nowhere);
    FoundSource {
        title: state.source.title(),
        is_away: state.problem.is_some(),
        add_all: has_new.then(|| action(&FoundAction::AddAll(position))),
        rows,
    }
}

fn row(source: usize, found: &Found, addresses: &HashSet<String>, icons: &Icons) -> FoundRow {
    let title = title(found).to_owned();
    let text = |key: &str| found.item.get(key).and_then(Value::as_str);
    let entry = IconEntry { title: &title, url: text("url"), ..IconEntry::default() };
    let icon = text("icon").map_or_else(|| letter(&title), |icon| Icon::parse(icon).view(&entry, icons));
    let key = FoundKey { source, id: found.id.clone(), title: title.clone() };
    FoundRow {
        add: action(&FoundAction::Add(key)),
        hide: action(&FoundAction::Hide { source, container: found.container.clone() }),
        place: match address(found) {
            Some(address) if addresses.contains(&address) => FoundPlace::File,
            _ if found.add == AddMode::Live => FoundPlace::Page,
            _ => FoundPlace::Nowhere,
        },
        icon,
        description: text("description").map(str::to_owned),
        section: found.section.clone(),
        address: text("url").map(str::to_owned),
        container: found.container.clone(),
        state: found.state.clone(),
        title,
    }
}

fn action(action: &FoundAction) -> String {
    json!({ "found": action }).to_string()
}

fn title(found: &Found) -> &str {
    found.item.get("title").and_then(Value::as_str).unwrap_or_default()
}

/// What an entry opens, as an item of the file would.
fn address(found: &Found) -> Option<String> {
    match address::parse(found.item.get("url")?.as_str()?) {
        Address::Safe(address) => Some(comparable_address(&address).to_owned()),
        Address::Refused => None,
    }
}

/// The addresses that the items of a file open.
fn addresses(document: &Document) -> HashSet<String> {
    Config::read(document).map(|config| config.opened_addresses()).unwrap_or_default()
}

/// The document of the main file after an action.
fn changed(root: &ConfigFile, sources: &[SourceState], action: FoundAction) -> Result<Document, ApiError> {
    let gone = || ApiError::not_found("This container is gone.");
    let mut document = root.document.clone();
    match action {
        FoundAction::Add(key) => {
            let state = sources.get(key.source).ok_or_else(gone)?;
            let is_meant = |found: &&Found| found.id == key.id && title(found) == key.title;
            let found = state.outcome.found.iter().find(is_meant).ok_or_else(gone)?;
            add(&mut document, found, &state.source)?;
        }
        FoundAction::AddAll(source) => {
            let known = addresses(&document);
            let state = sources.get(source).ok_or_else(gone)?;
            let is_new = |found: &&Found| address(found).is_none_or(|address| !known.contains(&address));
            state.outcome.found.iter().filter(is_new).try_for_each(|found| add(&mut document, found, &state.source))?;
        }
        FoundAction::Hide { source, container } => {
            let state = sources.get(source).ok_or_else(gone)?;
            let at = ValuePath::top().key("appConfig").key("discovery").index(source);
            let mut value = document.at(&at).filter(|value| value.is_object()).cloned().ok_or_else(gone)?;
            let mut exclude = state.source.exclude.clone();
            exclude.push(container);
            value["exclude"] = exclude.into();
            document.apply(Change::Replace { at, value })?;
        }
    }
    Ok(document)
}

/// Adds an entry to its section, which is made if there is none.
fn add(document: &mut Document, found: &Found, source: &DiscoverySource) -> Result<(), ApiError> {
    let name = found.section.trim().to_lowercase();
    let is_section =
        |section: &Value| section["name"].as_str().is_some_and(|other| other.trim().to_lowercase() == name);
    let index = match document.sections()?.iter().position(is_section) {
        Some(index) => index,
        None => {
            let section = json!({ "name": found.section, "items": [] });
            document.add_section(section.as_object().cloned().unwrap_or_default())?
        }
    };
    document.add_item(&Selector::Index(index), item_of(found, source))?;
    Ok(())
}
