//! Settings from the environment (docs/spec/behavior.md 23). Read once at start; nothing else reads variables.

mod allowed_hosts;
mod export;
mod host_rule;
mod known_host;
pub mod manual;
mod old_folder;
mod outgoing;
mod parse;
mod secret_files;
#[cfg(test)]
mod tests;
mod values;
pub mod variables;

use std::{
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
    time::Duration,
};

use config::{address::is_web, model::auth::SecretText};
use discovery::SourceSettings;

pub use self::{
    allowed_hosts::AllowedHosts,
    export::{ExportSettings, NOT_FOUND_FILE},
    host_rule::{HostRule, HostRuleError},
    known_host::{UnknownHost, is_private_name, known_host},
    outgoing::HttpClientSettings,
    parse::path_prefix,
    values::{BackupSettings, Calls, RunAs, Settings, SettingsError, StaticAccount},
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
            export: None,
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
            cluster: None,
            service_account: None,
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
            export: None,
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
            cluster: text("KUBERNETES_SERVICE_HOST").map(|host| {
                let host = if host.contains(':') { format!("[{host}]") } else { host };
                format!("https://{host}:{}", text("KUBERNETES_SERVICE_PORT").unwrap_or_else(|| "443".to_owned()))
            }),
            run_as: parse_run_as(text("UID"), text("GID")).filter(|_| in_container),
            service_account: None,
            variables: defaults.variables,
        })
    }

    /// What the sources of discovery need, for a config in this folder.
    pub fn sources_in(&self, folder: &Path) -> SourceSettings {
        let defaults = SourceSettings::default();
        SourceSettings {
            folder: folder.to_owned(),
            cluster: self.cluster.clone(),
            service_account: self.service_account.clone().unwrap_or(defaults.service_account),
        }
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
