//! The address of a service: from labels of proxies, published ports last.

pub mod caddy;
pub mod ports;
pub mod traefik;

/// Where the address of a service comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AddressOrigin {
    /// A label of the entry itself.
    Label,
    /// The rule of a router of Traefik.
    Traefik,
    /// A label of Caddy.
    Caddy,
    /// A published port.
    Port,
    /// The rules of a route of Kubernetes.
    Route,
}

/// Whether a text is the name of a host, or an IP address: nothing else can be the host of an address.
pub(crate) fn is_host(text: &str) -> bool {
    let is_name =
        |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_'));
    !text.is_empty() && text.len() <= 253 && is_name(text)
}

/// Whether a text can be the path of an address, without anything that ends it.
pub(crate) fn is_path(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/-._~%+@:!$&,;=".contains(letter);
    text.starts_with('/') && !text.starts_with("//") && text.chars().all(is_plain)
}
