//! The HTTP clients behind the guards, and which certificates they trust.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder};
use rustls::crypto::CryptoProvider;

use super::guard::Guard;
use super::lookup::GuardedResolver;
use super::{NameLookup, OutboundSettings, SetupError};

/// The time for look-up, connection and handshake (widgets/_common.md section 11).
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Idle connections kept per host and for how long: enough for the requests of one widget.
const IDLE_PER_HOST: usize = 2;
const IDLE_TIME: Duration = Duration::from_secs(30);

/// One client for each combination of what can only be set for a whole client.
#[derive(Debug)]
pub(super) struct Clients {
    other_ports: Pair,
    /// None if the server has no ports of its own.
    own_ports: Option<Pair>,
}

#[derive(Debug)]
struct Pair {
    checked: Client,
    unchecked: Client,
}

impl Clients {
    pub(super) fn build(
        settings: &OutboundSettings,
        guard: &Arc<Guard>,
        lookup: &Arc<dyn NameLookup>,
    ) -> Result<Self, SetupError> {
        // The HTTP client panics without one.
        if CryptoProvider::get_default().is_none() {
            return Err(SetupError::NoCryptoProvider);
        }
        let extra = match &settings.extra_ca {
            Some(path) => read_certificates(path)?,
            None => Vec::new(),
        };
        let pair = |own_port: bool| -> Result<Pair, reqwest::Error> {
            let resolver = Arc::new(GuardedResolver { lookup: Arc::clone(lookup), guard: Arc::clone(guard), own_port });
            let builder = || plain(&settings.user_agent).dns_resolver(Arc::clone(&resolver));
            Ok(Pair {
                checked: build_checked(builder, &extra)?,
                unchecked: builder().tls_danger_accept_invalid_certs(true).build()?,
            })
        };
        let own_ports = (!settings.own_ports.is_empty()).then(|| pair(true)).transpose();
        Ok(Self {
            other_ports: pair(false).map_err(SetupError::Client)?,
            own_ports: own_ports.map_err(SetupError::Client)?,
        })
    }

    /// The client for a port and a setting of certificates.
    pub(super) fn pick(&self, own_port: bool, accept_invalid_certs: bool) -> &Client {
        let pair = self.own_ports.as_ref().filter(|_| own_port).unwrap_or(&self.other_ports);
        if accept_invalid_certs { &pair.unchecked } else { &pair.checked }
    }
}

/// Builds a client that trusts the system's certificates and the extra ones. A bare container may have none of its
/// own; then bundled ones take their place.
fn build_checked(builder: impl Fn() -> ClientBuilder, extra: &[Certificate]) -> Result<Client, reqwest::Error> {
    // Together with extra certificates, missing ones of the system are no error: they are tried alone.
    let system = extra.is_empty() || Client::builder().no_proxy().build().is_ok();
    if system && let Ok(client) = builder().tls_certs_merge(extra.iter().cloned()).build() {
        return Ok(client);
    }
    let bundled = webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .filter_map(|certificate| Certificate::from_der(certificate).ok());
    builder().tls_certs_only(bundled.chain(extra.iter().cloned())).build()
}

/// A client that does nothing by itself: no redirects, proxies, cookies or referrers.
fn plain(user_agent: &str) -> ClientBuilder {
    let builder = Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(IDLE_PER_HOST)
        .pool_idle_timeout(IDLE_TIME)
        .gzip(true)
        // The Brotli decoder fills the window that the sender asks for before it hands out a byte: up to 1 GB for an
        // answer of 1 KB. No limit on what comes out can stop that, so Brotli is not spoken.
        .no_brotli()
        .no_deflate()
        .no_zstd();
    if user_agent.is_empty() { builder } else { builder.user_agent(user_agent) }
}

fn read_certificates(path: &Path) -> Result<Vec<Certificate>, SetupError> {
    let pem = fs::read(path).map_err(|source| SetupError::ExtraCaUnreadable { path: path.to_owned(), source })?;
    match Certificate::from_pem_bundle(&pem) {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(SetupError::ExtraCaInvalid { path: path.to_owned() }),
    }
}
