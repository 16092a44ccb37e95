//! Status checks from outside: the endpoint, the dots of a page, and the events for open tabs.

use std::{fmt::Write as _, time::Duration};

use axum::body::Body;
use http::{Request, Response};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, USERS, World},
};

/// Events arrive at once; this is for busy machines.
const PATIENCE: Duration = Duration::from_secs(20);

/// A tab that follows a page.
pub struct Tab {
    response: Response<Body>,
    text: String,
}

impl Tab {
    pub async fn open(world: &World, path: &str, credentials: Option<&str>) -> Self {
        use base64::Engine as _;
        let mut request = Request::builder().uri(path);
        if let Some(credentials) = credentials {
            let credentials = base64::engine::general_purpose::STANDARD.encode(credentials);
            request = request.header("authorization", format!("Basic {credentials}"));
        }
        let response = world.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        Self { response, text: String::new() }
    }

    /// The name and data of the next event; `None` at the end of the stream.
    async fn next(&mut self) -> Option<(String, String)> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                let found = field("event: ").map(|name| (name, field("data: ").unwrap_or_default()));
                self.text = rest.to_owned();
                if found.is_some() {
                    return found;
                }
            }
            let frame = timeout(PATIENCE, self.response.body_mut().frame()).await.expect("nothing comes")?;
            if let Ok(bytes) = frame.unwrap().into_data() {
                self.text.push_str(std::str::from_utf8(&bytes).unwrap());
            }
        }
    }

    /// The data of the next event of that name.
    pub async fn wait_for(&mut self, name: &str) -> String {
        loop {
            let (found, data) = self.next().await.expect("the stream is over");
            if found == name {
                return data;
            }
        }
    }
}

fn encoded(url: &str) -> String {
    url::form_urlencoded::byte_serialize(url.as_bytes()).collect()
}

async fn check(world: &World, query: &str) -> Value {
    check_as(world, "", &format!("/status-check?{query}")).await
}

/// The result of a check: the first response has the proof that the second request needs.
async fn check_as(world: &World, credentials: &str, path: &str) -> Value {
    let get = async |path: &str| {
        let request = world.request("GET", path);
        let request = if credentials.is_empty() { request } else { request.basic(credentials) };
        let reply = request.send().await.expect_status(200);
        assert_eq!(reply.header("cache-control"), "no-store");
        reply.json()
    };
    let first = get(path).await;
    let Some(proof) = first["proof"].as_str() else { return first };
    assert_eq!(first["successStatus"], false);
    get(&format!("{path}&proof={proof}")).await
}

#[tokio::test]
async fn the_endpoint_says_what_it_found() {
    let service = Upstream::start(Behavior::Says(200, Vec::new(), vec![b'x'; 100_000])).await;
    let world = World::new().await;
    let found = check(&world, &format!("url={}", encoded(&service.url("/a")))).await;
    assert_eq!(found["successStatus"], true);
    assert_eq!((&found["statusCode"], &found["statusText"]), (&json!(200), &json!("OK")));
    assert!(found["timeTaken"].as_u64().is_some() && found.get("serverName").is_none());
    assert!(found["message"].as_str().unwrap().starts_with("✅ Server responded with 200 - OK in "));
    // As written by existing clients.
    let odd = format!("/status-check/?&url={}&headers=%7B%22X-One%22%3A%22two%22%7D", encoded(&service.url("/b")));
    assert_eq!(check_as(&world, "", &odd).await["successStatus"], true);
    assert!(!service.heard()[1].contains("x-one"), "headers come from the config: {:?}", service.heard());

    service.now(Behavior::fails(500));
    let found = check(&world, &format!("url={}", encoded(&service.url("/c")))).await;
    assert_eq!((&found["successStatus"], &found["statusCode"]), (&json!(false), &json!(500)));
    assert!(found["message"].as_str().unwrap().ends_with("500 - Internal Server Error"));
    for (codes, expected) in [("500", true), ("5xx", true), ("'''500,401'''", true), ("501", false), ("50", false)] {
        let query = format!("url={}&acceptCodes={}", encoded(&service.url("/d")), encoded(codes));
        assert_eq!(check(&world, &query).await["successStatus"], expected, "{codes}");
    }
    assert_eq!(check(&world, "").await["message"], "❌ Missing or Malformed URL");
    assert_eq!(check(&world, "url=").await["successStatus"], false);
    world.send("POST", "/status-check", "{}").await.expect_status(405);
}

#[tokio::test]
async fn redirects_are_followed_as_far_as_wished() {
    let end = Upstream::start(Behavior::fails(404)).await;
    let start = Upstream::start(Behavior::Says(302, vec![("location", end.url("/end"))], Vec::new())).await;
    let world = World::new().await;
    let query = |more: &str| format!("url={}{more}", encoded(&start.url("/")));
    assert_eq!(check(&world, &query("")).await["statusCode"], 404);
    assert_eq!(check(&world, &query("&maxRedirects=1")).await["statusCode"], 404);
    let found = check(&world, &query("&maxRedirects=0")).await;
    assert_eq!((&found["statusCode"], &found["successStatus"]), (&json!(302), &json!(true)));
    // A service that redirects to a login on another private host does respond.
    let elsewhere = end.url("/end").replace("127.0.0.1", "127.0.0.2");
    start.now(Behavior::Says(302, vec![("location", elsewhere)], Vec::new()));
    let other = format!("url={}", encoded(&start.url("/other")));
    assert_eq!(check(&world, &other).await["successStatus"], true);
}

#[tokio::test]
async fn forbidden_addresses_are_not_contacted() {
    let world = World::new().await;
    for (url, code) in [
        ("http://169.254.169.254/latest/meta-data/", "EBLOCKED"),
        ("http://metadata.google.internal/", "EBLOCKED"),
        ("file:///etc/passwd", "EINVAL"),
        ("http://127.0.0.1:1/", "ECONNREFUSED"),
    ] {
        let found = check(&world, &format!("url={}", encoded(url))).await;
        assert_eq!(found["successStatus"], false, "{url}");
        assert!(found["message"].as_str().unwrap().contains(code), "{url}: {found}");
    }
    let service = Upstream::start(Behavior::json("{}")).await;
    let path = format!("/status-check?url={}", encoded(&service.url("/")));
    let proof = world.get(&path).await.expect_status(200).json()["proof"].as_str().unwrap().to_owned();
    let with_proof = format!("{path}&proof={proof}");
    for (path, header) in [
        (&with_proof, ("sec-fetch-site", "cross-site")),
        (&with_proof, ("sec-fetch-site", "same-site")),
        (&with_proof, ("origin", "http://evil.example")),
        // A name that a stranger may have pointed here.
        (&with_proof, ("host", "rebound.example")),
        // As the browser sends it for a picture on any other page, over plain HTTP.
        (&path, ("accept", "image/*")),
        (&format!("{path}%23&proof={proof}"), ("accept", "image/*")),
    ] {
        let reply = world.request("GET", path).header(header.0, header.1).send().await.expect_status(200);
        assert_eq!((reply.json()["successStatus"].clone(), service.count()), (json!(false), 0), "{path} {header:?}");
    }
    assert_eq!(world.get(&with_proof).await.json()["successStatus"], true);
}

#[tokio::test]
async fn an_untrusted_certificate_needs_permission() {
    let service = Upstream::start_self_signed(Behavior::json("{}")).await;
    let world = World::new().await;
    let url = encoded(&service.url("/"));
    assert!(check(&world, &format!("url={url}")).await["message"].as_str().unwrap().contains("ETLS"));
    assert_eq!(check(&world, &format!("url={url}&enableInsecure=true")).await["successStatus"], true);
}

fn guarded(service: &Upstream) -> Setup {
    let auth = USERS.replace("  auth:\n", "  statusCheck: true\n  auth:\n    enableGuestAccess: true\n");
    let mut conf = auth;
    let (open, hidden, secret) = (service.url("/open"), service.url("/hidden"), service.url("/secret"));
    _ = write!(
        conf,
        "sections:
  - name: Lab
    items:
      - {{ title: Open, url: '{open}' }}
      - {{ title: Hidden, url: '{hidden}', hideForGuests: true }}
      - {{ title: Other, url: 'ssh://nas.example', statusCheckUrl: '{secret}', statusCheckHeaders: {{ X-Key: hush }} }}
      - {{ title: Off, url: '{open}', statusCheck: false }}
"
    );
    Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", conf)
}

#[tokio::test]
async fn only_services_that_the_viewer_sees_are_checked() {
    let service = Upstream::start(Behavior::json("{}")).await;
    let world = guarded(&service).start().await;
    let request = async |path: &str, credentials: &str| {
        let path = format!("/status-check?url={}&headers=%7B%22X-Own%22%3A%221%22%7D", encoded(&service.url(path)));
        check_as(&world, credentials, &path).await["successStatus"] == true
    };
    assert!(request("/open", "").await);
    assert!(!request("/hidden", "").await);
    assert!(!request("/elsewhere", "").await && !request("/elsewhere", "bob:bob").await);
    assert!(request("/hidden", "bob:bob").await);
    assert!(request("/secret", "bob:bob").await);
    assert!(request("/elsewhere", "anna:anna").await && request("/secret", "anna:anna").await);
    let heard = service.heard();
    // The last check of an admin is the same as that of the user before, and shares its result.
    assert_eq!(heard.len(), 4, "{heard:?}");
    assert!(heard.iter().all(|heard| !heard.contains("x-own")), "headers come from the config: {heard:?}");
    assert!(heard[2].contains("\"x-key\": \"hush\"") && !heard[3].contains("x-key"), "{heard:?}");
}

#[tokio::test]
async fn a_changed_state_reaches_open_tabs_and_the_next_page() {
    let service = Upstream::start(Behavior::json("{}")).await;
    let world = guarded(&service).start().await;
    let before = world.get("/").await.expect_status(200).text;
    assert_eq!(before.matches("data-status=\"wait\"").count(), 2, "{before}");
    assert!(!before.contains("data-status=\"?"));
    assert_eq!(service.count(), 0, "a page alone checks nothing");
    let version = before.split("data-version=\"").last().and_then(|rest| rest.split('"').next()).unwrap().to_owned();

    let mut tab = Tab::open(&world, &format!("/events?version={version}"), None).await;
    assert_eq!(tab.response.headers()["content-type"], "text/event-stream");
    assert_eq!(tab.response.headers()["cache-control"], "no-store");
    let mut up: Vec<String> = Vec::new();
    while up.len() < 2 {
        let news: Value = serde_json::from_str(&tab.wait_for("status").await).unwrap();
        up.extend(news["up"].as_array().unwrap().iter().map(|place| place.as_str().unwrap().to_owned()));
        assert_eq!(news["down"], json!([]));
    }
    up.sort();
    // Guests receive nothing about items that they cannot see.
    assert_eq!(up, ["0-0", "0-2"]);
    let after = world.get("/").await.text;
    assert_eq!(after.matches("data-status=\"up\"").count(), 2, "{after}");
    assert!(!after.contains("/secret") && !after.contains("hush"));

    let tip = world.get("/events/status?item=0-2").await.expect_status(200).text;
    assert!(tip.contains("Up") && tip.contains("200 - OK") && tip.contains("Checked"), "{tip}");
    assert!(!tip.contains("127.0.0.1") && !tip.contains("/secret"), "{tip}");
    for item in ["0-1", "0-3", "9-9", ""] {
        world.get(&format!("/events/status?item={item}")).await.expect_status(404);
    }
    assert!(world.request("GET", "/events/status?item=0-1").basic("bob:bob").send().await.text.contains("not checked"));
    world.get("/events?page=nowhere").await.expect_status(404);
}

#[tokio::test]
async fn a_certificate_that_ends_soon_is_a_warning() {
    let soon = Upstream::start_with_days_left(10, Behavior::json("{}")).await;
    let over = Upstream::start_with_days_left(-10, Behavior::json("{}")).await;
    let item = |title: &str, service: &Upstream, more: &str| {
        let url = service.url(&format!("/{title}"));
        format!("      - {{ title: {title}, url: \"{url}\", statusCheckAllowInsecure: true{more} }}\n")
    };
    let items = [
        item("soon", &soon, ""),
        item("later", &soon, ", statusCheckCertificateDays: 5"),
        item("over", &over, ""),
        item("never", &over, ", statusCheckCertificateDays: 0"),
    ];
    let app = "appConfig: { statusCheck: true, statusCheckCertificateDays: 14 }\n";
    let world = Setup::new()
        .file("conf.yml", format!("{app}sections:\n  - name: Home\n    items:\n{}", items.concat()))
        .start()
        .await;
    let mut tab = Tab::open(&world, "/events", None).await;
    let (mut up, mut warn) = (Vec::new(), Vec::new());
    while up.len() + warn.len() < 4 {
        let news: Value = serde_json::from_str(&tab.wait_for("status").await).unwrap();
        assert_eq!(news["down"], json!([]));
        up.extend(news["up"].as_array().unwrap().clone());
        warn.extend(news["warn"].as_array().unwrap().clone());
    }
    up.sort_by_key(Value::to_string);
    warn.sort_by_key(Value::to_string);
    assert_eq!((json!(up), json!(warn)), (json!(["0-1", "0-3"]), json!(["0-0", "0-2"])));
    let page = world.get("/").await.text;
    assert_eq!(page.matches("data-status=\"warn\"").count(), 2, "{page}");
    assert!(page.contains("data-status=\"4 up\""), "a service with a warning is up");
    for (place, expected) in [
        ("0-0", Some("days until the certificate ends: 9")),
        ("0-1", None),
        ("0-2", Some("the certificate has expired")),
        ("0-3", None),
    ] {
        let tip = world.get(&format!("/events/status?item={place}")).await.expect_status(200).text;
        assert!(tip.contains("Up") && tip.contains("200 - OK"), "{tip}");
        match expected {
            Some(expected) => assert!(tip.contains(expected), "{tip}"),
            None => assert!(!tip.contains("certificate"), "{tip}"),
        }
    }
}

#[tokio::test]
async fn a_change_of_the_file_reaches_open_tabs() {
    let service = Upstream::start(Behavior::json("{}")).await;
    let world = guarded(&service).start().await;
    let mut tab = Tab::open(&world, "/events?version=older", None).await;
    let version = tab.wait_for("page").await;
    assert!(!version.is_empty());

    // Changes that guests cannot see cause no event for them.
    let text = world.text("conf.yml").replace("title: Hidden", "title: Buried");
    std::fs::write(world.path("conf.yml"), &text).unwrap();
    world.poll().await;
    std::fs::write(world.path("conf.yml"), text.replace("title: Open", "title: Ajar")).unwrap();
    world.poll().await;
    let changed = tab.wait_for("page").await;
    assert!(changed != version && !changed.is_empty());
    let page = world.get("/").await.text;
    assert!(page.contains("Ajar") && page.contains(&format!("data-version=\"{changed}\"")), "{page}");

    // A broken file only adds a notice.
    std::fs::write(world.path("conf.yml"), "sections: [").unwrap();
    world.poll().await;
    assert!(tab.wait_for("page").await != changed);
    assert!(world.get("/").await.text.contains("Ajar"));
}

#[tokio::test]
async fn streams_end_with_the_session_and_the_server() {
    let service = Upstream::start(Behavior::json("{}")).await;
    let world = guarded(&service).start().await;
    let mut bob = Tab::open(&world, "/events", Some("bob:bob")).await;
    let mut guest = Tab::open(&world, "/events", None).await;
    assert_eq!((bob.response.status().as_u16(), guest.response.status().as_u16()), (200, 200));
    // Bob's account has been removed, and with it his access.
    let text = world.text("conf.yml");
    let without = text.lines().filter(|line| !line.contains("user: bob")).collect::<Vec<_>>().join("\n");
    std::fs::write(world.path("conf.yml"), without).unwrap();
    world.poll().await;
    while bob.next().await.is_some() {}
    world.end_streams();
    while guest.next().await.is_some() {}

    let closed =
        Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", format!("{USERS}sections: []\n")).start().await;
    closed.get("/events").await.expect_status(401);
    closed.get("/events/status?item=0-0").await.expect_status(401);
    closed.get("/status-check?url=http%3A%2F%2Fx.example").await.expect_status(401);
}

#[tokio::test]
async fn the_widget_shows_what_the_checks_found() {
    let service = Upstream::start(Behavior::json("{}")).await;
    let widgets = "    widgets:
      - { type: service-status, options: { items: [ Open, lab/other, Nothing ] } }
      - { type: service-status }
";
    let conf = format!(
        "appConfig: {{ statusCheck: true }}
sections:
  - name: Lab
    items:
      - {{ title: Open, url: '{}' }}
      - {{ title: Hidden, url: '{}', hideForGuests: true }}
      - {{ title: Other, url: '{}' }}
{widgets}",
        service.url("/open"),
        service.url("/hidden"),
        service.url("/other")
    );
    let world = Setup::new().file("conf.yml", conf).start().await;
    let panel = async |widget: usize| {
        let path = format!("/fn/panel?page=home&section=0&widget={widget}&kind=service-status");
        world.get(&path).await.expect_status(200).json()["html"].as_str().unwrap().to_owned()
    };
    let named = panel(0).await;
    assert!(named.contains("Open") && named.contains("Other") && named.contains("Up"), "{named}");
    assert!(named.contains("There is no item") && !named.contains("Hidden"), "{named}");
    assert_eq!(service.count(), 2);
    // Without names, it covers the items that everybody sees.
    let all = panel(1).await;
    assert!(all.contains("Open") && !all.contains("Hidden") && !all.contains("127.0.0.1"), "{all}");
}

#[tokio::test]
async fn the_reason_of_a_failure_is_in_the_language_of_the_page() {
    // Nothing listens there.
    let conf = "appConfig: { language: de, statusCheck: true }
sections: [ { name: Lab, items: [ { title: Gone, url: 'http://127.0.0.1:1' } ] } ]
";
    let world = Setup::new().file("conf.yml", conf).start().await;
    let mut tab = Tab::open(&world, "/events", None).await;
    while !tab.wait_for("status").await.contains("0-0") {}
    let tip = world.get("/events/status?item=0-0").await.expect_status(200).text;
    assert!(tip.contains("Verbindung abgelehnt") && !tip.contains("refused"), "{tip}");
    // Programs read English.
    let answer = check(&world, "url=http%3A%2F%2F127.0.0.1%3A1").await;
    assert!(answer["message"].as_str().unwrap().contains("connection refused"), "{answer}");
}

/// A service that answers every connection with these bytes, and its port.
async fn odd_service(answer: &'static [u8]) -> u16 {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                _ = stream.read(&mut [0; 1024]).await;
                _ = stream.write_all(answer).await;
            });
        }
    });
    port
}

#[tokio::test]
async fn heads_that_browsers_accept_count_as_up() {
    let world = World::new().await;
    for (answer, is_up) in [
        (&b"HTTP/1.0 200 OK\r\nServer: cam\r\nBad Header Line\r\nContent-Type: text/html\r\n\r\nx"[..], true),
        (b"HTTP/1.0 200 OK\r\n: no name\r\nServer : cam\r\n\r\nx", true),
        (b"ICY 200 OK\r\nicy-name: Radio\r\n\r\n\xff\xfb", true),
        (b"ICY 404 Not Found\r\n\r\n", false),
        (b"HTTP/1.0 500 Oh\r\nBad Header Line\r\n\r\n", false),
        // Not even nearly HTTP.
        (b"SSH-2.0-OpenSSH_9.6\r\n", false),
        (b"ICY\r\n", false),
        (b"", false),
    ] {
        let port = odd_service(answer).await;
        let found = check(&world, &format!("url={}", encoded(&format!("http://127.0.0.1:{port}/live?a=b")))).await;
        assert_eq!(found["successStatus"], is_up, "{}: {found}", String::from_utf8_lossy(answer));
    }
}

#[tokio::test]
async fn a_port_is_checked_by_a_connection() {
    let world = World::new().await;
    let port = odd_service(b"").await;
    for (url, is_up, message) in [
        (format!("tcp://127.0.0.1:{port}"), true, "✅ the port is open in "),
        ("tcp://127.0.0.1:1".to_owned(), false, "connection refused (ECONNREFUSED)"),
        ("tcp://127.0.0.1".to_owned(), false, "EINVAL"),
        ("tcp://169.254.169.254:80".to_owned(), false, "EBLOCKED"),
        ("tcp://metadata.google.internal:80".to_owned(), false, "EBLOCKED"),
        ("tcp://[::ffff:169.254.169.254]:80".to_owned(), false, "EBLOCKED"),
    ] {
        let found = check(&world, &format!("url={}", encoded(&url))).await;
        assert_eq!(found["successStatus"], is_up, "{url}: {found}");
        assert!(found["message"].as_str().unwrap().contains(message), "{url}: {found}");
        assert!(found.get("statusCode").is_none() && found.get("timeTaken").is_some() == is_up, "{url}: {found}");
    }
}

/// Whether this process may send pings: on Linux, only members of these groups may.
fn may_ping() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let groups = std::fs::read_to_string("/proc/sys/net/ipv4/ping_group_range").unwrap_or_default();
    let groups: Vec<u32> = groups.split_whitespace().filter_map(|group| group.parse().ok()).collect();
    let own = std::fs::metadata("/proc/self").map(|process| process.gid()).unwrap_or_default();
    groups.first().zip(groups.get(1)).is_some_and(|(first, last)| (*first..=*last).contains(&own))
}

#[tokio::test]
async fn hosts_are_pinged_as_far_as_the_system_allows() {
    let world = World::new().await;
    let ping = async |query: &str| check_as(&world, "", &format!("/ping-check?{query}")).await;
    for query in ["host=127.0.0.1", "host=127.0.0.1&count=1&timeout=1", "host=localhost&count=99"] {
        let found = ping(query).await;
        let message = found["message"].as_str().unwrap();
        assert_eq!(found["successStatus"], may_ping(), "{query}: {found}");
        if may_ping() {
            let count = if query.contains("count=1&") {
                1
            } else if query.contains("99") {
                5
            } else {
                3
            };
            assert!(message.starts_with(&format!("✅ {count} of {count} pings answered in ")), "{query}: {found}");
            assert!(found["timeTaken"].as_f64().is_some_and(|millis| millis < 2000.0), "{found}");
        } else {
            assert!(message.contains("the system allows no pings") && message.contains("EPERM"), "{query}: {found}");
        }
    }
    // The guards are the same as for requests.
    for host in ["169.254.169.254", "metadata.google.internal", "0xa9fea9fe", "[::ffff:169.254.169.254]", "0.0.0.0"] {
        let found = ping(&format!("host={}", encoded(host))).await;
        assert!(found["message"].as_str().unwrap().contains("EBLOCKED"), "{host}: {found}");
    }
    for host in ["a/b", "a@b", "a?b", "-c 1000"] {
        let found = ping(&format!("host={}", encoded(host))).await;
        assert!(found["message"].as_str().unwrap().contains("EINVAL"), "{host}: {found}");
    }
    assert_eq!(ping("host=").await["message"], "❌ Missing or Malformed Host");
    // A request for a picture on another page sends nothing.
    let first = world.get("/ping-check?host=127.0.0.1").await.expect_status(200).json();
    assert!(first["proof"].is_string() && first["successStatus"] == false, "{first}");
    let forbidden = Setup::new().env("OUTBOUND_FORBIDDEN_HOSTS", "127.0.0.1").start().await;
    let found = check_as(&forbidden, "", "/ping-check?host=127.0.0.1").await;
    assert!(found["message"].as_str().unwrap().contains("EBLOCKED"), "{found}");
}

#[tokio::test]
async fn only_hosts_that_the_viewer_sees_are_pinged() {
    let auth = USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let conf = format!(
        "{auth}sections:
  - name: Lab
    items:
      - {{ title: Open, url: 'http://127.0.0.1:9/' }}
      - {{ title: Own, url: 'ssh://nas.example', pingCheckHost: 127.0.0.2 }}
      - {{ title: Hidden, url: 'http://127.0.0.3/', hideForGuests: true }}
"
    );
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", conf).start().await;
    let is_refused = async |host: &str, credentials: &str| {
        let found = check_as(&world, credentials, &format!("/ping-check?host={host}")).await;
        found["message"].as_str().unwrap().contains("Only hosts of the dashboard")
    };
    for host in ["127.0.0.1", "127.0.0.2"] {
        assert!(!is_refused(host, "").await, "{host}");
    }
    for host in ["127.0.0.3", "127.0.0.4", "nas.example"] {
        assert!(is_refused(host, "").await, "{host}");
    }
    assert!(!is_refused("127.0.0.3", "bob:bob").await && is_refused("127.0.0.4", "bob:bob").await);
    assert!(!is_refused("127.0.0.4", "anna:anna").await);
}

#[tokio::test]
async fn both_dots_of_a_tile_have_their_own_state() {
    let service = Upstream::start(Behavior::json("{}")).await;
    let conf = format!(
        "appConfig: {{ statusCheck: true, pingCheckEnabled: true, pingCheckCount: 1 }}
sections:
  - name: Lab
    items:
      - {{ title: Both, url: '{0}' }}
      - {{ title: Status, url: '{0}', pingCheckEnabled: false }}
      - {{ title: Ping, url: 'ssh://127.0.0.1', statusCheck: false }}
",
        service.url("/"),
    );
    let world = Setup::new().file("conf.yml", conf).start().await;
    let before = world.get("/").await.expect_status(200).text;
    assert_eq!(before.matches("data-status=\"wait\"").count(), 4, "{before}");
    assert_eq!(before.matches("id=\"i-0-0-ping\"").count(), 1, "{before}");
    let mut tab = Tab::open(&world, "/events", None).await;
    let (mut up, mut down) = (Vec::new(), Vec::new());
    while up.len() + down.len() < 4 {
        let news: Value = serde_json::from_str(&tab.wait_for("status").await).unwrap();
        let places = |state: &str| {
            let places = news[state].as_array().unwrap().iter();
            places.map(|place| place.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        up.extend(places("up"));
        down.extend(places("down"));
    }
    up.sort();
    down.sort();
    let (pings, replies) = (["0-0-ping", "0-2"], may_ping());
    assert_eq!(up, if replies { vec!["0-0", "0-0-ping", "0-1", "0-2"] } else { vec!["0-0", "0-1"] });
    assert_eq!(down, if replies { &[][..] } else { &pings[..] });
    let after = world.get("/").await.text;
    let state = if replies { "up" } else { "down" };
    assert!(after.contains(&format!("id=\"i-0-0-ping\" data-status=\"{state}\"")), "{after}");
    let tip = world.get("/events/status?item=0-0-ping").await.expect_status(200).text;
    assert!(tip.contains(if replies { "1 of 1 pings answered" } else { "the system allows no pings" }), "{tip}");
}

#[tokio::test]
async fn the_endpoints_that_send_requests_can_be_turned_off() {
    let with = |value: &str| Setup::new().env("DISABLE_PROXY_ENDPOINTS", value);
    let world = with("true").start().await;
    for path in ["/status-check?url=http%3A%2F%2Fx.example", "/status-check/", "/ping-check?host=x", "/cors-proxy"] {
        let reply = world.get(path).await.expect_status(403).json();
        assert_eq!(reply["success"], false, "{path}");
    }
    world.get("/").await.expect_status(200);
    let world = with("false").start().await;
    world.get("/status-check?url=http%3A%2F%2F127.0.0.1%3A1").await.expect_status(200);
}
