//! The health of the running server.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use crate::settings::Settings;

/// How long `healthcheck` waits for a response.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(2);

/// Queries the health of the running server, and describes the result.
pub(super) async fn health(settings: &Settings) -> Result<String, String> {
    let host = match settings.host {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        host => host,
    };
    let tls = settings.private_key.exists() && settings.certificate.exists();
    let (scheme, port) = if tls { ("https", settings.ssl_port) } else { ("http", settings.port) };
    let url = format!("{scheme}://{}{}/healthz", std::net::SocketAddr::new(host, port), settings.base);
    // The server's own certificate names the public host, not this address.
    let client = reqwest::Client::builder().tls_danger_accept_invalid_certs(true).timeout(HEALTH_TIMEOUT).no_proxy();
    let answer = match client.build() {
        Ok(client) => client.get(&url).send().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(answer) if answer.status().is_success() => Ok(format!("healthy: {url} responds with {}", answer.status())),
        Ok(answer) => Err(format!("not healthy: {url} responds with {}", answer.status())),
        Err(error) => {
            let reason = if error.is_timeout() { "no response within 2 s" } else { "no connection" };
            Err(format!("not healthy: {url}: {reason}"))
        }
    }
}
