//! What the administrator says about requests to other hosts.

use std::path::PathBuf;

use tokio::runtime::Handle;

use super::HostRule;

/// What the administrator says about calls to the outside.
#[derive(Clone, Debug, Default)]
pub struct HttpClientSettings {
    /// The ports this server listens on. Nothing is called there on a loopback address or on one of our own addresses.
    pub own_ports: Vec<u16>,
    /// Refuses loopback and private addresses, for a server that is not in the network of its owner.
    pub forbid_private: bool,
    /// Hosts that stay reachable with `forbid_private`. Cloud metadata and link-local addresses are never allowed.
    pub allowed_hosts: Vec<HostRule>,
    /// Hosts that are never called. Goes before `allowed_hosts`.
    pub forbidden_hosts: Vec<HostRule>,
    /// A PEM file with certificates that are trusted besides those of the system.
    pub extra_ca: Option<PathBuf>,
    /// Sent as `User-Agent` unless a request names its own.
    pub user_agent: String,
    /// Refuses every request that nobody configured (`OFFLINE`, docs/spec/behaviour.md 23).
    pub offline: bool,
    /// Where requests run; none for the sender's own runtime. See `http_client::dedicated_runtime`.
    pub runtime: Option<Handle>,
}
