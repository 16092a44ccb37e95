//! The user header of a trusted proxy (behaviour.md 19.3).

use std::net::IpAddr;

use config::model::auth::HeaderAuth;
use ipnet::IpNet;

use super::Asking;

/// The user that a listed proxy names. Other peers may send the header too; it says nothing then.
pub(super) fn user(settings: &HeaderAuth, asking: Asking<'_>) -> Option<String> {
    if !is_trusted(settings, asking) {
        return None;
    }
    let mut values = asking.headers.get_all(settings.user_header.as_str()).iter();
    let name = std::str::from_utf8(values.next()?.as_bytes()).ok()?.trim();
    // A second one was not written by the proxy.
    (values.next().is_none() && !name.is_empty()).then(|| name.to_owned())
}

/// Whether the other end of the connection is a listed proxy.
pub(super) fn is_trusted(settings: &HeaderAuth, asking: Asking<'_>) -> bool {
    asking.peer.is_some_and(|peer| settings.proxy_whitelist.iter().any(|entry| covers(entry, peer)))
}

/// Whether an address or a network of the list covers a peer. An IPv4 address may be written inside an IPv6 one.
fn covers(entry: &str, peer: IpAddr) -> bool {
    let entry = entry.trim();
    if let Ok(address) = entry.parse::<IpAddr>() {
        return address.to_canonical() == peer;
    }
    match entry.parse::<IpNet>() {
        Ok(IpNet::V6(network)) if network.prefix_len() >= 96 => match (network.network().to_ipv4_mapped(), peer) {
            (Some(_), IpAddr::V4(v4)) => network.contains(&v4.to_ipv6_mapped()),
            _ => IpNet::V6(network).contains(&peer),
        },
        Ok(network) => network.contains(&peer),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn lists_hold_addresses_and_networks() {
        for (entry, peer, expected) in [
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("10.0.0.0/8", "10.200.0.2", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("::ffff:10.0.0.1", "10.0.0.1", true),
            ("::ffff:10.0.0.0/104", "10.9.0.1", true),
            ("::ffff:10.0.0.0/104", "11.9.0.1", false),
            ("fd00::/8", "fd12::1", true),
            ("::1", "::1", true),
            ("0.0.0.0/0", "::1", false),
            ("proxy.lan", "10.0.0.1", false),
            ("10.0.0.0/40", "10.0.0.1", false),
        ] {
            assert_eq!(covers(entry, peer.parse().unwrap()), expected, "{entry} and {peer}");
        }
    }
}
