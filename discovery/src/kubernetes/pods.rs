//! What pods do.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::kinds::Metadata;
use crate::resource::ContainerState;

/// Reasons for which a container waits that do not pass by themselves (Kubernetes, "Pod Lifecycle").
const BROKEN: [&str; 8] = [
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "CrashLoopBackOff",
];

/// A pod, as far as its state needs it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Pod {
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Whether it counts: it has not ended, and is not being deleted.
    pub is_current: bool,
    /// Whether it accepts requests.
    pub is_ready: bool,
    /// Whether it is still starting.
    pub is_starting: bool,
    /// Why one of its containers waits, if that does not pass by itself.
    pub trouble: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawPod {
    metadata: Metadata,
    status: RawStatus,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawStatus {
    phase: String,
    conditions: Option<Vec<RawCondition>>,
    container_statuses: Option<Vec<RawContainer>>,
    init_container_statuses: Option<Vec<RawContainer>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawCondition {
    #[serde(rename = "type")]
    kind: String,
    status: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawContainer {
    started: Option<bool>,
    state: Option<RawState>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawState {
    waiting: Option<RawWaiting>,
    running: Option<serde_json::Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawWaiting {
    reason: String,
}

impl Pod {
    /// Reads a pod of the API.
    pub(super) fn read(value: &serde_json::Value) -> Option<Self> {
        let RawPod { metadata, status } = RawPod::deserialize(value).ok()?;
        let own = || status.container_statuses.iter().flatten();
        let all = || own().chain(status.init_container_statuses.iter().flatten());
        let reason = |container: &RawContainer| Some(container.state.as_ref()?.waiting.as_ref()?.reason.clone());
        let is_slow = |container: &RawContainer| {
            let is_running = container.state.as_ref().is_some_and(|state| state.running.is_some());
            is_running && container.started == Some(false)
        };
        Some(Self {
            is_current: metadata.deletion_timestamp.is_none() && !matches!(&*status.phase, "Succeeded" | "Failed"),
            is_ready: status.conditions.iter().flatten().any(|one| one.kind == "Ready" && one.status == "True"),
            is_starting: status.phase == "Pending" || own().any(is_slow),
            trouble: all().filter_map(reason).find(|reason| BROKEN.contains(&reason.as_str())),
            labels: metadata.labels.unwrap_or_default(),
        })
    }
}

/// What several pods do together, and the same in a few words for admins.
pub fn state_of(pods: &[&Pod]) -> (ContainerState, String) {
    let current: Vec<&&Pod> = pods.iter().filter(|pod| pod.is_current).collect();
    if current.is_empty() {
        return (ContainerState::Stopped, "no pods".to_owned());
    }
    let ready = current.iter().filter(|pod| pod.is_ready).count();
    let (counted, words) = ContainerState::ready(ready as u64, current.len() as u64);
    let trouble = current.iter().find_map(|pod| pod.trouble.clone());
    let state = match &trouble {
        _ if ready > 0 => counted,
        Some(reason) if reason == "CrashLoopBackOff" => ContainerState::Restarting,
        None if current.iter().any(|pod| pod.is_starting) => ContainerState::Starting,
        _ => counted,
    };
    (state, trouble.map(|reason| format!("{words}, {reason}")).unwrap_or(words))
}
