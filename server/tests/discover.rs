//! `portico discover` prints what the engines of a config give.

use std::{fs, path::Path};

use serde_json::{Value, json};
use server::{commands::discover::report, settings::Settings};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixListener,
};

/// A folder with a config, and with an engine that lists these containers at the socket `engine.sock`.
fn folder(containers: Value) -> TempDir {
    _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(folder.path().join("engine.sock")).unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = vec![0; 4096];
            let length = stream.read(&mut head).await.unwrap();
            assert!(head[..length].starts_with(b"GET /containers/json?all=1 "));
            let body = containers.to_string();
            let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        }
    });
    folder
}

async fn printed(folder: &Path, fields: &str) -> Result<(String, bool), String> {
    let socket = folder.join("engine.sock");
    let conf = format!(
        "appConfig: {{ discovery: [{{ name: nas, url: 'unix://{}'{fields} }}] }}\nsections: []\n",
        socket.display()
    );
    let file = folder.join("other.yml");
    fs::write(&file, conf).unwrap();
    report(&file, &Settings::default()).await
}

#[tokio::test]
async fn found_entries_and_reasons_are_printed() {
    let folder = folder(json!([
        {
            "Id": "1", "Names": ["/films"], "State": "running",
            "Labels": {
                "homepage.name": "Films\u{1b}[2J", "homepage.group": "Media", "homepage.showStats": "true",
                "homepage.widget.type": "jellyfin", "homepage.widget.key": "s3cret",
                "traefik.http.routers.f.rule": "Host(`films.example`)", "traefik.http.routers.f.tls": "true",
            },
        },
        { "Id": "2", "Names": ["/part"], "Labels": { "glance.parent": "none" } },
        { "Id": "3", "Names": ["/db"], "Labels": null },
    ]));
    let (text, is_good) = printed(folder.path(), "").await.unwrap();
    assert!(is_good);
    let expected = "\
ok: nas: 1 found, 2 dropped
  Media
    Films\u{fffd}[2J: https://films.example (container films, running, labels of homepage, address from Traefik's rule, widget jellyfin)
      note: `homepage.showStats` is not used
  dropped part: no container that was found has the label `glance.id=none`
  left out db: it has no labels for a dashboard
";
    assert_eq!(text, expected);
}

#[tokio::test]
async fn what_cannot_be_listed_is_a_problem() {
    let folder = folder(json!({ "message": "no" }));
    let (text, is_good) = printed(folder.path(), "").await.unwrap();
    assert!(!is_good);
    assert!(text.starts_with("problem: nas: the response to `GET /containers/json` is not a JSON list"), "{text}");
    fs::remove_file(folder.path().join("engine.sock")).unwrap();
    let (text, is_good) = printed(folder.path(), "").await.unwrap();
    assert!(!is_good && text.starts_with("problem: nas: there is no socket"), "{text}");

    fs::write(folder.path().join("none.yml"), "sections: []\n").unwrap();
    let reason = report(&folder.path().join("none.yml"), &Settings::default()).await.unwrap_err();
    assert!(reason.contains("no sources in `appConfig.discovery`"), "{reason}");
}

#[tokio::test]
async fn wrong_values_in_the_config_are_named() {
    let folder = folder(json!([]));
    let (text, is_good) = printed(folder.path(), ", labels: [homepge]").await.unwrap();
    assert!(is_good, "{text}");
    assert!(text.contains("/appConfig/discovery/0/labels: ") && text.contains("did you mean `homepage`"), "{text}");

    let file = folder.path().join("wrong.yml");
    fs::write(&file, "appConfig: { discovery: nas }\nsections: []\n").unwrap();
    let reason = report(&file, &Settings::default()).await.unwrap_err();
    assert!(reason.contains("/appConfig/discovery"), "{reason}");
}
