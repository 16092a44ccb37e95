//! HTTPS: starts if key and certificate exist, and loads a renewed certificate without a restart.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use axum::{
    Router,
    extract::Request,
    response::{IntoResponse as _, Redirect, Response},
};
use axum_server::tls_rustls::RustlsConfig;
use http::{StatusCode, header};
use rustls::pki_types::{CertificateDer, pem::PemObject as _};
use webpki::EndEntityCert;

use crate::{
    routes::{self, app_state::AppState},
    settings::{AllowedHosts, Settings, known_host},
};

/// Time between two checks of the certificate file.
const RENEWAL_LOOK: Duration = Duration::from_secs(60);

/// The current key and certificate.
#[derive(Clone)]
pub struct Tls {
    /// The configuration shared with the listeners.
    pub config: RustlsConfig,
    /// The names in the certificate.
    names: Arc<ArcSwap<AllowedHosts>>,
}

/// Key and certificate, if both files exist.
///
/// # Errors
///
/// The files exist but contain no usable key or certificate.
pub async fn load(settings: &Settings) -> io::Result<Option<Tls>> {
    if !settings.private_key.exists() || !settings.certificate.exists() {
        return Ok(None);
    }
    let config = RustlsConfig::from_pem_file(&settings.certificate, &settings.private_key).await.map_err(|error| {
        io::Error::new(error.kind(), format!("the certificate or private key for HTTPS cannot be used: {error}"))
    })?;
    let names = Arc::new(ArcSwap::from_pointee(names_in(&settings.certificate)));
    let tls = Tls { config, names };
    tokio::spawn(follow_renewals(tls.clone(), settings.certificate.clone(), settings.private_key.clone()));
    Ok(Some(tls))
}

/// The names in a certificate; empty if they cannot be read, since only redirects depend on them.
fn names_in(certificate: &Path) -> AllowedHosts {
    let first = CertificateDer::pem_file_iter(certificate).ok().and_then(|mut chain| chain.next()?.ok());
    let names = first.as_ref().and_then(|first| {
        let parsed = EndEntityCert::try_from(first).ok()?;
        Some(parsed.valid_dns_names().collect::<Vec<_>>().join(","))
    });
    names.and_then(|names| AllowedHosts::read(&names).ok()).unwrap_or_default()
}

async fn follow_renewals(tls: Tls, certificate: PathBuf, key: PathBuf) {
    let stamp = |path: PathBuf| async move { tokio::fs::metadata(path).await.and_then(|file| file.modified()).ok() };
    let mut known = stamp(certificate.clone()).await;
    loop {
        tokio::time::sleep(RENEWAL_LOOK).await;
        let now = stamp(certificate.clone()).await;
        if now.is_none() || now == known {
            continue;
        }
        match tls.config.reload_from_pem_file(&certificate, &key).await {
            Ok(()) => {
                tls.names.store(Arc::new(names_in(&certificate)));
                tracing::info!("the certificate for HTTPS was renewed");
            }
            // The key may follow a moment later; the next check tries again.
            Err(error) => {
                tracing::warn!("the renewed certificate for HTTPS cannot be used: {error}");
                continue;
            }
        }
        known = now;
    }
}

/// Redirects all requests except the health check to the same address on HTTPS.
pub fn redirect_router(portico: Arc<AppState>, tls: Tls) -> Router {
    routes::health_router(Arc::clone(&portico))
        .fallback(move |request: Request| async move { redirect(&request, &portico.settings, &tls.names.load()) })
}

/// Redirects only to our own hosts: otherwise anyone could name another host in a request, and have a cache or a user
/// sent there.
fn redirect(request: &Request, settings: &Settings, certified: &AllowedHosts) -> Response {
    let mut named = request.headers().get_all(header::HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let (Some(authority), None) = (named.next(), named.next()) else {
        return (StatusCode::BAD_REQUEST, "the request must name one host\n").into_response();
    };
    let host = match known_host(settings, authority) {
        Ok(host) => host.to_string(),
        Err(unknown) => match unknown.name().filter(|name| certified.contain(name)) {
            Some(name) => name.to_owned(),
            None => return (StatusCode::MISDIRECTED_REQUEST, format!("{unknown}\n")).into_response(),
        },
    };
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let port = if settings.ssl_port == 443 { String::new() } else { format!(":{}", settings.ssl_port) };
    Redirect::permanent(&format!("https://{host}{port}{path}")).into_response()
}
