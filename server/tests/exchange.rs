//! A request to a server in memory, and its response.

use std::net::{IpAddr, SocketAddr};

use axum::{Router, body::Body, extract::ConnectInfo};
use http::{HeaderMap, HeaderName, Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt as _;

/// A request under construction.
pub struct TestRequest {
    router: Router,
    request: http::request::Builder,
    body: Option<String>,
    json: bool,
    peer: Option<IpAddr>,
}

impl TestRequest {
    pub fn new(router: Router, method: &str, path: &str) -> Self {
        Self { router, request: Request::builder().method(method).uri(path), body: None, json: true, peer: None }
    }

    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.body = Some(body.into());
        self
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    /// Omits `Content-Type`.
    pub fn untyped(mut self) -> Self {
        self.json = false;
        self
    }

    pub fn basic(self, credentials: &str) -> Self {
        use base64::Engine as _;
        let credentials = base64::engine::general_purpose::STANDARD.encode(credentials);
        self.header("authorization", &format!("Basic {credentials}"))
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn peer(mut self, address: &str) -> Self {
        self.peer = Some(address.parse().unwrap());
        self
    }

    pub async fn send(self) -> Reply {
        let mut request = self.request;
        if self.json && self.body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let mut request = request.body(self.body.map_or_else(Body::empty, Body::from)).unwrap();
        if let Some(peer) = self.peer {
            request.extensions_mut().insert(ConnectInfo(SocketAddr::new(peer, 40_000)));
        }
        // A connection waits for the network here. Without that, a loop of requests that never wait would starve the tasks
        // that they wake.
        tokio::task::yield_now().await;
        let response = self.router.oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Reply { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    #[track_caller]
    pub fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// A header as text; empty if it is missing.
    pub fn header(&self, name: &str) -> String {
        let name: HeaderName = name.parse().unwrap();
        let values: Vec<&str> = self.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
        values.join(", ")
    }

    /// Checks that this is a failure in the common form, and returns its message.
    #[track_caller]
    pub fn expect_failure(self, status: u16) -> String {
        let reply = self.expect_status(status);
        let body = reply.json();
        assert_eq!(reply.header("content-type"), "application/json; charset=utf-8");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(body["success"], false);
        for key in body.as_object().unwrap().keys() {
            assert!(matches!(key.as_str(), "success" | "message" | "errors"), "{key}");
        }
        let message = body["message"].as_str().unwrap().to_owned();
        assert!(!message.is_empty() && !message.contains("/tmp"), "{message}");
        message
    }
}
