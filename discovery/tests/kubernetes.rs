//! The API of Kubernetes, played by a small server: lists, watches, bookmarks, versions that are too old, and connections that
//! are cut.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use config::model::{ClusterAccess, DiscoverySource};
use discovery::{
    Change, Connection, ContainerState, Listing, SourceSettings, Surroundings, Usage, examine,
    kubernetes::{Pod, state_of},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{broadcast, mpsc},
};

const INGRESSES: &str = "/apis/networking.k8s.io/v1/ingresses";
const HTTP_ROUTES: &str = "/apis/gateway.networking.k8s.io/v1/httproutes";
const INGRESS_ROUTES: &str = "/apis/traefik.io/v1alpha1/ingressroutes";
const OLD_INGRESS_ROUTES: &str = "/apis/traefik.containo.us/v1alpha1/ingressroutes";
const PODS: &str = "/api/v1/namespaces/media/pods";
const SERVICES: &str = "/api/v1/namespaces/media/services";
const METRICS: &str = "/apis/metrics.k8s.io/v1beta1/namespaces/media/pods";

/// What the server says.
#[derive(Default)]
struct Said {
    /// The objects by the path of their list.
    objects: BTreeMap<String, Vec<Value>>,
    /// Statuses of paths that are refused.
    refused: BTreeMap<String, u16>,
    /// Watches from these versions are too old.
    expired: Vec<String>,
    version: u32,
    /// Paths, versions and lines of events so far.
    log: Vec<(String, u32, String)>,
    requests: Vec<String>,
}

impl Said {
    fn say(&mut self, events: &broadcast::Sender<(String, String)>, path: &str, kind: &str, object: &Value) {
        let line = json!({ "type": kind, "object": object }).to_string() + "\n";
        self.log.push((path.to_owned(), self.version, line.clone()));
        // Nobody may be watching yet.
        _ = events.send((path.to_owned(), line));
    }

    /// What a watch has missed since its version.
    fn missed(&self, path: &str, query: &str) -> Vec<String> {
        let since = query.rsplit_once("resourceVersion=").and_then(|(_, version)| version.parse().ok()).unwrap_or(0);
        let is_missed = |(of, version, _): &&(String, u32, String)| of == path && *version > since;
        self.log.iter().filter(is_missed).map(|(_, _, line)| line.clone()).collect()
    }
}

struct FakeCluster {
    said: Arc<Mutex<Said>>,
    /// A path, and a line for its watches; an empty one ends them, and `cut` breaks them.
    events: broadcast::Sender<(String, String)>,
    folder: tempfile::TempDir,
}

impl FakeCluster {
    async fn start() -> Self {
        _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (events, _) = broadcast::channel(100);
        let said = Arc::new(Mutex::new(Said { version: 100, ..Said::default() }));
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("token"), "first\n").unwrap();
        let user = json!({ "tokenFile": "token" });
        write_kubeconfig(folder.path(), json!({ "server": format!("http://127.0.0.1:{port}") }), user);
        let fake = Self { said: Arc::clone(&said), events: events.clone(), folder };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (said, events) = (Arc::clone(&said), events.clone());
                tokio::spawn(async move { respond(stream, &said, &events).await });
            }
        });
        fake
    }

    /// Adds or replaces an object, and says so to those who watch.
    fn put(&self, path: &str, object: &Value) {
        let mut said = self.said.lock().unwrap();
        said.version += 1;
        let mut object = object.clone();
        object["metadata"]["resourceVersion"] = said.version.to_string().into();
        let all = said.objects.entry(path.to_owned()).or_default();
        let old = all.iter().position(|one| one["metadata"]["name"] == object["metadata"]["name"]);
        let kind = if old.is_some() { "MODIFIED" } else { "ADDED" };
        match old {
            Some(at) => all[at] = object.clone(),
            None => all.push(object.clone()),
        }
        said.say(&self.events, path, kind, &object);
    }

    fn remove(&self, path: &str, name: &str) {
        let mut said = self.said.lock().unwrap();
        let all = said.objects.get_mut(path).unwrap();
        let at = all.iter().position(|one| one["metadata"]["name"] == name).unwrap();
        let object = all.remove(at);
        said.version += 1;
        said.say(&self.events, path, "DELETED", &object);
    }

    fn say(&self, path: &str, kind: &str, object: &Value) {
        self.said.lock().unwrap().say(&self.events, path, kind, object);
    }

    fn connection(&self, source: DiscoverySource) -> Connection {
        connect(self.folder.path(), source).unwrap()
    }

    fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.said.lock().unwrap().requests)
    }
}

fn write_kubeconfig(folder: &Path, cluster: Value, user: Value) {
    let config = json!({
        "apiVersion": "v1",
        "clusters": [{ "name": "home", "cluster": cluster }],
        "users": [{ "name": "me", "user": user }],
        "contexts": [{ "name": "here", "context": { "cluster": "home", "user": "me" } }],
        "current-context": "here",
    });
    std::fs::write(folder.join("kubeconfig.yml"), config.to_string()).unwrap();
}

fn source() -> DiscoverySource {
    let kubernetes = Some(ClusterAccess::Kubeconfig("kubeconfig.yml".to_owned()));
    DiscoverySource { kubernetes, ..DiscoverySource::default() }
}

fn connect(folder: &Path, source: DiscoverySource) -> Result<Connection, String> {
    let settings = SourceSettings { folder: folder.to_owned(), ..SourceSettings::default() };
    Connection::new(&source, &settings).map_err(|error| error.to_string())
}

async fn respond(mut stream: TcpStream, said: &Mutex<Said>, events: &broadcast::Sender<(String, String)>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return };
        head.push(byte);
    }
    let head = String::from_utf8(head).unwrap();
    let token = head.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap_or("none").to_owned();
    let request = head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
    let (path, query) = request.trim_start_matches("GET ").split_once('?').unwrap_or_default();
    let is_watch = query.contains("watch=1");
    let (status, body, missed, mut events) = {
        let mut said = said.lock().unwrap();
        said.requests.push(format!("{request} {token}"));
        let items = said.objects.get(path).cloned().unwrap_or_default();
        let list = json!({ "metadata": { "resourceVersion": said.version.to_string() }, "items": items });
        let is_old =
            is_watch && said.expired.iter().any(|version| query.ends_with(&format!("resourceVersion={version}")));
        let (status, body) = match said.refused.get(path) {
            Some(status) => (*status, String::new()),
            None if is_old => (410, String::new()),
            None => (200, list.to_string()),
        };
        (status, body, said.missed(path, query), events.subscribe())
    };
    if !is_watch || status != 200 {
        let head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
        _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
        return;
    }
    _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    for line in missed {
        _ = stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).await;
    }
    while let Ok((of, line)) = events.recv().await {
        if of != path && !of.is_empty() {
            continue;
        }
        match line.as_str() {
            "cut" => return,
            "" => {
                _ = stream.write_all(b"0\r\n\r\n").await;
                return;
            }
            line => {
                let chunk = format!("{:x}\r\n{line}\r\n", line.len());
                if stream.write_all(chunk.as_bytes()).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Follows in the background.
fn followed(connection: Connection) -> mpsc::UnboundedReceiver<Result<Listing, String>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let changed = |change| {
            let change = match change {
                Change::Listed(listing) => Ok(listing),
                Change::Lost(reason, _) => Err(reason),
            };
            sender.send(change).is_ok()
        };
        connection.follow(changed).await;
    });
    receiver
}

/// The next change with what is wanted.
async fn until(
    changes: &mut mpsc::UnboundedReceiver<Result<Listing, String>>,
    is_wanted: impl Fn(&Result<Listing, String>) -> bool,
) -> Result<Listing, String> {
    let wait = async {
        loop {
            let change = changes.recv().await.unwrap();
            if is_wanted(&change) {
                return change;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), wait).await.unwrap()
}

fn names(change: &Result<Listing, String>) -> Vec<String> {
    let Ok(listing) = change else { return vec!["lost".to_owned()] };
    listing
        .resources
        .iter()
        .map(|resource| resource.as_ref().map_or("malformed".to_owned(), |one| one.name.clone()))
        .collect()
}

fn ingress(name: &str, annotations: Value) -> Value {
    let backend = json!({ "service": { "name": name, "port": { "number": 80 } } });
    json!({
        "metadata": { "namespace": "media", "name": name, "annotations": annotations },
        "spec": { "rules": [{ "host": format!("{name}.example"), "http": { "paths": [{ "path": "/", "backend": backend }] } }] },
    })
}

fn enabled() -> Value {
    json!({ "gethomepage.dev/enabled": "true", "gethomepage.dev/group": "Media" })
}

fn pod(name: &str, app: &str, is_ready: bool, reason: Option<&str>) -> Value {
    let state = reason.map_or(json!({ "running": {} }), |reason| json!({ "waiting": { "reason": reason } }));
    json!({
        "metadata": { "namespace": "media", "name": name, "labels": { "app": app } },
        "status": {
            "phase": "Running",
            "conditions": [{ "type": "Ready", "status": if is_ready { "True" } else { "False" } }],
            "containerStatuses": [{ "state": state, "started": true }],
        },
    })
}

fn state(change: &Result<Listing, String>, at: usize) -> Option<ContainerState> {
    change.as_ref().ok()?.resources.get(at)?.as_ref().ok()?.container_state
}

#[tokio::test]
async fn routes_come_and_go_by_watches_and_nothing_is_asked_while_nothing_happens() {
    let fake = FakeCluster::start().await;
    fake.put(INGRESSES, &ingress("films", json!({})));
    let mut changes = followed(fake.connection(source()));
    assert_eq!(names(&changes.recv().await.unwrap()), ["media/films"]);
    // A route without annotations needs neither services nor pods.
    let mut requests = fake.requests();
    requests.sort();
    assert_eq!(requests.len(), 6, "{requests:?}");
    assert!(
        requests.iter().all(|request| request.starts_with("GET /apis/") && request.ends_with(" first")),
        "{requests:?}"
    );
    let version = "watch=1&allowWatchBookmarks=true&resourceVersion=101";
    assert!(requests.iter().filter(|request| request.contains(version)).count() == 3, "{requests:?}");

    fake.put(INGRESSES, &ingress("songs", json!({})));
    assert_eq!(names(&changes.recv().await.unwrap()), ["media/films", "media/songs"]);
    fake.remove(INGRESSES, "films");
    assert_eq!(names(&changes.recv().await.unwrap()), ["media/songs"]);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(fake.requests(), Vec::<String>::new());

    // The server ends the stream: it goes on from the last bookmark, without a list, and with the token of the moment.
    std::fs::write(fake.folder.path().join("token"), "second").unwrap();
    fake.say(INGRESSES, "BOOKMARK", &json!({ "metadata": { "resourceVersion": "150" } }));
    fake.events.send((INGRESSES.to_owned(), String::new())).unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let requests = fake.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(requests[0].contains("resourceVersion=150") && requests[0].ends_with(" second"), "{requests:?}");
    fake.put(INGRESSES, &ingress("maps", json!({})));
    assert_eq!(names(&changes.recv().await.unwrap()), ["media/maps", "media/songs"]);
}

#[tokio::test]
async fn a_version_that_is_too_old_and_a_cut_stream_lead_to_a_new_list() {
    let fake = FakeCluster::start().await;
    fake.put(INGRESSES, &ingress("films", json!({})));
    let mut changes = followed(fake.connection(source()));
    changes.recv().await.unwrap().unwrap();
    // In an event.
    fake.said.lock().unwrap().objects.get_mut(INGRESSES).unwrap().push(ingress("songs", json!({})));
    fake.say(INGRESSES, "ERROR", &json!({ "kind": "Status", "code": 410, "reason": "Expired" }));
    assert_eq!(names(&changes.recv().await.unwrap()), ["media/films", "media/songs"]);
    // As the status of a request: the server ends the stream, and the version is too old afterwards.
    {
        let mut said = fake.said.lock().unwrap();
        said.expired.push("101".to_owned());
        said.version = 200;
        said.objects.get_mut(INGRESSES).unwrap().remove(0);
    }
    fake.events.send((INGRESSES.to_owned(), String::new())).unwrap();
    assert_eq!(names(&until(&mut changes, |change| names(change).len() == 1).await), ["media/songs"]);
    // All streams are cut, and something happens meanwhile.
    fake.said.lock().unwrap().objects.get_mut(INGRESSES).unwrap().push(ingress("maps", json!({})));
    fake.events.send((String::new(), "cut".to_owned())).unwrap();
    let lost = changes.recv().await.unwrap().unwrap_err();
    assert!(lost.contains("closed the connection"), "{lost}");
    until(&mut changes, |change| names(change) == ["media/maps", "media/songs"]).await.unwrap();
}

#[tokio::test]
async fn what_is_missing_is_named_and_costs_only_itself() {
    let fake = FakeCluster::start().await;
    fake.put(INGRESSES, &ingress("films", enabled()));
    fake.put(INGRESSES, &json!({ "metadata": { "namespace": "media", "name": "odd" }, "spec": { "rules": 5 } }));
    fake.put(INGRESSES, &json!({ "spec": {} }));
    fake.said.lock().unwrap().refused.extend([
        (HTTP_ROUTES.to_owned(), 404),
        (INGRESS_ROUTES.to_owned(), 403),
        (SERVICES.to_owned(), 403),
        (PODS.to_owned(), 403),
    ]);
    let listing = fake.connection(source()).list().await.unwrap();
    assert_eq!(
        names(&Ok(listing.clone())),
        ["media/films", "media/odd", "one of the ingresses"]
            .map(|name| { if name == "media/films" { name } else { "malformed" } })
    );
    assert_eq!(listing.resources[0].as_ref().unwrap().container_state, None);
    let missing = listing.missing.join("\n");
    for part in [
        "the cluster has no `httproutes.gateway.networking.k8s.io` (status 404)",
        "`ingressroutes.traefik.io` may not be read (status 403)",
        "`pods in media`",
        "`services in media`",
        "`get`, `list` and `watch`",
    ] {
        assert!(missing.contains(part), "{missing}");
    }
    fake.said.lock().unwrap().refused.insert(INGRESSES.to_owned(), 401);
    let reason = fake.connection(source()).list().await.unwrap_err().to_string();
    assert!(reason.contains("does not accept the token"), "{reason}");
    let requests = fake.requests();
    assert!(requests.iter().all(|request| request.starts_with("GET ")), "{requests:?}");
}

#[tokio::test]
async fn the_pods_of_a_service_are_the_state_of_its_route() {
    let fake = FakeCluster::start().await;
    fake.put(INGRESSES, &ingress("films", enabled()));
    fake.put(
        SERVICES,
        &json!({ "metadata": { "namespace": "media", "name": "films" }, "spec": { "selector": { "app": "f" } } }),
    );
    fake.put(PODS, &pod("f-1", "f", true, None));
    fake.put(PODS, &pod("other", "g", false, None));
    let mut changes = followed(fake.connection(source()));
    let wanted = |ready, total| move |change: &_| state(change, 0) == Some(ContainerState::Ready { ready, total });
    until(&mut changes, wanted(1, 1)).await.unwrap();
    fake.put(PODS, &pod("f-2", "f", false, None));
    until(&mut changes, wanted(1, 2)).await.unwrap();
    fake.put(PODS, &pod("f-2", "f", true, None));
    until(&mut changes, wanted(2, 2)).await.unwrap();
    fake.remove(PODS, "f-1");
    fake.put(PODS, &pod("f-2", "f", false, Some("CrashLoopBackOff")));
    let change = until(&mut changes, |change| state(change, 0) == Some(ContainerState::Restarting)).await.unwrap();
    assert_eq!(change.resources[0].as_ref().unwrap().state, "0 of 1 ready, CrashLoopBackOff");
    fake.remove(PODS, "f-2");
    until(&mut changes, |change| state(change, 0) == Some(ContainerState::Stopped)).await.unwrap();
    // Nothing is shown any more, so pods are not watched.
    fake.put(INGRESSES, &ingress("films", json!({})));
    until(&mut changes, |change| state(change, 0).is_none()).await.unwrap();
}

#[tokio::test]
async fn what_the_pods_of_a_route_use_is_asked_of_the_metrics_server() {
    let fake = FakeCluster::start().await;
    fake.put(INGRESSES, &ingress("films", enabled()));
    for (name, selector) in [("films", json!({ "app": "f" })), ("songs", json!({ "app": "f", "tier": "web" }))] {
        let service = json!({ "metadata": { "namespace": "media", "name": name }, "spec": { "selector": selector } });
        fake.put(SERVICES, &service);
    }
    let both = with(ingress("both", enabled()), "/spec/defaultBackend", json!({ "service": { "name": "songs" } }));
    fake.put(INGRESSES, &with(both, "/spec/rules/0/http/paths/0/backend/service/name", "films".into()));
    fake.put(PODS, &pod("f-1", "f", true, None));
    let of = |name: &str, usages: &[(&str, &str)]| {
        let container =
            |(cpu, memory): &(&str, &str)| json!({ "name": "c", "usage": { "cpu": cpu, "memory": memory } });
        let containers: Vec<Value> = usages.iter().map(container).collect();
        json!({ "metadata": { "namespace": "media", "name": name }, "containers": containers })
    };
    fake.put(METRICS, &of("f-1", &[("250m", "100Mi"), ("250000000n", "28Mi")]));
    fake.put(METRICS, &of("f-2", &[("1", "1e6")]));
    let connection = fake.connection(source());
    let listing = connection.list().await.expect("it is listed");
    let pods = |name: &str| {
        let all = listing.resources.iter().flatten();
        all.clone().find(|resource| resource.name == name).expect("it is found").pods.clone()
    };
    fake.requests();
    let usage = Usage { processor: Some(1.5), memory: Some((128 << 20) + 1_000_000), ..Usage::default() };
    assert_eq!(connection.usage("media/films", &pods("media/films")).await.expect("it is known"), Some(usage));
    assert_eq!(fake.requests(), [format!("GET {METRICS}?labelSelector=app%3Df first")]);
    // Pods of two services count once.
    assert_eq!(connection.usage("media/both", &pods("media/both")).await.expect("it is known"), Some(usage));
    assert_eq!(fake.requests().len(), 2);

    let films = pods("media/films");
    for refusal in [404, 403] {
        fake.said.lock().expect("nobody panics").refused.insert(METRICS.to_owned(), refusal);
        assert_eq!(connection.usage("media/films", &films).await.expect("it is no error"), None);
    }
    fake.said.lock().expect("nobody panics").refused.insert(METRICS.to_owned(), 503);
    let reason = connection.usage("media/films", &films).await.expect_err("it is away").to_string();
    assert!(reason.contains("`pods.metrics.k8s.io in media` gave status 503"), "{reason}");
    fake.said.lock().expect("nobody panics").refused.clear();
    fake.put(METRICS, &of("f-2", &[("1", "much")]));
    let reason = connection.usage("media/films", &films).await.expect_err("it is malformed").to_string();
    assert!(reason.contains("has a quantity that cannot be read"), "{reason}");
    for name in ["f-1", "f-2"] {
        fake.remove(METRICS, name);
    }
    assert_eq!(connection.usage("media/films", &films).await.expect("it is known"), Some(Usage::default()));
}

#[tokio::test]
async fn ingress_routes_of_traefik_2_are_read_if_the_cluster_has_no_newer_ones() {
    let fake = FakeCluster::start().await;
    let route = |name: &str| {
        json!({
            "metadata": { "namespace": "media", "name": name, "annotations": enabled() },
            "spec": { "entryPoints": ["websecure"], "routes": [{ "kind": "Rule", "match": format!("Host(`{name}.example`, `b.example`)") }] },
        })
    };
    fake.put(INGRESS_ROUTES, &route("new"));
    fake.put(OLD_INGRESS_ROUTES, &route("old"));
    let asked = |requests: &[String]| requests.iter().any(|request| request.contains(OLD_INGRESS_ROUTES));
    let listing = fake.connection(source()).list().await.expect("it is listed");
    assert_eq!(names(&Ok(listing)), ["media/new"]);
    assert!(!asked(&fake.requests()));
    // It is not installed, or the account may not read it; only then does the other group matter.
    for (new, old, expected, missing) in [
        (Some(404), None, vec!["media/old"], ""),
        (Some(404), Some(404), vec![], "the cluster has no `ingressroutes.traefik.io` (status 404)"),
        (Some(404), Some(403), vec![], "`ingressroutes.traefik.containo.us` may not be read (status 403)"),
        (Some(403), None, vec![], "`ingressroutes.traefik.io` may not be read (status 403)"),
    ] {
        let refused = [(INGRESS_ROUTES, new), (OLD_INGRESS_ROUTES, old)];
        let refused = refused.into_iter().filter_map(|(path, status)| Some((path.to_owned(), status?))).collect();
        fake.said.lock().expect("nobody panics").refused = refused;
        let listing = fake.connection(source()).list().await.expect("it is listed");
        let said = listing.missing.join("\n");
        assert!(said.contains(missing) && said.is_empty() == missing.is_empty(), "{missing}: {said}");
        assert_eq!(said.contains("containo.us"), missing.contains("containo.us"), "{said}");
        assert_eq!(names(&Ok(listing)), expected, "{missing}");
        assert_eq!(asked(&fake.requests()), new == Some(404), "{missing}");
    }
    // It is followed as the others are.
    fake.said.lock().expect("nobody panics").refused = BTreeMap::from([(INGRESS_ROUTES.to_owned(), 404)]);
    let mut changes = followed(fake.connection(source()));
    let listing = until(&mut changes, |change| names(change) == ["media/old"]).await.expect("it is listed");
    let nothing = |_: &str| None;
    let outcome = examine(&listing.resources, &source(), &Surroundings { variable: &nothing, icon: &nothing });
    assert_eq!(outcome.found[0].item["url"], "https://old.example");
    fake.remove(OLD_INGRESS_ROUTES, "old");
    until(&mut changes, |change| change.is_ok() && names(change).is_empty()).await.expect("it is listed");
}

#[test]
fn pods_count_if_they_are_ready_and_have_not_ended() {
    let ready = Pod { is_current: true, is_ready: true, ..Pod::default() };
    let starting = Pod { is_current: true, is_starting: true, ..Pod::default() };
    let crashing = Pod { trouble: Some("CrashLoopBackOff".to_owned()), is_current: true, ..Pod::default() };
    let broken = Pod { trouble: Some("ImagePullBackOff".to_owned()), ..starting.clone() };
    let ended = Pod { is_current: false, ..ready.clone() };
    for (pods, expected) in [
        (vec![&ready, &ready, &crashing], ContainerState::Ready { ready: 2, total: 3 }),
        (vec![&ready, &ended], ContainerState::Ready { ready: 1, total: 1 }),
        (vec![&crashing, &starting], ContainerState::Restarting),
        (vec![&starting], ContainerState::Starting),
        (vec![&broken], ContainerState::Ready { ready: 0, total: 1 }),
        (vec![&ended], ContainerState::Stopped),
        (vec![], ContainerState::Stopped),
    ] {
        assert_eq!(state_of(&pods).0, expected, "{pods:?}");
    }
}

/// What a route of a cluster with these objects becomes: title, section, address; or why it is dropped.
async fn shown(path: &str, object: Value, gateway: Value, instance: Option<&str>) -> (Value, String) {
    let fake = FakeCluster::start().await;
    fake.put(path, &object);
    fake.put("/apis/gateway.networking.k8s.io/v1/namespaces/media/gateways", &gateway);
    let source = DiscoverySource { instance: instance.map(str::to_owned), ..source() };
    let listing = fake.connection(source.clone()).list().await.unwrap();
    let nothing = |_: &str| None;
    let outcome = examine(&listing.resources, &source, &Surroundings { variable: &nothing, icon: &nothing });
    let item = outcome.found.first().map(|found| Value::Object(found.item.clone())).unwrap_or_default();
    let why = outcome.dropped.first().map(|dropped| dropped.reason.clone()).unwrap_or_default();
    (item, why)
}

fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    object.pointer_mut(parent).unwrap()[key] = value;
    object
}

#[tokio::test]
async fn annotations_of_homepage_are_read_on_an_ingress() {
    let all = json!({
        "gethomepage.dev/enabled": "true",
        "gethomepage.dev/name": "Emby",
        "gethomepage.dev/description": "Media Server",
        "gethomepage.dev/icon": "emby.png",
        "gethomepage.dev/weight": "10",
        "gethomepage.dev/pod-selector": "",
        "gethomepage.dev/app": "emby-app",
        "gethomepage.dev/siteMonitor": "https://emby.example/health",
        "kubectl.kubernetes.io/last-applied-configuration": "x".repeat(100_000),
    });
    let (item, _) = shown(INGRESSES, ingress("emby", all), json!({}), None).await;
    assert_eq!(
        item,
        json!({ "title": "Emby", "description": "Media Server", "icon": "hl-emby", "statusCheck": true,
            "statusCheckUrl": "https://emby.example/health", "url": "http://emby.example", "hideForGuests": true })
    );
    // Without a name, it is that of the route.
    let (item, _) =
        shown(INGRESSES, ingress("home-assistant", json!({ "portico.section": "S" })), json!({}), None).await;
    assert_eq!((&item["title"], &item["url"]), (&json!("Home Assistant"), &json!("http://home-assistant.example")));

    let of = |key: &str, value: &str| {
        let mut annotations = enabled();
        annotations[format!("gethomepage.dev/{key}")] = value.into();
        ingress("a", annotations)
    };
    for (object, instance, reason) in [
        (of("enabled", "false"), None, "is not `true`"),
        (of("instance", "public"), None, "other instances"),
        (of("instance", "public"), Some("public"), ""),
        (of("instance.public", ""), Some("public"), ""),
        (of("instance.public", ""), Some("internal"), "other instances"),
        (ingress("a", json!({})), None, "no labels"),
    ] {
        let (item, why) = shown(INGRESSES, object.clone(), json!({}), instance).await;
        assert_eq!(item.is_null(), !reason.is_empty(), "{object}");
        assert!(why.contains(reason), "{why}");
    }
}

#[tokio::test]
async fn addresses_come_from_rules_and_tls() {
    let plain = ingress("a", enabled());
    let paths = |paths: &[&str]| {
        let paths: Vec<Value> = paths.iter().map(|path| json!({ "path": path })).collect();
        with(plain.clone(), "/spec/rules/0/http/paths", paths.into())
    };
    for (object, expected) in [
        (plain.clone(), "http://a.example"),
        (paths(&["/api", "/"]), "http://a.example"),
        (paths(&["/films", "/api"]), "http://a.example/films"),
        (paths(&["/(.*)"]), "http://a.example"),
        (with(plain.clone(), "/spec/rules/0/http", Value::Null), "http://a.example"),
        (with(plain.clone(), "/spec/rules/0/host", "*.example".into()), ""),
        (with(plain.clone(), "/spec/rules", Value::Null), ""),
        (with(plain.clone(), "/spec/tls", json!([{ "hosts": ["a.example"] }])), "https://a.example"),
        (with(plain.clone(), "/spec/tls", json!([{ "hosts": ["*.example"] }])), "https://a.example"),
        (with(plain.clone(), "/spec/tls", json!([{ "hosts": ["b.example"] }])), "http://a.example"),
        (with(plain.clone(), "/spec/tls", json!([{ "secretName": "a" }])), "https://a.example"),
        (
            with(
                plain.clone(),
                "/metadata/annotations",
                json!({ "portico.title": "A", "traefik.ingress.kubernetes.io/router.entrypoints": "websecure" }),
            ),
            "https://a.example",
        ),
    ] {
        let (item, _) = shown(INGRESSES, object.clone(), json!({}), None).await;
        assert_eq!(item["url"].as_str().unwrap_or_default(), expected, "{object}");
    }

    let route = json!({
        "metadata": { "namespace": "media", "name": "a", "annotations": enabled() },
        "spec": {
            "parentRefs": [{ "name": "front" }],
            "hostnames": ["a.example"],
            "rules": [{ "matches": [{ "path": { "type": "PathPrefix", "value": "/films" } }] }],
        },
    });
    let gateway = |listeners: Value| json!({ "metadata": { "namespace": "media", "name": "front" }, "spec": { "listeners": listeners } });
    let http = json!({ "name": "web", "port": 80, "protocol": "HTTP" });
    let https = json!({ "name": "tls", "port": 443, "protocol": "HTTPS", "hostname": "*.example" });
    let both = || gateway(json!([http, https]));
    for (object, gateway, expected) in [
        (route.clone(), both(), "https://a.example/films"),
        (with(route.clone(), "/spec/parentRefs/0/sectionName", "web".into()), both(), "http://a.example/films"),
        (route.clone(), gateway(json!([http])), "http://a.example/films"),
        (route.clone(), json!({}), "http://a.example/films"),
        (with(route.clone(), "/spec/parentRefs/0/sectionName", "https".into()), json!({}), "https://a.example/films"),
        (with(route.clone(), "/spec/hostnames", json!(["*.example"])), both(), ""),
        (
            with(route.clone(), "/spec/hostnames", Value::Null),
            gateway(json!([{ "name": "tls", "protocol": "HTTPS", "hostname": "b.example" }])),
            "https://b.example/films",
        ),
        (
            with(route.clone(), "/spec/rules/0/matches/0/path", json!({ "type": "RegularExpression", "value": "/.*" })),
            both(),
            "https://a.example",
        ),
    ] {
        let (item, _) = shown(HTTP_ROUTES, object.clone(), gateway, None).await;
        assert_eq!(item["url"].as_str().unwrap_or_default(), expected, "{object}");
    }

    let route = json!({
        "metadata": { "namespace": "media", "name": "a", "annotations": enabled() },
        "spec": {
            "entryPoints": ["web"],
            "routes": [
                { "kind": "Rule", "match": "Host(`a.example`) && PathPrefix(`/films`)" },
                { "kind": "Rule", "match": "Host(`b.example`)", "priority": 1 },
            ],
        },
    });
    for (object, expected) in [
        (route.clone(), "http://a.example/films"),
        (with(route.clone(), "/spec/entryPoints", json!(["websecure"])), "https://a.example/films"),
        (with(route.clone(), "/spec/tls", json!({})), "https://a.example/films"),
        (with(route.clone(), "/spec/routes/1/priority", 99.into()), "http://b.example"),
        (with(route.clone(), "/spec/routes", json!([{ "match": "Host(" }])), ""),
    ] {
        let (item, _) = shown(INGRESS_ROUTES, object.clone(), json!({}), None).await;
        assert_eq!(item["url"].as_str().unwrap_or_default(), expected, "{object}");
    }
}

#[test]
fn a_kubeconfig_that_cannot_be_used_says_why() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let why = |source| connect(folder.path(), source).err().unwrap_or_default();
    assert!(why(source()).contains("cannot be read"));
    let server = json!({ "server": "https://127.0.0.1:6443" });
    for (cluster, user, reason) in [
        (
            server.clone(),
            json!({ "exec": { "command": "aws" } }),
            "`exec` of its user is not supported: it would run a program",
        ),
        (server.clone(), json!({ "username": "a", "password": "b" }), "Kubernetes has no passwords"),
        (json!({ "server": "https://a:1", "insecure-skip-tls-verify": true }), json!({}), "name the authority"),
        (json!({ "server": "https://a:1", "certificate-authority-data": "%" }), json!({}), "is not Base64"),
        (json!({ "server": "https://a:1", "certificate-authority-data": "eA==" }), json!({}), "PEM"),
        (json!({ "server": "unix:///x" }), json!({}), "not a web address"),
        (json!({}), json!({}), "has no `server`"),
        (server.clone(), json!({ "client-certificate": "a.pem" }), "`a.pem` cannot be read"),
        (server.clone(), json!({ "client-key-data": "eA==" }), "belong together"),
        (server.clone(), json!({ "token": "x" }), ""),
    ] {
        write_kubeconfig(folder.path(), cluster, user);
        let why = why(source()).replace(&format!("{}/", folder.path().display()), "");
        assert!(why.contains(reason) && why.is_empty() == reason.is_empty(), "{reason}: {why}");
    }
    assert!(why(DiscoverySource { context: Some("other".to_owned()), ..source() }).contains("no context `other`"));
    assert!(why(DiscoverySource { namespaces: vec!["a/b".to_owned()], ..source() }).contains("no namespace"));
    let cluster = DiscoverySource { kubernetes: Some(ClusterAccess::InCluster), ..DiscoverySource::default() };
    assert!(why(cluster).contains("does not run in a pod"));
}
