//! `appConfig.discovery` (docs/spec/config.md 5.9).

use super::{
    block::Block,
    cursor::{Cursor, brief},
    shape::{MANY, Word},
    words::words,
};
use crate::{did_you_mean::did_you_mean, effect::Effect, problem::ProblemKind};

/// Where Docker listens if nothing else is configured.
const DEFAULT_ENGINE: &str = "unix:///var/run/docker.sock";

/// The words before the names of environment variables that a config may use.
const VARIABLE_PREFIXES: [&str; 5] = ["PORTICO_", "DASHY_", "VITE_APP_", "VUE_APP_", "HOMEPAGE_VAR_"];

/// A Docker or Podman engine or a Kubernetes cluster that describes its tiles with labels.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "DiscoverySource", name = "a source of discovery", finish = Self::secure)]
pub struct DiscoverySource {
    /// Name of the source in messages.
    #[config(unset = "its address")]
    pub name: Option<String>,
    /// Where the engine listens: `unix://` and the path of a socket, or `tcp://`, `http://` or `https://` with host and port. A
    /// proxy in front of the socket needs to allow only `GET` for `containers` and `events`; with `swarm`, for `services` and
    /// `events`.
    #[config(
        rule = Rule::Text,
        read_entry = EngineAddress::of_source,
        preset = Preset::Text(DEFAULT_ENGINE),
        examples("unix:///run/podman/podman.sock", "tcp://socket-proxy:2375", "https://nas.lan:2376")
    )]
    pub url: EngineAddress,
    /// A Kubernetes cluster in place of an engine: `cluster` for the one that the dashboard runs in, or the path of a kubeconfig
    /// file.
    #[config(rule = Rule::Text, read = ClusterAccess::read, examples("cluster", "kubeconfig.yml"))]
    pub kubernetes: Option<ClusterAccess>,
    /// Context of the kubeconfig file.
    #[config(unset = "its current one")]
    pub context: Option<String>,
    /// Namespaces of the Kubernetes cluster.
    #[config(unset = "all")]
    pub namespaces: Vec<String>,
    /// Certificates for an engine that listens with TLS.
    pub tls: DiscoveryTls,
    /// Additional headers of each request, such as for a proxy that needs a password.
    pub headers: Vec<(String, String)>,
    /// Finds the services of a Swarm instead of containers. The engine must be a manager.
    pub swarm: bool,
    /// Whose labels count: `portico`, `homepage`, `glance`, `flame`. If a container has several kinds, the first of this
    /// order is used.
    #[config(rule = Rule::Texts(MANY), read = read_families, unset = "all of them")]
    pub labels: Vec<LabelFamily>,
    /// Also finds containers without such labels, if their address is known: from labels of Traefik or Caddy, or from a
    /// published port.
    pub unlabelled: bool,
    /// Finds only containers with one of these names, such as `media-*`. `*` stands for any characters.
    #[config(unset = "all")]
    pub include: Vec<String>,
    /// Does not find containers with one of these names, such as `*-db`. `*` stands for any characters.
    pub exclude: Vec<String>,
    /// Section of items whose labels name none.
    #[config(unset = "the Compose project, or the name of the source")]
    pub section: Option<String>,
    /// Host at which people reach published ports.
    #[config(unset = "the host of `url`", examples("nas.lan"))]
    pub host: Option<String>,
    /// Name of this dashboard in the labels `homepage.instance.NAME.…` and `portico.instance.NAME.…`.
    pub instance: Option<String>,
    /// Environment variables that labels may name, as `{{PORTICO_DOMAIN}}`. Anybody who may start a container writes
    /// labels, so list only what they may know.
    #[config(read = read_variables)]
    pub allowed_variables: Vec<String>,
    /// Shows what is found to people who are not signed in, too.
    pub show_to_guests: bool,
    /// What happens to what is found: `live` shows it on the first page at once, after the items of the file; `ask` offers it
    /// to admins in the config menu. `never` makes no tiles. The file changes only when an admin adds something there.
    pub add: AddMode,
    /// Exceptions for some names. The first rule that matches counts.
    pub rules: Vec<DiscoveryRule>,
    /// Minutes for which the tile of a removed container stays, in gray; at most 1440.
    #[config(read = |minutes| minutes.number().map_or(0, kept_minutes))]
    pub keep_removed: u32,
}

/// What happens to containers with certain names.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "DiscoveryRule", name = "a rule of discovery")]
pub struct DiscoveryRule {
    /// Names of containers. `*` stands for any characters.
    #[config(required)]
    pub names: Vec<String>,
    /// What happens to them.
    #[config(unset = "as in the source")]
    pub add: Option<AddMode>,
    /// Their section, whatever their labels name.
    #[config(unset = "as in the labels")]
    pub section: Option<String>,
}

/// What happens to what a source finds.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum AddMode {
    /// Admins may add it to the file.
    #[default]
    Ask,
    /// The first page shows it.
    Live,
    /// It is left out.
    Never,
}

/// Certificates for the connection to an engine. Paths are relative to the folder of the config file.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "DiscoveryTls", name = "tls")]
pub struct DiscoveryTls {
    /// File with the certificate of the authority that signed the engine's certificate.
    #[config(unset = "the authorities of the system", examples("docker/ca.pem"))]
    pub ca_file: Option<String>,
    /// File with the certificate by which the engine recognizes the dashboard. Needs `keyFile`.
    pub cert_file: Option<String>,
    /// File with the private key of `certFile`.
    #[config(read_entry = read_key_file)]
    pub key_file: Option<String>,
}

/// Where an engine listens.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EngineAddress {
    /// Path of a Unix socket.
    Socket(String),
    /// An address that begins with `http://` or `https://`, without a slash at the end.
    Web(String),
    /// Unknown: the address in the config cannot be used.
    Unusable,
}

/// How a Kubernetes cluster is reached.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ClusterAccess {
    /// As the service account of the pod in which the dashboard runs.
    InCluster,
    /// As a kubeconfig file at this path says.
    Kubeconfig(String),
    /// Unknown: the value in the config is no text.
    Unusable,
}

/// Whose labels they are.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum LabelFamily {
    /// Ours, `portico.`.
    Portico,
    /// Homepage's, `homepage.`.
    Homepage,
    /// Glance's, `glance.`.
    Glance,
    /// Flame's, `flame.`.
    Flame,
}

impl Default for EngineAddress {
    fn default() -> Self {
        Self::parse(DEFAULT_ENGINE).unwrap_or(Self::Unusable)
    }
}

impl EngineAddress {
    /// Reads an address as in Docker's variable `DOCKER_HOST`, or the path of a socket.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(path) = text.strip_prefix("unix://") {
            return path.starts_with('/').then(|| Self::Socket(path.to_owned()));
        }
        if text.starts_with('/') {
            return Some(Self::Socket(text.to_owned()));
        }
        let (scheme, rest) = text.split_once("://")?;
        let host = rest.trim_end_matches('/');
        let scheme = match scheme {
            "tcp" | "http" => "http",
            "https" => "https",
            _ => return None,
        };
        let address = format!("{scheme}://{host}");
        (!host.is_empty() && crate::address::problem(&address).is_none()).then_some(Self::Web(address))
    }

    fn of_source(source: &Cursor<'_>) -> Self {
        let cursor = source.key("url");
        let Some(text) = cursor.filled_text() else {
            // A value of the wrong type must not lead to the local engine.
            let is_list = cursor.value().is_array() || cursor.value().is_object();
            return if is_list { Self::Unusable } else { Self::default() };
        };
        Self::parse(&text).unwrap_or_else(|| {
            let message = format!(
                "`{}` is not an address of Docker or Podman, such as `{DEFAULT_ENGINE}` or `tcp://nas.lan:2375`",
                brief(&text)
            );
            cursor.warn(ProblemKind::Malformed, message, Effect::Skipped);
            Self::Unusable
        })
    }
}

impl ClusterAccess {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        // A value of the wrong type must not lead to the local engine.
        if cursor.value().is_array() || cursor.value().is_object() {
            _ = cursor.filled_text();
            return Some(Self::Unusable);
        }
        let text = cursor.filled_text()?;
        Some(if text == "cluster" { Self::InCluster } else { Self::Kubeconfig(text) })
    }
}

/// Minutes for which a tile stays.
fn kept_minutes(minutes: f64) -> u32 {
    // The clamped value fits.
    minutes.clamp(0.0, 1_440.0) as u32
}

impl DiscoverySource {
    /// What messages call it: its name, or else its address.
    pub fn title(&self) -> String {
        let unusable = || "a source without a usable address".to_owned();
        self.name.clone().unwrap_or_else(|| match (&self.kubernetes, &self.url) {
            (Some(ClusterAccess::InCluster), _) => "Kubernetes".to_owned(),
            (Some(ClusterAccess::Kubeconfig(path)), _) => path.clone(),
            (None, EngineAddress::Socket(path)) => path.clone(),
            (None, EngineAddress::Web(address)) => crate::address::without_user(address),
            (Some(ClusterAccess::Unusable), _) | (None, EngineAddress::Unusable) => unusable(),
        })
    }

    /// Whether another source is about the same engine or cluster.
    pub fn has_same_place(&self, other: &Self) -> bool {
        let place = |source: &Self| {
            (
                source.url.clone(),
                source.swarm,
                source.kubernetes.clone(),
                source.context.clone(),
                source.namespaces.clone(),
            )
        };
        place(self) == place(other)
    }

    /// With certificates, `tcp://` means TLS.
    fn secure(&mut self) {
        let EngineAddress::Web(address) = &mut self.url else { return };
        if self.tls != DiscoveryTls::default()
            && let Some(rest) = address.strip_prefix("http://")
        {
            *address = format!("https://{rest}");
        }
    }
}

impl LabelFamily {
    /// All, in the order in which they count.
    pub const ALL: [Self; 4] = [Self::Portico, Self::Homepage, Self::Glance, Self::Flame];

    /// What its labels begin with, without the dot.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, family)| *family == self).map_or("", |(word, _)| word)
    }
}

words!(AddMode: "ask" => Ask, "live" => Live, "never" => Never);

impl Word for LabelFamily {
    const WORDS: &'static [(&'static str, Self)] =
        &[("portico", Self::Portico), ("homepage", Self::Homepage), ("glance", Self::Glance), ("flame", Self::Flame)];
}

fn read_families(cursor: &Cursor<'_>) -> Vec<LabelFamily> {
    let mut families = Vec::new();
    for text in cursor.texts() {
        match LabelFamily::from_word(&text.to_ascii_lowercase()) {
            Some(family) => families.push(family),
            None => {
                let words = LabelFamily::WORDS.iter().map(|(word, _)| *word);
                let meant = did_you_mean(&text, words.clone());
                let known = words.collect::<Vec<_>>().join(", ");
                let message = format!("`{}` is not one of {known}{meant}", brief(&text));
                cursor.warn(ProblemKind::NotAllowed, message, Effect::Ignored);
            }
        }
    }
    families
}

fn read_variables(cursor: &Cursor<'_>) -> Vec<String> {
    let mut names = cursor.texts();
    names.retain(|name| {
        let is_usable = VARIABLE_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        if !is_usable {
            let message = format!("the name of a variable begins with `PORTICO_`, unlike `{}`", brief(name));
            cursor.warn(ProblemKind::NotAllowed, message, Effect::Ignored);
        }
        is_usable
    });
    names
}

fn read_key_file(tls: &Cursor<'_>) -> Option<String> {
    let key = tls.key("keyFile").filled_text();
    let has_certificate = tls.quiet().key("certFile").filled_text().is_some();
    if key.is_some() != has_certificate {
        let missing = if has_certificate { "keyFile" } else { "certFile" };
        let message = "is missing: `certFile` and `keyFile` belong together";
        tls.key(missing).warn(ProblemKind::Missing, message, Effect::Ignored);
    }
    key
}
