//! Messages about services that are down, as the targets receive them over loopback.

use std::{
    fs,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, extract::Request, http::StatusCode};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, USERS, World},
};

/// A request that a target got.
#[derive(Clone, Debug)]
struct Message {
    path: String,
    headers: String,
    body: String,
}

impl Message {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Receives messages by HTTP, and responds with the status that the first part of the path names, or 200.
#[derive(Clone, Default)]
struct Receiver(Arc<Mutex<Vec<Message>>>);

impl Receiver {
    async fn start() -> (Self, String) {
        let receiver = Self::default();
        let own = receiver.clone();
        let router = Router::new().fallback(move |request: Request| {
            let own = own.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
                let path = parts.uri.path().to_owned();
                let status = path.split('/').nth(1).and_then(|first| first.parse().ok());
                let headers = format!("{:?}", parts.headers);
                own.0.lock().unwrap().push(Message { path, headers, body: String::from_utf8(body.into()).unwrap() });
                status.unwrap_or(StatusCode::OK)
            }
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (receiver, address)
    }

    fn all(&self) -> Vec<Message> {
        self.0.lock().unwrap().clone()
    }

    /// Waits until so many messages have come in all.
    async fn wait(&self, count: usize) -> Vec<Message> {
        for _ in 0..600 {
            if self.all().len() >= count {
                return self.all();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("only {} of {count} messages have come", self.all().len());
    }
}

/// A config whose one item has a status check.
fn conf(service: &str, targets: &str) -> String {
    format!(
        "pageInfo: {{ title: Harbor }}
appConfig:
  statusCheck: true
  statusCheckInterval: 5
  alerts:
{targets}
sections:
  - name: Media
    items: [ {{ title: Jellyfin, url: '{service}' }} ]
"
    )
}

#[tokio::test]
async fn every_kind_of_target_learns_of_an_outage_and_of_its_end() {
    let service = Upstream::start(Behavior::fails(500)).await;
    let (receiver, address) = Receiver::start().await;
    let targets = format!(
        "    - {{ type: ntfy, url: '{address}/base/outages', token: PORTICO_KEY, failures: 1 }}
    - {{ type: gotify, url: '{address}/gotify/', token: PORTICO_KEY, failures: 1 }}
    - {{ type: webhook, url: '{address}/hook', headers: {{ X-Key: PORTICO_KEY }}, failures: 1 }}
    - {{ type: webhook, url: '{address}/chat', template: '{{\"text\": \"{{title}}\"}}', failures: 1 }}
    - {{ type: apprise, url: '{address}/notify/key', tag: admins, user: anna, password: PORTICO_KEY, failures: 1 }}"
    );
    let world =
        Setup::new().file("conf.yml", conf(&service.url("/"), &targets)).env("PORTICO_KEY", "k3y").start().await;
    tokio::spawn(world.portico().alerts.clone().run());
    // No page is open.
    let mut messages = receiver.wait(5).await;
    messages.sort_by(|one, other| one.path.cmp(&other.path));
    let [ntfy, chat, gotify, hook, apprise] = messages.as_slice() else { panic!("{messages:#?}") };
    let text = gotify.json()["message"].as_str().unwrap().to_owned();
    assert!(
        text.starts_with("Jellyfin (Media): down since ") && text.ends_with(" (500 - Internal Server Error)"),
        "{text}"
    );
    assert_eq!((ntfy.path.as_str(), gotify.path.as_str()), ("/base", "/gotify/message"));
    let expected = json!({
        "topic": "outages", "title": "Jellyfin is down", "message": text, "priority": 4, "tags": ["rotating_light"],
    });
    assert_eq!(ntfy.json(), expected);
    assert!(ntfy.headers.contains("\"authorization\": \"Bearer k3y\""), "{}", ntfy.headers);
    assert_eq!(gotify.json(), json!({ "title": "Jellyfin is down", "message": text, "priority": 8 }));
    assert!(gotify.headers.contains("\"x-gotify-key\": \"k3y\""), "{}", gotify.headers);
    assert_eq!(chat.json(), json!({ "text": "Jellyfin is down" }));
    let told = hook.json();
    assert_eq!((&told["status"], &told["dashboard"]), (&json!("down"), &json!("Harbor")));
    assert_eq!(told["services"][0]["name"], "Jellyfin");
    assert!(hook.headers.contains("\"x-key\": \"k3y\""), "{}", hook.headers);
    let told = apprise.json();
    assert_eq!((&told["type"], &told["body"], &told["tag"]), (&json!("failure"), &json!(text), &json!("admins")));
    let basic = STANDARD.encode("anna:k3y");
    assert!(apprise.headers.contains(&format!("\"authorization\": \"Basic {basic}\"")), "{}", apprise.headers);

    service.now(Behavior::Says(200, Vec::new(), Vec::new()));
    let messages = receiver.wait(10).await;
    let titles: Vec<Value> =
        messages[5..].iter().filter(|message| message.path == "/hook").map(Message::json).collect();
    assert_eq!((&titles[0]["title"], &titles[0]["status"]), (&json!("Jellyfin is up again"), &json!("up")));
    assert!(titles[0]["services"][0]["seconds"].as_u64().unwrap() >= 3, "{titles:?}");
    assert!(receiver.all().len() == 10, "each only once");
}

#[tokio::test]
async fn an_outage_that_lasted_over_a_restart_ends_with_a_message() {
    let service = Upstream::start(Behavior::fails(503)).await;
    let (receiver, address) = Receiver::start().await;
    let target = format!("    - {{ type: webhook, url: '{address}/hook', failures: 1 }}");
    let first = Setup::new().file("conf.yml", conf(&service.url("/"), &target)).start().await;
    let task = tokio::spawn(first.portico().alerts.clone().run());
    receiver.wait(1).await;
    for _ in 0..100 {
        if first.path(".alerts").exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    task.abort();
    // What the file reveals is what the page shows.
    assert!(!first.text(".alerts").contains("127.0.0.1"), "{}", first.text(".alerts"));
    service.now(Behavior::Says(200, Vec::new(), Vec::new()));
    let second = Setup::new().directory(&first.path("")).start().await;
    tokio::spawn(second.portico().alerts.clone().run());
    let messages = receiver.wait(2).await;
    assert_eq!(messages[1].json()["title"], "Jellyfin is up again");
    first.get("/.alerts").await.expect_status(404);
}

#[tokio::test]
async fn a_target_that_cannot_be_reached_is_explained_to_admins_and_blocks_nothing() {
    let service = Upstream::start(Behavior::fails(500)).await;
    let (receiver, address) = Receiver::start().await;
    let targets = format!(
        "    - {{ type: webhook, url: '{address}/401/s3cret-path', name: Broken, failures: 1 }}
    - {{ type: ntfy, url: 'PORTICO_GONE', failures: 1 }}
    - {{ type: webhook, url: '{address}/fine', failures: 1 }}"
    );
    let world = Setup::new().file("conf.yml", conf(&service.url("/"), &targets)).start().await;
    tokio::spawn(world.portico().alerts.clone().run());
    receiver.wait(2).await;
    world.get("/home").await.expect_status(200);
    let mut page = String::new();
    for _ in 0..100 {
        page = world.get("/manage/alerts").await.expect_status(200).text;
        if page.contains("401") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(page.contains("Not delivered: 127.0.0.1 rejects the token or password (401 Unauthorized)"), "{page}");
    assert!(page.contains("Not delivered: The environment variable PORTICO_GONE is not set."), "{page}");
    assert!(!page.contains("s3cret"), "{page}");
}

#[tokio::test]
async fn only_admins_send_a_test_message() {
    let (receiver, address) = Receiver::start().await;
    let target = format!("  alerts: [ {{ type: gotify, url: '{address}', token: t }} ]\n");
    let text = format!("{USERS}{target}sections: []\n");
    let world = Setup::new().file("conf.yml", text).env("ENABLE_HTTP_AUTH", "true").start().await;
    let test = |credentials: &str| {
        let request =
            world.request("POST", "/manage/alerts").body("{\"test\": 0}").header("content-type", "application/json");
        if credentials.is_empty() { request } else { request.basic(credentials) }
    };
    test("").send().await.expect_status(401);
    test("bob:bob").send().await.expect_status(403);
    world.request("GET", "/manage/alerts").basic("bob:bob").send().await.expect_status(403);
    test("Anna:anna").header("origin", "https://evil.example").send().await.expect_status(403);
    assert!(receiver.all().is_empty());
    let page = test("Anna:anna").send().await.expect_status(200).text;
    assert!(page.contains("Last message: ") && !page.contains("Not delivered"), "{page}");
    let message = receiver.wait(1).await.remove(0).json();
    assert_eq!(message["message"], "Alerts of this dashboard arrive here.");
    world.request("POST", "/manage/nothing").basic("Anna:anna").body("{\"test\": 0}").send().await.expect_status(404);
}

/// How a mail server of a test is reached.
#[derive(Clone, Copy, PartialEq)]
enum Encryption {
    No,
    AfterStartTls,
    FromTheStart,
}

/// A mail server. Returns its address, the certificate that it uses, and everything that clients say.
async fn mail_server(encryption: Encryption) -> (String, String, Arc<Mutex<Vec<String>>>) {
    _ = rustls::crypto::ring::default_provider().install_default();
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let scheme = if encryption == Encryption::FromTheStart { "smtps" } else { "smtp" };
    let address = format!("{scheme}://{}", listener.local_addr().unwrap());
    let heard = Arc::<Mutex<Vec<String>>>::default();
    let own = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, heard) = (acceptor.clone(), Arc::clone(&own));
            tokio::spawn(async move {
                if encryption == Encryption::FromTheStart {
                    converse(acceptor.accept(stream).await.unwrap(), &heard, true, "250-AUTH PLAIN LOGIN\r\n").await;
                } else if encryption == Encryption::No {
                    converse(stream, &heard, true, "250-AUTH PLAIN LOGIN\r\n").await;
                } else if let Some(stream) = converse(stream, &heard, true, "250-STARTTLS\r\n").await {
                    converse(acceptor.accept(stream).await.unwrap(), &heard, false, "250-AUTH PLAIN\r\n").await;
                }
            });
        }
    });
    (address, cert.pem(), heard)
}

/// Speaks SMTP until the client ends it, or wants to encrypt; then the connection is returned.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    heard: &Mutex<Vec<String>>,
    greets: bool,
    extensions: &str,
) -> Option<S> {
    let mut stream = BufReader::new(stream);
    if greets {
        stream.write_all(b"220-mail.example\r\n220 ESMTP\r\n").await.unwrap();
    }
    let mut is_data = false;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or_default() == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        heard.lock().unwrap().push(line.clone());
        let command = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        let answer = match command.as_str() {
            "." if is_data => {
                is_data = false;
                "250 queued\r\n".to_owned()
            }
            _ if is_data => continue,
            "EHLO" => format!("250-mail.example\r\n{extensions}250 8BITMIME\r\n"),
            "STARTTLS" => "220 go ahead\r\n".to_owned(),
            "AUTH" => "235 welcome\r\n".to_owned(),
            "RCPT" if line.contains("unknown@") => "550 5.1.1 no such user\r\n".to_owned(),
            "DATA" => {
                is_data = true;
                "354 go on\r\n".to_owned()
            }
            "QUIT" => "221 bye\r\n".to_owned(),
            _ => "250 fine\r\n".to_owned(),
        };
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        if command == "STARTTLS" {
            return Some(stream.into_inner());
        }
    }
}

async fn world_with_mail(address: &str, certificate: &str, fields: &str) -> World {
    let folder = tempfile::tempdir().unwrap().keep();
    fs::write(folder.join("ca.pem"), certificate).unwrap();
    let text = format!(
        "pageInfo: {{ title: Hafen }}
appConfig:
  language: de
  alerts: [ {{ type: email, url: '{address}', {fields} }} ]
sections: []
"
    );
    let ca = folder.join("ca.pem").display().to_string();
    let world =
        Setup::new().file("conf.yml", text).env("NODE_EXTRA_CA_CERTS", &ca).env("PORTICO_PASSWORD", "s3cret").start();
    let world = world.await;
    fs::remove_dir_all(folder).unwrap();
    world
}

const ACCOUNT: &str = "from: 'Portico <portico@b.example>', to: [anna@b.example, bob@b.example], user: portico, password: PORTICO_PASSWORD";

#[tokio::test]
async fn e_mail_is_sent_over_encrypted_connections() {
    for encryption in [Encryption::FromTheStart, Encryption::AfterStartTls] {
        let (address, certificate, heard) = mail_server(encryption).await;
        let world = world_with_mail(&address, &certificate, ACCOUNT).await;
        assert_eq!(world.portico().alerts.test(0).await, Ok(()));
        let heard = heard.lock().unwrap().clone();
        let all = heard.join("\n");
        assert!(heard.contains(&format!("AUTH PLAIN {}", STANDARD.encode("\0portico\0s3cret"))), "{all}");
        for line in ["MAIL FROM:<portico@b.example>", "RCPT TO:<anna@b.example>", "RCPT TO:<bob@b.example>", "DATA"] {
            assert!(heard.iter().any(|heard| heard.starts_with(line)), "{line}: {all}");
        }
        assert!(
            all.contains("Subject: Testnachricht von Hafen") && all.contains("From: Portico <portico@b.example>"),
            "{all}"
        );
        assert!(all.contains("Warnungen dieses Dashboards kommen hier an."), "{all}");
    }
}

#[tokio::test]
async fn no_password_is_sent_without_encryption_or_to_a_stranger() {
    let (address, certificate, heard) = mail_server(Encryption::No).await;
    let world = world_with_mail(&address, &certificate, ACCOUNT).await;
    let problem = world.portico().alerts.test(0).await.unwrap_err();
    assert_eq!(problem, "127.0.0.1 offers no encryption, so the password was not sent");
    assert!(!heard.lock().unwrap().join("\n").contains("AUTH"));

    let (address, _, heard) = mail_server(Encryption::FromTheStart).await;
    let world = world_with_mail(&address, &certificate, ACCOUNT).await;
    let problem = world.portico().alerts.test(0).await.unwrap_err();
    assert_eq!(problem, "127.0.0.1 uses a certificate that is not trusted");
    assert!(heard.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_relay_without_encryption_gets_e_mail_without_a_password() {
    let (address, certificate, heard) = mail_server(Encryption::No).await;
    let world = world_with_mail(&address, &certificate, "to: [anna@b.example]").await;
    assert_eq!(world.portico().alerts.test(0).await, Ok(()));
    assert!(heard.lock().unwrap().contains(&"MAIL FROM:<anna@b.example>".to_owned()));
    let world = world_with_mail(&address, &certificate, "to: [unknown@b.example]").await;
    let problem = world.portico().alerts.test(0).await.unwrap_err();
    assert!(problem.contains("550") && problem.contains("no such user"), "{problem}");
}

#[tokio::test]
async fn the_guards_of_all_requests_hold_for_mail_servers_too() {
    let (address, certificate, heard) = mail_server(Encryption::No).await;
    let text =
        format!("appConfig: {{ alerts: [ {{ type: email, url: '{address}', to: [a@b.example] }} ] }}\nsections: []\n");
    let world = Setup::new().file("conf.yml", text).env("OUTBOUND_FORBID_PRIVATE", "true").start().await;
    let problem = world.portico().alerts.test(0).await.unwrap_err();
    assert_eq!(problem, "127.0.0.1 may not be contacted (requests to private addresses are switched off)");
    assert!(heard.lock().unwrap().is_empty() && !certificate.is_empty());
}
