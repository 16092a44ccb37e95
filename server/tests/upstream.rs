//! A service on loopback that says what a test wants, and counts how often it is asked.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{Router, body::Body, extract::Request, response::Response};
use http::{StatusCode, header};
use tokio::net::TcpListener;

/// What the service does with a request.
#[derive(Clone, Debug)]
pub enum Manner {
    /// Answers with this status, these headers and this body.
    Says(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Complains about the request, and repeats all of it.
    Repeats,
    /// Takes the request and never answers.
    Hangs,
}

/// A running service. It ends with the runtime of its test.
#[derive(Clone)]
pub struct Upstream {
    address: SocketAddr,
    count: Arc<AtomicUsize>,
    manner: Arc<Mutex<Manner>>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Manner {
    pub fn json(body: &str) -> Self {
        Self::Says(200, vec![("content-type", "application/json".to_owned())], body.as_bytes().to_vec())
    }

    pub fn fails(status: u16) -> Self {
        Self::Says(status, Vec::new(), b"{}".to_vec())
    }
}

impl Upstream {
    pub async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = Self {
            address: listener.local_addr().unwrap(),
            count: Arc::default(),
            manner: Arc::new(Mutex::new(manner)),
            heard: Arc::default(),
        };
        let service = upstream.clone();
        let answer = move |request: Request| {
            let service = service.clone();
            async move { service.answer(request).await }
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        upstream
    }

    async fn answer(&self, request: Request) -> Response {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.heard.lock().unwrap().push(format!("{} {} {:?}", request.method(), request.uri(), request.headers()));
        let manner = self.manner.lock().unwrap().clone();
        match manner {
            Manner::Says(status, headers, body) => {
                let mut response = Response::builder().status(StatusCode::from_u16(status).unwrap());
                for (name, value) in headers {
                    response = response.header(name, value);
                }
                response.header(header::CONNECTION, "close").body(Body::from(body)).unwrap()
            }
            Manner::Repeats => {
                let (parts, body) = request.into_parts();
                let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
                let all = format!("{} {:?} {}", parts.uri, parts.headers, String::from_utf8_lossy(&body));
                let body = serde_json::json!({ "error": all, "message": all, "state": all }).to_string();
                let response = Response::builder().status(400).header("x-echo", parts.uri.to_string());
                response.header(header::CONNECTION, "close").body(Body::from(body)).unwrap()
            }
            Manner::Hangs => std::future::pending().await,
        }
    }

    /// The full address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// What it was sent, one line a request.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    pub fn now(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }
}
