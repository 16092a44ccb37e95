//! The responses of a container service: Docker's Engine API, and Podman's copy of it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::services::tolerant;

/// One container in the list.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct ContainerReply {
    #[serde(deserialize_with = "tolerant::text")]
    pub(super) id: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    pub(super) names: Vec<String>,
    /// One word, such as `running`.
    #[serde(deserialize_with = "tolerant::text")]
    pub(super) state: Option<String>,
    /// Readable text: `Up 3 days (healthy)`, `Exited (1) 2 hours ago`.
    #[serde(deserialize_with = "tolerant::text")]
    pub(super) status: Option<String>,
    pub(super) labels: Value,
    /// Newer services report the health here, older ones only in the status.
    #[serde(deserialize_with = "tolerant::part")]
    health: Option<HealthReply>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct HealthReply {
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
}

impl ContainerReply {
    /// Whether it can be told from others.
    pub(super) fn is_known(&self) -> bool {
        self.id.is_some() || !self.names.is_empty()
    }

    /// `healthy`, `unhealthy` or `starting`; empty for containers without a health check.
    pub(super) fn health(&self) -> &str {
        if let Some(said) = self.health.as_ref().and_then(|health| health.status.as_deref()) {
            return said;
        }
        let words = self
            .status
            .as_deref()
            .unwrap_or_default()
            .rsplit_once('(')
            .and_then(|(_, rest)| rest.strip_suffix(')'))
            .unwrap_or_default();
        words.strip_prefix("health: ").unwrap_or(words)
    }
}

/// The resource usage of one container.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StatsReply {
    cpu_stats: CpuReply,
    precpu_stats: CpuReply,
    memory_stats: MemoryReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CpuReply {
    cpu_usage: CpuUsageReply,
    system_cpu_usage: Option<f64>,
    online_cpus: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CpuUsageReply {
    total_usage: Option<f64>,
    percpu_usage: Option<Vec<Value>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MemoryReply {
    usage: Option<f64>,
    limit: Option<f64>,
    stats: Option<HashMap<String, Value>>,
}

/// The processor time used so far by a container and by its machine, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CpuTimes {
    container: f64,
    machine: f64,
}

/// The resource usage of one container.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Usage {
    /// In percent of one core, as in `docker stats`.
    pub(super) cpu: Option<f64>,
    /// In bytes, without files that are only cached.
    pub(super) memory: Option<f64>,
    pub(super) memory_limit: Option<f64>,
}

impl CpuReply {
    fn times(&self) -> Option<CpuTimes> {
        let container = self.cpu_usage.total_usage?;
        let machine = self.system_cpu_usage.filter(|time| *time > 0.0)?;
        Some(CpuTimes { container, machine })
    }
}

impl StatsReply {
    pub(super) fn cpu_times(&self) -> Option<CpuTimes> {
        self.cpu_stats.times()
    }

    /// The usage since these times, or else since those that the service measured before.
    pub(super) fn usage(&self, before: Option<CpuTimes>) -> Usage {
        let cores = self.cpu_stats.online_cpus.filter(|cores| *cores > 0.0);
        let listed = self.cpu_stats.cpu_usage.percpu_usage.as_ref().map(|cores| cores.len() as f64);
        let cores = cores.or(listed).filter(|cores| *cores > 0.0).unwrap_or(1.0);
        let since = |before: CpuTimes| {
            let now = self.cpu_times()?;
            let (container, machine) = (now.container - before.container, now.machine - before.machine);
            // A restarted container has less time than before.
            (container >= 0.0 && machine > 0.0).then(|| (container / machine * cores * 1000.0).round() / 10.0)
        };
        let cpu = before.and_then(since).or_else(|| self.precpu_stats.times().and_then(since));
        let memory = &self.memory_stats;
        let stat = |name: &str| memory.stats.as_ref().and_then(|stats| stats.get(name)?.as_f64());
        let cached = stat("inactive_file").or_else(|| stat("total_inactive_file")).unwrap_or_default();
        Usage {
            cpu,
            memory: memory.usage.map(|usage| if cached < usage { usage - cached } else { usage }),
            // Podman sends the largest possible number if there is no limit.
            memory_limit: memory.limit.filter(|limit| *limit > 0.0 && *limit < 1e17),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stats(value: Value) -> StatsReply {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn cpu_is_measured_between_two_times() {
        let now = json!({ "cpu_usage": { "total_usage": 3e9 }, "system_cpu_usage": 120e9, "online_cpus": 4 });
        let reply = stats(json!({
            "cpu_stats": now,
            "precpu_stats": { "cpu_usage": { "total_usage": 2e9 }, "system_cpu_usage": 116e9, "online_cpus": 4 },
        }));
        assert_eq!(reply.usage(None).cpu, Some(100.0), "one of four cores is busy");
        let before = CpuTimes { container: 2.5e9, machine: 100e9 };
        assert_eq!(reply.usage(Some(before)).cpu, Some(10.0));
        let restarted = CpuTimes { container: 9e9, machine: 100e9 };
        assert_eq!(reply.usage(Some(restarted)).cpu, Some(100.0), "what the service has measured counts then");
        let first = stats(json!({ "cpu_stats": now, "precpu_stats": { "cpu_usage": { "total_usage": 0 } } }));
        assert_eq!(first.usage(None).cpu, None);
    }

    #[test]
    fn cached_files_are_no_memory_in_use() {
        let memory = |value: Value| stats(json!({ "memory_stats": value })).usage(None);
        let of = |usage: Usage| (usage.memory, usage.memory_limit);
        let second = json!({ "usage": 900, "limit": 2000, "stats": { "inactive_file": 300 } });
        assert_eq!(of(memory(second)), (Some(600.0), Some(2000.0)));
        let first = json!({ "usage": 900, "limit": 2000, "stats": { "total_inactive_file": 100 } });
        assert_eq!(of(memory(first)), (Some(800.0), Some(2000.0)));
        assert_eq!(of(memory(json!({ "usage": 900, "limit": 1.8446744073709552e19 }))), (Some(900.0), None));
        assert_eq!(of(memory(json!({}))), (None, None));
    }

    #[test]
    fn health_is_read_from_both_places() {
        let health = |value: Value| serde_json::from_value::<ContainerReply>(value).unwrap().health().to_owned();
        assert_eq!(health(json!({ "Status": "Up 3 days (healthy)" })), "healthy");
        assert_eq!(health(json!({ "Status": "Up 2 seconds (health: starting)" })), "starting");
        assert_eq!(health(json!({ "Status": "Up 3 days", "Health": { "Status": "unhealthy" } })), "unhealthy");
        assert_eq!(health(json!({ "Status": "Up 3 days" })), "");
    }
}
