//! The names that this server answers to: its own, names that no stranger can own, and those in `ALLOWED_HOSTS`.

use std::fmt;

use http::uri::Authority;
use url::{Host, Url};

use super::{Settings, allowed_hosts::VARIABLE};

/// Names that resolve only inside a private network or not at all (RFC 6761, 6762, 8375, and the names that routers
/// assign). No stranger can own one.
const PRIVATE_SUFFIXES: [&str; 7] =
    [".local", ".lan", ".home", ".internal", ".home.arpa", ".localdomain", ".localhost"];

/// A name in a request that this server does not know, as `routes::known_hosts` notes it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownHost {
    /// The name in lower case; none if it is not a host name at all.
    name: Option<String>,
    /// The value of `ALLOWED_HOSTS` that would make it known.
    value: String,
}

impl UnknownHost {
    /// The name in lower case; none if it is not a host name at all.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl fmt::Display for UnknownHost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(
                formatter,
                "`{name}` is not a known name of this server. If it is yours, set the environment variable \
                 {VARIABLE}={} and restart the server",
                self.value
            ),
            None => write!(formatter, "the request names no valid host"),
        }
    }
}

/// Whether a name resolves only inside a private network, or not at all. It must be in lower case and without a trailing
/// dot.
pub fn is_private_name(name: &str) -> bool {
    !name.contains('.') || PRIVATE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

/// The host of an authority such as `nas.lan:8080`, if this server knows it by its settings or by its kind.
///
/// # Errors
///
/// Why the server does not know it.
pub fn known_host(settings: &Settings, authority: &str) -> Result<Host, UnknownHost> {
    let invalid = UnknownHost { name: None, value: String::new() };
    let Ok(authority) = authority.trim().parse::<Authority>() else { return Err(invalid) };
    // The usual case, and much faster.
    if let Ok(address) = authority.host().parse() {
        return Ok(Host::Ipv4(address));
    }
    let Ok(host) = Host::parse(authority.host()) else { return Err(invalid) };
    let Host::Domain(domain) = &host else { return Ok(host) };
    let name = domain.strip_suffix('.').unwrap_or(domain).to_owned();
    if name.is_empty() {
        return Err(invalid);
    }
    let own = settings.public_origin.as_deref().and_then(|origin| Url::parse(origin).ok());
    let own = own.as_ref().and_then(Url::host_str).map(|own| own.strip_suffix('.').unwrap_or(own));
    let is_private = is_private_name(&name);
    let allowed = &settings.allowed_hosts;
    if is_private || own == Some(name.as_str()) || allowed.contain(&name) {
        return Ok(Host::Domain(name));
    }
    let value = if allowed.text.is_empty() { name.clone() } else { format!("{},{name}", allowed.text) };
    Err(UnknownHost { name: Some(name), value })
}

#[cfg(test)]
mod tests {
    use super::known_host;
    use crate::settings::{AllowedHosts, Settings};

    #[test]
    fn names_that_no_stranger_can_have_are_known() {
        let settings = Settings {
            allowed_hosts: AllowedHosts::read("dash.example.com, *.home.example").unwrap(),
            public_origin: Some("https://Own.Example:8443".to_ascii_lowercase()),
            ..Settings::default()
        };
        for (authority, expected) in [
            ("localhost:8080", true),
            ("LOCALHOST", true),
            ("app.localhost", true),
            ("nas", true),
            ("NAS:8080", true),
            ("nas.", true),
            ("nas.local", true),
            ("nas.LAN.:80", true),
            ("a.b.home.arpa", true),
            ("box.internal", true),
            ("box.home", true),
            ("box.localdomain", true),
            ("192.168.1.4:8080", true),
            ("203.0.113.7", true),
            ("[fd00::1]:8080", true),
            ("[::1]", true),
            ("0x7f.1", true),
            ("dash.example.com", true),
            ("Dash.Example.Com.:8080", true),
            ("x.home.example", true),
            ("own.example", true),
            ("home.example", false),
            ("xhome.example", false),
            ("evil.example", false),
            ("dash.example.com.evil.example", false),
            ("192.168.1.4.evil.example", false),
            ("local.evil.example", false),
            ("notlocal.example", false),
            ("evil.example:80:80", false),
            ("nas@evil.example", false),
            ("nas, evil.example", false),
            ("evil%2eexample", false),
            (".", false),
            ("", false),
            ("\0", false),
            ("nas/evil", false),
        ] {
            assert_eq!(known_host(&settings, authority).is_ok(), expected, "{authority}");
        }
    }

    #[test]
    fn the_refusal_says_the_whole_line() {
        let unknown = |list: &str| {
            let settings = Settings { allowed_hosts: AllowedHosts::read(list).unwrap(), ..Settings::default() };
            known_host(&settings, "Dash.Example.com:8080").unwrap_err().to_string()
        };
        assert!(unknown("").contains("ALLOWED_HOSTS=dash.example.com "), "{}", unknown(""));
        assert!(unknown("a.example,").contains("ALLOWED_HOSTS=a.example,dash.example.com "));
        assert!(AllowedHosts::read("https://dash.example.com/").is_err());
    }
}
