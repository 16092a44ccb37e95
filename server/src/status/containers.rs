//! The states of containers, as the sources of `appConfig.discovery` give them.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use discovery::ContainerState;

use super::outcome::{Failure, Outcome};

/// What one source gives.
#[derive(Clone, Debug, Default)]
pub struct SourceContainers {
    /// The name of the source.
    pub source: String,
    /// Whether its engine could be reached last.
    pub is_reachable: bool,
    /// The states by the names of the containers, as they were last.
    pub states: HashMap<String, ContainerState>,
}

/// What all sources give, in their order.
#[derive(Debug, Default)]
pub(super) struct Containers(Mutex<Vec<SourceContainers>>);

impl Containers {
    pub(super) fn replace(&self, sources: Vec<SourceContainers>) {
        *self.lock() = sources;
    }

    /// The state of a container by its name, or by the name of its source, a slash and its own.
    pub(super) fn outcome(&self, name: &str) -> Outcome {
        let sources = self.lock();
        let named = name.rsplit_once('/').filter(|(source, _)| sources.iter().any(|one| one.source == *source));
        let candidates = || sources.iter().filter(|one| named.is_none_or(|(source, _)| one.source == source));
        let container = named.map_or(name, |(_, container)| container);
        let found = candidates().find_map(|one| Some((one, *one.states.get(container)?)));
        match found {
            Some((source, state)) if source.is_reachable => Outcome::container(state),
            None if candidates().all(|one| one.is_reachable) => {
                Outcome::failed(Failure { code: "ENOENT", sentence: "there is no such container" })
            }
            _ => Outcome::failed(Failure { code: "EHOSTUNREACH", sentence: "the container engine cannot be reached" }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<SourceContainers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_found_by_their_names_and_those_of_their_sources() {
        let containers = Containers::default();
        let source = |source: &str, is_reachable, states: &[(&str, ContainerState)]| SourceContainers {
            source: source.to_owned(),
            is_reachable,
            states: states.iter().map(|(name, state)| ((*name).to_owned(), *state)).collect(),
        };
        let reasons = |name| containers.outcome(name).summary();
        assert_eq!(reasons("films"), "there is no such container");
        containers.replace(vec![
            source("nas", true, &[("films", ContainerState::Healthy), ("music", ContainerState::Restarting)]),
            source("tcp://pi:2375", true, &[("films", ContainerState::Stopped)]),
        ]);
        assert_eq!(containers.outcome("films"), Outcome::container(ContainerState::Healthy));
        assert_eq!(containers.outcome("nas/music"), Outcome::container(ContainerState::Restarting));
        assert_eq!(containers.outcome("tcp://pi:2375/films"), Outcome::container(ContainerState::Stopped));
        for name in ["pi/films", "nas/maps", "maps", ""] {
            assert_eq!(reasons(name), "there is no such container", "{name}");
        }
        containers.replace(vec![
            source("nas", false, &[("films", ContainerState::Healthy)]),
            source("pi", true, &[("maps", ContainerState::Running)]),
        ]);
        assert_eq!(containers.outcome("maps"), Outcome::container(ContainerState::Running));
        for name in ["films", "nas/films", "nas/music", "music"] {
            assert_eq!(reasons(name), "the container engine cannot be reached", "{name}");
        }
        assert_eq!(reasons("pi/films"), "there is no such container");
    }
}
