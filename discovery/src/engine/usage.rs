//! What a container uses: the response to `GET /containers/NAME/stats` (Docker Engine API 1.41, and the same of Podman).

use serde::Deserialize;

/// What a container or the pods of a route use. An engine does not give everything on each system; a container that does not run
/// uses nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// The share of one processor, which more than one may exceed, over the last second.
    pub processor: Option<f64>,
    /// Memory in bytes, without files that the system may drop from it.
    pub memory: Option<u64>,
    /// Bytes that its networks have received since it started; not known of pods.
    pub received: Option<u64>,
    /// Bytes that they have sent.
    pub sent: Option<u64>,
}

/// What an engine measured.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sample {
    cpu_stats: Processor,
    precpu_stats: Processor,
    memory_stats: Memory,
    networks: Option<std::collections::BTreeMap<String, Network>>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Processor {
    cpu_usage: ProcessorTime,
    /// Of the whole machine, in nanoseconds.
    system_cpu_usage: Option<u64>,
    online_cpus: Option<u32>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct ProcessorTime {
    /// In nanoseconds.
    total_usage: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Memory {
    usage: Option<u64>,
    stats: MemoryKinds,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MemoryKinds {
    /// With version 2 of control groups.
    inactive_file: Option<u64>,
    /// With version 1.
    total_inactive_file: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Network {
    rx_bytes: u64,
    tx_bytes: u64,
}

impl Sample {
    /// Reads the response. Podman has an empty one for a container that does not run.
    ///
    /// # Errors
    ///
    /// It is not the description of a usage; the rest of a sentence.
    pub(super) fn read(body: &[u8]) -> Result<Self, String> {
        if body.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        serde_json::from_slice(body).map_err(|error| format!("cannot be read: {error}"))
    }

    /// Whether the load of the processor is only known with another sample. Docker takes two, Podman takes one.
    pub(super) fn needs_another(&self) -> bool {
        self.cpu_stats.system_cpu_usage.is_some() && self.precpu_stats.system_cpu_usage.is_none()
    }

    /// This sample, with the load since an earlier one.
    pub(super) fn since(self, before: &Self) -> Self {
        Self { precpu_stats: before.cpu_stats.clone(), ..self }
    }

    /// What the container uses.
    pub(super) fn usage(&self) -> Usage {
        let MemoryKinds { inactive_file, total_inactive_file } = self.memory_stats.stats;
        let droppable = total_inactive_file.or(inactive_file).unwrap_or_default();
        let memory = self.memory_stats.usage.map(|usage| usage.checked_sub(droppable).unwrap_or(usage));
        let networks = self.networks.as_ref().map(|networks| networks.values());
        let total = |bytes: fn(&Network) -> u64| {
            networks.clone().map(|networks| networks.map(bytes).fold(0, u64::saturating_add))
        };
        Usage {
            processor: processor(self),
            memory,
            received: total(|network| network.rx_bytes),
            sent: total(|network| network.tx_bytes),
        }
    }
}

/// As `docker stats` computes it.
#[expect(clippy::cast_precision_loss, reason = "a thousandth of a percent is enough")]
fn processor(Sample { cpu_stats: now, precpu_stats: before, .. }: &Sample) -> Option<f64> {
    let used = now.cpu_usage.total_usage.checked_sub(before.cpu_usage.total_usage)?;
    let passed = now.system_cpu_usage?.checked_sub(before.system_cpu_usage?).filter(|passed| *passed > 0)?;
    Some(used as f64 / passed as f64 * f64::from(now.online_cpus.unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sample(stats: &serde_json::Value) -> Sample {
        Sample::read(stats.to_string().as_bytes()).expect("it is JSON of this shape")
    }

    fn usage(stats: &serde_json::Value) -> Usage {
        sample(stats).usage()
    }

    #[test]
    fn processor_memory_and_traffic_are_read_as_docker_stats_shows_them() {
        let processor = |total: u64, system: u64| json!({ "cpu_usage": { "total_usage": total }, "system_cpu_usage": system, "online_cpus": 4 });
        let networks =
            json!({ "eth0": { "rx_bytes": 1000, "tx_bytes": 20 }, "eth1": { "rx_bytes": 500, "tx_bytes": 5 } });
        let stats = json!({
            "cpu_stats": processor(1_500_000_000, 44_000_000_000),
            "precpu_stats": processor(1_000_000_000, 40_000_000_000),
            "memory_stats": { "usage": 300, "stats": { "inactive_file": 100 }, "limit": 1000 },
            "networks": networks,
        });
        let all = Usage { processor: Some(0.5), memory: Some(200), received: Some(1500), sent: Some(25) };
        assert_eq!(usage(&stats), all);
        assert!(!sample(&stats).needs_another());
        // Version 1 of control groups.
        let memory =
            json!({ "memory_stats": { "usage": 300, "stats": { "total_inactive_file": 250, "inactive_file": 7 } } });
        assert_eq!(usage(&memory).memory, Some(50));
    }

    #[test]
    fn what_an_engine_does_not_know_is_left_out() {
        // A container that does not run.
        let stopped = json!({
            "cpu_stats": { "cpu_usage": { "total_usage": 0 } },
            "precpu_stats": { "cpu_usage": { "total_usage": 0 } },
            "memory_stats": {},
        });
        assert_eq!(usage(&stopped), Usage::default());
        assert!(!sample(&stopped).needs_another());
        assert_eq!(Sample::read(b"\n").map(|sample| sample.usage()), Ok(Usage::default()));
        // The first sample has none before it.
        let first = json!({
            "cpu_stats": { "cpu_usage": { "total_usage": 5 }, "system_cpu_usage": 9 },
            "precpu_stats": { "cpu_usage": { "total_usage": 0 } },
            "memory_stats": { "usage": 3, "stats": { "inactive_file": 9 } },
            "networks": null,
        });
        assert_eq!(usage(&first), Usage { memory: Some(3), ..Usage::default() });
        let second =
            json!({ "cpu_stats": { "cpu_usage": { "total_usage": 6 }, "system_cpu_usage": 11, "online_cpus": 2 } });
        assert!(sample(&first).needs_another());
        assert_eq!(sample(&second).since(&sample(&first)).usage().processor, Some(1.0));
        assert!(Sample::read(b"7").is_err() && Sample::read(b"no").is_err());
    }
}
