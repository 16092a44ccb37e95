//! Messages that a service pushes: open pages are told at once, and only while there are any.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body, extract::Request, response::Response};
use bytes::Bytes;
use http::StatusCode;
use serde_json::json;
use tokio::{
    net::TcpListener,
    sync::broadcast,
    time::{Instant, sleep},
};

use crate::{
    status_checks::Tab,
    world::{Setup, World},
};

const PANEL: &str = "/fn/panel?page=home&section=0&widget=0&kind=message-stream";

/// A service with the protocol of ntfy: one response with all messages, or one that goes on with those to come.
#[derive(Clone)]
struct Messages {
    stored: Arc<Mutex<Vec<String>>>,
    sent: broadcast::Sender<Option<String>>,
    polls: Arc<AtomicUsize>,
    opened: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
    status: Arc<Mutex<StatusCode>>,
    url: String,
}

/// Counts a stream as open until it is dropped.
struct Opened(Arc<AtomicUsize>);

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Messages {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let messages = Self {
            stored: Arc::default(),
            sent: broadcast::Sender::new(16),
            polls: Arc::default(),
            opened: Arc::default(),
            open: Arc::default(),
            status: Arc::new(Mutex::new(StatusCode::OK)),
            url,
        };
        let service = messages.clone();
        let router = Router::new().fallback(move |request: Request| std::future::ready(service.answer(&request)));
        tokio::spawn(async move { axum::serve(listener, router).await });
        messages
    }

    fn answer(&self, request: &Request) -> Response {
        let query = request.uri().query().unwrap_or_default();
        assert_eq!(request.uri().path(), "/backups/json");
        assert_eq!(request.headers()["authorization"], "Bearer tk_1234");
        if query.contains("poll=1") {
            self.polls.fetch_add(1, Ordering::SeqCst);
            return Response::new(Body::from(self.stored.lock().unwrap().concat()));
        }
        self.opened.fetch_add(1, Ordering::SeqCst);
        let status = *self.status.lock().unwrap();
        if !status.is_success() {
            return Response::builder().status(status).body(Body::from("{}\n")).unwrap();
        }
        self.open.fetch_add(1, Ordering::SeqCst);
        let begin = (Some("{\"event\":\"open\"}\n".to_owned()), self.sent.subscribe(), Opened(Arc::clone(&self.open)));
        let stream = futures_util::stream::unfold(begin, |(first, mut sent, opened)| async move {
            let line = match first {
                Some(line) => line,
                None => sent.recv().await.ok()??,
            };
            Some((Ok::<_, std::io::Error>(Bytes::from(line)), (None, sent, opened)))
        });
        Response::new(Body::from_stream(stream))
    }

    fn publish(&self, text: &str) {
        let message = json!({ "event": "message", "time": 1_795_251_600, "topic": "backups", "message": text });
        let line = format!("{message}\n");
        self.stored.lock().unwrap().push(line.clone());
        _ = self.sent.send(Some(line));
    }

    async fn world(&self) -> World {
        let options = json!({ "host": self.url, "topic": "backups", "token": "tk_1234" });
        let page = format!(
            "sections:\n  - name: Home\n    widgets:\n      - {{ type: ntfy-stream, updateInterval: 3600, options: {options} }}\n"
        );
        Setup::new().file("conf.yml", page).start().await
    }

    async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !holds(self) {
            assert!(began.elapsed() < Duration::from_secs(30), "{what}");
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The panel, as soon as it contains a text.
async fn panel_with(world: &World, text: &str) {
    for _ in 0..100 {
        let answer = world.get(PANEL).await.expect_status(200).json();
        if answer["html"].as_str().is_some_and(|html| html.contains(text)) {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("the panel never contains {text}");
}

#[tokio::test]
async fn a_message_reaches_open_pages_when_it_is_sent() {
    let messages = Messages::start().await;
    messages.publish("first");
    let world = messages.world().await;
    panel_with(&world, "first").await;
    assert_eq!(messages.opened.load(Ordering::SeqCst), 0, "no page is open");

    let mut tab = Tab::open(&world, "/events?page=home", None).await;
    let mut other = Tab::open(&world, "/events?page=home", None).await;
    // The beginning of the stream, for what was sent before it.
    assert_eq!(tab.wait_for("panel").await, "widget-0-0");
    panel_with(&world, "first").await;
    messages.publish("second");
    assert_eq!(tab.wait_for("panel").await, "widget-0-0");
    panel_with(&world, "second").await;
    assert_eq!(other.wait_for("panel").await, "widget-0-0");
    assert_eq!(messages.opened.load(Ordering::SeqCst), 1, "all pages share one stream");

    // Signs of life cost nothing.
    sleep(Duration::from_millis(1500)).await;
    world.get(PANEL).await.expect_status(200);
    sleep(Duration::from_millis(500)).await;
    let polls = messages.polls.load(Ordering::SeqCst);
    _ = messages.sent.send(Some("{\"event\":\"keepalive\"}\n".to_owned()));
    sleep(Duration::from_millis(1500)).await;
    world.get(PANEL).await.expect_status(200);
    assert_eq!(messages.polls.load(Ordering::SeqCst), polls);

    drop(tab);
    drop(other);
    messages.until("the stream ends with the last page", |messages| messages.open.load(Ordering::SeqCst) == 0).await;
}

#[tokio::test]
async fn a_stream_that_ends_is_opened_again() {
    let messages = Messages::start().await;
    let world = messages.world().await;
    let mut tab = Tab::open(&world, "/events?page=home", None).await;
    tab.wait_for("panel").await;
    messages.until("open", |messages| messages.open.load(Ordering::SeqCst) == 1).await;
    _ = messages.sent.send(None);
    messages.until("closed", |messages| messages.open.load(Ordering::SeqCst) == 0).await;
    // Nobody reads it now.
    messages.publish("meanwhile");
    messages.until("opened again", |messages| messages.opened.load(Ordering::SeqCst) == 2).await;
    tab.wait_for("panel").await;
    panel_with(&world, "meanwhile").await;
}

#[tokio::test]
async fn a_refusal_is_not_repeated_at_once() {
    let messages = Messages::start().await;
    *messages.status.lock().unwrap() = StatusCode::FORBIDDEN;
    let world = messages.world().await;
    let _tab = Tab::open(&world, "/events?page=home", None).await;
    messages.until("opened", |messages| messages.opened.load(Ordering::SeqCst) > 0).await;
    sleep(Duration::from_millis(900)).await;
    assert_eq!(messages.opened.load(Ordering::SeqCst), 1, "the first wait is a second or longer");
}
