//! Encryption, and the certificates that are trusted.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::CryptoProvider,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use rustls_platform_verifier::Verifier;

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

    pub(super) fn get(&self) -> Result<Arc<ClientConfig>, rustls::Error> {
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(client_config(&self.extra)?);
        Ok(Arc::clone(self.made.get_or_init(|| made)))
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
