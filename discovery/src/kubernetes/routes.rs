//! Routes: what their annotations say, the address from their rules, and whose pods answer.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    kinds::{Kind, Listener, Metadata, is_namespace},
    selector::Selector,
};
use crate::{
    MAX_LABELS, MAX_VALUE,
    address::{is_host, is_path, traefik},
    resource::{Resource, RouteFacts},
};

/// What Homepage's annotations begin with.
const HOMEPAGE: &str = "gethomepage.dev/";
/// What Flame's annotations begin with.
const FLAME: &str = "flame.pawelmalak/";
/// The label by which Homepage finds pods.
const APP_LABEL: &str = "app.kubernetes.io/name";
/// Maximum number of services of a route whose pods count.
const MAX_SERVICES: usize = 20;

/// An Ingress, an HTTPRoute or an IngressRoute.
#[derive(Clone, Debug)]
pub struct Route {
    pub kind: Kind,
    pub namespace: String,
    pub name: String,
    /// Its annotations as labels of containers would be.
    labels: BTreeMap<String, String>,
    oversized: Vec<String>,
    /// Why Homepage's annotations do not count, if there are any.
    left_out: Option<String>,
    pub pods: PodsBy,
    rules: Rules,
    notes: Vec<String>,
}

/// How the pods of a route are found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PodsBy {
    /// They are not in this cluster.
    Nothing,
    /// By labels, in the route's namespace.
    Selector(Selector),
    /// By the services of the rules.
    Services,
}

#[derive(Clone, Debug)]
enum Rules {
    /// With whether annotations of Traefik say that it speaks TLS.
    Ingress(IngressSpec, bool),
    HttpRoute(HttpRouteSpec),
    IngressRoute(IngressRouteSpec),
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "S: DeserializeOwned + Default"))]
struct Raw<S> {
    metadata: Metadata,
    spec: S,
}

/// Kubernetes, `IngressSpec v1`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct IngressSpec {
    rules: Option<Vec<IngressRule>>,
    tls: Option<Vec<IngressTls>>,
    default_backend: Option<IngressBackend>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct IngressRule {
    host: Option<String>,
    http: Option<IngressPaths>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct IngressPaths {
    paths: Option<Vec<IngressPath>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct IngressPath {
    path: Option<String>,
    backend: Option<IngressBackend>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct IngressBackend {
    service: Option<Reference>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct IngressTls {
    hosts: Option<Vec<String>>,
}

/// Gateway API, `HTTPRouteSpec v1`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct HttpRouteSpec {
    parent_refs: Option<Vec<Reference>>,
    hostnames: Option<Vec<String>>,
    rules: Option<Vec<HttpRule>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct HttpRule {
    matches: Option<Vec<HttpMatch>>,
    backend_refs: Option<Vec<Reference>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct HttpMatch {
    path: Option<HttpPath>,
    headers: Option<Vec<Value>>,
    query_params: Option<Vec<Value>>,
    method: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct HttpPath {
    #[serde(rename = "type")]
    kind: Option<String>,
    value: Option<String>,
}

/// Traefik, `IngressRouteSpec` of `traefik.io/v1alpha1`, and the same of `traefik.containo.us/v1alpha1`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct IngressRouteSpec {
    entry_points: Option<Vec<String>>,
    routes: Option<Vec<TraefikRoute>>,
    tls: Option<Value>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct TraefikRoute {
    #[serde(rename = "match")]
    rule: Option<String>,
    priority: Option<i64>,
    services: Option<Vec<Reference>>,
}

/// The name of another object.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Reference {
    kind: Option<String>,
    name: String,
    namespace: Option<String>,
    section_name: Option<String>,
    port: Option<Value>,
}

impl Route {
    /// Reads a route of the API. `instance` is the name of this dashboard.
    ///
    /// # Errors
    ///
    /// It has another form than its kind.
    pub fn read(kind: Kind, value: &Value, instance: Option<&str>) -> Result<Self, &'static str> {
        let (metadata, rules) = match kind {
            Kind::HttpRoute => {
                let (metadata, spec) = read(value)?;
                (metadata, Rules::HttpRoute(spec))
            }
            Kind::IngressRoute | Kind::OldIngressRoute => {
                let (metadata, spec) = read(value)?;
                (metadata, Rules::IngressRoute(spec))
            }
            _ => {
                let (metadata, spec) = read::<IngressSpec>(value)?;
                let is_secure = is_secure_for_traefik(&metadata);
                (metadata, Rules::Ingress(spec, is_secure))
            }
        };
        let annotations = metadata.annotations.unwrap_or_default();
        let (mut labels, mut oversized, mut notes) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (name, text) in &annotations {
            let Some(label) = label(name) else { continue };
            if text.len() > MAX_VALUE {
                oversized.push(label.chars().take(60).collect());
            } else if labels.len() < MAX_LABELS {
                labels.insert(label, text.clone());
            }
        }
        let pods = pods_by(&mut labels, &metadata.name, &mut notes);
        let left_out = without_other_instances(&mut labels, instance);
        let (namespace, name) = (metadata.namespace, metadata.name);
        Ok(Self { kind, namespace, name, labels, oversized, left_out, pods, rules, notes })
    }

    /// What the labels of a container would be. `listeners` are those of a gateway by its namespace and name; `None` if they are not
    /// known.
    pub fn resource(&self, listeners: &dyn Fn(&str) -> Option<Vec<Listener>>) -> Resource {
        let mut notes = self.notes.clone();
        let address = match &self.rules {
            Rules::Ingress(spec, is_secure) => spec.address(*is_secure),
            Rules::HttpRoute(spec) => spec.address(&self.namespace, listeners, &mut notes),
            Rules::IngressRoute(spec) => spec.address(&mut notes),
        };
        let address = address.ok_or("it has no address: no rule names a host without wildcards");
        Resource {
            id: format!("{}/{}/{}", self.kind.word(), self.namespace, self.name),
            name: format!("{}/{}", self.namespace, self.name),
            labels: self.labels.clone(),
            oversized: self.oversized.clone(),
            route: Some(RouteFacts { address, left_out: self.left_out.clone(), notes }),
            ..Resource::default()
        }
    }

    /// Namespaces and names of the services that answer.
    pub fn services(&self) -> BTreeSet<(String, String)> {
        let all: Vec<&Reference> = match &self.rules {
            Rules::Ingress(spec, _) => {
                let rules = spec.rules.iter().flatten().filter_map(|rule| rule.http.as_ref());
                let paths = rules.flat_map(|http| http.paths.iter().flatten()).filter_map(|path| path.backend.as_ref());
                paths.chain(&spec.default_backend).filter_map(|backend| backend.service.as_ref()).collect()
            }
            Rules::HttpRoute(spec) => {
                spec.rules.iter().flatten().flat_map(|rule| rule.backend_refs.iter().flatten()).collect()
            }
            Rules::IngressRoute(spec) => {
                spec.routes.iter().flatten().flat_map(|route| route.services.iter().flatten()).collect()
            }
        };
        let of_kind = all.into_iter().filter(|service| service.kind.as_deref().is_none_or(|kind| kind == "Service"));
        of_kind.filter_map(|service| service.place(&self.namespace)).take(MAX_SERVICES).collect()
    }

    /// Namespaces of the gateways that it belongs to.
    pub fn gateway_namespaces(&self) -> BTreeSet<String> {
        let Rules::HttpRoute(spec) = &self.rules else { return BTreeSet::new() };
        spec.gateways().filter_map(|gateway| gateway.place(&self.namespace)).map(|(namespace, _)| namespace).collect()
    }

    /// The pods that have the name of the route, as Homepage looks for them.
    pub fn by_name(&self) -> Selector {
        by_app(&self.name)
    }
}

impl Reference {
    /// The namespace, which may be that of the route, and the name; `None` if it cannot be that of a namespace.
    fn place(&self, own: &str) -> Option<(String, String)> {
        let namespace = self.namespace.as_deref().filter(|namespace| !namespace.is_empty()).unwrap_or(own);
        is_namespace(namespace).then(|| (namespace.to_owned(), self.name.clone()))
    }
}

fn read<S: DeserializeOwned + Default>(value: &Value) -> Result<(Metadata, S), &'static str> {
    let raw = Raw::<S>::deserialize(value).map_err(|_| "a field of it has a value of the wrong type")?;
    if is_namespace(&raw.metadata.namespace) { Ok((raw.metadata, raw.spec)) } else { Err("it has no usable namespace") }
}

/// The label of a container that means the same as an annotation.
fn label(annotation: &str) -> Option<String> {
    if let Some(key) = annotation.strip_prefix(HOMEPAGE) {
        return Some(format!("homepage.{key}"));
    }
    if let Some(key) = annotation.strip_prefix(FLAME) {
        return Some(format!("flame.{key}"));
    }
    annotation.starts_with("portico.").then(|| annotation.to_owned())
}

/// Whether Traefik serves an Ingress with TLS, whatever its `tls` says (Traefik, "Kubernetes Ingress annotations").
fn is_secure_for_traefik(metadata: &Metadata) -> bool {
    let value = |key: &str| {
        let annotations = metadata.annotations.as_ref()?;
        annotations.get(&format!("traefik.ingress.kubernetes.io/router.{key}")).map(|value| value.trim())
    };
    let is_secure = |name: &str| matches!(name.trim().to_ascii_lowercase().as_str(), "websecure" | "https");
    value("tls").is_some_and(|value| value.eq_ignore_ascii_case("true"))
        || value("entrypoints").is_some_and(|names| names.split(',').any(is_secure))
}

fn by_app(app: &str) -> Selector {
    Selector::of(&BTreeMap::from([(APP_LABEL.to_owned(), app.to_owned())]))
}

/// Takes out the annotations that say whose pods count (Homepage, "Kubernetes").
fn pods_by(labels: &mut BTreeMap<String, String>, name: &str, notes: &mut Vec<String>) -> PodsBy {
    let app = labels.remove("homepage.app").filter(|app| !app.trim().is_empty());
    let selector = labels.remove("homepage.pod-selector");
    let is_external = labels.remove("homepage.external").is_some_and(|value| value.trim() == "true");
    if is_external {
        return PodsBy::Nothing;
    }
    if let Some(text) = selector {
        return match Selector::parse(&text) {
            Ok(selector) => PodsBy::Selector(selector),
            Err(reason) => {
                notes.push(format!("`gethomepage.dev/pod-selector` {reason}, so pods are not looked for"));
                PodsBy::Nothing
            }
        };
    }
    match app.filter(|app| app.trim() != name) {
        Some(app) => PodsBy::Selector(by_app(app.trim())),
        None => PodsBy::Services,
    }
}

/// Takes out Homepage's annotations unless they are for this dashboard; the reason, if they are not.
fn without_other_instances(labels: &mut BTreeMap<String, String>, instance: Option<&str>) -> Option<String> {
    let is_instance = |label: &str| label == "homepage.instance" || label.starts_with("homepage.instance.");
    let enabled = labels.remove("homepage.enabled");
    let instances: Vec<String> = labels.keys().filter(|label| is_instance(label)).cloned().collect();
    let plain = labels.get("homepage.instance").map(|name| name.trim().to_owned());
    for label in &instances {
        labels.remove(label);
    }
    let is_ours = instance
        .is_some_and(|own| plain.as_deref() == Some(own) || instances.contains(&format!("homepage.instance.{own}")));
    let has_any = enabled.is_some() || labels.keys().any(|label| label.starts_with("homepage."));
    let reason = if !has_any {
        return None;
    } else if enabled.as_deref().map(str::trim) != Some("true") {
        "`gethomepage.dev/enabled` is not `true`"
    } else if !instances.is_empty() && !is_ours {
        "its annotations are only for other instances; `instance` in the source names this one"
    } else {
        return None;
    };
    labels.retain(|label, _| !label.starts_with("homepage."));
    Some(reason.to_owned())
}

/// The path that people open: the root if there is one, else the first. An empty text is the root, too.
fn best_path(paths: impl Iterator<Item = String>) -> Option<String> {
    let mut first = None;
    for path in paths {
        if path.is_empty() || path == "/" {
            return Some(String::new());
        }
        first.get_or_insert(path);
    }
    first
}

/// Whether a host belongs to a name, which may begin with `*.`.
fn covers(name: &str, host: &str) -> bool {
    match name.strip_prefix("*.") {
        Some(rest) => host.strip_suffix(rest).is_some_and(|before| before.ends_with('.')),
        None => name.eq_ignore_ascii_case(host),
    }
}

impl IngressSpec {
    fn address(&self, is_secure_anyway: bool) -> Option<String> {
        let mut rules = self.rules.iter().flatten();
        let (host, http) =
            rules.find_map(|rule| Some((rule.host.clone().filter(|host| is_host(host))?, &rule.http)))?;
        let paths = http.iter().flat_map(|http| http.paths.iter().flatten());
        let usable = paths.map(|path| path.path.clone().unwrap_or_default());
        // Regular expressions, as some controllers allow them, cannot be opened.
        let path = best_path(usable.filter(|path| path.is_empty() || is_path(path))).unwrap_or_default();
        let is_covered = |tls: &IngressTls| match tls.hosts.as_deref() {
            None | Some([]) => true,
            Some(hosts) => hosts.iter().any(|name| covers(name, &host)),
        };
        let is_secure = is_secure_anyway || self.tls.iter().flatten().any(is_covered);
        Some(format!("{}://{host}{path}", if is_secure { "https" } else { "http" }))
    }
}

impl HttpRouteSpec {
    fn gateways(&self) -> impl Iterator<Item = &Reference> {
        let is_gateway = |parent: &&Reference| parent.kind.as_deref().is_none_or(|kind| kind == "Gateway");
        self.parent_refs.iter().flatten().filter(is_gateway)
    }

    fn address(
        &self,
        own: &str,
        listeners: &dyn Fn(&str) -> Option<Vec<Listener>>,
        notes: &mut Vec<String>,
    ) -> Option<String> {
        let mut candidates = Vec::new();
        let (mut is_known, mut seems_secure) = (false, false);
        for parent in self.gateways() {
            let port = parent.port.as_ref().and_then(Value::as_u64);
            let gateway = parent.place(own).map(|(namespace, name)| format!("{namespace}/{name}"));
            if let Some(all) = gateway.and_then(|gateway| listeners(&gateway)) {
                is_known = true;
                let is_meant = |listener: &Listener| {
                    parent.section_name.as_ref().is_none_or(|name| *name == listener.name)
                        && port.is_none_or(|port| port == u64::from(listener.port))
                };
                candidates.extend(all.into_iter().filter(is_meant));
            }
            let section = parent.section_name.as_deref().unwrap_or_default().to_ascii_lowercase();
            seems_secure |= port == Some(443) || section.starts_with("https") || section.starts_with("websecure");
        }
        let own_hosts = self.hostnames.iter().flatten();
        // Without names of its own, a route has those of its listeners.
        let all_hosts = own_hosts.chain(candidates.iter().filter_map(|listener| listener.hostname.as_ref()));
        let host = all_hosts.map(|host| host.to_ascii_lowercase()).find(|host| is_host(host))?;
        let is_of_host = |listener: &&Listener| {
            listener.hostname.as_deref().is_none_or(|name| name.is_empty() || covers(name, &host))
        };
        let mut of_host = candidates.iter().filter(is_of_host).peekable();
        let is_secure = if is_known && of_host.peek().is_some() {
            of_host.any(|listener| matches!(listener.protocol.as_str(), "HTTPS" | "TLS"))
        } else {
            if !seems_secure {
                notes.push("its gateway is not known, so its address begins with `http`".to_owned());
            }
            seems_secure
        };
        let paths = self.rules.iter().flatten().flat_map(HttpRule::paths);
        let path = best_path(paths).unwrap_or_default();
        Some(format!("{}://{host}{path}", if is_secure { "https" } else { "http" }))
    }
}

impl HttpRule {
    /// The paths that a browser can open.
    fn paths(&self) -> Vec<String> {
        let matches = self.matches.as_deref().unwrap_or_default();
        if matches.is_empty() {
            return vec![String::new()];
        }
        matches.iter().filter_map(HttpMatch::path).collect()
    }
}

impl HttpMatch {
    fn path(&self) -> Option<String> {
        let is_empty = |list: &Option<Vec<Value>>| list.as_ref().is_none_or(Vec::is_empty);
        let is_open = is_empty(&self.headers)
            && is_empty(&self.query_params)
            && self.method.as_deref().is_none_or(|method| method == "GET");
        let Some(path) = &self.path else { return is_open.then(String::new) };
        let is_plain = path.kind.as_deref().is_none_or(|kind| kind != "RegularExpression");
        let value = path.value.clone().unwrap_or_default();
        (is_open && is_plain && (value.is_empty() || is_path(&value))).then_some(value)
    }
}

impl IngressRouteSpec {
    /// By the same rules as the labels of a container.
    fn address(&self, notes: &mut Vec<String>) -> Option<String> {
        let mut labels = BTreeMap::new();
        for (number, route) in self.routes.iter().flatten().enumerate() {
            let Some(rule) = &route.rule else { continue };
            let mut put = |option: &str, value: String| {
                labels.insert(format!("traefik.http.routers.{}.{option}", number + 1), value);
            };
            put("rule", rule.clone());
            if let Some(priority) = route.priority {
                put("priority", priority.to_string());
            }
            put("entrypoints", self.entry_points.as_deref().unwrap_or_default().join(","));
            put("tls", self.tls.as_ref().is_some_and(|tls| !tls.is_null()).to_string());
        }
        traefik::address(&labels, notes)
    }
}
