//! A service on loopback, which counts its requests and whose responses a test controls.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{Router, body::Body, extract::Request, response::Response};
use axum_server::tls_rustls::RustlsConfig;
use http::{StatusCode, header};
use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use rcgen::{CertificateParams, CertifiedKey, KeyPair, generate_simple_self_signed};
use tokio::net::TcpListener;

/// How the service responds to a request.
#[derive(Clone, Debug)]
pub enum Behavior {
    /// Responds with this status, these headers and this body.
    Says(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Responds with this status, and echoes the request.
    Repeats(u16),
    /// Behaves in one way for each of these paths, and has nothing at others.
    ByPath(Vec<(&'static str, Behavior)>),
    /// Accepts the request and never responds.
    Hangs,
}

/// A running service. It ends with the runtime of its test.
#[derive(Clone)]
pub struct Upstream {
    address: SocketAddr,
    scheme: &'static str,
    count: Arc<AtomicUsize>,
    behavior: Arc<Mutex<Behavior>>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Behavior {
    pub fn json(body: &str) -> Self {
        Self::Says(200, vec![("content-type", "application/json".to_owned())], body.as_bytes().to_vec())
    }

    pub fn fails(status: u16) -> Self {
        Self::Says(status, Vec::new(), b"{}".to_vec())
    }
}

impl Upstream {
    pub async fn start(behavior: Behavior) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = Self::at(listener.local_addr().unwrap(), "http", behavior);
        let router = upstream.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        upstream
    }

    /// With an untrusted certificate, as self-hosted services have.
    pub async fn start_self_signed(behavior: Behavior) -> Self {
        Self::start_certified(generate_simple_self_signed(["nas.lan".to_owned()]).unwrap(), behavior).await
    }

    /// The same with a certificate that ends so many days from today.
    pub async fn start_with_days_left(days: i32, behavior: Behavior) -> Self {
        let end = Timestamp::now().to_zoned(TimeZone::UTC).date().checked_add(days.days()).unwrap();
        let mut parameters = CertificateParams::new(["nas.lan".to_owned()]).unwrap();
        parameters.not_after = rcgen::date_time_ymd(end.year().into(), end.month() as u8, end.day() as u8);
        let signing_key = KeyPair::generate().unwrap();
        let cert = parameters.self_signed(&signing_key).unwrap();
        Self::start_certified(CertifiedKey { cert, signing_key }, behavior).await
    }

    async fn start_certified(CertifiedKey { cert, signing_key }: CertifiedKey<KeyPair>, behavior: Behavior) -> Self {
        _ = rustls::crypto::ring::default_provider().install_default();
        let identity = (cert.pem().into_bytes(), signing_key.serialize_pem().into_bytes());
        let identity = RustlsConfig::from_pem(identity.0, identity.1).await.unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let upstream = Self::at(listener.local_addr().unwrap(), "https", behavior);
        let router = upstream.router().into_make_service();
        let server = axum_server::from_tcp_rustls(listener, identity).unwrap();
        tokio::spawn(async move { server.serve(router).await });
        upstream
    }

    fn at(address: SocketAddr, scheme: &'static str, behavior: Behavior) -> Self {
        Self { address, scheme, count: Arc::default(), behavior: Arc::new(Mutex::new(behavior)), heard: Arc::default() }
    }

    fn router(&self) -> Router {
        let service = self.clone();
        Router::new().fallback(move |request: Request| {
            let service = service.clone();
            async move { service.answer(request).await }
        })
    }

    async fn answer(&self, request: Request) -> Response {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.heard.lock().unwrap().push(format!("{} {} {:?}", request.method(), request.uri(), request.headers()));
        let mut behavior = self.behavior.lock().unwrap().clone();
        if let Behavior::ByPath(paths) = behavior {
            let found = paths.into_iter().find(|(path, _)| *path == request.uri().path());
            behavior = found.map_or_else(|| Behavior::fails(404), |(_, behavior)| behavior);
        }
        match behavior {
            Behavior::ByPath(_) => panic!("a path has one behavior"),
            Behavior::Says(status, headers, body) => {
                let mut response = Response::builder().status(StatusCode::from_u16(status).unwrap());
                for (name, value) in headers {
                    response = response.header(name, value);
                }
                response.header(header::CONNECTION, "close").body(Body::from(body)).unwrap()
            }
            Behavior::Repeats(status) => {
                let (parts, body) = request.into_parts();
                let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
                let all = format!("{} {:?} {}", parts.uri, parts.headers, String::from_utf8_lossy(&body));
                let body = serde_json::json!({ "error": all, "message": all, "state": all }).to_string();
                let response = Response::builder().status(status).header("x-echo", parts.uri.to_string());
                response.header(header::CONNECTION, "close").body(Body::from(body)).unwrap()
            }
            Behavior::Hangs => std::future::pending().await,
        }
    }

    /// The full address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// The received requests, one per line.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    pub fn now(&self, behavior: Behavior) {
        *self.behavior.lock().unwrap() = behavior;
    }
}
