//! Decides whether an address may be contacted: by name before anything happens, by IP address before connecting.

use std::net::{IpAddr, UdpSocket};

use url::{Host, Url};

use super::BlockReason;
use super::address::{AddressClass, classify, readings};
use super::target::plain_name;
use crate::settings::{HostRule, HttpClientSettings, is_private_name};

/// Names of metadata services. They are refused whatever they resolve to, and so are all their subdomains.
const METADATA_NAMES: [&str; 9] = [
    "metadata",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "api.metadata.cloud.ibm.com",
];

/// What a request may not do, besides the rules for its address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Restrictions {
    /// Its port is one that this server listens on.
    pub(super) own_port: bool,
    /// It may not reach private addresses, whatever the administrator allows in general.
    pub(super) public_only: bool,
}

/// The rules of docs/spec/widgets.md 11, with the administrator's settings.
#[derive(Debug)]
pub(super) struct Guard {
    own_ports: Vec<u16>,
    forbid_private: bool,
    allowed: Vec<HostRule>,
    forbidden: Vec<HostRule>,
}

impl Guard {
    pub(super) fn new(settings: &HttpClientSettings) -> Self {
        Self {
            own_ports: settings.own_ports.clone(),
            forbid_private: settings.forbid_private,
            allowed: settings.allowed_hosts.clone(),
            forbidden: settings.forbidden_hosts.clone(),
        }
    }

    /// Checks an address as written: the host name, or a literal IP address.
    ///
    /// [`Guard::check_resolved`] checks what a name resolves to when a connection is made.
    pub(super) fn check_url(&self, url: &Url, restrictions: Restrictions) -> Result<(), BlockReason> {
        match url.host() {
            Some(Host::Domain(name)) => self.check_name(&plain_name(name)),
            Some(Host::Ipv4(v4)) => self.check_address(IpAddr::V4(v4), false, restrictions),
            Some(Host::Ipv6(v6)) => self.check_address(IpAddr::V6(v6), false, restrictions),
            None => Err(BlockReason::NotAHost),
        }
    }

    /// Whether this server listens on the port of the address.
    pub(super) fn is_own_port(&self, url: &Url) -> bool {
        url.port_or_known_default().is_some_and(|port| self.own_ports.contains(&port))
    }

    /// Checks what a name resolved to. One forbidden address rejects all: a DNS response that mixes public and
    /// forbidden addresses is an attempt to bypass the check.
    ///
    /// The exception is `fe80::/10`. DNS servers in home networks add such addresses to ordinary responses, and without
    /// a zone nobody can connect to them; so they are skipped, and refused only if there is no other address.
    pub(super) fn check_resolved(
        &self,
        name: &str,
        restrictions: Restrictions,
        addresses: Vec<IpAddr>,
    ) -> Result<Vec<IpAddr>, BlockReason> {
        let name = plain_name(name);
        let named = self.allowed.iter().any(|rule| rule.matches_name(&name));
        let (link_local, usable): (Vec<IpAddr>, Vec<IpAddr>) = addresses
            .into_iter()
            .partition(|address| address.is_ipv6() && classify(*address) == AddressClass::LinkLocal);
        if usable.is_empty() && !link_local.is_empty() {
            return Err(BlockReason::LinkLocal);
        }
        for address in &usable {
            self.check_address(*address, named, restrictions)?;
        }
        Ok(usable)
    }

    fn check_name(&self, name: &str) -> Result<(), BlockReason> {
        if METADATA_NAMES.iter().any(|known| is_at_or_below(name, known)) {
            return Err(BlockReason::Metadata);
        }
        if self.forbidden.iter().any(|rule| rule.matches_name(name)) {
            return Err(BlockReason::Forbidden);
        }
        Ok(())
    }

    /// `allowed`: the administrator allows private addresses for the name that led here.
    fn check_address(&self, address: IpAddr, allowed: bool, restrictions: Restrictions) -> Result<(), BlockReason> {
        for reading in readings(address) {
            match classify(reading) {
                AddressClass::Metadata => return Err(BlockReason::Metadata),
                AddressClass::LinkLocal => return Err(BlockReason::LinkLocal),
                AddressClass::NotAHost => return Err(BlockReason::NotAHost),
                class => {
                    if self.forbidden.iter().any(|rule| rule.matches_address(reading)) {
                        return Err(BlockReason::Forbidden);
                    }
                    let listed = || allowed || self.allowed.iter().any(|rule| rule.matches_address(reading));
                    if class == AddressClass::Private && (self.forbid_private || restrictions.public_only) && !listed()
                    {
                        return Err(if self.forbid_private { BlockReason::Private } else { BlockReason::NotNamed });
                    }
                }
            }
            if restrictions.own_port && is_own_address(reading) {
                return Err(BlockReason::OwnPort);
            }
        }
        Ok(())
    }
}

/// Whether the host of an address is certainly not on the internet: an address of a private network or of one machine, or
/// a name that only those know. Any other name may still resolve to a private address.
pub fn is_evidently_private(url: &Url) -> bool {
    let is_private = |address| readings(address).into_iter().any(|reading| classify(reading) != AddressClass::Public);
    match url.host() {
        Some(Host::Domain(name)) => is_private_name(&plain_name(name)),
        Some(Host::Ipv4(v4)) => is_private(IpAddr::V4(v4)),
        Some(Host::Ipv6(v6)) => is_private(IpAddr::V6(v6)),
        None => true,
    }
}

fn is_at_or_below(name: &str, known: &str) -> bool {
    name.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether this machine has the address. Only a local address can be bound, so this needs no list of the network
/// interfaces, and works as interfaces come and go. Nothing is sent.
pub(super) fn is_own_address(address: IpAddr) -> bool {
    address.is_loopback() || UdpSocket::bind((address, 0)).is_ok()
}
