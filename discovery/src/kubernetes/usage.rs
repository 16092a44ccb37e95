//! What pods use, as a metrics server says it (Kubernetes, "Resource metrics pipeline": `PodMetrics` of
//! `metrics.k8s.io/v1beta1`).

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::engine::Usage;

/// What each pod uses, by its namespace and its name.
pub(super) type Metrics = BTreeMap<(String, String), PodUsage>;

/// What a pod uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PodUsage {
    /// The number of processors.
    processor: f64,
    /// In bytes.
    memory: f64,
}

#[derive(Deserialize)]
struct RawMetricsList {
    items: Option<Vec<RawMetrics>>,
}

#[derive(Deserialize)]
struct RawMetrics {
    metadata: RawMetadata,
    containers: Option<Vec<RawContainer>>,
}

#[derive(Deserialize)]
struct RawMetadata {
    namespace: String,
    name: String,
}

#[derive(Deserialize)]
struct RawContainer {
    usage: RawUsage,
}

#[derive(Deserialize)]
struct RawUsage {
    cpu: String,
    memory: String,
}

/// Reads a list of `PodMetrics`.
///
/// # Errors
///
/// It is something else; the rest of a sentence.
pub(super) fn read_metrics(body: &[u8]) -> Result<Metrics, String> {
    let list: RawMetricsList = serde_json::from_slice(body).map_err(|error| format!("is not a list: {error}"))?;
    let pod = |RawMetrics { metadata, containers }: RawMetrics| {
        let mut total = PodUsage::default();
        for RawContainer { usage } in containers.unwrap_or_default() {
            total.processor += quantity(&usage.cpu)?;
            total.memory += quantity(&usage.memory)?;
        }
        Some(((metadata.namespace, metadata.name), total))
    };
    let pods = list.items.unwrap_or_default().into_iter().map(pod).collect::<Option<_>>();
    pods.ok_or_else(|| "has a quantity that cannot be read".to_owned())
}

/// What pods use together; nothing is known without any.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a conversion to `u64` keeps its bounds")]
pub(super) fn sum(metrics: &Metrics) -> Usage {
    if metrics.is_empty() {
        return Usage::default();
    }
    let total = |figure: fn(&PodUsage) -> f64| metrics.values().map(figure).sum::<f64>();
    let (processor, memory) = (total(|pod| pod.processor), total(|pod| pod.memory));
    Usage { processor: Some(processor), memory: Some(memory as u64), ..Usage::default() }
}

/// Reads a quantity, such as `250m` or `123Mi`
/// (<https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/>). `n` and `u` are missing in its grammar, but
/// not in its code.
fn quantity(text: &str) -> Option<f64> {
    let end = text.rfind(|letter: char| letter.is_ascii_digit() || letter == '.')? + 1;
    let (number, suffix) = text.split_at(end);
    // There is either a suffix or an exponent: a number with two exponents cannot be read.
    let (exponent, factor) = match suffix {
        "" => ("", 1_u64),
        "n" => ("e-9", 1),
        "u" => ("e-6", 1),
        "m" => ("e-3", 1),
        "k" => ("e3", 1),
        "M" => ("e6", 1),
        "G" => ("e9", 1),
        "T" => ("e12", 1),
        "P" => ("e15", 1),
        "E" => ("e18", 1),
        "Ki" => ("e0", 1 << 10),
        "Mi" => ("e0", 1 << 20),
        "Gi" => ("e0", 1 << 30),
        "Ti" => ("e0", 1 << 40),
        "Pi" => ("e0", 1 << 50),
        "Ei" => ("e0", 1 << 60),
        _ => return None,
    };
    #[expect(clippy::cast_precision_loss, reason = "it is a power of two")]
    let factor = factor as f64;
    let number: f64 = format!("{number}{exponent}").parse().ok()?;
    Some(number * factor).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_kubernetes_writes_them() {
        for (text, expected) in [
            ("0", 0.0),
            ("1", 1.0),
            ("12345678n", 0.012_345_678),
            ("1500u", 0.0015),
            ("250m", 0.25),
            ("128974848", 128_974_848.0),
            ("129e6", 129_000_000.0),
            ("129M", 129_000_000.0),
            ("123Mi", 128_974_848.0),
            ("1Gi", 1_073_741_824.0),
            ("1.5Gi", 1_610_612_736.0),
            ("512k", 512_000.0),
            ("512Ki", 524_288.0),
            ("1e3", 1000.0),
            ("1E3", 1000.0),
            ("1E", 1e18),
            ("2Ei", 2_305_843_009_213_693_952.0),
            ("5e-1", 0.5),
            ("+.5", 0.5),
            ("1.", 1.0),
            ("-2", -2.0),
        ] {
            assert_eq!(quantity(text), Some(expected), "{text}");
        }
        for wrong in [
            "", "m", ".", "1K", "1 Mi", "1mi", "1e3Mi", "1e3k", "1e", "1ee3", "1_000", "0x1", "1Mi1", "inf", "nan",
            "1e999",
        ] {
            assert_eq!(quantity(wrong), None, "{wrong}");
        }
    }
}
