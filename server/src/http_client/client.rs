//! The HTTP clients behind the guards, and the certificates that they trust.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder};
use rustls::crypto::CryptoProvider;

use super::dns::GuardedResolver;
use super::guard::{Guard, Restrictions};
use super::{NameLookup, SetupError};
use crate::settings::HttpClientSettings;

/// The time limit for DNS lookup, connection and handshake (docs/spec/widgets.md 11).
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How many idle connections are kept per host, and for how long: enough for the requests of one widget, and less than
/// the five seconds after which many services close them. A request that is sent at that moment fails.
const IDLE_PER_HOST: usize = 2;
const IDLE_TIME: Duration = Duration::from_secs(4);

/// One client for each combination of settings that apply to a whole client: whether it may contact our own ports,
/// whether it may reach only public addresses (connections are pooled by name, so it must not share those of other
/// clients), whether it checks certificates, and whether it opens WebSockets, which need HTTP/1.1.
///
/// Each is created when needed: reading the system's certificates takes longer than the rest of the start.
#[derive(Debug)]
pub(super) struct Clients {
    made: [OnceLock<Client>; 12],
    /// Held while a client is created.
    making: Mutex<()>,
    shared: SharedSettings,
}

/// The settings that all clients share.
#[derive(Clone)]
struct SharedSettings {
    user_agent: String,
    extra: Vec<Certificate>,
    guard: Arc<Guard>,
    lookup: Arc<dyn NameLookup>,
}

impl std::fmt::Debug for SharedSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SharedSettings").field("user_agent", &self.user_agent).finish_non_exhaustive()
    }
}

impl SharedSettings {
    fn builder(&self, restrictions: Restrictions, web_socket: bool) -> ClientBuilder {
        let resolver =
            GuardedResolver { lookup: Arc::clone(&self.lookup), guard: Arc::clone(&self.guard), restrictions };
        let builder = plain(&self.user_agent).dns_resolver(Arc::new(resolver));
        if web_socket { builder.http1_only() } else { builder }
    }

    fn checked(&self, restrictions: Restrictions, web_socket: bool) -> Result<Client, reqwest::Error> {
        build_checked(|| self.builder(restrictions, web_socket), &self.extra)
    }

    fn unchecked(&self, restrictions: Restrictions, web_socket: bool) -> Result<Client, reqwest::Error> {
        self.builder(restrictions, web_socket).tls_danger_accept_invalid_certs(true).build()
    }
}

impl Clients {
    pub(super) fn build(
        settings: &HttpClientSettings,
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
        let shared = SharedSettings {
            user_agent: settings.user_agent.clone(),
            extra,
            guard: Arc::clone(guard),
            lookup: Arc::clone(lookup),
        };
        // Reports invalid settings now, and not at the first request.
        plain(&shared.user_agent).tls_certs_only([]).build().map_err(SetupError::Client)?;
        Ok(Self { made: Default::default(), making: Mutex::new(()), shared })
    }

    /// The resolver of host names.
    pub(super) fn lookup(&self) -> &dyn NameLookup {
        &*self.shared.lookup
    }

    /// A client for one Unix socket. It keeps no connections: local ones are cheap to open, and the permissions of the
    /// socket may change.
    ///
    /// # Errors
    ///
    /// The client cannot be created.
    #[cfg(unix)]
    pub(super) fn over_socket(&self, socket: &Path) -> Result<Client, reqwest::Error> {
        plain(&self.shared.user_agent)
            .pool_max_idle_per_host(0)
            // Nothing is encrypted, so the system's certificates need not be loaded.
            .tls_certs_only([])
            .unix_socket(socket)
            .build()
    }

    /// The client for these address and certificate settings; public addresses always have their certificates checked.
    ///
    /// # Errors
    ///
    /// It is the first of its kind and cannot be created.
    pub(super) fn pick(
        &self,
        restrictions: Restrictions,
        accept_invalid_certs: bool,
        web_socket: bool,
    ) -> Result<&Client, reqwest::Error> {
        let kind = match (restrictions.public_only, accept_invalid_certs) {
            (false, false) => 0,
            (false, true) => 1,
            (true, _) => 2,
        };
        let made = &self.made[4 * kind + 2 * usize::from(web_socket) + usize::from(restrictions.own_port)];
        if let Some(client) = made.get() {
            return Ok(client);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = made.get() {
            return Ok(client);
        }
        let client = match kind {
            1 => self.shared.unchecked(restrictions, web_socket),
            _ => self.shared.checked(restrictions, web_socket),
        }?;
        Ok(made.get_or_init(|| client))
    }
}

/// Builds a client that trusts the system's certificates and the extra ones. A bare container may have no certificates
/// of its own; then bundled ones are used.
fn build_checked(builder: impl Fn() -> ClientBuilder, extra: &[Certificate]) -> Result<Client, reqwest::Error> {
    // If there are extra certificates, missing system certificates are not an error: the extra ones are used alone.
    let system = extra.is_empty() || Client::builder().no_proxy().build().is_ok();
    if system && let Ok(client) = builder().tls_certs_merge(extra.iter().cloned()).build() {
        return Ok(client);
    }
    let bundled = webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .filter_map(|certificate| Certificate::from_der(certificate).ok());
    builder().tls_certs_only(bundled.chain(extra.iter().cloned())).build()
}

/// A client without automatic features: no redirects, proxies, cookies or referrers.
fn plain(user_agent: &str) -> ClientBuilder {
    let builder = Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(IDLE_PER_HOST)
        .pool_idle_timeout(IDLE_TIME)
        // Cameras and switches send such lines, and browsers show their pages.
        .http1_ignore_invalid_headers_in_responses(true)
        // Status checks say when a certificate ends.
        .tls_info(true)
        .gzip(true)
        // The Brotli decoder allocates the window that the sender asks for before it outputs a byte: up to 1 GB for a
        // response of 1 KB. No limit on the output can prevent that, so Brotli is not supported.
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
