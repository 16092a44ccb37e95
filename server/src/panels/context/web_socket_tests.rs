//! Calls over a WebSocket, from the figures of TrueNAS down to a real server: what is asked and shown, and that the limits and
//! guards of all requests apply.

use std::sync::Arc;

use futures_util::{SinkExt as _, StreamExt as _};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    net::TcpListener,
    sync::mpsc,
};
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::{accept_async, tungstenite::Message};
use widgets::{Kind, panel::Part};

use super::*;
use crate::settings::HttpClientSettings;

const PASSWORD: &str = "correct horse battery";

/// How the server behaves.
#[derive(Clone, Copy, Debug)]
enum Manner {
    Usual,
    /// Closes the connection in place of the second answer.
    Leaves,
    /// Sends five megabytes in place of the second answer.
    Floods,
    /// Sends what is no JSON.
    Mumbles,
    /// Sends nothing.
    Sleeps,
    /// Opens no WebSocket, and ends each connection.
    Refuses,
}

/// A server in the shape of https://api.truenas.com/v26.0/jsonrpc.html. The channel gets the methods that are called.
async fn server(manner: Manner, tls: Option<TlsAcceptor>) -> (u16, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (called, calls) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (called, tls) = (called.clone(), tls.clone());
            tokio::spawn(async move {
                match tls {
                    None => converse(stream, manner, &called).await,
                    // A client that does not trust us leaves here.
                    Some(tls) => {
                        if let Ok(stream) = tls.accept(stream).await {
                            converse(stream, manner, &called).await;
                        }
                    }
                }
            });
        }
    });
    (port, calls)
}

async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    manner: Manner,
    called: &mpsc::UnboundedSender<String>,
) {
    if let Manner::Refuses = manner {
        called.send("refused".to_owned()).unwrap();
        let answer = b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let _ = stream.write_all(answer).await;
        let _ = stream.shutdown().await;
        return;
    }
    let Ok(mut socket) = accept_async(stream).await else { return };
    let mut is_signed_in = false;
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let call: Value = serde_json::from_str(&text).unwrap();
        let method = call["method"].as_str().unwrap();
        called.send(method.to_owned()).unwrap();
        let (id, failure) = (&call["id"], json!({ "code": -32001, "message": "Method call error" }));
        let answer = match method {
            "auth.login" => {
                is_signed_in = call["params"] == json!(["anna", PASSWORD]);
                json!({ "jsonrpc": "2.0", "id": id, "result": is_signed_in })
            }
            _ if !is_signed_in => json!({ "jsonrpc": "2.0", "id": id, "error": failure }),
            "system.info" => {
                json!({ "jsonrpc": "2.0", "id": id, "result": { "loadavg": [0.5, 0.4, 0.3], "uptime_seconds": 3600 } })
            }
            "alert.list" => json!({ "jsonrpc": "2.0", "id": id, "result": [{ "dismissed": false }] }),
            _ => json!({ "jsonrpc": "2.0", "id": id, "result": [{ "name": "tank", "healthy": true }] }),
        };
        // What is no answer is skipped.
        socket.send(Message::Ping("hello".into())).await.unwrap();
        let news = json!({ "jsonrpc": "2.0", "method": "collection_update", "params": { "id": id } });
        socket.send(Message::text(news.to_string())).await.unwrap();
        let answer = match manner {
            Manner::Leaves if method != "auth.login" => return,
            Manner::Floods if method != "auth.login" => "x".repeat(5 * 1024 * 1024),
            Manner::Mumbles => "mumble".to_owned(),
            Manner::Sleeps => continue,
            _ => answer.to_string(),
        };
        // The client may have left.
        let _ = socket.send(Message::text(answer)).await;
    }
}

fn entry(url: String, password: &str) -> Entry {
    let options = json!({ "service": "truenas", "url": url, "username": "anna", "password": password });
    Entry { options: options.as_object().unwrap().clone(), timeout: Duration::from_secs(2), ..Entry::default() }
}

/// The numbers of figures, or the sentence of the error.
async fn figures(entry: &Entry, settings: HttpClientSettings) -> Result<usize, String> {
    _ = rustls::crypto::ring::default_provider().install_default();
    let http_client = HttpClient::new(settings).unwrap();
    let context = ServerContext::new(http_client, WidgetMemory::default(), entry, ViewerHints::default());
    let outcome = Kind::ServiceFigures.fetch(entry, &context).await;
    let shown = format!("{outcome:?} {:?}", context.take_log());
    assert!(!shown.contains(PASSWORD), "{shown}");
    let panel = outcome.map_err(|error| error.to_string())?;
    let Part::Stats(stats) = &panel.parts[0] else { panic!("{panel:?}") };
    Ok(stats.stats.iter().filter(|stat| !stat.value.is_missing()).count())
}

async fn calls_until_now(calls: &mut mpsc::UnboundedReceiver<String>) -> Vec<String> {
    let mut seen = Vec::new();
    while let Ok(call) = calls.try_recv() {
        seen.push(call);
    }
    seen
}

#[tokio::test]
async fn one_connection_signs_in_and_has_all_calls() {
    let (port, mut calls) = server(Manner::Usual, None).await;
    let entry = entry(format!("http://127.0.0.1:{port}"), PASSWORD);
    assert_eq!(figures(&entry, HttpClientSettings::default()).await, Ok(4));
    assert_eq!(calls_until_now(&mut calls).await, ["auth.login", "system.info", "alert.list", "pool.query"]);
}

#[tokio::test]
async fn failures_say_what_to_do() {
    for (manner, password, expected) in [
        (
            Manner::Usual,
            "wrong",
            "127.0.0.1 refused the key or password. Make a new key in TrueNAS, under My API Keys: it revokes a key that was sent \
             without HTTPS.",
        ),
        (Manner::Leaves, PASSWORD, "127.0.0.1 sent something unexpected (an incomplete or damaged response)."),
        (Manner::Mumbles, PASSWORD, "127.0.0.1 sent something unexpected (an incomplete or damaged response)."),
        (Manner::Floods, PASSWORD, "The response from 127.0.0.1 is too large."),
        (
            Manner::Sleeps,
            PASSWORD,
            "127.0.0.1 did not answer within 2 s. Check that it is running, or raise the option timeout.",
        ),
        (
            Manner::Refuses,
            PASSWORD,
            "127.0.0.1 does not know this address; check the address and the version of the service. From TrueNAS 26 on, url must \
             begin with https:// if there is a key.",
        ),
    ] {
        let (port, _calls) = server(manner, None).await;
        let mut entry = entry(format!("http://127.0.0.1:{port}"), password);
        // Otherwise the older API is asked then.
        entry.options.insert("settings".to_owned(), json!({ "version": 2 }));
        let outcome = figures(&entry, HttpClientSettings::default()).await;
        assert_eq!(outcome, Err(expected.to_owned()), "{manner:?}");
    }
}

#[tokio::test]
async fn forbidden_hosts_are_not_called() {
    let rule = |text: &str| vec![text.parse().unwrap()];
    let own = |port| HttpClientSettings { own_ports: vec![port], ..HttpClientSettings::default() };
    let private = |_| HttpClientSettings { forbid_private: true, ..HttpClientSettings::default() };
    let listed = |_| HttpClientSettings { forbidden_hosts: rule("127.0.0.0/8"), ..HttpClientSettings::default() };
    let guards: [&dyn Fn(u16) -> HttpClientSettings; 3] = [&own, &private, &listed];
    for settings in guards {
        // Written as an address, and as a name that is resolved.
        for host in ["127.0.0.1", "localhost"] {
            let (port, mut calls) = server(Manner::Refuses, None).await;
            let outcome = figures(&entry(format!("http://{host}:{port}"), PASSWORD), settings(port)).await;
            let expected = "This address may not be called (cloud metadata or forbidden by the administrator).";
            assert_eq!(outcome, Err(expected.to_owned()), "{host}");
            assert_eq!(calls_until_now(&mut calls).await, Vec::<String>::new(), "{host}");
        }
    }
}

#[tokio::test]
async fn a_page_of_another_host_opens_none() {
    let (port, mut calls) = server(Manner::Refuses, None).await;
    let entry = entry(format!("http://127.0.0.1:{port}"), PASSWORD);
    _ = rustls::crypto::ring::default_provider().install_default();
    let http_client = HttpClient::new(HttpClientSettings::default()).unwrap();
    let context = ServerContext::new(http_client, WidgetMemory::default(), &entry, ViewerHints::default())
        .for_page_of(Some("127.0.0.1".into()));
    let error = Kind::ServiceFigures.fetch(&entry, &context).await.unwrap_err().to_string();
    assert!(error.contains("may not send data"), "{error}");
    assert_eq!(calls_until_now(&mut calls).await, Vec::<String>::new());
}

#[tokio::test]
async fn certificates_are_checked_unless_the_entry_is_insecure() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key);
    let mut config = config.unwrap();
    // As nginx in front of TrueNAS: a WebSocket must not be opened over HTTP/2.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let (port, _calls) = server(Manner::Usual, Some(TlsAcceptor::from(Arc::new(config)))).await;
    let mut entry = entry(format!("https://localhost:{port}"), PASSWORD);
    let strict = figures(&entry, HttpClientSettings::default()).await;
    assert_eq!(strict, Err("localhost uses a certificate that is not trusted.".to_owned()));
    entry.insecure = true;
    assert_eq!(figures(&entry, HttpClientSettings::default()).await, Ok(4));
}
