//! The settings of one run.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use config::model::auth::SecretText;
use tokio::runtime::Handle;

use super::{allowed_hosts::AllowedHosts, export::ExportSettings, host_rule::HostRule, variables::Variables};
use crate::platform::peers::TrustedProxies;

/// Settings of one run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address that the listeners bind.
    pub host: IpAddr,
    /// Port for HTTP.
    pub port: u16,
    /// Port for HTTPS.
    pub ssl_port: u16,
    /// Private key in PEM; HTTPS starts when it and the certificate exist.
    pub private_key: PathBuf,
    /// Certificate chain in PEM.
    pub certificate: PathBuf,
    /// Whether HTTP redirects to HTTPS while HTTPS is on.
    pub redirect_https: bool,
    /// Path prefix without a trailing slash: empty, or `/start`.
    pub base: String,
    /// Directory of the config files.
    pub user_data: PathBuf,
    /// Address of the database that several servers share; `None` keeps everything in `user_data`.
    pub database: Option<SecretText>,
    /// Another directory with pictures and style sheets, used for those that `user_data` lacks.
    pub old_user_data: Option<PathBuf>,
    /// File name of the main config inside `user_data`.
    pub main_config: String,
    /// Address of the main config, if it is on another host; the file is then a copy of it.
    pub main_address: Option<String>,
    /// No outgoing requests except those of configured widgets and status checks.
    pub offline: bool,
    /// How pages are written to files, for a host without this server: they show what a guest sees, and ask for nothing. `None`
    /// while they are served.
    pub export: Option<ExportSettings>,
    /// Address of the newest release, for checks for updates.
    pub update_url: Option<String>,
    /// Runtime of outgoing requests; `None` for the sender's own runtime.
    pub http_client_runtime: Option<Handle>,
    /// Address of a collector for the spans of OpenTelemetry; `None` while there are none.
    pub span_collector: Option<String>,
    /// Whether the REST API is on.
    pub enable_api: bool,
    /// Where metrics are served; `None` turns them off.
    pub metrics_address: Option<SocketAddr>,
    /// How long the server goes on after a signal to stop, while it says that it is not ready.
    pub shutdown_delay: Duration,
    /// Whether each response is logged as one line of JSON.
    pub access_log: bool,
    /// Bearer token of the REST API.
    pub api_token: Option<SecretText>,
    /// Whether HTTP Basic with the users of the config is required.
    pub enable_http_auth: bool,
    /// One account that is not in the config.
    pub static_account: Option<StaticAccount>,
    /// Key of the session cookies; if unset, one is created in the user-data directory.
    pub session_secret: Option<SecretText>,
    /// Client secret for an OpenID provider that does not support public clients.
    pub oidc_client_secret: Option<SecretText>,
    /// Scheme, host and port under which users reach the dashboard; `None` uses those of each request.
    pub public_origin: Option<String>,
    /// Additional names under which everything may be used while no sign-in is required.
    pub allowed_hosts: AllowedHosts,
    /// How long browsers must use only HTTPS, in seconds; `None` sends no such header.
    pub hsts: Option<u64>,
    /// Other sites that may show the dashboard in a frame, as sources of a Content-Security-Policy.
    pub frame_ancestors: Vec<String>,
    /// The reverse proxies whose headers are trusted.
    pub trusted_proxies: TrustedProxies,
    /// A PEM file with certificates that outgoing requests trust in addition to those of the system.
    pub extra_ca: Option<PathBuf>,
    /// Which hosts may be contacted.
    pub calls: Calls,
    /// Whether and where config files are backed up before a write.
    pub backups: BackupSettings,
    /// Whether the endpoints respond at which the server sends a request that the caller describes, such as
    /// `/status-check`.
    pub proxy_endpoints: bool,
    /// Whether the scripts of `html-embed` widgets run, in frames without access to the dashboard.
    pub widget_scripts: bool,
    /// The kind of container that the environment reports.
    pub container: Option<String>,
    /// The address of the API of the Kubernetes cluster that it runs in.
    pub cluster: Option<String>,
    /// The folder of the pod's service account, if it is not the usual one.
    pub service_account: Option<PathBuf>,
    /// Whose rights the server takes if a container starts it as root.
    pub run_as: Option<RunAs>,
    /// The variables that widget options may name; see [`Settings::with_variables`].
    pub variables: Variables,
}

/// The account of `BASIC_AUTH_USERNAME` and `BASIC_AUTH_PASSWORD`; an admin.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StaticAccount {
    /// Its name; case-sensitive.
    pub name: String,
    /// Its password.
    pub password: SecretText,
}

/// A user by number, as `UID` and `GID` name it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RunAs {
    /// The user's id; not 0.
    pub uid: u32,
    /// The id of the user's group.
    pub gid: u32,
}

/// Which hosts the server may contact, besides those that are never contacted (docs/spec/widgets.md 11).
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Whether loopback and private addresses are refused.
    pub forbid_private: bool,
    /// Hosts that may be contacted although their addresses are private.
    pub allowed: Vec<HostRule>,
    /// Hosts that are never contacted.
    pub forbidden: Vec<HostRule>,
}

/// Backups of config files (docs/spec/api.md 9.3).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BackupSettings {
    /// No backups at all.
    pub disabled: bool,
    /// Directory of the backups; `None` means `config-backups` in the user-data directory.
    pub directory: Option<PathBuf>,
    /// How many are kept for each file; 0 means all.
    pub limit: usize,
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("environment variable {name}: {reason}")]
pub struct SettingsError {
    pub(super) name: &'static str,
    pub(super) reason: String,
}

impl Default for BackupSettings {
    fn default() -> Self {
        Self { disabled: false, directory: None, limit: 100 }
    }
}
