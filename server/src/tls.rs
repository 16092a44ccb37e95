//! HTTPS: starts when key and certificate exist, and takes a renewed certificate without a restart.

use std::{io, path::PathBuf, time::Duration};

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse as _, Redirect, Response},
};
use axum_server::tls_rustls::RustlsConfig;
use http::{StatusCode, header, uri::Authority};

use crate::settings::Settings;

/// Time between two looks at the certificate file.
const RENEWAL_LOOK: Duration = Duration::from_secs(60);

/// Key and certificate, if both files exist.
///
/// # Errors
///
/// The files exist but hold no usable key or certificate.
pub async fn load(settings: &Settings) -> io::Result<Option<RustlsConfig>> {
    if !settings.private_key.exists() || !settings.certificate.exists() {
        return Ok(None);
    }
    let config = RustlsConfig::from_pem_file(&settings.certificate, &settings.private_key).await.map_err(|error| {
        io::Error::new(error.kind(), format!("the certificate or private key for HTTPS cannot be used: {error}"))
    })?;
    tokio::spawn(follow_renewals(config.clone(), settings.certificate.clone(), settings.private_key.clone()));
    Ok(Some(config))
}

async fn follow_renewals(config: RustlsConfig, certificate: PathBuf, key: PathBuf) {
    let stamp = |path: PathBuf| async move { tokio::fs::metadata(path).await.and_then(|file| file.modified()).ok() };
    let mut known = stamp(certificate.clone()).await;
    loop {
        tokio::time::sleep(RENEWAL_LOOK).await;
        let now = stamp(certificate.clone()).await;
        if now.is_none() || now == known {
            continue;
        }
        match config.reload_from_pem_file(&certificate, &key).await {
            Ok(()) => tracing::info!("the certificate for HTTPS was renewed"),
            // The key may follow a moment later: the next look tries again.
            Err(error) => {
                tracing::warn!("the renewed certificate for HTTPS cannot be used: {error}");
                continue;
            }
        }
        known = now;
    }
}

/// Answers everything but the health check with the same address on HTTPS.
pub fn redirect_router(health: Router, https_port: u16) -> Router {
    health.fallback(move |request: Request| async move { redirect(&request, https_port) })
}

fn redirect(request: &Request, https_port: u16) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(authority) = host.and_then(|host| host.parse::<Authority>().ok()) else {
        return (StatusCode::BAD_REQUEST, "the request names no host\n").into_response();
    };
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let port = if https_port == 443 { String::new() } else { format!(":{https_port}") };
    Redirect::permanent(&format!("https://{}{port}{path}", authority.host())).into_response()
}
