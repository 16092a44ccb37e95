//! Connections for protocols other than HTTP that the caller speaks itself, such as SMTP. The guards of all requests apply, and
//! encryption trusts the same certificates.

use std::{
    io,
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::CryptoProvider,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use rustls_platform_verifier::Verifier;
use tokio::{
    net::TcpStream,
    time::{error::Elapsed, timeout},
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::{DirectTarget, HttpClient, HttpClientError, TlsProblem, direct, runtime};

/// The settings of encrypted connections, created when they are first needed.
#[derive(Debug)]
pub(super) struct TlsSettings {
    /// Certificates that are trusted besides those of the system.
    extra: Vec<CertificateDer<'static>>,
    made: OnceLock<Arc<ClientConfig>>,
}

impl TlsSettings {
    /// `extra` is a file with certificates that are trusted besides those of the system.
    pub fn new(extra: Option<&Path>) -> Self {
        Self { extra: certificates(extra), made: OnceLock::new() }
    }

    fn get(&self) -> Result<Arc<ClientConfig>, rustls::Error> {
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(client_config(&self.extra)?);
        Ok(Arc::clone(self.made.get_or_init(|| made)))
    }
}

impl HttpClient {
    /// Opens a TCP connection.
    ///
    /// # Errors
    ///
    /// The guards refuse the host or port, or the connection is not accepted in time.
    pub async fn open(&self, target: DirectTarget, port: u16, limit: Duration) -> Result<TcpStream, HttpClientError> {
        let inner = Arc::clone(&self.inner);
        let work = async move { direct::connect(&inner, &target, port, limit).await.map(|(stream, _)| stream) };
        runtime::run(self.inner.runtime.as_ref(), work).await
    }

    /// Encrypts a connection with TLS. The certificate must be made for this host.
    ///
    /// # Errors
    ///
    /// The certificate is not trusted, or the other side does not speak TLS.
    pub async fn encrypt(
        &self,
        stream: TcpStream,
        host: &str,
        limit: Duration,
    ) -> Result<TlsStream<TcpStream>, HttpClientError> {
        let failed = |problem| HttpClientError::Tls { host: host.to_owned(), problem };
        let config = self.inner.tls.get().map_err(|_| failed(TlsProblem::Handshake))?;
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned());
        let name = name.map_err(|_| HttpClientError::BadAddress { problem: "it has no valid host".to_owned() })?;
        match timeout(limit, TlsConnector::from(config).connect(name, stream)).await {
            Ok(Ok(encrypted)) => Ok(encrypted),
            Ok(Err(error)) => Err(failed(problem_of(&error))),
            Err(Elapsed { .. }) => Err(HttpClientError::TimedOut { host: host.to_owned(), after: limit }),
        }
    }
}

fn problem_of(error: &io::Error) -> TlsProblem {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    match cause {
        Some(rustls::Error::InvalidCertificate(_)) => TlsProblem::Certificate,
        _ => TlsProblem::Handshake,
    }
}

/// The additional certificates of the administrator. The file has been checked at the start of the program.
fn certificates(extra: Option<&Path>) -> Vec<CertificateDer<'static>> {
    let found = extra.and_then(|path| CertificateDer::pem_file_iter(path).ok());
    found.into_iter().flatten().flatten().collect()
}

/// The settings of encrypted connections that are not to services, such as those to the database. `extra` is a file with
/// certificates that are trusted besides those of the system.
///
/// # Errors
///
/// The program has no cryptography.
pub fn tls_config(extra: Option<&Path>) -> Result<ClientConfig, rustls::Error> {
    client_config(&certificates(extra))
}

/// Trusts the system's certificates and the extra ones; without any of the system, bundled ones.
fn client_config(extra: &[CertificateDer<'static>]) -> Result<ClientConfig, rustls::Error> {
    let provider = CryptoProvider::get_default().ok_or_else(|| rustls::Error::General("no provider".to_owned()))?;
    let builder = ClientConfig::builder_with_provider(Arc::clone(provider)).with_safe_default_protocol_versions()?;
    if let Ok(verifier) = Verifier::new_with_extra_roots(extra.iter().cloned(), Arc::clone(provider)) {
        let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
        return Ok(builder.with_no_client_auth());
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().chain(extra).cloned());
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
