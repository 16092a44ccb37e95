//! The administrator's settings for requests to other hosts.

use std::path::PathBuf;

use tokio::runtime::Handle;

use super::HostRule;

/// The administrator's settings for outgoing requests.
#[derive(Clone, Debug, Default)]
pub struct HttpClientSettings {
    /// The ports that this server listens on. Requests to them on a loopback address or one of our own addresses are
    /// refused.
    pub own_ports: Vec<u16>,
    /// Refuses loopback and private addresses, for a server outside its owner's network.
    pub forbid_private: bool,
    /// Hosts that stay reachable with `forbid_private`. Cloud metadata and link-local addresses are never allowed.
    pub allowed_hosts: Vec<HostRule>,
    /// Hosts that are never contacted. Takes precedence over `allowed_hosts`.
    pub forbidden_hosts: Vec<HostRule>,
    /// A PEM file with certificates that are trusted besides those of the system.
    pub extra_ca: Option<PathBuf>,
    /// Sent as `User-Agent` unless a request names its own.
    pub user_agent: String,
    /// Refuses every request that the config does not cause (`OFFLINE`, docs/spec/behavior.md 23).
    pub offline: bool,
    /// Runtime of the requests; `None` for the sender's own runtime. See `http_client::dedicated_runtime`.
    pub runtime: Option<Handle>,
}
