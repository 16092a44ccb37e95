//! The address of a service from its published ports.

use std::net::IpAddr;

use crate::resource::Port;

/// Ports in containers that usually speak HTTP, the most usual first.
const USUAL: [u16; 10] = [80, 8080, 443, 8443, 3000, 8000, 5000, 9000, 8081, 8888];

/// The address at the published port that most likely speaks HTTP. `host` is where people reach the engine's ports;
/// `preferred` is the port in the container that a proxy contacts.
///
/// # Errors
///
/// Why there is none, as a sentence.
pub fn address(ports: &[Port], host: Option<&str>, preferred: Option<u16>) -> Result<String, &'static str> {
    let rank = |port: &Port| {
        let usual = USUAL.iter().position(|usual| *usual == port.private).unwrap_or(USUAL.len());
        (preferred != Some(port.private), usual, port.private, port.public)
    };
    let is_remote = |port: &&Port| !port.ip.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if ports.is_empty() {
        return Err("it has no address: no label gives one, and no port is published");
    }
    let Some(port) = ports.iter().filter(is_remote).min_by_key(|port| rank(port)) else {
        return Err("it has no address: its ports are published only on the engine's own machine");
    };
    let own = port.ip.parse::<IpAddr>().ok().filter(|ip| !ip.is_unspecified()).map(|ip| ip.to_string());
    let Some(host) = own.or_else(|| host.map(str::to_owned)) else {
        return Err("its address is a published port, and the source does not say at which `host` people reach it");
    };
    let host = if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host };
    let is_secure = matches!(port.private, 443 | 8443 | 9443) || port.public == 443;
    let (scheme, usual) = if is_secure { ("https", 443) } else { ("http", 80) };
    let number = if port.public == usual { String::new() } else { format!(":{}", port.public) };
    Ok(format!("{scheme}://{host}{number}"))
}
