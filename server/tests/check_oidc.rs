//! `portico check-oidc` explains misconfigurations.

use serde_json::{Value, json};
use server::{
    access::{Finding, FindingSeverity},
    commands::check_oidc::findings,
    settings::Settings,
};

use crate::{
    provider::{Idp, SetClock},
    world::CONF,
};

async fn check(idp: &Idp, conf: &str, url: Option<&str>) -> Result<Vec<Finding>, String> {
    _ = rustls::crypto::ring::default_provider().install_default();
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("conf.yml"), conf).unwrap();
    let settings = Settings { user_data: directory.path().to_owned(), ..Settings::default() };
    assert!(idp.issuer.starts_with("http://127.0.0.1"));
    findings(url, &settings).await
}

#[track_caller]
fn has(findings: &[Finding], severity: FindingSeverity, words: &str) {
    let found = findings.iter().any(|finding| finding.severity == severity && finding.text.contains(words));
    assert!(found, "{words} in {findings:#?}");
}

#[tokio::test]
async fn a_good_registration_has_no_problems() {
    let idp = Idp::start(&SetClock::new()).await;
    idp.set(|inner| {
        inner.description["code_challenge_methods_supported"] = json!(["plain", "S256"]);
        inner.description["scopes_supported"] = json!(["openid", "profile", "email", "roles", "groups"]);
    });
    let found = check(&idp, &idp.conf("", ""), Some("https://dash.example/")).await.unwrap();
    for words in [
        "describes itself",
        "the configured issuer",
        "PKCE",
        "a usable key",
        "https://dash.example",
        "accepts the client",
    ] {
        has(&found, FindingSeverity::Good, words);
    }
    assert!(found.iter().all(|finding| finding.severity == FindingSeverity::Good), "{found:#?}");
}

#[tokio::test]
async fn each_mistake_is_named() {
    let idp = Idp::start_at(&SetClock::new(), "/realms/home").await;
    let conf = idp.conf("", "");
    let issuer = format!("'{}'", idp.issuer);
    let with = |endpoint: &str| conf.replace(&issuer, &format!("'{}{endpoint}'", idp.issuer));
    let found = check(&idp, &with("/.well-known/openid-configuration"), None).await.unwrap();
    has(&found, FindingSeverity::Problem, "without `/.well-known/openid-configuration`");
    has(&found, FindingSeverity::Note, "--url");
    let found = check(&idp, &with("/"), None).await.unwrap();
    has(&found, FindingSeverity::Note, "by a slash at the end");
    let found = check(&idp, &with("/more"), None).await.unwrap();
    has(&found, FindingSeverity::Problem, "404");
    let found =
        check(&idp, &conf.replace("clientId: dashboard", "clientId: 12345678901234567890"), None).await.unwrap();
    has(&found, FindingSeverity::Problem, "put it in quotes");
    has(&found, FindingSeverity::Problem, "invalid_client");
    let found = check(&idp, &idp.conf(", scope: profile", ""), None).await.unwrap();
    has(&found, FindingSeverity::Note, "lacks `groups`");
    let found = check(&idp, &idp.conf(", postLogoutRedirectUri: /bye", ""), None).await.unwrap();
    has(&found, FindingSeverity::Problem, "postLogoutRedirectUri");
    let found = check(&idp, &idp.conf("", "").replace(&idp.issuer, "http://169.254.169.254"), None).await.unwrap();
    has(&found, FindingSeverity::Problem, "cannot be reached");
    has(&found, FindingSeverity::Note, "over http");
    for (change, severity, words) in [
        (("issuer", json!("https://other.example")), FindingSeverity::Problem, "https://other.example"),
        (("issuer", json!("https://other.example")), FindingSeverity::Note, "allowedIssuers"),
        (("issuer", json!("https://login.example/{tenantid}/v2.0")), FindingSeverity::Problem, "allowedIssuers"),
        (("code_challenge_methods_supported", json!(["plain"])), FindingSeverity::Problem, "PKCE"),
        (("scopes_supported", json!(["openid"])), FindingSeverity::Note, "`groups`"),
        (
            ("id_token_encryption_alg_values_supported", json!(["RSA-OAEP"])),
            FindingSeverity::Note,
            "can encrypt ID tokens",
        ),
        (("claims_supported", json!(["sub"])), FindingSeverity::Note, "claim `groups`"),
        (("end_session_endpoint", Value::Null), FindingSeverity::Note, "sign-out"),
        (("jwks_uri", json!(format!("{}/nothing", idp.issuer))), FindingSeverity::Problem, "no key set"),
        (("token_endpoint", Value::Null), FindingSeverity::Problem, "token_endpoint"),
    ] {
        let before = idp.set(|inner| {
            let before = inner.description.clone();
            inner.description[change.0] = change.1;
            before
        });
        has(&check(&idp, &conf, None).await.unwrap(), severity, words);
        idp.set(|inner| inner.description = before);
    }
    for (error, severity, words) in [
        (json!({ "error": "invalid_client" }), FindingSeverity::Problem, "public client"),
        (json!({ "error": "invalid_request" }), FindingSeverity::Note, "invalid_request"),
        (
            json!({ "error": "invalid_request", "error_description": "AADSTS9002327: …" }),
            FindingSeverity::Good,
            "single-page application",
        ),
    ] {
        idp.set(|inner| inner.error = Some(error));
        has(&check(&idp, &conf, None).await.unwrap(), severity, words);
    }
    idp.set(|inner| inner.error = None);
    idp.set(|inner| inner.date = Some("Thu, 01 Jan 2026 00:00:00 GMT"));
    has(&check(&idp, &conf, None).await.unwrap(), FindingSeverity::Problem, "clocks");
    idp.set(|inner| inner.refuses_redirect = true);
    has(&check(&idp, &conf, Some("https://dash.example")).await.unwrap(), FindingSeverity::Problem, "redirect");
    for (conf, words) in [
        (CONF.to_owned(), "neither"),
        ("a: [1".to_owned(), "not valid YAML"),
        (format!("{CONF}appConfig: {{ auth: {{ enableOidc: true }} }}\n"), "lacks"),
    ] {
        let reason = check(&idp, &conf, None).await.unwrap_err();
        assert!(reason.contains(words), "{reason}");
    }
}

/// Some providers fail on a request with `prompt=none`.
#[tokio::test]
async fn a_login_page_that_fails_without_a_person_is_no_problem() {
    let idp = Idp::start(&SetClock::new()).await;
    for fails in [(true, false), (true, true)] {
        idp.set(|inner| inner.login_page_fails = fails);
        let found = check(&idp, &idp.conf("", ""), Some("https://dash.example")).await.unwrap();
        has(&found, FindingSeverity::Note, "to a request without a prompt");
        has(&found, FindingSeverity::Note, "https://dash.example is registered");
        assert!(found.iter().all(|finding| finding.severity != FindingSeverity::Problem), "{found:#?}");
    }
    idp.set(|inner| inner.refuses_redirect = true);
    has(
        &check(&idp, &idp.conf("", ""), Some("https://dash.example")).await.unwrap(),
        FindingSeverity::Problem,
        "registered",
    );
}

#[tokio::test]
async fn keycloak_is_spoken_of_in_the_words_of_its_config() {
    for (path, server_path, legacy, words) in [
        ("/realms/home", "/auth", false, "Remove `/auth` from the end of `serverUrl`"),
        ("/auth/realms/home", "", false, "turn on `legacySupport`"),
        ("/realms/home", "", true, "turn it off for current versions"),
    ] {
        let idp = Idp::start_at(&SetClock::new(), path).await;
        let origin = idp.issuer.strip_suffix(path).unwrap();
        let conf = format!(
            "{CONF}appConfig:\n  auth:\n    enableKeycloak: true\n    keycloak: {{ serverUrl: '{origin}{server_path}', \
             realm: home, clientId: dashboard, legacySupport: {legacy} }}\n"
        );
        let found = check(&idp, &conf, None).await.unwrap();
        has(&found, FindingSeverity::Problem, "404");
        has(&found, FindingSeverity::Note, words);
        has(&found, FindingSeverity::Note, "`realm`");
        assert!(found.iter().all(|finding| !finding.text.contains("endpoint`")), "{found:#?}");
    }
}
