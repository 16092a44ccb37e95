//! What the environment says (behaviour.md 23). Read once at start; nothing else reads variables.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

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
    /// Whether HTTP answers with a redirect while HTTPS is on.
    pub redirect_https: bool,
    /// Path prefix without a trailing slash: empty, or `/start`.
    pub base: String,
    /// Directory of the config files.
    pub user_data: PathBuf,
    /// File name of the main config inside `user_data`.
    pub main_config: String,
    /// No outgoing look-ups but those of configured widgets and status checks.
    pub offline: bool,
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
            main_config: "conf.yml".to_owned(),
            offline: false,
        }
    }
}

impl Settings {
    /// Reads the settings through `variable`, which gives the value of an environment variable.
    ///
    /// # Errors
    ///
    /// A port, host or prefix that cannot be used. Variables that exist but mean nothing here are only warned about
    /// ([`Settings::warnings`]).
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let text = |name| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let defaults = Self::default();
        let in_container = text("IS_DOCKER").is_some_and(|value| is_true(&value));
        let ssl_port = if in_container { 443 } else { defaults.ssl_port };
        let main_config = match text("VITE_APP_CONFIG_PATH") {
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
            redirect_https: text("REDIRECT_HTTPS").is_none_or(|value| is_true(&value)),
            base: match text("BASE_URL") {
                Some(base) => parse_base(&base)?,
                None => defaults.base,
            },
            user_data: text("USER_DATA_DIR").map_or(defaults.user_data, PathBuf::from),
            main_config,
            offline: text("OFFLINE").is_some_and(|value| is_true(&value)),
        })
    }

    /// Variables that are set and have no effect, or not the one that people expect; one sentence each.
    pub fn warnings(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let ignored = [
            ("VITE_APP_BASIC_AUTH_USERNAME", "passwords are never sent to browsers; use BASIC_AUTH_USERNAME"),
            ("VITE_APP_BASIC_AUTH_PASSWORD", "passwords are never sent to browsers; use BASIC_AUTH_PASSWORD"),
            ("DANGEROUSLY_DISABLE_PROXY_RESTRICTIONS", "there is no open proxy whose restrictions could be lifted"),
        ];
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.trim().is_empty());
        let mut warnings: Vec<String> = ignored
            .into_iter()
            .filter(|(name, _)| is_set(name))
            .map(|(name, reason)| format!("{name} is ignored: {reason}"))
            .collect();
        if variable("VITE_APP_CONFIG_PATH").is_some_and(|path| path.contains("://")) {
            warnings.push(
                "VITE_APP_CONFIG_PATH is ignored: the main config is a file in the user-data directory".to_owned(),
            );
        }
        warnings
    }
}

/// `true`, `1`, `yes` and `on` in any case are true, anything else is false.
pub fn is_true(value: &str) -> bool {
    ["true", "1", "yes", "on"].iter().any(|word| value.trim().eq_ignore_ascii_case(word))
}

fn parse_port(name: &'static str, value: Option<String>, default: u16) -> Result<u16, SettingsError> {
    let Some(value) = value else { return Ok(default) };
    value
        .parse()
        .map_err(|_| SettingsError { name, reason: format!("`{value}` is no port; give a number from 0 to 65535") })
}

fn parse_host(value: &str) -> Result<IpAddr, SettingsError> {
    let bare = value.trim_start_matches('[').trim_end_matches(']');
    if bare.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    bare.parse().map_err(|_| SettingsError {
        name: "HOST",
        reason: format!("`{value}` is no IP address; give for example 0.0.0.0, 127.0.0.1 or ::"),
    })
}

fn parse_base(value: &str) -> Result<String, SettingsError> {
    // People also write a whole address; only its path matters here.
    let path = match value.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => value,
    };
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let valid = |segment: &&str| {
        !matches!(*segment, "." | "..") && segment.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c))
    };
    if !segments.iter().all(valid) {
        return Err(SettingsError {
            name: "BASE_URL",
            reason: format!("`{value}` is no path prefix; give for example /start"),
        });
    }
    Ok(segments.iter().map(|segment| format!("/{segment}")).collect())
}

#[cfg(test)]
mod tests {
    use super::Settings;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Settings::read(variable).map_err(|error| error.to_string())
    }

    #[test]
    fn prefixes_are_brought_into_one_form() {
        for (value, expected) in [
            ("", ""),
            ("/", ""),
            ("/start", "/start"),
            ("start/", "/start"),
            ("/a//b/", "/a/b"),
            ("https://host.example/dash/", "/dash"),
            ("https://host.example", ""),
        ] {
            assert_eq!(read(&[("BASE_URL", value)]).unwrap().base, expected, "{value}");
        }
        assert!(read(&[("BASE_URL", "/a/../b")]).unwrap_err().contains("BASE_URL"));
        assert!(read(&[("BASE_URL", "/a b")]).unwrap_err().contains("/start"));
    }

    #[test]
    fn wrong_values_name_their_variable() {
        assert!(read(&[("PORT", "http")]).unwrap_err().contains("PORT"));
        assert!(read(&[("HOST", "my-host")]).unwrap_err().contains("HOST"));
    }

    #[test]
    fn booleans_and_containers() {
        assert!(!read(&[("REDIRECT_HTTPS", "false")]).unwrap().redirect_https);
        assert!(read(&[]).unwrap().redirect_https);
        assert!(read(&[("OFFLINE", "Yes")]).unwrap().offline);
        assert_eq!(read(&[("IS_DOCKER", "true")]).unwrap().ssl_port, 443);
        assert_eq!(read(&[("VITE_APP_CONFIG_PATH", "/other.yml")]).unwrap().main_config, "other.yml");
        assert_eq!(read(&[("HOST", "[::1]")]).unwrap().host.to_string(), "::1");
    }
}
