//! One entry of the administrator's lists of allowed and forbidden hosts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use thiserror::Error;
use url::Host;

/// A host name, a name with everything below it, an address, or a network.
///
/// Written as `nas.lan`, `*.lan` (or `.lan`: only what is below), `192.168.1.10`, `10.0.0.0/8`, `fd00::/8`. Names match
/// in any case, addresses in any spelling. A name rule does not know the addresses behind the name: to forbid a
/// machine for good, list its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRule(Matcher);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Matcher {
    Name(String),
    Below(String),
    Network { first: IpAddr, prefix: u8 },
}

/// Why a text is no host rule.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a host name, an address or a network")]
pub struct HostRuleError(String);

impl HostRule {
    /// Tells whether the rule names this host. `name` is in lower case and without a dot at the end.
    pub(crate) fn matches_name(&self, name: &str) -> bool {
        match &self.0 {
            Matcher::Name(rule) => rule == name,
            Matcher::Below(rule) => {
                name.strip_suffix(rule.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            Matcher::Network { .. } => false,
        }
    }

    /// Tells whether the rule covers this address.
    pub(crate) fn matches_address(&self, address: IpAddr) -> bool {
        let Matcher::Network { first, prefix } = &self.0 else {
            return false;
        };
        match (first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => cut_v4(address, *prefix) == *first,
            (IpAddr::V6(first), IpAddr::V6(address)) => cut_v6(address, *prefix) == *first,
            _ => false,
        }
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
        return network(read_address(first)?, prefix.parse().ok()?);
    }
    if let Some(below) = text.strip_prefix("*.").or_else(|| text.strip_prefix('.')) {
        return read_name(below).map(Matcher::Below);
    }
    match read_address(text) {
        Some(address @ IpAddr::V4(_)) => network(address, 32),
        Some(address @ IpAddr::V6(_)) => network(address, 128),
        None => read_name(text).map(Matcher::Name),
    }
}

/// Reads an address the way an address in a URL is read, so that both sides of a comparison mean the same.
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

fn network(address: IpAddr, prefix: u8) -> Option<Matcher> {
    let first = match address {
        IpAddr::V4(v4) if prefix <= 32 => IpAddr::V4(cut_v4(v4, prefix)),
        IpAddr::V6(v6) if prefix <= 128 => IpAddr::V6(cut_v6(v6, prefix)),
        _ => return None,
    };
    Some(Matcher::Network { first, prefix })
}

fn cut_v4(address: Ipv4Addr, prefix: u8) -> Ipv4Addr {
    let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
    Ipv4Addr::from_bits(address.to_bits() & mask)
}

fn cut_v6(address: Ipv6Addr, prefix: u8) -> Ipv6Addr {
    let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0);
    Ipv6Addr::from_bits(address.to_bits() & mask)
}
