//! The kinds of objects, where they are in the API, and what several of them have.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A kind of objects.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Kind {
    Ingress,
    HttpRoute,
    IngressRoute,
    /// An IngressRoute of Traefik 2, which version 3 calls by another group.
    OldIngressRoute,
    Service,
    Gateway,
    Pod,
    /// What a pod uses.
    PodMetrics,
}

/// Objects that are listed and watched together.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Topic {
    pub kind: Kind,
    /// Their namespace; `None` for all.
    pub namespace: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Metadata {
    pub name: String,
    pub namespace: String,
    pub labels: Option<BTreeMap<String, String>>,
    pub annotations: Option<BTreeMap<String, String>>,
    pub deletion_timestamp: Option<String>,
}

/// Where a gateway listens (Gateway API, `Listener`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Listener {
    pub name: String,
    pub hostname: Option<String>,
    pub port: u16,
    pub protocol: String,
}

impl Kind {
    /// The kinds that describe tiles.
    pub const ROUTES: [Self; 4] = [Self::Ingress, Self::HttpRoute, Self::IngressRoute, Self::OldIngressRoute];

    /// The group with its version, and the name of the resources.
    fn place(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Ingress => ("networking.k8s.io", "v1", "ingresses"),
            Self::HttpRoute => ("gateway.networking.k8s.io", "v1", "httproutes"),
            Self::IngressRoute => ("traefik.io", "v1alpha1", "ingressroutes"),
            Self::OldIngressRoute => ("traefik.containo.us", "v1alpha1", "ingressroutes"),
            Self::Gateway => ("gateway.networking.k8s.io", "v1", "gateways"),
            Self::Service => ("", "v1", "services"),
            Self::Pod => ("", "v1", "pods"),
            Self::PodMetrics => ("metrics.k8s.io", "v1beta1", "pods"),
        }
    }

    /// Its name in ids.
    pub fn word(self) -> &'static str {
        self.place().2
    }
}

impl Topic {
    /// The objects of another kind in the same place.
    pub fn of(&self, kind: Kind) -> Self {
        Self { kind, namespace: self.namespace.clone() }
    }

    /// What messages call it, such as `ingresses.networking.k8s.io`, as `kubectl auth can-i` does.
    pub fn resource(&self) -> String {
        let (group, _, name) = self.kind.place();
        let full = if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") };
        // The rights may differ between namespaces.
        self.namespace.as_ref().map(|namespace| format!("{full} in {namespace}")).unwrap_or(full)
    }

    /// Its path in the API.
    pub fn path(&self) -> String {
        let (group, version, name) = self.kind.place();
        let root = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        match &self.namespace {
            Some(namespace) => format!("{root}/namespaces/{namespace}/{name}"),
            None => format!("{root}/{name}"),
        }
    }
}

/// Whether a text can be the name of a namespace, and so a step of a path (Kubernetes, "Object Names and IDs").
pub fn is_namespace(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    !text.is_empty() && text.len() <= 63 && text.chars().all(is_part)
}
