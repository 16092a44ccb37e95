//! One entry of the administrator's lists of allowed and forbidden hosts.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use ipnet::IpNet;
use thiserror::Error;
use url::Host;

/// A host name, a name with all subdomains, an address, or a network.
///
/// Written as `nas.lan`, `*.lan` (or `.lan`: subdomains only), `192.168.1.10`, `10.0.0.0/8`, `fd00::/8`. Names match in
/// any case, addresses in any spelling. A name rule does not cover the addresses behind the name: to block a machine
/// completely, list its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRule(Matcher);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Matcher {
    Name(String),
    Below(String),
    Network(IpNet),
}

/// Why a text is not a host rule.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a host name, an address or a network")]
pub struct HostRuleError(String);

impl HostRule {
    /// Whether the rule names this host. `name` is in lower case and without a trailing dot.
    pub(crate) fn matches_name(&self, name: &str) -> bool {
        match &self.0 {
            Matcher::Name(rule) => rule == name,
            Matcher::Below(rule) => {
                name.strip_suffix(rule.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            Matcher::Network(_) => false,
        }
    }

    /// Whether the rule covers this address.
    pub(crate) fn matches_address(&self, address: IpAddr) -> bool {
        matches!(&self.0, Matcher::Network(network) if network.contains(&address))
    }
}

impl FromStr for HostRule {
    type Err = HostRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        read(text).map(HostRule).ok_or_else(|| HostRuleError(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Matcher> {
    if let Some((first, prefix)) = text.split_once('/') {
        return IpNet::new(read_address(first)?, prefix.parse().ok()?).ok().map(Matcher::Network);
    }
    if let Some(below) = text.strip_prefix("*.").or_else(|| text.strip_prefix('.')) {
        return read_name(below).map(Matcher::Below);
    }
    match read_address(text) {
        Some(address) => Some(Matcher::Network(address.into())),
        None => read_name(text).map(Matcher::Name),
    }
}

/// Parses an address like an address in a URL, so that both sides of a comparison mean the same.
fn read_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    if let Ok(v6) = bare.parse::<Ipv6Addr>() {
        return Some(v6.to_canonical());
    }
    match Host::parse(text) {
        Ok(Host::Ipv4(v4)) => Some(IpAddr::V4(v4)),
        _ => None,
    }
}

fn read_name(text: &str) -> Option<String> {
    match Host::parse(text) {
        Ok(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(&name);
            let wild = name.contains('*') || name.split('.').any(str::is_empty);
            (!wild).then(|| name.to_owned())
        }
        _ => None,
    }
}
