//! Parsing of single values. Each error says what to write instead.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use config::model::auth::SecretText;

use super::{
    allowed_hosts::{self, AllowedHosts},
    host_rule::{HostRule, HostRuleError},
    values::{BackupSettings, RunAs, SettingsError, StaticAccount},
};
use crate::platform::peers::TrustedProxies;

/// Whether a value is one of the words for true, in any case.
pub(super) fn is_true(value: &str) -> bool {
    ["true", "1", "yes", "on"].iter().any(|word| value.trim().eq_ignore_ascii_case(word))
}

/// Whether a value is one of the words for false, in any case.
pub(super) fn is_false(value: &str) -> bool {
    ["false", "0", "no", "off"].iter().any(|word| value.trim().eq_ignore_ascii_case(word))
}

/// A switch that something depends on. A word that is neither true nor false is rejected: either reading would break
/// somebody's expectation.
pub(super) fn parse_switch(name: &'static str, value: Option<String>, default: bool) -> Result<bool, SettingsError> {
    match value {
        None => Ok(default),
        Some(value) if is_true(&value) => Ok(true),
        Some(value) if is_false(&value) => Ok(false),
        Some(value) => {
            Err(SettingsError { name, reason: format!("`{value}` is neither true nor false; use one of them") })
        }
    }
}

/// Some switches must not turn on by accident, so they accept only one word, in any case.
pub(super) fn is_the_word_true(value: &str) -> bool {
    value.trim().eq_ignore_ascii_case("true")
}

/// The token of the REST API. An empty token is a mistake, such as a secret that was not filled in.
pub(super) fn parse_token(value: Option<String>) -> Result<Option<SecretText>, SettingsError> {
    let Some(value) = value else { return Ok(None) };
    let token = value.trim();
    if token.is_empty() {
        let reason = "it is empty, and without a token the API would be open; set a token, or remove the variable";
        return Err(SettingsError { name: "API_TOKEN", reason: reason.to_owned() });
    }
    Ok(Some(SecretText::from(token.to_owned())))
}

/// The address of a database.
pub(super) fn parse_database(value: Option<String>) -> Result<Option<SecretText>, SettingsError> {
    let Some(value) = value else { return Ok(None) };
    let failed = |reason: &str| SettingsError { name: "DATABASE_URL", reason: reason.to_owned() };
    if !value.starts_with("postgres://") && !value.starts_with("postgresql://") {
        return Err(failed("only PostgreSQL is supported; write postgres://USER:PASSWORD@HOST/DATABASE"));
    }
    // The error may quote the password.
    value.parse::<tokio_postgres::Config>().map_err(|_| {
        failed("it cannot be read; write postgres://USER:PASSWORD@HOST/DATABASE, with special characters such as `@` as %40")
    })?;
    Ok(Some(SecretText::from(value)))
}

/// The account from the environment; `None` if neither half is set. Spaces around a password are part of it.
pub(super) fn static_account(
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<StaticAccount>, SettingsError> {
    const NAMES: [&str; 2] = ["BASIC_AUTH_USERNAME", "BASIC_AUTH_PASSWORD"];
    let half = |name, other| {
        let reason = format!("it is empty although {other} is set; set both, or remove both");
        Err(SettingsError { name, reason })
    };
    match NAMES.map(|name| variable(name).filter(|value| !value.is_empty())) {
        [Some(name), Some(password)] => Ok(Some(StaticAccount { name, password: password.into() })),
        [None, Some(_)] => half(NAMES[0], NAMES[1]),
        [Some(_), None] => half(NAMES[1], NAMES[0]),
        [None, None] => Ok(None),
    }
}

/// The origin of an address; its path is ignored, because `BASE_URL` sets that.
pub(super) fn origin_of(value: &str) -> Option<String> {
    let address = url::Url::parse(value).ok()?;
    let usable = matches!(address.scheme(), "http" | "https") && address.has_host();
    usable.then(|| address.origin().ascii_serialization())
}

pub(super) fn parse_limit(value: Option<String>) -> Result<usize, SettingsError> {
    let Some(value) = value else { return Ok(BackupSettings::default().limit) };
    value.parse().map_err(|_| SettingsError {
        name: "CONFIG_BACKUP_LIMIT",
        reason: format!("`{value}` is not a number of backups; use for example 100, or 0 to keep all"),
    })
}

/// Seconds between a signal to stop and the end of listening.
pub(super) fn parse_shutdown_delay(value: Option<String>) -> Result<Duration, SettingsError> {
    let Some(value) = value else { return Ok(Duration::ZERO) };
    let seconds = value.parse().ok().filter(|seconds| *seconds <= 300);
    seconds.map(Duration::from_secs).ok_or_else(|| SettingsError {
        name: "SHUTDOWN_DELAY",
        reason: format!("`{value}` is not a number of seconds up to 300; use for example 5"),
    })
}

pub(super) fn parse_port(name: &'static str, value: Option<String>, default: u16) -> Result<u16, SettingsError> {
    let Some(value) = value else { return Ok(default) };
    value
        .parse()
        .map_err(|_| SettingsError { name, reason: format!("`{value}` is not a port; use a number from 0 to 65535") })
}

/// Without `GID`, the group has the number of the user. What is not a number has no effect, as in Dashy, which reads neither.
pub(super) fn parse_run_as(uid: Option<String>, gid: Option<String>) -> Option<RunAs> {
    let uid = uid?.parse().ok().filter(|uid| *uid != 0)?;
    Some(RunAs { uid, gid: gid.and_then(|gid| gid.parse().ok()).unwrap_or(uid) })
}

/// Where metrics are served. Without a host, on all addresses of this machine, as `:9090` means elsewhere.
pub(super) fn parse_metrics_address(value: Option<String>) -> Result<Option<SocketAddr>, SettingsError> {
    let Some(value) = value else { return Ok(None) };
    let (host, port) = value.rsplit_once(':').unwrap_or(("", &value));
    let host = if host.is_empty() { Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED)) } else { parse_host(host).ok() };
    let address = host.zip(port.parse().ok()).map(|(host, port)| SocketAddr::new(host, port));
    address.map(Some).ok_or_else(|| SettingsError {
        name: "METRICS_ADDR",
        reason: format!("`{value}` is not an address and a port; use for example :9090 or 127.0.0.1:9090"),
    })
}

/// Whether responses are logged.
pub(super) fn parse_access_log(value: Option<String>) -> Result<bool, SettingsError> {
    match value.as_deref() {
        None => Ok(false),
        Some(word) if word.eq_ignore_ascii_case("json") => Ok(true),
        Some(word) if is_false(word) => Ok(false),
        Some(word) => Err(SettingsError {
            name: "ACCESS_LOG",
            reason: format!("`{word}` is not a format; write json, or remove the variable"),
        }),
    }
}

pub(super) fn parse_host(value: &str) -> Result<IpAddr, SettingsError> {
    let bare = value.trim_start_matches('[').trim_end_matches(']');
    if bare.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    bare.parse().map_err(|_| SettingsError {
        name: "HOST",
        reason: format!("`{value}` is not an IP address; use for example 0.0.0.0, 127.0.0.1 or ::"),
    })
}

pub(super) fn parse_proxies(value: Option<String>) -> Result<TrustedProxies, SettingsError> {
    let Some(value) = value else { return Ok(TrustedProxies::default()) };
    TrustedProxies::read(&value).map_err(|wrong| SettingsError {
        name: "TRUSTED_PROXIES",
        reason: if wrong.trim().is_empty() {
            "it is empty; use for example 10.0.0.2,172.16.0.0/12, write none, or remove it".to_owned()
        } else {
            format!("`{wrong}` is not an address or network; use for example 10.0.0.2,172.16.0.0/12, or none")
        },
    })
}

pub(super) fn parse_allowed_hosts(value: Option<String>) -> Result<AllowedHosts, SettingsError> {
    AllowedHosts::read(&value.unwrap_or_default()).map_err(|error| SettingsError {
        name: allowed_hosts::VARIABLE,
        reason: format!("{error}; use for example dash.example.com,*.home.example"),
    })
}

pub(super) fn parse_hsts(value: Option<String>) -> Result<Option<u64>, SettingsError> {
    let Some(value) = value else { return Ok(None) };
    let reason = format!("`{value}` is not a number of seconds; use for example 31536000 for a year");
    value.parse().map(Some).map_err(|_| SettingsError { name: "HSTS", reason })
}

pub(super) fn parse_frame_ancestors(value: Option<String>) -> Result<Vec<String>, SettingsError> {
    let value = value.unwrap_or_default();
    let words = value.split([',', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| {
            frame_ancestor(word).ok_or_else(|| SettingsError {
                name: "FRAME_ANCESTORS",
                reason: format!(
                    "`{word}` is not the address of a site; use for example https://home.example or https://*.home.example"
                ),
            })
        })
        .collect()
}

/// A site as a source of a Content-Security-Policy: scheme, host and port. The host may begin with `*.`.
fn frame_ancestor(word: &str) -> Option<String> {
    let (scheme, host) = word.split_once("://")?;
    let (wildcard, host) = host.strip_prefix("*.").map_or(("", host), |host| ("*.", host));
    let origin = origin_of(&format!("{scheme}://{host}")).filter(|origin| !origin.contains('*'))?;
    let (scheme, host) = origin.split_once("://")?;
    Some(format!("{scheme}://{wildcard}{host}"))
}

pub(super) fn parse_hosts(name: &'static str, value: Option<String>) -> Result<Vec<HostRule>, SettingsError> {
    let value = value.unwrap_or_default();
    let words = value.split([',', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let reason =
                |error: HostRuleError| format!("{error}; use for example nas.lan,*.home.example,192.168.1.0/24");
            word.parse().map_err(|error| SettingsError { name, reason: reason(error) })
        })
        .collect()
}

pub(super) fn parse_base(value: &str) -> Result<String, SettingsError> {
    // People also write a whole address; only its path matters here.
    let path = match value.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => value,
    };
    path_prefix(path).ok_or_else(|| SettingsError {
        name: "BASE_URL",
        reason: format!("`{value}` is not a path prefix; use for example /start"),
    })
}

/// A path prefix in our own form: empty, or with a slash before each segment. `None` if it is invalid.
pub fn path_prefix(path: &str) -> Option<String> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let is_valid = |segment: &&str| {
        !matches!(*segment, "." | "..") && segment.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c))
    };
    segments.iter().all(is_valid).then(|| segments.iter().map(|segment| format!("/{segment}")).collect())
}
