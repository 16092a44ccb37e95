//! Encrypted connections: which certificates are trusted, and that nothing falls back to plain HTTP.

use std::fs;
use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;

use super::fixture::{Names, TestServer, get, http_client, ok, redirect, serve, with_local_names};
use crate::{
    http_client::{BlockReason, HttpClient, HttpClientError, SetupError, TlsProblem},
    settings::HttpClientSettings,
};

/// A certificate for `secure.test` as PEM, and a TLS server configuration that uses it.
fn identity() -> (String, TlsAcceptor) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["secure.test".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key).unwrap();
    (cert.pem(), TlsAcceptor::from(Arc::new(config)))
}

fn trusting(pem: &str) -> HttpClient {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    fs::write(&path, pem).unwrap();
    let settings = HttpClientSettings { extra_ca: Some(path), ..HttpClientSettings::default() };
    let answers: &[&str] = &["127.0.0.1"];
    http_client(settings, &Names::new(&[("secure.test", answers), ("wrong.test", answers)]))
}

fn tls(host: &str, problem: TlsProblem) -> HttpClientError {
    HttpClientError::Tls { host: host.into(), problem }
}

#[tokio::test]
async fn certificates_are_checked() {
    let (pem, acceptor) = identity();
    let site = TestServer::start_tls(acceptor, |_| ok("safe")).await;
    let url = format!("https://secure.test:{}/", site.port);

    let strangers = with_local_names(&["secure.test"]);
    let error = strangers.send(get(&url)).await.unwrap_err();
    assert_eq!(error, tls("secure.test", TlsProblem::Certificate));
    assert_eq!(error.to_string(), "secure.test uses a certificate that is not trusted");

    let mut insecure = get(&url);
    insecure.accept_invalid_certs = true;
    assert_eq!(&strangers.send(insecure).await.unwrap().body[..], b"safe");
    // The exception of one entry does not apply to others.
    assert_eq!(strangers.send(get(&url)).await.unwrap_err(), tls("secure.test", TlsProblem::Certificate));

    let friends = trusting(&pem);
    assert_eq!(&friends.send(get(&url)).await.unwrap().body[..], b"safe");
    let error = friends.send(get(format!("https://wrong.test:{}/", site.port))).await.unwrap_err();
    assert_eq!(error, tls("wrong.test", TlsProblem::Certificate));
}

#[tokio::test]
async fn a_plain_service_cannot_be_called_encrypted() {
    for greeting in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
        let port = serve(move |mut stream| async move {
            let _ = stream.read(&mut [0; 1024]).await;
            let _ = stream.write_all(greeting.as_bytes()).await;
        })
        .await;
        let error = with_local_names(&[]).send(get(format!("https://127.0.0.1:{port}/"))).await.unwrap_err();
        assert_eq!(error, tls("127.0.0.1", TlsProblem::Handshake));
    }
}

#[tokio::test]
async fn a_connection_that_never_becomes_ready_times_out() {
    let port = serve(|mut stream| async move {
        let _ = stream.read(&mut [0; 1024]).await;
        tokio::time::pause();
        std::future::pending::<()>().await;
    })
    .await;
    let error = with_local_names(&[]).send(get(format!("https://127.0.0.1:{port}/"))).await.unwrap_err();
    assert_eq!(error.to_string(), "127.0.0.1 could not be reached (no connection)");
}

#[tokio::test]
async fn no_redirect_leads_from_https_to_http() {
    let plain = TestServer::start(|_| ok("plain")).await;
    let location = format!("http://secure.test:{}/", plain.port);
    let (pem, acceptor) = identity();
    let site = TestServer::start_tls(acceptor, move |_| redirect("302 Found", &location)).await;
    let error = trusting(&pem).send(get(format!("https://secure.test:{}/", site.port))).await.unwrap_err();
    let reason = BlockReason::Downgrade;
    assert_eq!(error, HttpClientError::Blocked { host: "secure.test".into(), reason });
    assert!(plain.received().is_empty());
}

#[tokio::test]
async fn a_redirect_from_http_to_https_is_followed_without_secrets() {
    let (pem, acceptor) = identity();
    let secure = TestServer::start_tls(acceptor, |_| ok("safe")).await;
    let location = format!("https://secure.test:{}/", secure.port);
    let plain = TestServer::start(move |_| redirect("301 Moved Permanently", &location)).await;
    let request = get(format!("http://me:pass@secure.test:{}/", plain.port));
    assert_eq!(&trusting(&pem).send(request).await.unwrap().body[..], b"safe");
    assert!(plain.received()[0].header("authorization").is_some());
    assert_eq!(secure.received()[0].header("authorization"), None);
}

#[test]
fn a_file_of_certificates_must_hold_some() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    let settings = HttpClientSettings { extra_ca: Some(path.clone()), ..HttpClientSettings::default() };
    let missing = HttpClient::new(settings.clone()).unwrap_err();
    assert!(matches!(missing, SetupError::ExtraCaUnreadable { .. }), "{missing}");
    for text in ["", "not a certificate", "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n"] {
        fs::write(&path, text).unwrap();
        let error = HttpClient::new(settings.clone()).unwrap_err();
        assert!(matches!(error, SetupError::ExtraCaInvalid { .. }), "{text}: {error}");
    }
}
