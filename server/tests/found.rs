//! Services that are found by the labels of containers, on the page and in the config menu. An HTTP server plays the engine; its API
//! and its events are tested with the sources of `discovery`.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{Router, body::Body, extract::State, http::Uri, routing::get};
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::{
    editor_functions::done,
    status_checks::Tab,
    upstream::{Behavior, Upstream},
    world::{C, Setup, World},
};

/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone)]
struct Engine {
    containers: Arc<Mutex<Vec<Value>>>,
    requests: Arc<Mutex<Vec<String>>>,
    events: broadcast::Sender<String>,
    port: u16,
}

impl Engine {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (events, _) = broadcast::channel(16);
        let engine = Self { containers: Arc::default(), requests: Arc::default(), events, port };
        let routes = Router::new()
            .route("/containers/json", get(list))
            .route("/services", get(list))
            .route("/containers/{name}/stats", get(stats))
            .route("/events", get(stream));
        tokio::spawn(axum::serve(listener, routes.with_state(engine.clone())).into_future());
        engine
    }

    /// A container, with labels such as `title=Films url=https://films.example`.
    fn run(&self, name: &str, labels: &str) {
        let labels = labels.split(' ').map(|label| label.split_once('=').unwrap());
        let labels: Value = labels.map(|(key, value)| (format!("portico.{key}"), Value::from(value))).collect();
        let container =
            json!({ "Id": format!("id-{name}"), "Names": [format!("/{name}")], "State": "running", "Labels": labels });
        self.containers.lock().unwrap().push(container);
        self.event(name);
    }

    /// A service of a Swarm with this title, of whose tasks so many run; replaces one of the same name.
    fn serve(&self, name: &str, title: &str, running: u32, desired: u32) {
        let id = format!("id-{name}");
        let labels = json!({ "portico.title": title, "portico.url": format!("https://{name}.example") });
        let status = json!({ "RunningTasks": running, "DesiredTasks": desired, "CompletedTasks": 0 });
        let mut all = self.containers.lock().unwrap();
        all.retain(|one| one["ID"] != *id);
        all.push(json!({ "ID": id, "Spec": { "Name": name, "Labels": labels }, "ServiceStatus": status }));
    }

    /// Gives a container the fields `State` and `Status`.
    fn change(&self, name: &str, state: &str, status: &str) {
        for container in self.containers.lock().unwrap().iter_mut().filter(|one| one["Id"] == format!("id-{name}")) {
            (container["State"], container["Status"]) = (state.into(), status.into());
        }
        self.event(name);
    }

    fn remove(&self, name: &str) {
        self.containers.lock().unwrap().retain(|container| container["Id"] != format!("id-{name}"));
        self.event(name);
    }

    fn event(&self, name: &str) {
        let event = json!({ "Type": "container", "Actor": { "ID": format!("id-{name}") } });
        // Nobody may be listening yet.
        _ = self.events.send(format!("{event}\n"));
    }

    fn config(&self, more: &str) -> String {
        format!(
            "appConfig:
  discovery:
    - {{ name: nas, url: 'tcp://127.0.0.1:{}', {more} }}
sections:
  - name: Media
    items:
      - {{ title: Films, url: 'https://films.example' }}
",
            self.port
        )
    }
}

async fn list(State(engine): State<Engine>, uri: Uri) -> axum::Json<Vec<Value>> {
    let query = uri.query().unwrap_or_default().to_owned();
    engine.requests.lock().unwrap().push(uri.to_string());
    let all = engine.containers.lock().unwrap();
    let id = |one: &Value| one.get("Id").or_else(|| one.get("ID")).unwrap().as_str().unwrap().to_owned();
    let is_wanted = |one: &&Value| !query.contains("filters=") || query.contains(&id(one));
    axum::Json(all.iter().filter(is_wanted).cloned().collect())
}

async fn stats(State(engine): State<Engine>, uri: Uri) -> axum::Json<Value> {
    engine.requests.lock().unwrap().push(uri.to_string());
    let processor =
        |total: u64, system: u64| json!({ "cpu_usage": { "total_usage": total }, "system_cpu_usage": system });
    axum::Json(json!({
        "cpu_stats": processor(30, 1100),
        "precpu_stats": processor(5, 100),
        "memory_stats": { "usage": 210 << 20 },
        "networks": { "eth0": { "rx_bytes": 2048, "tx_bytes": 1024 } },
    }))
}

async fn stream(State(engine): State<Engine>, uri: Uri) -> Body {
    engine.requests.lock().unwrap().push(uri.to_string());
    let next = async |mut events: broadcast::Receiver<String>| {
        let text = events.recv().await.ok()?;
        Some((Ok::<_, Infallible>(Bytes::from(text)), events))
    };
    Body::from_stream(futures_util::stream::unfold(engine.events.subscribe(), next))
}

/// A server that follows its sources.
async fn follow(setup: Setup) -> World {
    let world = setup.start().await;
    tokio::spawn(world.portico().found.clone().run());
    world
}

async fn page(world: &World) -> String {
    world.get("/").await.expect_status(200).text
}

/// Asks until the answer is as wanted; returns it, and how long that took.
async fn poll(ask: impl AsyncFn() -> String, is_wanted: impl Fn(&str) -> bool) -> (String, Duration) {
    let since = Instant::now();
    loop {
        let answer = ask().await;
        if is_wanted(&answer) {
            return (answer, since.elapsed());
        }
        assert!(since.elapsed() < PATIENCE, "{answer}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the page is as wanted.
async fn until(world: &World, is_wanted: impl Fn(&str) -> bool) -> (String, Duration) {
    poll(async || page(world).await, is_wanted).await
}

#[tokio::test]
async fn with_live_sources_containers_come_and_go_on_the_page_and_the_file_stays() {
    let engine = Engine::start().await;
    engine.run("songs", "title=Songs section=media url=https://songs.example");
    engine.run("again", "title=Again section=Media url=https://films.example/");
    let text = engine.config("add: live");
    let world = follow(Setup::new().file("conf.yml", &text)).await;
    let (shown, _) = until(&world, |page| page.contains("Songs")).await;
    assert!(shown.find("Films").unwrap() < shown.find("Songs").unwrap(), "{shown}");
    assert!(shown.contains("id=\"i-0-1\"") && !shown.contains("Again"), "{shown}");
    assert_eq!(shown.matches("<section").count(), 1, "{shown}");

    // While nothing happens, the engine is not asked.
    let asked = || engine.requests.lock().unwrap().len();
    let before = asked();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(asked(), before);

    engine.run("maps", "title=Maps section=Travel url=https://maps.example");
    let (shown, took) = until(&world, |page| page.contains("Maps")).await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert!(shown.contains("Travel") && shown.contains("id=\"i-1-0\""), "{shown}");
    engine.remove("songs");
    until(&world, |page| !page.contains("Songs")).await;

    // Another program changes the file; what is found stays.
    let changed = text.replace("Films", "Cinema");
    std::fs::write(world.path("conf.yml"), &changed).unwrap();
    world.poll().await;
    world.poll().await;
    let shown = page(&world).await;
    assert!(shown.contains("Cinema") && shown.contains("Maps"), "{shown}");
    // A local config takes the place of the file alone; edit mode shows what the file will be.
    let draft = changed.replace("Cinema", "Theatre");
    for (shown, is_found) in [(json!(""), true), (json!(null), false)] {
        let arguments = json!({ "text": draft, "shown": shown });
        let html = done(&world, "editor-preview", arguments).await["html"].to_string();
        assert_eq!((html.contains("Theatre"), html.contains("Maps")), (true, is_found), "{shown}");
    }
    assert_eq!(world.text("conf.yml"), changed);
    assert!(!world.get(&format!("{C}/sections")).await.text.contains("Maps"));

    // Without the source, its entries go.
    std::fs::write(world.path("conf.yml"), "sections: [{ name: Media, items: [{ title: Films }] }]\n").unwrap();
    world.poll().await;
    world.poll().await;
    until(&world, |page| !page.contains("Maps")).await;
}

#[tokio::test]
async fn rules_decide_what_is_shown_and_in_which_section() {
    let engine = Engine::start().await;
    for name in ["media-films", "media-tmp", "notes", "maps"] {
        engine.run(name, &format!("title={name} section=Labels url=https://{name}.example"));
    }
    let rules = "rules: [{ names: [media-tmp], add: never }, { names: ['media-*'], section: Media, add: live }, { names: [maps], add: live }]";
    let world = follow(Setup::new().file("conf.yml", engine.config(rules))).await;
    let (shown, _) = until(&world, |page| page.contains("maps.example")).await;
    let media = shown.find("media-films.example").unwrap();
    assert!(media < shown.find("Labels").unwrap(), "{shown}");
    assert!(!shown.contains("media-tmp.example") && !shown.contains("notes.example"), "{shown}");
}

#[tokio::test]
async fn the_tile_of_a_removed_container_stays_as_long_as_the_source_says() {
    let engine = Engine::start().await;
    engine.run("songs", "title=Songs section=Media url=https://songs.example");
    let text = engine.config("add: live, keepRemoved: 2");
    let world = follow(Setup::new().file("conf.yml", text)).await;
    let has_state = |page: &str| page.matches("status-indicator").count();
    let (shown, _) = until(&world, |page| page.contains("Songs")).await;
    assert!(shown.contains("data-found=\"nas\"") && !shown.contains(" removed "), "{shown}");
    let before = has_state(&shown);
    engine.remove("songs");
    let (shown, _) = until(&world, |page| page.contains(" removed ")).await;
    assert!(shown.contains("Songs") && has_state(&shown) == before - 1, "{shown}");
    // It is back.
    engine.run("songs", "title=Songs section=Media url=https://songs.example");
    until(&world, |page| page.contains("Songs") && !page.contains(" removed ")).await;
    engine.remove("songs");
    until(&world, |page| page.contains(" removed ")).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(121)).await;
    tokio::time::resume();
    until(&world, |page| !page.contains("Songs")).await;
}

#[tokio::test]
async fn labels_give_a_tile_live_figures_and_name_only_allowed_variables() {
    let upstream = Upstream::start(Behavior::json(r#"{ "indexers": [{ "numberOfGrabs": 7 }] }"#)).await;
    let engine = Engine::start().await;
    for (name, key) in [("films", "{{PORTICO_FILMS}}"), ("thief", "{{PORTICO_SECRET}}"), ("sly", "PORTICO_SECRET")] {
        let url = upstream.url(&format!("/{name}"));
        let figures = format!("widget.type=prowlarr widget.url={url} widget.key={key} widget.fields=numberOfGrabs");
        engine.run(name, &format!("title={name} section=Found url=https://{name}.lan {figures}"));
    }
    let setup = Setup::new().env("PORTICO_FILMS", "key-of-films").env("PORTICO_SECRET", "another-key");
    let text = engine.config("add: live, allowedVariables: [PORTICO_FILMS]");
    let world = follow(setup.file("conf.yml", text)).await;
    until(&world, |page| page.contains("films.lan")).await;
    let mut tab = Tab::open(&world, "/events?age=0", None).await;
    let news = tab.wait_for("figures").await;
    assert!(news.contains("Grabs") && news.contains('7'), "{news}");
    let heads = upstream.heard();
    assert!(heads.iter().any(|head| head.contains("/films/") && head.contains("key-of-films")), "{heads:?}");
    assert!(!heads.iter().any(|head| head.contains("another-key") || head.contains("PORTICO_SECRET")), "{heads:?}");
    // Admins see what is missing.
    let (shown, _) = until(&world, |page| page.contains("thief.lan")).await;
    assert!(!shown.contains("key-of-films") && !shown.contains("another-key"), "{shown}");
}

/// The API of a cluster: lists by their paths, and watches that say nothing but what a test sends.
async fn cluster(lists: Value) -> (u16, broadcast::Sender<(String, Value)>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (events, _) = broadcast::channel::<(String, Value)>(16);
    let sender = events.clone();
    let answer = move |uri: Uri| {
        let (path, is_watch) = (uri.path().to_owned(), uri.query().unwrap_or_default().contains("watch=1"));
        let list = json!({ "metadata": { "resourceVersion": "1" }, "items": lists[&path] });
        let events = events.subscribe();
        async move {
            if !is_watch {
                return Body::from(list.to_string());
            }
            let next = async move |(path, mut events): (String, broadcast::Receiver<(String, Value)>)| {
                loop {
                    let (of, event) = events.recv().await.ok()?;
                    if of == path {
                        return Some((Ok::<_, Infallible>(Bytes::from(format!("{event}\n"))), (path, events)));
                    }
                }
            };
            Body::from_stream(futures_util::stream::unfold((path, events), next))
        }
    };
    tokio::spawn(axum::serve(listener, Router::new().fallback(get(answer))).into_future());
    (port, sender)
}

#[tokio::test]
async fn routes_of_a_cluster_come_and_go_with_the_state_of_their_pods() {
    const INGRESSES: &str = "/apis/networking.k8s.io/v1/ingresses";
    const PODS: &str = "/api/v1/namespaces/media/pods";
    const METRICS: &str = "/apis/metrics.k8s.io/v1beta1/namespaces/media/pods";
    let pod = |name: &str, ready: &str| {
        json!({
            "metadata": { "namespace": "media", "name": name, "labels": { "app.kubernetes.io/name": "films" } },
            "status": { "phase": "Running", "conditions": [{ "type": "Ready", "status": ready }] },
        })
    };
    let ingress = |name: &str| {
        json!({
            "metadata": { "namespace": "media", "name": name,
                "annotations": { "gethomepage.dev/enabled": "true", "gethomepage.dev/group": "Cluster" } },
            "spec": { "rules": [{ "host": format!("{name}.example") }], "tls": [{}] },
        })
    };
    let pods = json!([pod("a", "True"), pod("b", "False")]);
    let metrics = |name: &str| {
        let usage = json!({ "cpu": "12500000n", "memory": "105Mi" });
        json!({ "metadata": { "namespace": "media", "name": name }, "containers": [{ "usage": usage }] })
    };
    let lists = json!({ INGRESSES: [ingress("films")], PODS: pods, METRICS: [metrics("a"), metrics("b")] });
    let (port, events) = cluster(lists).await;
    let kubeconfig = format!(
        "current-context: c\ncontexts: [{{ name: c, context: {{ cluster: c }} }}]\nclusters: [{{ name: c, cluster: {{ server: 'http://127.0.0.1:{port}' }} }}]\n"
    );
    let text = "appConfig: { discovery: [{ kubernetes: kube.yml, name: home, add: live }] }\nsections: []\n";
    let setup = Setup::new().file("kube.yml", kubeconfig.as_str()).file("conf.yml", text);
    let world = follow(setup).await;
    let (shown, _) = until(&world, |page| page.contains("https://films.example")).await;
    assert!(shown.contains("Cluster") && shown.contains("Films"), "{shown}");
    let _tab = Tab::open(&world, "/events", None).await;
    until_tip(&world, "0-0", "1 of 2 ready").await;
    events.send((PODS.to_owned(), json!({ "type": "MODIFIED", "object": pod("b", "True") }))).unwrap();
    until_tip(&world, "0-0", "2 of 2 ready").await;
    let used = world.get("/events/usage?item=0-0").await.expect_status(200).text.replace('\u{a0}', " ");
    assert_eq!(used, "CPU 2.5% · Memory 210 MB");
    events.send((INGRESSES.to_owned(), json!({ "type": "ADDED", "object": ingress("songs") }))).unwrap();
    let (_, took) = until(&world, |page| page.contains("https://songs.example")).await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    events.send((INGRESSES.to_owned(), json!({ "type": "DELETED", "object": ingress("films") }))).unwrap();
    until(&world, |page| !page.contains("https://films.example")).await;
}

/// What the tooltip of a tile says about its service.
async fn tip(world: &World, place: &str) -> String {
    world.get(&format!("/events/status?item={place}")).await.expect_status(200).text
}

async fn until_tip(world: &World, place: &str, wanted: &str) {
    poll(async || tip(world, place).await, |tip| tip.contains(wanted)).await;
}

#[tokio::test]
async fn the_state_of_a_container_is_the_status_of_its_tile() {
    let engine = Engine::start().await;
    engine.run("films", "title=Films url=https://films.example");
    engine.run("songs", "title=Songs section=media url=https://songs.example");
    let own = "      - { title: Gone, container: nas/gone }\n      - { title: Group, container: films, subItems: [{ title: A }] }\n";
    let text = engine.config("add: live").replace("films.example' }\n", "films.example', container: films }\n") + own;
    let world = follow(Setup::new().file("conf.yml", text)).await;
    let (shown, _) = until(&world, |page| page.contains("Songs")).await;
    assert_eq!(shown.matches("data-status=\"wait\"").count(), 3, "{shown}");
    let mut tab = Tab::open(&world, "/events", None).await;
    // The file names the first container, and the third tile comes from labels.
    until_tip(&world, "0-0", "the container is running").await;
    until_tip(&world, "0-1", "there is no such container").await;
    until_tip(&world, "0-3", "the container is running").await;
    // There are no times of responses.
    let tip = tip(&world, "0-0").await;
    assert!(!tip.contains(" ms") && tip.contains("Up"), "{tip}");

    let seen = async |tab: &mut Tab, list: &str, place: &str| {
        let has = |news: &Value| news[list].as_array().is_some_and(|places| places.contains(&place.into()));
        while !has(&serde_json::from_str(&tab.wait_for("status").await).unwrap()) {}
    };
    let since = Instant::now();
    engine.change("songs", "exited", "Exited (137) 1 second ago");
    seen(&mut tab, "down", "0-3").await;
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
    until_tip(&world, "0-3", "the container is stopped").await;
    for (state, status, list, words) in [
        ("running", "Up 1 second (health: starting)", "warn", "the container is starting"),
        ("running", "Up 30 seconds (healthy)", "up", "the container is healthy"),
        ("running", "Up 2 minutes (unhealthy)", "down", "the container is unhealthy"),
        ("running", "Up 2 minutes", "up", "the container is running"),
        ("restarting", "Restarting (1) 1 second ago", "down", "the container keeps restarting"),
    ] {
        engine.change("songs", state, status);
        seen(&mut tab, list, "0-3").await;
        until_tip(&world, "0-3", words).await;
    }
    engine.change("films", "paused", "Up 2 minutes (Paused)");
    until_tip(&world, "0-0", "the container is paused").await;
}

#[tokio::test]
async fn the_state_of_a_service_of_a_swarm_is_how_many_of_its_tasks_run() {
    let engine = Engine::start().await;
    engine.serve("web", "Web", 1, 3);
    engine.serve("songs", "Songs", 2, 2);
    let own = "      - { title: Own, container: nas/web }\n";
    let world =
        follow(Setup::new().file("conf.yml", engine.config("add: live, swarm: true, section: media") + own)).await;
    until(&world, |page| page.contains("Songs")).await;
    let mut tab = Tab::open(&world, "/events", None).await;
    let seen = async |tab: &mut Tab, list: &str, place: &str| {
        let has = |news: &Value| news[list].as_array().is_some_and(|places| places.contains(&place.into()));
        while !has(&serde_json::from_str(&tab.wait_for("status").await).unwrap()) {}
    };
    // The file has two tiles; then come Songs and Web.
    until_tip(&world, "0-1", "1 of 3 ready").await;
    until_tip(&world, "0-2", "2 of 2 ready").await;
    until_tip(&world, "0-3", "1 of 3 ready").await;
    for (running, desired, list, words) in [
        (3, 3, "up", "3 of 3 ready"),
        (0, 3, "down", "0 of 3 ready"),
        (2, 3, "warn", "2 of 3 ready"),
        (0, 0, "down", "the container is stopped"),
    ] {
        engine.serve("web", "Web", running, desired);
        engine.event("web");
        seen(&mut tab, list, "0-3").await;
        until_tip(&world, "0-1", words).await;
    }
    // Tasks have no events.
    engine.serve("songs", "Songs", 1, 2);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(16)).await;
    tokio::time::resume();
    until_tip(&world, "0-2", "1 of 2 ready").await;
    // Nothing is known about what they use.
    assert_eq!(world.get("/events/usage?item=0-2").await.expect_status(200).text, "");
}

#[tokio::test]
async fn what_a_container_uses_is_measured_only_when_somebody_looks() {
    let engine = Engine::start().await;
    engine.run("films", "title=Found url=https://found.example");
    let accounts = "  auth:
    enableGuestAccess: true
    users: [{ user: bob, hash: 81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9 }]
";
    let own = "      - { title: Own, container: nas/films }\n      - { title: Gone, container: nas/gone }\n      - { title: Plain, url: 'https://a.example', statusCheck: true }\n";
    let text = engine.config("add: live").replace("sections:\n", &format!("{accounts}sections:\n")) + own;
    let world = follow(Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text)).await;
    let asked = || engine.requests.lock().unwrap().iter().filter(|path| path.contains("/stats")).count();
    let get = async |path: String| {
        let answer = world.request("GET", &path).basic("bob:bob").send().await;
        (answer.status.as_u16(), answer.text.replace('\u{a0}', " "))
    };
    let _tab = Tab::open(&world, "/events", Some("bob:bob")).await;
    poll(async || get("/events/status?item=0-1".to_owned()).await.1, |tip| tip.contains("the container is running"))
        .await;
    assert_eq!(asked(), 0);
    assert!(get("/events/status?item=0-1".to_owned()).await.1.contains("status-usage"));
    let used = "CPU 2.5% · Memory 210 MB\nReceived 2 KB · Sent 1 KB";
    for _ in 0..3 {
        assert_eq!(get("/events/usage?item=0-1".to_owned()).await, (200, used.to_owned()));
    }
    assert_eq!(asked(), 1, "it counts for some seconds");
    // Nothing is known about the others, and guests learn nothing.
    assert_eq!(get("/events/usage?item=0-2".to_owned()).await, (200, String::new()));
    assert_eq!(get("/events/usage?item=0-3".to_owned()).await, (200, String::new()));
    assert_eq!(get("/events/usage?item=0-9".to_owned()).await.0, 404);
    assert!(!get("/events/status?item=0-3".to_owned()).await.1.contains("status-usage"));
    assert_eq!(world.get("/events/usage?item=0-1").await.expect_status(200).text, "");
    assert!(!tip(&world, "0-1").await.contains("status-usage"));
    assert_eq!(asked(), 1);
}

#[tokio::test]
async fn guests_see_what_is_found_only_if_the_source_says_so() {
    let users = "  auth: { enableGuestAccess: true, users: [{ user: Anna, hash: \
        9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08, type: admin }] }\n";
    for (more, is_shown) in [("add: live", false), ("add: live, showToGuests: true", true)] {
        let engine = Engine::start().await;
        engine.run("maps", "title=Maps section=Travel url=https://maps.example");
        let text = engine.config(more).replacen("appConfig:\n", &format!("appConfig:\n{users}"), 1);
        let world = follow(Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text)).await;
        let seen = async || {
            let reply = world.request("GET", "/").basic("Anna:test").send().await;
            reply.expect_status(200).text
        };
        poll(seen, |page| page.contains("Maps")).await;
        let guest = world.get("/").await.expect_status(200).text;
        assert_eq!((guest.contains("Maps"), guest.contains("Travel")), (is_shown, is_shown), "{more}: {guest}");
    }
}

/// The values of the buttons with a label.
fn actions(tab: &str, label: &str) -> Vec<String> {
    let buttons = tab.split("<button").skip(1).filter(|button| button.contains(&format!("aria-label=\"{label}")));
    let value =
        |button: &str| button.split("data-do=\"").nth(1)?.split('"').next().map(|text| text.replace("&quot;", "\""));
    buttons.filter_map(value).collect()
}

#[tokio::test]
async fn admins_add_what_is_found_or_hide_it() {
    let engine = Engine::start().await;
    engine.run("songs", "title=Songs section=media url=https://songs.example description=Louder icon=🎸");
    engine.run("maps", "title=Maps section=Travel url=https://maps.example");
    engine.run("films", "title=Films url=https://films.example");
    engine.run("test", "title=Test section=Travel url=https://test.example");
    engine.run("disks", "title=Disks url=nas.lan:8080/");
    let text = format!(
        "{}  - {{ name: NAS, items: [{{ title: NAS, url: 'nas.lan:8080' }}] }}\n",
        engine.config("exclude: [other]")
    );
    let world = follow(Setup::new().file("conf.yml", text)).await;
    let found = async || world.get("/manage/found").await.expect_status(200).text;
    let (tab, _) = poll(found, |tab| tab.contains("Songs")).await;
    assert!(!page(&world).await.contains("Songs"));
    // The rows look like the tiles.
    for part in ["emoji-icon\">🎸<", ">Louder<", "item-icon\">M<"] {
        assert!(tab.contains(part), "{part} in {tab}");
    }
    assert!(actions(&tab, "Add: Films").is_empty() && actions(&tab, "Add: Disks").is_empty(), "{tab}");
    assert_eq!(tab.matches("On the dashboard").count(), 2, "{tab}");

    let act = async |action: &str| world.send("POST", "/manage/found", action).await.expect_status(200).text;
    let tab = act(&actions(&tab, "Never show again: Test")[0]).await;
    assert!(!tab.contains("alert") && !tab.contains("Test") && tab.contains("Songs"), "{tab}");
    let text = world.text("conf.yml");
    assert!(text.contains("exclude: [other, test]") || text.contains("- test"), "{text}");
    let (tab, _) = poll(found, |tab| !tab.contains("Test")).await;
    let tab = act(&actions(&tab, "Add: Songs")[0]).await;
    assert!(actions(&tab, "Add: Songs").is_empty(), "{tab}");
    let text = world.text("conf.yml");
    assert!(text.contains("https://songs.example"), "{text}");
    act(&actions(&tab, "Add all")[0]).await;
    let sections: Value = serde_json::from_str(&world.get(&format!("{C}/sections")).await.text).unwrap();
    let titles = |section: &Value| {
        section["items"].as_array().unwrap().iter().map(|item| item["title"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(titles(&sections[0]), ["Films", "Songs"]);
    assert_eq!(titles(&sections[1]), ["NAS"]);
    assert_eq!((&sections[2]["name"], titles(&sections[2])), (&json!("Travel"), vec![json!("Maps")]));

    // What is gone meanwhile changes nothing.
    let gone = r#"{"found":{"add":{"source":0,"id":"id-other","title":"Other"}}}"#;
    let before = world.text("conf.yml");
    let reply = world.send("POST", "/manage/found", gone).await.expect_status(404);
    assert!(reply.text.contains("This container is gone.") && world.text("conf.yml") == before, "{}", reply.text);
}
