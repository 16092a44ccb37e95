//! What the sources in `appConfig.discovery` find while the server runs (docs/discovery.md).
//!
//! One task follows each source by its events. Sources with `add: live` show what they find on the main page at once; admins may add
//! the rest to the file. Nothing is written here.

mod usage;

use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use config::{
    Config, Document,
    model::{AddMode, DiscoverySource, FoundItem, Section},
};
use discovery::{
    Change, Connection, ContainerState, Found, Outcome, Resource, SourceSettings, Surroundings, Usage, examine,
    kubernetes::PodGroup, own_variable_name,
};
use serde_json::{Map, Value, json};
use tokio::{
    sync::Notify,
    task::JoinSet,
    time::{Instant, sleep_until},
};

use self::usage::Usages;
use crate::{
    icons::Icons,
    settings::variables::Variables,
    status::{Checker, EngineState, SourceContainers, source_of},
    store::Store,
};

/// How long containers keep their states after the connection to their engine is lost: proxies end streams after some minutes.
const GRACE: Duration = Duration::from_secs(30);

/// Everything that is found. Cheap to clone.
#[derive(Clone)]
pub struct FoundServices(Arc<Inner>);

struct Inner {
    store: Arc<Store>,
    icons: Icons,
    checker: Checker,
    variables: Variables,
    settings: SourceSettings,
    sources: Mutex<Vec<SourceState>>,
    changed: Notify,
    usages: Usages,
}

/// A source, and what it gives at the moment.
#[derive(Clone, Debug)]
pub struct SourceState {
    /// The source.
    pub source: DiscoverySource,
    /// What it gave last.
    pub outcome: Outcome,
    /// What it gave before its container was removed, and until when the page shows it.
    removed: Vec<(Found, Instant)>,
    /// The states of all its containers by their names, also of those that are left out.
    pub containers: HashMap<String, ContainerState>,
    /// The pods of its routes, by their names.
    pods: HashMap<String, Vec<PodGroup>>,
    /// What it does not give, as sentences.
    missing: Vec<String>,
    /// Why it gives nothing new, as a sentence.
    pub problem: Option<String>,
    /// Since when.
    lost: Option<Instant>,
    is_listed: bool,
}

impl SourceState {
    /// A source of a changed config. Until its engine is listed, it gives what that engine gave before.
    fn new(source: DiscoverySource, before: &[Self]) -> Self {
        let is_same = |state: &&Self| state.source.has_same_place(&source);
        let before = before.iter().find(is_same);
        let outcome = before.map(|state| state.outcome.clone()).unwrap_or_default();
        let removed = before.map(|state| state.removed.clone()).unwrap_or_default();
        let containers = before.map(|state| state.containers.clone()).unwrap_or_default();
        let (pods, missing) = (HashMap::new(), Vec::new());
        Self { source, outcome, removed, containers, pods, missing, problem: None, lost: None, is_listed: false }
    }

    /// Takes what the source gives now. `names` are those of all its containers.
    fn replace_outcome(&mut self, outcome: Outcome, names: &HashSet<&str>) {
        let before = mem::replace(&mut self.outcome, outcome).found;
        let now = Instant::now();
        let until = now + Duration::from_secs(60 * u64::from(self.source.keep_removed));
        self.removed.extend(before.into_iter().map(|found| (found, until)));
        self.removed.retain(|(found, until)| *until > now && !names.contains(found.container.as_str()));
    }
}

impl FoundServices {
    /// Nothing yet.
    pub fn new(
        store: Arc<Store>,
        icons: Icons,
        checker: Checker,
        variables: Variables,
        settings: SourceSettings,
    ) -> Self {
        let (sources, changed, usages) = (Mutex::default(), Notify::new(), Usages::default());
        Self(Arc::new(Inner { store, icons, checker, variables, settings, sources, changed, usages }))
    }

    /// The sources of the config, in its order.
    pub fn sources(&self) -> Vec<SourceState> {
        self.states().clone()
    }

    /// Follows the sources of the main config, forever.
    pub async fn run(self) {
        let mut revisions = self.0.store.revisions();
        let mut tasks = JoinSet::new();
        let mut shown = Vec::new();
        loop {
            let sources = self.0.store.site().root.as_ref().map(|root| root.config.app.discovery.clone());
            // While the main file cannot be read, the last sources stay.
            if let Some(sources) = sources.filter(|sources| !self.follows(sources)) {
                tasks.shutdown().await;
                {
                    let mut states = self.states();
                    let before = mem::take(&mut *states);
                    *states = sources.iter().map(|source| SourceState::new(source.clone(), &before)).collect();
                }
                for (position, source) in sources.into_iter().enumerate() {
                    tasks.spawn(self.clone().follow(position, source));
                }
            }
            self.0.checker.observe_containers(self.states().iter().map(containers_of).collect());
            let (sections, next_end) = {
                let states = self.states();
                let ends = states.iter().flat_map(|state| state.removed.iter().map(|(_, until)| *until));
                (live_sections(&states), ends.filter(|until| *until > Instant::now()).min())
            };
            if sections != shown {
                shown.clone_from(&sections);
                self.0.store.show_added(sections).await;
            }
            tokio::select! {
                changed = revisions.changed() => if changed.is_err() { return },
                () = self.0.changed.notified() => {}
                // A tile of a removed container leaves.
                () = sleep_until(next_end.unwrap_or_else(Instant::now)), if next_end.is_some() => {}
            }
        }
    }

    /// What a container uses, by its name as `container` of an item gives it. `None` if that is not known.
    pub async fn usage(&self, name: &str) -> Option<Usage> {
        let (source, container, pods) = {
            let states = self.states();
            let sources: Vec<_> = states.iter().map(containers_of).collect();
            let (position, container) = source_of(&sources, name)?;
            let state = &states[position];
            (state.source.clone(), container, state.pods.get(container).cloned().unwrap_or_default())
        };
        self.0.usages.of(&source, &self.0.settings, container, &pods).await
    }

    fn states(&self) -> MutexGuard<'_, Vec<SourceState>> {
        self.0.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follows(&self, sources: &[DiscoverySource]) -> bool {
        self.states().iter().map(|state| &state.source).eq(sources)
    }

    async fn follow(self, position: usize, source: DiscoverySource) {
        let title = source.title();
        let connection = match Connection::new(&source, &self.0.settings) {
            Ok(connection) => connection,
            Err(error) => {
                tracing::warn!("discovery: {title}: {error}");
                return self.update(position, |state| {
                    (state.problem, state.lost) = (Some(error.to_string()), Some(Instant::now()));
                });
            }
        };
        let changed = |change| {
            match change {
                Change::Listed(listing) => {
                    let list = listing.resources;
                    let variable = |name: &str| self.0.variables.get(name);
                    let icon = |name: &str| self.0.icons.named(name);
                    let outcome = examine(&list, &source, &Surroundings { variable: &variable, icon: &icon });
                    let (found, dropped) = (outcome.found.len(), outcome.dropped.len());
                    let resources = list.iter().filter_map(|element| element.as_ref().ok());
                    let state = |resource: &Resource| Some((resource.name.clone(), resource.container_state?));
                    let names: HashSet<_> = resources.clone().map(|resource| resource.name.as_str()).collect();
                    let containers = resources.clone().filter_map(state).collect();
                    let routes = resources.filter(|resource| !resource.pods.is_empty());
                    let pods = routes.map(|route| (route.name.clone(), route.pods.clone())).collect();
                    self.update(position, |state| {
                        if !state.is_listed || state.problem.is_some() {
                            tracing::info!("discovery: {title}: {found} found, {dropped} dropped");
                        }
                        for missing in listing.missing.iter().filter(|missing| !state.missing.contains(missing)) {
                            tracing::info!("discovery: {title}: {missing}");
                        }
                        state.missing = listing.missing;
                        state.replace_outcome(outcome, &names);
                        (state.containers, state.pods) = (containers, pods);
                        (state.problem, state.lost, state.is_listed) = (None, None, true);
                    });
                }
                Change::Lost(reason, wait) => self.update(position, |state| {
                    if state.problem.is_none() {
                        let seconds = wait.as_secs();
                        tracing::warn!("discovery: {title}: {reason}; next attempt in {seconds} s");
                    }
                    state.problem = Some(reason);
                    state.lost.get_or_insert_with(Instant::now);
                }),
            }
            true
        };
        connection.follow(changed).await;
    }

    fn update(&self, position: usize, update: impl FnOnce(&mut SourceState)) {
        if let Some(state) = self.states().get_mut(position) {
            update(state);
        }
        self.0.changed.notify_one();
    }
}

/// What a source says about its containers. While a connection is only interrupted, their last states count.
fn containers_of(state: &SourceState) -> SourceContainers {
    let engine = match state.lost {
        None if state.is_listed => EngineState::Reachable,
        Some(since) if state.is_listed && since.elapsed() < GRACE => EngineState::Reachable,
        None => EngineState::Waiting,
        Some(_) => EngineState::Lost,
    };
    SourceContainers { source: state.source.title(), engine, states: state.containers.clone() }
}

/// An item as the file would have it. It shows the state of its container.
pub fn item_of(found: &Found, source: &DiscoverySource) -> Map<String, Value> {
    let mut item = found.item.clone();
    if found.has_state {
        let name = source.name.as_ref().map(|source| format!("{source}/{}", found.container));
        item.entry("container").or_insert_with(|| name.unwrap_or_else(|| found.container.clone()).into());
    }
    if !found.widgets.is_empty() {
        item.insert("figures".to_owned(), found.widgets.clone().into());
    }
    item
}

/// Something on the first page that is in no file.
struct LiveEntry<'a> {
    found: &'a Found,
    source: &'a DiscoverySource,
    is_removed: bool,
}

impl LiveEntry<'_> {
    /// What the item has besides the fields of the file.
    fn origin(&self) -> FoundItem {
        FoundItem {
            source: self.source.title(),
            is_removed: self.is_removed,
            // A removed container does not respond.
            figures: if self.is_removed {
                Vec::new()
            } else {
                self.found.widgets.iter().cloned().map(Value::Object).collect()
            },
            allowed_variables: self.source.allowed_variables.iter().map(|name| own_variable_name(name)).collect(),
        }
    }
}

/// What the sources show on the first page, by section in the order of names, then by weight and title.
fn live_sections(states: &[SourceState]) -> Vec<Section> {
    let now = Instant::now();
    let entries = states.iter().flat_map(|state| {
        let entry = |found, is_removed| LiveEntry { found, source: &state.source, is_removed };
        let removed = state.removed.iter().filter(move |(_, until)| *until > now);
        let removed = removed.map(move |(found, _)| entry(found, true));
        state.outcome.found.iter().map(move |found| entry(found, false)).chain(removed)
    });
    let mut entries: Vec<_> = entries.filter(|entry| entry.found.add == AddMode::Live).collect();
    let title = |found: &Found| found.item.get("title").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    entries.sort_by_cached_key(|entry| (entry.found.section.clone(), entry.found.weight, title(entry.found)));
    let groups: Vec<_> = entries.chunk_by(|one, other| one.found.section == other.found.section).collect();
    let sections = groups.iter().map(|group| {
        let items: Vec<_> = group.iter().map(|entry| item_of(entry.found, entry.source)).collect();
        let is_hidden = group.iter().all(|entry| !entry.source.show_to_guests);
        json!({ "name": group[0].found.section, "hideForGuests": is_hidden, "items": items })
    });
    let document = Document::from_json(json!({ "sections": sections.collect::<Vec<_>>() }));
    let mut sections = Config::read(&document).map(|config| config.sections).unwrap_or_default();
    for section in &mut sections {
        for item in &mut section.items {
            let mut origin = groups[section.index][item.index].origin();
            origin.figures.truncate(item.figure_groups);
            item.figure_groups = origin.figures.len();
            item.found = Some(Box::new(origin));
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn containers_keep_their_states_for_a_moment_after_the_connection_is_lost() {
        let mut state = SourceState::new(DiscoverySource::default(), &[]);
        let engine = |state: &SourceState| containers_of(state).engine;
        assert_eq!(engine(&state), EngineState::Waiting);
        state.is_listed = true;
        assert_eq!(engine(&state), EngineState::Reachable);
        state.lost = Some(Instant::now());
        tokio::time::advance(Duration::from_secs(29)).await;
        assert_eq!(engine(&state), EngineState::Reachable);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(engine(&state), EngineState::Lost);
        state.is_listed = false;
        state.lost = Some(Instant::now());
        assert_eq!(engine(&state), EngineState::Lost);
    }
}
