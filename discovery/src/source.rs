//! An engine whose containers are found, and the rules for what their labels may do.

/// Where Docker listens unless it is configured otherwise.
const DEFAULT_SOCKET: &str = "/var/run/docker.sock";

/// A Docker or Podman engine whose containers describe their tiles with labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Name of the source in messages; `None` for its address.
    pub name: Option<String>,
    /// Where the engine listens.
    pub url: EngineAddress,
    /// Certificates for an engine that listens with TLS.
    pub tls: Certificates,
    /// Additional headers of each request, such as for a proxy that needs a password.
    pub headers: Vec<(String, String)>,
    /// Finds the services of a Swarm instead of containers. The engine must be a manager.
    pub swarm: bool,
    /// Whose labels count; all if it is empty.
    pub labels: Vec<LabelFamily>,
    /// Also finds containers without such labels, if their address is known.
    pub unlabelled: bool,
    /// Finds only containers with one of these names; all if it is empty. `*` stands for any characters.
    pub include: Vec<String>,
    /// Does not find containers with one of these names.
    pub exclude: Vec<String>,
    /// Section of items whose labels name none; by default the Compose project, or the name of the source.
    pub section: Option<String>,
    /// Host at which people reach published ports; by default the host of `url`.
    pub host: Option<String>,
    /// Name of this dashboard in the labels `homepage.instance.NAME.…` and `portico.instance.NAME.…`.
    pub instance: Option<String>,
    /// Environment variables that labels may name, as `{{PORTICO_DOMAIN}}`.
    pub allowed_variables: Vec<String>,
    /// Shows what is found to people who are not signed in, too.
    pub show_to_guests: bool,
}

/// Files with certificates in PEM form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Certificates {
    /// The authority that signed the engine's certificate; by default, those of the system.
    pub ca_file: Option<String>,
    /// The certificate by which the engine recognizes the dashboard.
    pub cert_file: Option<String>,
    /// The private key of `cert_file`.
    pub key_file: Option<String>,
}

/// Where an engine listens.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EngineAddress {
    /// Path of a Unix socket.
    Socket(String),
    /// An address that begins with `http://` or `https://`, without a slash at the end.
    Web(String),
    /// Unknown: the configured address cannot be used.
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
        Self::Socket(DEFAULT_SOCKET.to_owned())
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
        (!host.is_empty() && config::address::problem(&address).is_none()).then_some(Self::Web(address))
    }
}

impl Source {
    /// What messages call it: its name, or else its address.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| match &self.url {
            EngineAddress::Socket(path) => path.clone(),
            EngineAddress::Web(address) => config::address::without_user(address),
            EngineAddress::Unusable => "a source without a usable address".to_owned(),
        })
    }
}

impl LabelFamily {
    /// All, in the order in which they count.
    pub const ALL: [Self; 4] = [Self::Portico, Self::Homepage, Self::Glance, Self::Flame];

    /// What its labels begin with, without the dot.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Portico => "portico",
            Self::Homepage => "homepage",
            Self::Glance => "glance",
            Self::Flame => "flame",
        }
    }
}
