//! What a source lists: containers, services of a Swarm, or routes of a Kubernetes cluster.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{MAX_LABELS, MAX_RESOURCES, MAX_VALUE, kubernetes::PodGroup};

/// Maximum length of a name, an image and the name of a label, in bytes.
const MAX_NAME: usize = 256;
/// Maximum number of published ports that are read.
const MAX_PORTS: usize = 100;

/// A container, a service of a Swarm, or a route of a Kubernetes cluster.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Resource {
    /// Its id in the engine.
    pub id: String,
    /// Its name, without a slash at its start. That of a route begins with its namespace and a slash.
    pub name: String,
    /// The name of its image.
    pub image: String,
    /// Its labels; those that are too long are left out.
    pub labels: BTreeMap<String, String>,
    /// The names of labels that are left out, because they are too long.
    pub oversized: Vec<String>,
    /// Its state as the engine says it, such as `running`, or how many of its tasks or pods are ready; empty if that is not known.
    pub state: String,
    /// What its state means.
    pub container_state: Option<ContainerState>,
    /// Its published TCP ports.
    pub ports: Vec<Port>,
    /// What its rules say, if it is a route.
    pub route: Option<RouteFacts>,
    /// Its pods, if it is a route whose state is known.
    pub pods: Vec<PodGroup>,
}

/// What a route of a Kubernetes cluster says besides its annotations.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RouteFacts {
    /// The address that its rules give, or why they give none, as a sentence.
    pub address: Result<String, &'static str>,
    /// Why annotations of another dashboard do not count, as a sentence.
    pub left_out: Option<String>,
    /// What could not be read, as sentences.
    pub notes: Vec<String>,
}

/// What a container does at the moment.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ContainerState {
    /// It runs, and has no health check.
    Running,
    /// Its health check succeeds.
    Healthy,
    /// It runs, and its health check has no result yet.
    Starting,
    /// Its health check fails.
    Unhealthy,
    /// It is paused.
    Paused,
    /// It ended and is started again, often in a loop.
    Restarting,
    /// It does not run.
    Stopped,
    /// Of several pods or tasks of a Swarm, so many are ready.
    Ready {
        /// How many are ready.
        ready: u16,
        /// How many there are; at least one.
        total: u16,
    },
}

impl ContainerState {
    /// The states of running containers with a health check, by the words of the engine.
    pub(crate) const BY_HEALTH: [(&str, Self); 3] =
        [("healthy", Self::Healthy), ("unhealthy", Self::Unhealthy), ("starting", Self::Starting)];

    /// Reads the fields `State`, such as `running`, `Status`, such as `Up 2 hours (healthy)`, and `Health`, of an element of
    /// `GET /containers/json` (Docker Engine API 1.41 and, for `Health`, 1.52; and the same of Podman).
    fn read(state: &str, status: &str, health: &str) -> Self {
        let has_health = |word: &str| {
            health == word || ["", "health: "].iter().any(|start| status.contains(&format!("({start}{word})")))
        };
        let by_health = Self::BY_HEALTH.iter().find(|(word, _)| has_health(word));
        match state {
            "running" => by_health.map_or(Self::Running, |(_, state)| *state),
            "paused" => Self::Paused,
            "restarting" => Self::Restarting,
            _ => Self::Stopped,
        }
    }

    /// Of so many pods or tasks, so many are ready, and the same in a few words for admins. There is at least one.
    pub(crate) fn ready(ready: u64, total: u64) -> (Self, String) {
        let count = |number| u16::try_from(number).unwrap_or(u16::MAX);
        (Self::Ready { ready: count(ready), total: count(total) }, format!("{ready} of {total} ready"))
    }

    /// Reads the field `ServiceStatus` of an element of `GET /services?status=true` (Docker Engine API 1.41). A task with a
    /// health check runs once it is healthy. During an update, old and new tasks run.
    fn read_tasks(status: &Value) -> Option<(Self, String)> {
        let count = |key: &str| status.get(key).and_then(Value::as_u64);
        let (running, desired) = (count("RunningTasks")?, count("DesiredTasks")?);
        Some(match desired {
            0 => (Self::Stopped, "no tasks".to_owned()),
            _ => Self::ready(running.min(desired), desired),
        })
    }
}

/// A published TCP port.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Port {
    /// The port in the container.
    pub private: u16,
    /// The port of the host.
    pub public: u16,
    /// The address of the host at which it is published; empty for all.
    pub ip: String,
}

/// An element of a list that cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Malformed {
    /// Its id, if that much can be read; else its position in the list.
    pub name: String,
    /// The reason, as the rest of a sentence.
    pub reason: &'static str,
}

/// Reads the response to `GET /containers/json`: an element that cannot be read costs only itself.
///
/// # Errors
///
/// It is not a JSON list.
pub fn read_containers(body: &[u8]) -> Result<Vec<Result<Resource, Malformed>>, String> {
    read_list(body, container)
}

/// Reads the response to `GET /services?status=true`.
///
/// # Errors
///
/// It is not a JSON list.
pub fn read_services(body: &[u8]) -> Result<Vec<Result<Resource, Malformed>>, String> {
    read_list(body, service)
}

type Reader = fn(&Value) -> Result<Resource, &'static str>;

fn read_list(body: &[u8], read: Reader) -> Result<Vec<Result<Resource, Malformed>>, String> {
    let list: Vec<Value> = serde_json::from_slice(body).map_err(|error| format!("is not a JSON list: {error}"))?;
    let named = |(index, value): (usize, &Value)| {
        read(value).map_err(|reason| {
            let id = ["Id", "ID"].iter().find_map(|key| short(value.get(key)?));
            Malformed { name: id.unwrap_or_else(|| format!("number {}", index + 1)), reason }
        })
    };
    Ok(list.iter().enumerate().take(MAX_RESOURCES).map(named).collect())
}

fn container(value: &Value) -> Result<Resource, &'static str> {
    let id = value.get("Id").and_then(short).ok_or("it has no id")?;
    let name = value.get("Names").and_then(Value::as_array).and_then(|names| short(names.first()?));
    let name = name.ok_or("it has no name")?.trim_start_matches('/').to_owned();
    let state = value.get("State").and_then(short).unwrap_or_default();
    let status = value.get("Status").and_then(Value::as_str).unwrap_or_default();
    let health = value.pointer("/Health/Status").and_then(Value::as_str).unwrap_or_default();
    let mut resource = Resource {
        id,
        name,
        image: value.get("Image").and_then(short).unwrap_or_default(),
        container_state: Some(ContainerState::read(&state, status, health)),
        state,
        ports: ports(value.get("Ports"), "PrivatePort", "PublicPort", "Type"),
        ..Resource::default()
    };
    resource.read_labels(value.get("Labels"))?;
    Ok(resource)
}

fn service(value: &Value) -> Result<Resource, &'static str> {
    let id = value.get("ID").and_then(short).ok_or("it has no id")?;
    let spec = value.get("Spec").ok_or("it has no `Spec`")?;
    let name = spec.get("Name").and_then(short).ok_or("it has no name")?;
    let image = value.pointer("/Spec/TaskTemplate/ContainerSpec/Image").and_then(short).unwrap_or_default();
    let ports = ports(value.pointer("/Endpoint/Ports"), "TargetPort", "PublishedPort", "Protocol");
    let (container_state, state) = value.get("ServiceStatus").and_then(ContainerState::read_tasks).unzip();
    let state = state.unwrap_or_default();
    let mut resource = Resource { id, name, image, ports, container_state, state, ..Resource::default() };
    resource.read_labels(spec.get("Labels"))?;
    Ok(resource)
}

impl Resource {
    /// Containers without labels have an empty mapping, or null.
    fn read_labels(&mut self, labels: Option<&Value>) -> Result<(), &'static str> {
        let labels = match labels {
            None | Some(Value::Null) => return Ok(()),
            Some(Value::Object(labels)) => labels,
            Some(_) => return Err("its labels are not a mapping"),
        };
        for (name, value) in labels.iter().take(MAX_LABELS) {
            let Some(value) = value.as_str() else { return Err("one of its labels is not text") };
            if name.len() > MAX_NAME || value.len() > MAX_VALUE {
                self.oversized.push(name.chars().take(60).collect());
            } else {
                self.labels.insert(name.clone(), value.to_owned());
            }
        }
        Ok(())
    }

    /// Its name without a namespace.
    pub(crate) fn short_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// The value of a label, without white space around it; `None` if it is empty.
    pub(crate) fn label(&self, name: &str) -> Option<&str> {
        self.labels.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The Compose project, or the stack of a Swarm.
    pub(crate) fn project(&self) -> Option<&str> {
        ["com.docker.compose.project", "io.podman.compose.project", "com.docker.stack.namespace"]
            .iter()
            .find_map(|name| self.label(name))
    }

    /// The name of the service in its Compose file.
    pub(crate) fn compose_service(&self) -> Option<&str> {
        self.label("com.docker.compose.service")
    }
}

fn short(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty() && text.len() <= MAX_NAME).map(str::to_owned)
}

fn ports(list: Option<&Value>, private: &str, public: &str, kind: &str) -> Vec<Port> {
    let list = list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let read = |value: &Value| {
        let number =
            |key: &str| value.get(key)?.as_u64().and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0);
        let is_tcp = value.get(kind).and_then(Value::as_str).is_none_or(|kind| kind == "tcp");
        let ip = value.get("IP").and_then(short).unwrap_or_default();
        is_tcp.then_some(Port { private: number(private)?, public: number(public)?, ip })
    };
    let mut ports: Vec<Port> = list.iter().take(MAX_PORTS).filter_map(read).collect();
    ports.sort();
    ports
}
