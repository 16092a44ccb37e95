//! The API of an engine, played by a small server on a Unix socket: lists, events, and connections that are cut.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use config::model::{DiscoverySource, EngineAddress};
use discovery::{
    Change, SourceSettings,
    engine::{Engine, follow},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{UnixListener, UnixStream},
    sync::{broadcast, mpsc},
};

/// What the server says.
#[derive(Default)]
struct Said {
    containers: Vec<Value>,
    /// Paths that are refused, as by a proxy.
    refused: Vec<&'static str>,
    /// The requests so far.
    requests: Vec<String>,
}

/// How often the services of a Swarm are listed, and a bit.
const TASKS_PERIOD: Duration = Duration::from_secs(16);

struct FakeEngine {
    said: Arc<Mutex<Said>>,
    /// Text for all streams of events; an empty one cuts them.
    events: broadcast::Sender<String>,
    source: DiscoverySource,
    _folder: tempfile::TempDir,
}

impl FakeEngine {
    fn start() -> Self {
        _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("docker.sock");
        let said = Arc::new(Mutex::new(Said::default()));
        let (events, _) = broadcast::channel(100);
        let listener = UnixListener::bind(&path).unwrap();
        tokio::spawn(serve(listener, Arc::clone(&said), events.clone()));
        Self { said, events, source: at(&path), _folder: folder }
    }

    fn engine(&self) -> Engine {
        Engine::new(&self.source, &SourceSettings::default()).unwrap()
    }

    fn set(&self, names: &[&str]) {
        let container =
            |name: &&str| json!({ "Id": format!("id-{name}"), "Names": [format!("/{name}")], "Labels": {} });
        self.said.lock().unwrap().containers = names.iter().map(container).collect();
    }

    fn event(&self, name: &str) {
        let event = json!({ "Type": "container", "Action": "start", "Actor": { "ID": format!("id-{name}") } });
        self.events.send(format!("{event}\n")).unwrap();
    }

    fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.said.lock().unwrap().requests)
    }
}

fn at(path: &Path) -> DiscoverySource {
    let url = EngineAddress::Socket(path.display().to_string());
    DiscoverySource { url, ..DiscoverySource::default() }
}

async fn serve(listener: UnixListener, said: Arc<Mutex<Said>>, events: broadcast::Sender<String>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (said, events) = (Arc::clone(&said), events.subscribe());
        tokio::spawn(async move { respond(stream, &said, events).await });
    }
}

async fn respond(mut stream: UnixStream, said: &Mutex<Said>, mut events: broadcast::Receiver<String>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return };
        head.push(byte);
    }
    let head = String::from_utf8(head).unwrap();
    let request = head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
    let (path, query) = request.trim_start_matches("GET ").split_once('?').unwrap_or_default();
    let (status, body) = {
        let mut said = said.lock().unwrap();
        said.requests.push(request.clone());
        let id =
            |element: &Value| element.get("Id").or_else(|| element.get("ID")).unwrap().as_str().unwrap().to_owned();
        let wanted = |element: &&Value| !query.contains("filters=") || query.contains(&id(element));
        let containers: Vec<&Value> = said.containers.iter().filter(wanted).collect();
        if said.refused.contains(&path) { (403, String::new()) } else { (200, json!(containers).to_string()) }
    };
    if path == "/events" && status == 200 {
        if stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await.is_err() {
            return;
        }
        while let Ok(text) = events.recv().await {
            let chunk = format!("{:x}\r\n{text}\r\n", text.len());
            // Cut without the last chunk, as a proxy does after its time limit.
            if text.is_empty() || stream.write_all(chunk.as_bytes()).await.is_err() {
                return;
            }
        }
        return;
    }
    let response = format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    _ = stream.write_all(response.as_bytes()).await;
}

/// Follows in the background; each change arrives as the names of containers, or as the reason of a loss.
fn followed(engine: Engine) -> mpsc::UnboundedReceiver<Result<Vec<String>, String>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        follow(&engine, |change| {
            sender
                .send(match change {
                    Change::Listed(list) => {
                        Ok(list.resources.into_iter().map(|resource| resource.unwrap().name).collect())
                    }
                    Change::Lost(reason, _) => Err(reason),
                })
                .is_ok()
        })
        .await;
    });
    receiver
}

#[tokio::test]
async fn changes_are_followed_by_events_and_only_changed_containers_are_listed() {
    let fake = FakeEngine::start();
    fake.set(&["a", "b"]);
    let mut changes = followed(fake.engine());
    assert_eq!(changes.recv().await.unwrap().unwrap(), ["a", "b"]);
    let first = fake.requests();
    assert_eq!(first.len(), 2, "{first:?}");
    assert!(first[0].starts_with("GET /events?filters=") && first[1] == "GET /containers/json?all=1", "{first:?}");

    // Several events cause one request, for what they are about.
    fake.set(&["b", "c"]);
    for name in ["a", "c", "c"] {
        fake.event(name);
    }
    assert_eq!(changes.recv().await.unwrap().unwrap(), ["b", "c"]);
    let next = fake.requests();
    assert_eq!(next.len(), 1, "{next:?}");
    assert!(next[0].contains("id-a") && next[0].contains("id-c") && !next[0].contains("id-b"), "{next:?}");
}

#[tokio::test]
async fn a_cut_stream_causes_a_new_list() {
    let fake = FakeEngine::start();
    fake.set(&["a"]);
    let mut changes = followed(fake.engine());
    assert_eq!(changes.recv().await.unwrap().unwrap(), ["a"]);
    fake.set(&["a", "b"]);
    // Half an event, and then nothing.
    fake.events.send("{\"Actor\":".to_owned()).unwrap();
    fake.events.send(String::new()).unwrap();
    changes.recv().await.unwrap().unwrap_err();
    assert_eq!(changes.recv().await.unwrap().unwrap(), ["a", "b"]);
    fake.set(&[]);
    fake.event("a");
    assert_eq!(changes.recv().await.unwrap().unwrap(), ["b"]);
}

/// Lets time pass without waiting.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// Whether nothing changes for a moment.
async fn is_quiet(changes: &mut mpsc::UnboundedReceiver<Result<Vec<String>, String>>) -> bool {
    tokio::time::timeout(Duration::from_millis(500), changes.recv()).await.is_err()
}

#[tokio::test]
async fn the_tasks_of_a_swarm_are_counted_again_although_they_have_no_events() {
    let mut fake = FakeEngine::start();
    fake.source.swarm = true;
    let service = |name: &str, running: Option<u32>| {
        let status = running.map(|running| json!({ "RunningTasks": running, "DesiredTasks": 3 }));
        // A change of the name shows in the list of names.
        let name = format!("{name}-{}", running.unwrap_or(9));
        json!({ "ID": format!("id-{}", &name[..1]), "Spec": { "Name": name, "Labels": {} }, "ServiceStatus": status })
    };
    let set = |services: &[Value]| fake.said.lock().expect("nobody panics").containers = services.to_vec();
    set(&[service("a", Some(1)), service("b", Some(3))]);
    let mut changes = followed(fake.engine());
    let mut next = async || {
        let change = tokio::time::timeout(Duration::from_secs(10), changes.recv()).await;
        change.expect("it comes soon").expect("it goes on").expect("it is listed")
    };
    assert_eq!(next().await, ["a-1", "b-3"]);
    assert_eq!(fake.requests()[1], "GET /services?status=true");

    // An event lists only its service.
    set(&[service("a", Some(2)), service("b", Some(2))]);
    fake.event("a");
    assert_eq!(next().await, ["a-2", "b-3"]);
    let requests = fake.requests();
    assert!(requests.len() == 1 && requests[0].starts_with("GET /services?status=true&filters="), "{requests:?}");
    // After a while all of them are listed, which is no change if nothing has changed.
    pass(TASKS_PERIOD).await;
    assert_eq!(next().await, ["a-2", "b-2"]);
    assert_eq!(fake.requests(), ["GET /services?status=true"]);
    pass(TASKS_PERIOD).await;
    assert!(is_quiet(&mut changes).await);
    assert_eq!(fake.requests(), ["GET /services?status=true"]);

    // An engine that does not count tasks is not asked again.
    let mut old = FakeEngine::start();
    old.source.swarm = true;
    old.said.lock().expect("nobody panics").containers = vec![service("a", None)];
    let mut changes = followed(old.engine());
    assert_eq!(changes.recv().await.expect("it goes on"), Ok(vec!["a-9".to_owned()]));
    old.requests();
    pass(TASKS_PERIOD).await;
    assert!(is_quiet(&mut changes).await);
    assert_eq!(old.requests(), [""; 0]);
}

#[tokio::test]
async fn what_a_proxy_does_not_allow_is_named() {
    let fake = FakeEngine::start();
    fake.set(&["a"]);
    fake.said.lock().unwrap().refused = vec!["/events"];
    let mut changes = followed(fake.engine());
    assert_eq!(changes.recv().await.unwrap().unwrap(), ["a"]);
    let reason = changes.recv().await.unwrap().unwrap_err();
    assert!(reason.contains("`GET /events` is not allowed (status 403)") && reason.contains("EVENTS=1"), "{reason}");
    fake.said.lock().unwrap().refused = vec!["/containers/json"];
    let reason = fake.engine().list().await.unwrap_err().to_string();
    assert!(reason.contains("CONTAINERS=1"), "{reason}");
    // Nothing but reading.
    let requests = fake.requests();
    assert!(requests.iter().all(|request| request.starts_with("GET ")), "{requests:?}");
}

#[tokio::test]
async fn an_engine_that_cannot_be_reached_says_why() {
    let folder = tempfile::tempdir().unwrap();
    _ = rustls::crypto::ring::default_provider().install_default();
    let engine = Engine::new(&at(&folder.path().join("none")), &SourceSettings::default()).unwrap();
    let reason = engine.list().await.unwrap_err().to_string();
    assert!(reason.contains("there is no socket") && reason.contains("none"), "{reason}");

    let closed = folder.path().join("closed");
    drop(std::os::unix::net::UnixListener::bind(&closed).unwrap());
    let engine = Engine::new(&at(&closed), &SourceSettings::default()).unwrap();
    let reason = engine.list().await.unwrap_err().to_string();
    assert!(reason.contains("nothing listens at the socket") && reason.contains("start Docker"), "{reason}");

    let mut source = at(folder.path());
    source.url = EngineAddress::parse("tcp://127.0.0.1:1").unwrap();
    let engine = Engine::new(&source, &SourceSettings::default()).unwrap();
    let reason = engine.list().await.unwrap_err().to_string();
    assert!(reason.contains("check host and port in `url`"), "{reason}");

    source.url = EngineAddress::parse("https://127.0.0.1:1").unwrap();
    source.tls.ca_file = Some("ca.pem".to_owned());
    let settings = SourceSettings { folder: folder.path().to_owned(), ..SourceSettings::default() };
    let reason = Engine::new(&source, &settings).unwrap_err().to_string();
    assert!(reason.contains("`ca.pem` cannot be read"), "{reason}");
    std::fs::write(folder.path().join("ca.pem"), "text").unwrap();
    let reason = Engine::new(&source, &settings).unwrap_err().to_string();
    assert!(reason.contains("`ca.pem` is not a certificate"), "{reason}");
}
