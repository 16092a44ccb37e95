//! `portico doctor` checks an installation, and `portico version --check` its version.

use std::{fs, path::Path, process::Command};

use server::{
    access::{Finding, FindingSeverity},
    commands::doctor::findings,
    settings::Settings,
};
use tempfile::TempDir;

use crate::upstream::{Behavior, Upstream};

fn folder(conf: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("conf.yml"), conf).unwrap();
    folder
}

/// The settings of an installation in a folder. Nothing listens on its port.
fn settings(folder: &Path) -> Settings {
    let none = folder.join("none");
    Settings {
        user_data: folder.to_owned(),
        port: 1,
        private_key: none.clone(),
        certificate: none,
        ..Settings::default()
    }
}

async fn check(settings: &Settings, url: Option<&str>) -> Vec<Finding> {
    _ = rustls::crypto::ring::default_provider().install_default();
    findings(url, settings).await
}

#[track_caller]
fn has(findings: &[Finding], severity: FindingSeverity, words: &str) {
    let found = findings.iter().any(|finding| finding.severity == severity && finding.text.contains(words));
    assert!(found, "{words} in {findings:#?}");
}

#[tokio::test]
async fn a_good_installation_has_no_problems() {
    let service = Upstream::start(Behavior::json("{\"status\":\"ok\",\"uptime\":3}")).await;
    let folder =
        folder(&format!("sections: [{{ name: A, items: [{{ title: One, url: '{}' }}] }}]\n", service.url("/")));
    let found = check(&settings(folder.path()), Some(&service.url("/"))).await;
    for words in
        ["can be written", "`conf.yml` is valid", "127.0.0.1 responds", "the clock agrees", "the dashboard responds at"]
    {
        has(&found, FindingSeverity::Good, words);
    }
    assert!(found.iter().all(|finding| finding.severity != FindingSeverity::Problem), "{found:#?}");
}

#[tokio::test]
async fn each_problem_comes_with_what_to_do() {
    let place = folder("sections: [\n");
    has(&check(&settings(place.path()), None).await, FindingSeverity::Problem, "`conf.yml` cannot be read: line");
    let file = place.path().join("conf.yml");
    has(
        &check(&settings(&file), None).await,
        FindingSeverity::Problem,
        "cannot be written (a part of the path is not a directory)",
    );

    let place = folder(
        "sections: [{ name: A, items: [{ title: One, url: 'http://127.0.0.1:2/?key=s3cret' }, { url: 1 }] }]\npages: [{ name: P, path: p.yml }]\n",
    );
    let found = check(&settings(place.path()), Some("http://127.0.0.1:1")).await;
    has(&found, FindingSeverity::Problem, "`portico validate` lists them");
    has(&found, FindingSeverity::Problem, "127.0.0.1 could not be reached (connection refused)");
    has(&found, FindingSeverity::Problem, "`p.yml` cannot be read: the file does not exist");
    has(&found, FindingSeverity::Note, "cannot be checked from here");
    assert!(!format!("{found:?}").contains("s3cret"));

    let other = Upstream::start(Behavior::fails(404)).await;
    let found = check(&settings(place.path()), Some(&other.url(""))).await;
    has(&found, FindingSeverity::Problem, "something else responds (status 404");
}

#[tokio::test]
async fn certificates_are_looked_at() {
    let place = folder("sections: []\n");
    let key = rcgen::KeyPair::generate().unwrap();
    let [key_path, path] = ["key.pem", "certificate.pem"].map(|name| place.path().join(name));
    fs::write(&key_path, key.serialize_pem()).unwrap();
    let settings = Settings { private_key: key_path, certificate: path.clone(), ..settings(place.path()) };
    has(&check(&settings, None).await, FindingSeverity::Problem, "certificate.pem` is missing");
    for (year, severity, words) in [
        (2020, FindingSeverity::Problem, "ended on 2020-05-01"),
        (2100, FindingSeverity::Good, "valid until 2100-05-01"),
    ] {
        let mut parameters = rcgen::CertificateParams::new(["dash.example".to_owned()]).unwrap();
        parameters.not_after = rcgen::date_time_ymd(year, 5, 1);
        fs::write(&path, parameters.self_signed(&key).unwrap().pem()).unwrap();
        has(&check(&settings, None).await, severity, words);
    }
    fs::write(&path, "nothing").unwrap();
    has(&check(&settings, None).await, FindingSeverity::Problem, "cannot be used");
}

#[tokio::test]
async fn the_provider_is_examined() {
    let place = folder(
        "appConfig: { auth: { enableOidc: true, oidc: { clientId: a, endpoint: 'http://127.0.0.1:1' } } }\nsections: []\n",
    );
    has(&check(&settings(place.path()), None).await, FindingSeverity::Problem, "the provider cannot be reached");
}

/// The output and the exit status of `portico version --check`.
async fn version_check(address: Option<String>) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(["version", "--check"]).env_clear().envs(address.map(|address| ("UPDATE_URL", address)));
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[tokio::test]
async fn a_newer_version_is_named() {
    let release =
        |tag: &str| Behavior::json(&format!("{{\"tag_name\":\"{tag}\",\"html_url\":\"https://git.example/9\"}}"));
    let service = Upstream::start(release("v99.0.1")).await;
    let (text, status) = version_check(Some(service.url("/latest"))).await;
    assert!(text.ends_with("version 99.0.1 is available: https://git.example/9\n") && status == Some(1), "{text}");
    service.now(release("v0.0.1"));
    let (text, status) = version_check(Some(service.url("/latest"))).await;
    assert!(text.ends_with("this is the newest version\n") && status == Some(0), "{text}");
    service.now(Behavior::fails(500));
    assert_eq!(version_check(Some(service.url("/latest"))).await.1, Some(2));
    let (text, status) = version_check(None).await;
    assert!(text.contains("set UPDATE_URL") && status == Some(2), "{text}");
}
