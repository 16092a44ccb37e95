//! Classifies IP addresses, including every way of embedding an IPv4 address in an IPv6 one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How the guards treat an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressClass {
    /// A metadata service of a cloud.
    Metadata,
    /// Valid only on one link.
    LinkLocal,
    /// Multicast, broadcast, unspecified, reserved.
    NotAHost,
    /// Loopback, private, carrier-grade NAT and other ranges that are not part of the public internet.
    Private,
    /// Everything else.
    Public,
}

/// Metadata services outside the link-local range, which is refused as a whole: Alibaba, Azure, Oracle.
const METADATA_V4: [Ipv4Addr; 3] =
    [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(192, 0, 0, 192)];

/// Metadata services over IPv6: Google, Oracle, Scaleway. Amazon uses a whole prefix, see [`classify_v6`].
const METADATA_V6: [Ipv6Addr; 3] = [
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe),
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),
];

/// Returns every address that a packet to `address` may reach: the address itself, and the IPv4 addresses embedded in
/// it.
pub(super) fn readings(address: IpAddr) -> Vec<IpAddr> {
    let v6 = match address {
        IpAddr::V4(_) => return vec![address],
        IpAddr::V6(v6) => v6,
    };
    // The system treats a mapped address as IPv4, and nothing else.
    if let Some(v4) = v6.to_ipv4_mapped() {
        return vec![IpAddr::V4(v4)];
    }
    let mut found = vec![address];
    found.extend(embedded(v6).into_iter().map(IpAddr::V4));
    found
}

/// The IPv4 addresses inside an IPv6 address, by the conventions of translators and tunnels.
fn embedded(v6: Ipv6Addr) -> Vec<Ipv4Addr> {
    let bytes = v6.octets();
    let segments = v6.segments();
    let at = |a: usize, b: usize, c: usize, d: usize| Ipv4Addr::new(bytes[a], bytes[b], bytes[c], bytes[d]);
    let last = at(12, 13, 14, 15);
    match segments {
        // `::` and `::1` are addresses in their own right; the rest of `::/96` is the old "compatible" form.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Vec::new(),
        [0, 0, 0, 0, 0, 0, _, _] => vec![last],
        // Stateless translation (RFC 2765), and NAT64 with its well-known prefix (RFC 6052).
        [0, 0, 0, 0, 0xffff, 0, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => vec![last],
        // NAT64 with the prefix for local use (RFC 8215). Only the translator knows the length of the prefix, and so
        // the position of the address; zeros mean that there is none.
        [0x64, 0xff9b, 1, ..] => {
            let places = [at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), last];
            places.into_iter().filter(|v4| v4.octets()[0] != 0).collect()
        }
        // 6to4.
        [0x2002, ..] => vec![at(2, 3, 4, 5)],
        // Teredo: the server in plain form, the client with all bits inverted.
        [0x2001, 0, ..] => vec![at(4, 5, 6, 7), Ipv4Addr::from_bits(!last.to_bits())],
        // ISATAP, with any prefix.
        [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => vec![last],
        _ => Vec::new(),
    }
}

/// Classifies this address on its own. See [`readings`] for the addresses that it may stand for.
pub(super) fn classify(address: IpAddr) -> AddressClass {
    match address {
        IpAddr::V4(v4) => classify_v4(v4),
        IpAddr::V6(v6) => classify_v6(v6),
    }
}

fn classify_v4(v4: Ipv4Addr) -> AddressClass {
    if METADATA_V4.contains(&v4) {
        return AddressClass::Metadata;
    }
    match v4.octets() {
        [169, 254, 169, 254] | [169, 254, 170, 2] => AddressClass::Metadata,
        [169, 254, ..] => AddressClass::LinkLocal,
        [0 | 224..=255, ..] => AddressClass::NotAHost,
        [10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] => AddressClass::Private,
        // Carrier-grade NAT is what overlay networks use; benchmark addresses serve local containers and proxies.
        [100, 64..=127, ..] | [198, 18 | 19, ..] => AddressClass::Private,
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 51, 100, _] | [203, 0, 113, _] => AddressClass::Private,
        _ => AddressClass::Public,
    }
}

fn classify_v6(v6: Ipv6Addr) -> AddressClass {
    if METADATA_V6.contains(&v6) {
        return AddressClass::Metadata;
    }
    match v6.segments() {
        [0xfd00, 0xec2, ..] => AddressClass::Metadata,
        [0xfe80..=0xfebf, ..] => AddressClass::LinkLocal,
        [0, 0, 0, 0, 0, 0, 0, 0] | [0xff00..=0xffff, ..] => AddressClass::NotAHost,
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressClass::Private,
        // Unique local addresses, and the site-local ones they replaced.
        [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] => AddressClass::Private,
        [0x100, 0, 0, 0, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] | [0x5f00, ..] => AddressClass::Private,
        // Only translators on this network understand the local NAT64 prefix.
        [0x64, 0xff9b, 1, ..] => AddressClass::Private,
        _ => AddressClass::Public,
    }
}
