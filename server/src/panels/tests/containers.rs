//! The widget `containers` against services that answer like Docker: over a real Unix socket, and over the network.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, UnixListener},
};
use widgets::{Entry, FetchError, Kind, OptionProblems, Panel, ViewerHints};

use crate::{
    http_client::HttpClient,
    panels::context::{ServerContext, WidgetMemory},
    settings::HttpClientSettings,
};

/// The request lines that a service received.
type RequestLines = Arc<Mutex<Vec<String>>>;

/// Responds to one request like a container service with two containers.
async fn talk(mut stream: impl AsyncRead + AsyncWrite + Unpin, heard: RequestLines) {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        if stream.read_buf(&mut bytes).await.unwrap_or_default() == 0 {
            return;
        }
    }
    let line = String::from_utf8_lossy(&bytes).lines().next().unwrap_or_default().to_owned();
    let body = match line.split(' ').nth(1).unwrap_or_default() {
        "/containers/json?all=1" => json!([
            { "Id": "1", "Names": ["/web"], "State": "running", "Status": "Up 2 days (healthy)" },
            { "Id": "2", "Names": ["/job"], "State": "exited", "Status": "Exited (0) 1 hour ago" },
        ]),
        path if path.starts_with("/containers/1/stats?stream=false") => json!({
            "cpu_stats": { "cpu_usage": { "total_usage": 3000 }, "system_cpu_usage": 20_000, "online_cpus": 2 },
            "precpu_stats": { "cpu_usage": { "total_usage": 2000 }, "system_cpu_usage": 10_000, "online_cpus": 2 },
            "memory_stats": { "usage": 4096, "limit": 8192, "stats": { "inactive_file": 96 } },
        }),
        _ => json!({ "message": "page not found" }),
    };
    heard.lock().unwrap().push(line);
    let body = body.to_string();
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
    _ = stream.shutdown().await;
}

async fn fetch(host: &str, page_host: Option<&str>) -> Result<Panel, FetchError> {
    _ = rustls::crypto::ring::default_provider().install_default();
    let http_client = HttpClient::new(HttpClientSettings::default()).unwrap();
    let entry = Entry::read(&json!({ "options": { "host": host } }), false, &mut OptionProblems::default());
    let context = ServerContext::new(http_client, WidgetMemory::default(), &entry, ViewerHints::default());
    let context = context.for_page_of(page_host.map(Arc::from));
    Kind::Containers.fetch(&entry, &context).await
}

fn assert_shown(panel: &Panel, heard: &RequestLines) {
    let text = serde_json::to_string(panel).unwrap();
    for expected in ["\"web\"", "Healthy", "\"job\"", "Stopped", "20.0", "4000.0", "Up 2 days"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let heard = heard.lock().unwrap();
    assert_eq!(
        *heard,
        ["GET /containers/json?all=1 HTTP/1.1", "GET /containers/1/stats?stream=false HTTP/1.1"],
        "it reads, and asks nothing of a container that is stopped"
    );
}

#[tokio::test]
async fn containers_are_read_over_a_socket() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("docker.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let heard = RequestLines::default();
    let memory = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(talk(stream, Arc::clone(&memory)));
        }
    });
    let host = format!("unix://{}", path.display());
    assert_shown(&fetch(&host, None).await.unwrap(), &heard);

    let refused = fetch(&host, Some("pages.example")).await.unwrap_err().to_string();
    assert!(refused.contains("may not open sockets of this server"), "{refused}");
    assert_eq!(heard.lock().unwrap().len(), 2, "a page from another host opens nothing");
}

#[tokio::test]
async fn containers_are_read_over_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = RequestLines::default();
    let memory = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(talk(stream, Arc::clone(&memory)));
        }
    });
    assert_shown(&fetch(&format!("tcp://127.0.0.1:{port}"), None).await.unwrap(), &heard);
}

#[tokio::test]
async fn a_socket_that_cannot_be_opened_is_reported_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("docker.sock");
    let host = format!("unix://{}", path.display());
    let told = fetch(&host, None).await.unwrap_err().to_string();
    assert!(told.starts_with(&format!("There is no socket {}.", path.display())), "{told}");
}
