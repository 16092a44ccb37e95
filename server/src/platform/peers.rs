//! The other ends of connections, and which of them count as reverse proxies.

use std::{
    collections::VecDeque,
    net::{IpAddr, SocketAddr},
    sync::{Mutex, PoisonError},
};

use http::HeaderMap;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Where reverse proxies are by default: on this machine or in the same private network.
const NEAR: [&str; 8] = [
    "127.0.0.0/8",
    "::1/128",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "fc00::/7",
    "fe80::/10",
];

/// The proxies whose `X-Forwarded-*` headers are trusted.
#[derive(Clone, Debug)]
pub struct TrustedProxies {
    networks: Vec<IpNet>,
    are_named: bool,
}

impl Default for TrustedProxies {
    fn default() -> Self {
        Self { networks: NEAR.into_iter().filter_map(parse_network).collect(), are_named: false }
    }
}

impl TrustedProxies {
    /// Reads a list of addresses and networks with commas between them, or the word `none`.
    ///
    /// # Errors
    ///
    /// The invalid entry of the list.
    pub fn read(list: &str) -> Result<Self, String> {
        if list.trim().eq_ignore_ascii_case("none") {
            return Ok(Self { networks: Vec::new(), are_named: true });
        }
        let entries = list.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let networks: Vec<IpNet> =
            entries.map(|entry| parse_network(entry).ok_or_else(|| entry.to_owned())).collect::<Result<_, _>>()?;
        if networks.is_empty() { Err(list.to_owned()) } else { Ok(Self { networks, are_named: true }) }
    }

    /// Whether a peer is one of them.
    pub fn cover(&self, peer: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&peer.to_canonical()))
    }

    /// The client of a request that came from `peer`: the last address in `X-Forwarded-For` that is not a trusted
    /// proxy. Returns `peer` itself unless `peer` is an explicitly listed proxy: the proxies that are trusted by
    /// default share their networks with browsers, which could invent an address for each request.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.are_named {
            return peer;
        }
        let values: Vec<_> = headers.get_all("x-forwarded-for").iter().collect();
        let hops = values.iter().rev().flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
        let mut client = peer;
        for hop in hops {
            if !self.cover(client) {
                break;
            }
            let Some(address) = address_of(hop.trim()) else { break };
            client = address.to_canonical();
        }
        client
    }

    /// Whether the proxies were listed explicitly. Browsers may be in the same networks as the default ones.
    pub fn are_named(&self) -> bool {
        self.are_named
    }
}

/// Parses an address as proxies write it: some add the port, and put brackets around IPv6.
fn address_of(hop: &str) -> Option<IpAddr> {
    hop.parse()
        .ok()
        .or_else(|| Some(hop.parse::<SocketAddr>().ok()?.ip()))
        .or_else(|| hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']')).and_then(|hop| hop.parse().ok()))
}

/// The unit that counts as one peer: for IPv6 a whole network, because everyone has one.
pub fn person(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V6(v6) if !v6.is_loopback() => IpAddr::V6(Ipv6Net::new_assert(v6, 64).network()),
        peer => peer,
    }
}

/// The wider network that an address belongs to, by its usual sizes: /24 for IPv4, and /48 for IPv6, which providers give
/// to one customer.
pub fn network(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(v4) => IpAddr::V4(Ipv4Net::new_assert(v4, 24).network()),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Net::new_assert(v6, 48).network()),
    }
}

/// Peers that the log has named, so that it names each only once. If there are too many, the oldest is forgotten:
/// strangers cannot keep the log from naming a new one.
#[derive(Debug, Default)]
pub struct NamedPeers(Mutex<VecDeque<IpAddr>>);

impl NamedPeers {
    /// Maximum number of remembered peers.
    const MAX: usize = 64;

    /// Whether a peer has not been named recently; marks it as named.
    pub fn is_new(&self, peer: IpAddr) -> bool {
        let peer = person(peer);
        let mut named = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if named.contains(&peer) {
            return false;
        }
        if named.len() >= Self::MAX {
            named.pop_front();
        }
        named.push_back(peer);
        true
    }
}

/// Whether an address or a network, as it is written in a list, covers a peer.
pub fn covers(entry: &str, peer: IpAddr) -> bool {
    parse_network(entry.trim()).is_some_and(|network| network.contains(&peer.to_canonical()))
}

/// Parses an address or a network. An IPv4 address may be written as an IPv4-mapped IPv6 one.
fn parse_network(entry: &str) -> Option<IpNet> {
    let network = entry.parse().or_else(|_| entry.parse::<IpAddr>().map(IpNet::from)).ok()?;
    let mapped = match network {
        IpNet::V6(v6) => v6.network().to_ipv4_mapped().zip(v6.prefix_len().checked_sub(96)),
        IpNet::V4(_) => None,
    };
    Some(mapped.and_then(|(v4, prefix)| Ipv4Net::new(v4, prefix).ok()).map_or(network, IpNet::V4))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use http::{HeaderMap, HeaderName};

    use super::{NamedPeers, TrustedProxies, covers};

    const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

    #[test]
    fn the_client_is_the_last_address_that_no_trusted_proxy_has() {
        let proxies = TrustedProxies::read("10.0.0.1, 10.0.1.0/24").unwrap();
        let client = |peer: &str, values: &[&str]| {
            let headers = values.iter().map(|value| (FORWARDED_FOR, value.parse().unwrap())).collect();
            proxies.client(peer.parse().unwrap(), &headers).to_string()
        };
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &["192.0.2.7"]), "192.0.2.7");
        assert_eq!(client("10.0.0.1", &["192.0.2.7:4711"]), "192.0.2.7");
        assert_eq!(client("10.0.0.1", &["[2001:db8::7]:4711"]), "2001:db8::7");
        assert_eq!(client("10.0.0.1", &["[2001:db8::7]"]), "2001:db8::7");
        // The first address may be forged; the proxies add the others.
        assert_eq!(client("10.0.0.1", &["198.51.100.1, 192.0.2.7, 10.0.1.9"]), "192.0.2.7");
        assert_eq!(client("10.0.0.1", &["198.51.100.1", "192.0.2.7", "10.0.1.9"]), "192.0.2.7");
        assert_eq!(client("10.0.0.1", &["198.51.100.1, nonsense, 10.0.1.9"]), "10.0.1.9");
        assert_eq!(client("192.0.2.9", &["198.51.100.1"]), "192.0.2.9");
        let headers: HeaderMap = std::iter::once((FORWARDED_FOR, "198.51.100.1".parse().unwrap())).collect();
        let peer: IpAddr = "10.0.0.1".parse().unwrap();
        assert_eq!(TrustedProxies::default().client(peer, &headers), peer, "nobody named this proxy");
    }

    #[test]
    fn strangers_do_not_keep_the_log_from_naming_a_proxy() {
        let named = NamedPeers::default();
        let stranger = |number: u32| IpAddr::V4(Ipv4Addr::from_bits(0xCB00_7100 + number));
        assert!(named.is_new(stranger(0)) && !named.is_new(stranger(0)));
        for number in 1..1000 {
            assert!(named.is_new(stranger(number)), "{number}");
        }
        let proxy = "100.64.0.1".parse().unwrap();
        assert!(named.is_new(proxy) && !named.is_new(proxy));
        let network = |last: &str| format!("2001:db8::{last}").parse().unwrap();
        assert!(named.is_new(network("1")) && !named.is_new(network("2")));
    }

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

    #[test]
    fn proxies_stand_near_unless_the_list_says_otherwise() {
        let covers = |list: Option<&str>, peer: &str| {
            let trusted = list.map_or_else(TrustedProxies::default, |list| TrustedProxies::read(list).unwrap());
            trusted.cover(peer.parse().unwrap())
        };
        for near in ["127.0.0.1", "::1", "10.1.2.3", "172.18.0.1", "192.168.1.1", "169.254.0.1", "fd00::1", "fe80::1"] {
            assert!(covers(None, near), "{near}");
        }
        for far in ["203.0.113.1", "172.32.0.1", "100.64.0.1", "2001:db8::1"] {
            assert!(!covers(None, far), "{far}");
        }
        let list = Some("203.0.113.0/24, 2001:db8::1 ,");
        assert!(covers(list, "203.0.113.9") && covers(list, "2001:db8::1"));
        assert!(!covers(list, "127.0.0.1") && !covers(list, "2001:db8::2"));
        assert!(!covers(Some("none"), "127.0.0.1"));
        for wrong in ["proxy.lan", "10.0.0.0/40", "10.0.0.1, all", ","] {
            assert!(TrustedProxies::read(wrong).is_err(), "{wrong}");
        }
    }
}
