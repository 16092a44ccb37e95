//! Requests over Unix sockets, with a real socket in a folder of the test.

use std::{os::unix::fs::PermissionsExt, path::Path, time::Duration};

use tempfile::TempDir;
use tokio::{io::AsyncWriteExt, net::UnixListener};

use super::fixture::{Names, get, http_client, read_request, response};
use crate::{
    http_client::{HttpClientError, HttpRequest},
    settings::HttpClientSettings,
};

/// Listens on a socket in the folder, and responds to every request with these bytes.
fn listen(folder: &TempDir, bytes: Vec<u8>) -> std::path::PathBuf {
    let path = folder.path().join("service.sock");
    let listener = UnixListener::bind(&path).unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let Some(heard) = read_request(&mut stream).await else { continue };
            assert_eq!((heard.line(), heard.header("host")), ("GET /list?all=1 HTTP/1.1", Some("localhost")));
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
    });
    path
}

fn request(path: &Path) -> HttpRequest {
    HttpRequest { socket: Some(path.to_owned()), ..get("http://localhost/list?all=1") }
}

#[tokio::test]
async fn a_socket_is_asked_in_place_of_the_host() {
    let folder = tempfile::tempdir().unwrap();
    let path = listen(&folder, response("200 OK", &[], b"[1]"));
    // No name is resolved and no address is checked: private addresses are forbidden here.
    let names = Names::new(&[]);
    let http_client = http_client(HttpClientSettings { forbid_private: true, ..HttpClientSettings::default() }, &names);
    for _ in 0..2 {
        let reply = http_client.send(request(&path)).await.unwrap();
        assert_eq!((reply.status.as_u16(), &*reply.body), (200, &b"[1]"[..]));
    }
    assert!(names.lookups().is_empty());
}

#[tokio::test]
async fn a_socket_leads_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = listen(&folder, response("302 Found", &[("Location", "http://localhost/other")], b""));
    let http_client = http_client(HttpClientSettings::default(), &Names::new(&[]));
    assert_eq!(http_client.send(request(&path)).await.unwrap().status.as_u16(), 302);
}

#[tokio::test]
async fn answers_of_sockets_have_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = listen(&folder, response("200 OK", &[], &[b'x'; 100]));
    let http_client = http_client(HttpClientSettings::default(), &Names::new(&[]));
    let host = path.display().to_string();
    let outcome = http_client.send(HttpRequest { max_bytes: 99, ..request(&path) }).await;
    assert_eq!(outcome.unwrap_err(), HttpClientError::TooLarge { host: host.clone() });
    let silent = folder.path().join("silent.sock");
    let _listener = UnixListener::bind(&silent).unwrap();
    let after = Duration::from_millis(50);
    let outcome = http_client.send(HttpRequest { timeout: after, ..request(&silent) }).await;
    assert_eq!(outcome.unwrap_err(), HttpClientError::TimedOut { host: silent.display().to_string(), after });
}

#[tokio::test]
async fn a_wrong_socket_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let http_client = http_client(HttpClientSettings::default(), &Names::new(&[]));
    let path = folder.path().join("none.sock");
    let told = path.display().to_string();
    assert_eq!(http_client.send(request(&path)).await.unwrap_err(), HttpClientError::NoSocket { path: told.clone() });
    drop(UnixListener::bind(&path).unwrap());
    assert_eq!(
        http_client.send(request(&path)).await.unwrap_err(),
        HttpClientError::Refused { host: told.clone() },
        "the program that listened is gone"
    );
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    let denied = http_client.send(request(&path)).await.unwrap_err();
    // Root may open every file.
    let is_root = std::fs::read(&path).is_err_and(|error| error.kind() != std::io::ErrorKind::PermissionDenied);
    let expected = HttpClientError::SocketDenied { path: told.clone() };
    assert!(denied == expected || is_root, "{denied:?}");
}
