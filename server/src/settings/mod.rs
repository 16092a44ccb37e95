//! Settings from the environment (docs/spec/behavior.md 23). Read once at start; nothing else reads variables.

mod allowed_hosts;
mod host_rule;
pub mod manual;
mod old_folder;
mod outgoing;
mod parse;
mod secret_files;
#[cfg(test)]
mod tests;
pub mod variables;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use config::{address::is_web, model::auth::SecretText};
use tokio::runtime::Handle;

pub use self::{
    allowed_hosts::{AllowedHosts, UnknownHost, is_private_name, known_host},
    host_rule::{HostRule, HostRuleError},
    outgoing::HttpClientSettings,
    parse::path_prefix,
};
use self::{
    parse::{
        is_false, is_the_word_true, is_true, origin_of, parse_access_log, parse_allowed_hosts, parse_base,
        parse_database, parse_frame_ancestors, parse_host, parse_hosts, parse_hsts, parse_limit, parse_metrics_address,
        parse_port, parse_proxies, parse_run_as, parse_shutdown_delay, parse_switch, parse_token, static_account,
    },
    variables::Variables,
};
use crate::platform::peers::TrustedProxies;

/// The `User-Agent` of our requests: some services reject requests without one.
const USER_AGENT: &str = concat!("Portico/", env!("CARGO_PKG_VERSION"));

const CONFIG_PATH: &str = "VITE_APP_CONFIG_PATH";
const UPDATE_URL: &str = "UPDATE_URL";
const SPAN_COLLECTOR: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const FORBID_PRIVATE: &str = "OUTBOUND_FORBID_PRIVATE";
const ALLOWED_HOSTS: &str = "OUTBOUND_ALLOWED_HOSTS";
const FORBIDDEN_HOSTS: &str = "OUTBOUND_FORBIDDEN_HOSTS";
const PROXY_ENDPOINTS: &str = "DISABLE_PROXY_ENDPOINTS";

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
    /// Whether pages are written to files, for a host without this server: they show what a guest sees, and ask for nothing.
    pub is_export: bool,
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

impl Default for BackupSettings {
    fn default() -> Self {
        Self { disabled: false, directory: None, limit: 100 }
    }
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("environment variable {name}: {reason}")]
pub struct SettingsError {
    name: &'static str,
    reason: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            port: 8080,
            ssl_port: 8443,
            private_key: "/etc/ssl/certs/dashy-priv.key".into(),
            certificate: "/etc/ssl/certs/dashy-pub.pem".into(),
            redirect_https: true,
            base: String::new(),
            user_data: "user-data".into(),
            database: None,
            old_user_data: None,
            main_config: "conf.yml".to_owned(),
            main_address: None,
            offline: false,
            is_export: false,
            update_url: None,
            http_client_runtime: None,
            span_collector: None,
            enable_api: false,
            metrics_address: None,
            shutdown_delay: Duration::ZERO,
            access_log: false,
            api_token: None,
            enable_http_auth: false,
            static_account: None,
            session_secret: None,
            oidc_client_secret: None,
            public_origin: None,
            allowed_hosts: AllowedHosts::default(),
            hsts: None,
            frame_ancestors: Vec::new(),
            trusted_proxies: TrustedProxies::default(),
            extra_ca: None,
            calls: Calls::default(),
            backups: BackupSettings::default(),
            proxy_endpoints: true,
            widget_scripts: true,
            container: None,
            run_as: None,
            variables: Variables::default(),
        }
    }
}

impl Settings {
    /// Reads the settings through `variable`, which gives the value of an environment variable.
    ///
    /// # Errors
    ///
    /// A port, host or prefix that is invalid, or a switch, credential or file of a secret that cannot be read: protection must
    /// never be silently off. Variables that exist but have no effect only cause warnings ([`Settings::warnings`]).
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let secrets = secret_files::read(&variable)?;
        let variable = |name: &str| secrets.get(name).cloned().or_else(|| variable(name));
        let text = |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let defaults = Self::default();
        let in_container = text("IS_DOCKER").is_some_and(|value| is_true(&value));
        let ssl_port = if in_container { 443 } else { defaults.ssl_port };
        let main_config = match text(CONFIG_PATH) {
            Some(path) if !path.contains("://") => path.trim_start_matches("./").trim_start_matches('/').to_owned(),
            _ => defaults.main_config,
        };
        Ok(Self {
            host: match text("HOST") {
                Some(host) => parse_host(&host)?,
                None => defaults.host,
            },
            port: parse_port("PORT", text("PORT"), defaults.port)?,
            ssl_port: parse_port("SSL_PORT", text("SSL_PORT"), ssl_port)?,
            private_key: text("SSL_PRIV_KEY_PATH").map_or(defaults.private_key, PathBuf::from),
            certificate: text("SSL_PUB_KEY_PATH").map_or(defaults.certificate, PathBuf::from),
            redirect_https: parse_switch("REDIRECT_HTTPS", text("REDIRECT_HTTPS"), true)?,
            base: match text("BASE_URL") {
                Some(base) => parse_base(&base)?,
                None => defaults.base,
            },
            user_data: text("USER_DATA_DIR").map_or(defaults.user_data, PathBuf::from),
            database: parse_database(text("DATABASE_URL"))?,
            old_user_data: Some(old_folder::PLACE.into()),
            main_config,
            main_address: text(CONFIG_PATH).filter(|path| is_web(path)),
            http_client_runtime: None,
            span_collector: text(SPAN_COLLECTOR).filter(|address| is_web(address)),
            is_export: false,
            update_url: text(UPDATE_URL).filter(|address| is_web(address)),
            offline: parse_switch("OFFLINE", text("OFFLINE"), false)?,
            enable_api: variable("ENABLE_API").is_some_and(|value| is_the_word_true(&value)),
            metrics_address: parse_metrics_address(text("METRICS_ADDR"))?,
            shutdown_delay: parse_shutdown_delay(text("SHUTDOWN_DELAY"))?,
            access_log: parse_access_log(text("ACCESS_LOG"))?,
            api_token: parse_token(variable("API_TOKEN"))?,
            enable_http_auth: parse_switch("ENABLE_HTTP_AUTH", text("ENABLE_HTTP_AUTH"), false)?,
            static_account: static_account(variable)?,
            session_secret: text("SESSION_SECRET").map(SecretText::from),
            oidc_client_secret: text("OIDC_CLIENT_SECRET").map(SecretText::from),
            extra_ca: text("NODE_EXTRA_CA_CERTS").map(PathBuf::from),
            calls: Calls {
                forbid_private: parse_switch(FORBID_PRIVATE, text(FORBID_PRIVATE), false)?,
                allowed: parse_hosts(ALLOWED_HOSTS, text(ALLOWED_HOSTS))?,
                forbidden: parse_hosts(FORBIDDEN_HOSTS, text(FORBIDDEN_HOSTS))?,
            },
            public_origin: text("VITE_APP_DOMAIN").and_then(|address| origin_of(&address)),
            allowed_hosts: parse_allowed_hosts(text(allowed_hosts::VARIABLE))?,
            hsts: parse_hsts(text("HSTS"))?,
            frame_ancestors: parse_frame_ancestors(text("FRAME_ANCESTORS"))?,
            trusted_proxies: parse_proxies(variable("TRUSTED_PROXIES"))?,
            backups: BackupSettings {
                disabled: variable("DISABLE_CONFIG_BACKUPS").is_some_and(|value| is_the_word_true(&value)),
                directory: text("BACKUP_DIR").map(PathBuf::from),
                limit: parse_limit(text("CONFIG_BACKUP_LIMIT"))?,
            },
            proxy_endpoints: !parse_switch(PROXY_ENDPOINTS, text(PROXY_ENDPOINTS), false)?,
            widget_scripts: !parse_switch("DISABLE_WIDGET_SCRIPTS", text("DISABLE_WIDGET_SCRIPTS"), false)?,
            container: text("container")
                .or_else(|| text("KUBERNETES_SERVICE_HOST").map(|_| "kubernetes".to_owned()))
                .or_else(|| in_container.then(|| "docker".to_owned())),
            run_as: parse_run_as(text("UID"), text("GID")).filter(|_| in_container),
            variables: defaults.variables,
        })
    }

    /// Adds the environment variables that widget options may name.
    #[must_use]
    pub fn with_variables(self, environment: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { variables: Variables::of(environment), ..self }
    }

    /// The settings for requests to other hosts.
    pub fn http_client(&self) -> HttpClientSettings {
        HttpClientSettings {
            own_ports: [self.port, self.ssl_port]
                .into_iter()
                .chain(self.metrics_address.map(|address| address.port()))
                .collect(),
            forbid_private: self.calls.forbid_private,
            allowed_hosts: self.calls.allowed.clone(),
            forbidden_hosts: self.calls.forbidden.clone(),
            extra_ca: self.extra_ca.clone(),
            user_agent: USER_AGENT.to_owned(),
            offline: self.offline,
            runtime: self.http_client_runtime.clone(),
        }
    }

    /// Variables that are set but have no effect, or an unexpected one; one sentence each.
    pub fn warnings(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let ignored = [
            ("VITE_APP_BASIC_AUTH_USERNAME", "passwords are never sent to browsers; use BASIC_AUTH_USERNAME"),
            ("VITE_APP_BASIC_AUTH_PASSWORD", "passwords are never sent to browsers; use BASIC_AUTH_PASSWORD"),
            ("VITE_APP_TITLE", "the title is `pageInfo.title` in the config"),
            ("DANGEROUSLY_DISABLE_PROXY_RESTRICTIONS", "there is no open proxy to lift restrictions from"),
        ];
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.trim().is_empty());
        let mut warnings: Vec<String> = ignored
            .into_iter()
            .filter(|(name, _)| is_set(name))
            .map(|(name, reason)| format!("{name} is ignored: {reason}"))
            .collect();
        if variable(CONFIG_PATH).is_some_and(|path| path.contains("://") && !is_web(path.trim())) {
            warnings.push(format!("{CONFIG_PATH} is ignored: it is neither the name of a file nor a web address"));
        }
        if is_set(SPAN_COLLECTOR) && !variable(SPAN_COLLECTOR).is_some_and(|address| is_web(address.trim())) {
            warnings
                .push(format!("{SPAN_COLLECTOR} is ignored: write a whole address, such as http://collector.lan:4318"));
        }
        if is_set(UPDATE_URL) && !variable(UPDATE_URL).is_some_and(|address| is_web(address.trim())) {
            warnings.push(format!("{UPDATE_URL} is ignored: write a whole address, such as https://git.example/…"));
        }
        let domain = variable("VITE_APP_DOMAIN").unwrap_or_default();
        if !domain.trim().is_empty() && origin_of(domain.trim()).is_none() {
            warnings.push("VITE_APP_DOMAIN is ignored: write a whole address, such as https://dash.example".to_owned());
        }
        for (name, effect) in [("ENABLE_API", "the REST API stays off"), ("DISABLE_CONFIG_BACKUPS", "backups are made")]
        {
            let value = variable(name).unwrap_or_default();
            if !value.trim().is_empty() && !is_false(&value) && !is_the_word_true(&value) {
                warnings.push(format!("{name}={} has no effect, {effect}: write {name}=true", value.trim()));
            }
        }
        if is_set(ALLOWED_HOSTS) && !variable(FORBID_PRIVATE).is_some_and(|value| is_true(&value)) {
            warnings
                .push(format!("{ALLOWED_HOSTS} has no effect: without {FORBID_PRIVATE}=true all hosts are allowed"));
        }
        warnings
    }
}
