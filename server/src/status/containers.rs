//! The states of containers, as the sources of `appConfig.discovery` give them.

use std::{collections::HashMap, time::Duration};

use discovery::ContainerState;
use tokio::{sync::watch, time::timeout};

use super::outcome::{Failure, Outcome};

/// How long a check waits for the first list of an engine.
const PATIENCE: Duration = Duration::from_secs(10);
const UNREACHABLE: Failure = Failure { code: "EHOSTUNREACH", sentence: "the container engine cannot be reached" };

/// What one source gives.
#[derive(Clone, Debug, Default)]
pub struct SourceContainers {
    /// The name of the source.
    pub source: String,
    /// Whether its engine can be reached.
    pub engine: EngineState,
    /// The states by the names of the containers, as they were last.
    pub states: HashMap<String, ContainerState>,
}

/// Whether an engine can be reached.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum EngineState {
    /// Its first list has not come yet.
    #[default]
    Waiting,
    /// It can be reached.
    Reachable,
    /// It cannot be reached.
    Lost,
}

/// What all sources give, in their order; `None` until it is known which there are.
#[derive(Debug)]
pub(super) struct Containers(watch::Sender<Option<Vec<SourceContainers>>>);

impl Default for Containers {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl Containers {
    pub(super) fn replace(&self, sources: Vec<SourceContainers>) {
        self.0.send_replace(Some(sources));
    }

    /// The state of a container by its name, or by the name of its source, a slash and its own. `None` before the first lists.
    pub(super) fn outcome(&self, name: &str) -> Option<Outcome> {
        outcome(self.0.borrow().as_deref()?, name)
    }

    /// The same, once the first lists have come.
    pub(super) async fn known_outcome(&self, name: &str) -> Outcome {
        let mut sources = self.0.subscribe();
        let known = sources.wait_for(|sources| sources.as_deref().and_then(|sources| outcome(sources, name)).is_some());
        _ = timeout(PATIENCE, known).await;
        self.outcome(name).unwrap_or_else(|| Outcome::failed(UNREACHABLE))
    }
}

/// The position of the source that has a container, and the name of the container there.
pub fn source_of<'n>(sources: &[SourceContainers], name: &'n str) -> Option<(usize, &'n str)> {
    let (named, container) = split(sources, name);
    let has =
        |one: &SourceContainers| named.is_none_or(|source| one.source == source) && one.states.contains_key(container);
    sources.iter().position(has).map(|position| (position, container))
}

/// The source that a name begins with, if there is one, and the name of the container.
fn split<'s, 'n>(sources: &'s [SourceContainers], name: &'n str) -> (Option<&'s str>, &'n str) {
    // Names of sources and of routes may have slashes themselves.
    let after = |source: &str| name.strip_prefix(source)?.strip_prefix('/');
    let named = sources.iter().find_map(|one| Some((one.source.as_str(), after(&one.source)?)));
    named.map_or((None, name), |(source, container)| (Some(source), container))
}

fn outcome(sources: &[SourceContainers], name: &str) -> Option<Outcome> {
    let (named, container) = split(sources, name);
    let candidates = || sources.iter().filter(|one| named.is_none_or(|source| one.source == source));
    if let Some((source, state)) = candidates().find_map(|one| Some((one, *one.states.get(container)?))) {
        return match source.engine {
            EngineState::Waiting => None,
            EngineState::Reachable => Some(Outcome::container(state)),
            EngineState::Lost => Some(Outcome::failed(UNREACHABLE)),
        };
    }
    let is_any = |state| candidates().any(|one| one.engine == state);
    if is_any(EngineState::Waiting) {
        None
    } else if is_any(EngineState::Lost) {
        Some(Outcome::failed(UNREACHABLE))
    } else {
        // Names of routes have a slash too.
        let has_routes = || sources.iter().any(|one| one.states.keys().any(|name| name.contains('/')));
        let is_unknown_source = named.is_none() && (sources.is_empty() || (name.contains('/') && !has_routes()));
        let sentence = match is_unknown_source {
            true => "no source in appConfig.discovery has this name",
            false => "there is no such container",
        };
        Some(Outcome::failed(Failure { code: "ENOENT", sentence }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(source: &str, engine: EngineState, states: &[(&str, ContainerState)]) -> SourceContainers {
        let states = states.iter().map(|(name, state)| ((*name).to_owned(), *state)).collect();
        SourceContainers { source: source.to_owned(), engine, states }
    }

    #[test]
    fn containers_are_found_by_their_names_and_those_of_their_sources() {
        let containers = Containers::default();
        assert_eq!(containers.outcome("films"), None);
        let reason = |name| containers.outcome(name).unwrap().summary();
        let state = |name| containers.outcome(name).unwrap();
        containers.replace(Vec::new());
        assert_eq!(reason("films"), "no source in appConfig.discovery has this name");
        containers.replace(vec![
            source(
                "nas",
                EngineState::Reachable,
                &[("films", ContainerState::Healthy), ("music", ContainerState::Restarting)],
            ),
            source("tcp://pi:2375", EngineState::Reachable, &[("films", ContainerState::Stopped)]),
        ]);
        assert_eq!(state("films"), Outcome::container(ContainerState::Healthy));
        assert_eq!(state("nas/music"), Outcome::container(ContainerState::Restarting));
        assert_eq!(state("tcp://pi:2375/films"), Outcome::container(ContainerState::Stopped));
        for name in ["nas/maps", "maps", ""] {
            assert_eq!(reason(name), "there is no such container", "{name}");
        }
        assert_eq!(reason("pi/films"), "no source in appConfig.discovery has this name");
        // It may be a route of a namespace.
        let routes = [("media/films", ContainerState::Running)];
        containers.replace(vec![source("cluster", EngineState::Reachable, &routes)]);
        assert_eq!(state("media/films"), Outcome::container(ContainerState::Running));
        assert_eq!(reason("media/maps"), "there is no such container");
    }

    #[test]
    fn an_engine_that_is_away_says_nothing_about_its_containers() {
        let containers = Containers::default();
        containers.replace(vec![
            source("nas", EngineState::Lost, &[("films", ContainerState::Healthy)]),
            source("pi", EngineState::Reachable, &[("maps", ContainerState::Running)]),
            source("attic", EngineState::Waiting, &[]),
        ]);
        assert_eq!(containers.outcome("maps"), Some(Outcome::container(ContainerState::Running)));
        for name in ["films", "nas/films", "nas/music"] {
            assert_eq!(containers.outcome(name), Some(Outcome::failed(UNREACHABLE)), "{name}");
        }
        assert_eq!(containers.outcome("pi/films").unwrap().summary(), "there is no such container");
        // It may be one of the source whose list has not come yet.
        for name in ["music", "attic/music"] {
            assert_eq!(containers.outcome(name), None, "{name}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_check_waits_for_the_first_list() {
        let containers = Containers::default();
        let listed = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            containers.replace(vec![source("nas", EngineState::Waiting, &[])]);
            tokio::time::sleep(Duration::from_secs(1)).await;
            containers.replace(vec![source("nas", EngineState::Reachable, &[("films", ContainerState::Running)])]);
        };
        let (outcome, ()) = tokio::join!(containers.known_outcome("films"), listed);
        assert_eq!(outcome, Outcome::container(ContainerState::Running));
        containers.replace(vec![source("nas", EngineState::Waiting, &[])]);
        assert_eq!(containers.known_outcome("films").await, Outcome::failed(UNREACHABLE));
    }
}
