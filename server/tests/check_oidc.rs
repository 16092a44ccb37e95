//! `portico check-oidc` explains misconfigurations.

use serde_json::{Value, json};
use server::{
    access::{Finding, Weight},
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
fn has(findings: &[Finding], weight: Weight, words: &str) {
    let found = findings.iter().any(|finding| finding.weight == weight && finding.text.contains(words));
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
        has(&found, Weight::Good, words);
    }
    assert!(found.iter().all(|finding| finding.weight == Weight::Good), "{found:#?}");
}

#[tokio::test]
async fn each_mistake_is_named() {
    let idp = Idp::start_at(&SetClock::new(), "/realms/home").await;
    let conf = idp.conf("", "");
    let issuer = format!("'{}'", idp.issuer);
    let with = |endpoint: &str| conf.replace(&issuer, &format!("'{}{endpoint}'", idp.issuer));
    let found = check(&idp, &with("/.well-known/openid-configuration"), None).await.unwrap();
    has(&found, Weight::Problem, "without `/.well-known/openid-configuration`");
    has(&found, Weight::Note, "--url");
    let found = check(&idp, &with("/"), None).await.unwrap();
    has(&found, Weight::Note, "by a slash at the end");
    let found = check(&idp, &with("/more"), None).await.unwrap();
    has(&found, Weight::Problem, "404");
    let found =
        check(&idp, &conf.replace("clientId: dashboard", "clientId: 12345678901234567890"), None).await.unwrap();
    has(&found, Weight::Problem, "put it in quotes");
    has(&found, Weight::Problem, "invalid_client");
    let found = check(&idp, &idp.conf(", scope: profile", ""), None).await.unwrap();
    has(&found, Weight::Note, "lacks `groups`");
    let found = check(&idp, &idp.conf(", postLogoutRedirectUri: /bye", ""), None).await.unwrap();
    has(&found, Weight::Problem, "postLogoutRedirectUri");
    let found = check(&idp, &idp.conf("", "").replace(&idp.issuer, "http://169.254.169.254"), None).await.unwrap();
    has(&found, Weight::Problem, "cannot be reached");
    has(&found, Weight::Note, "over http");
    for (change, weight, words) in [
        (("issuer", json!("https://other.example")), Weight::Problem, "https://other.example"),
        (("issuer", json!("https://other.example")), Weight::Note, "allowedIssuers"),
        (("issuer", json!("https://login.example/{tenantid}/v2.0")), Weight::Problem, "allowedIssuers"),
        (("code_challenge_methods_supported", json!(["plain"])), Weight::Problem, "PKCE"),
        (("scopes_supported", json!(["openid"])), Weight::Note, "`groups`"),
        (("id_token_encryption_alg_values_supported", json!(["RSA-OAEP"])), Weight::Note, "can encrypt ID tokens"),
        (("claims_supported", json!(["sub"])), Weight::Note, "claim `groups`"),
        (("end_session_endpoint", Value::Null), Weight::Note, "sign-out"),
        (("jwks_uri", json!(format!("{}/nothing", idp.issuer))), Weight::Problem, "no key set"),
        (("token_endpoint", Value::Null), Weight::Problem, "token_endpoint"),
    ] {
        let before = idp.set(|inner| {
            let before = inner.description.clone();
            inner.description[change.0] = change.1;
            before
        });
        has(&check(&idp, &conf, None).await.unwrap(), weight, words);
        idp.set(|inner| inner.description = before);
    }
    for (error, weight, words) in [
        (json!({ "error": "invalid_client" }), Weight::Problem, "public client"),
        (json!({ "error": "invalid_request" }), Weight::Note, "invalid_request"),
        (
            json!({ "error": "invalid_request", "error_description": "AADSTS9002327: …" }),
            Weight::Good,
            "single-page application",
        ),
    ] {
        idp.set(|inner| inner.error = Some(error));
        has(&check(&idp, &conf, None).await.unwrap(), weight, words);
    }
    idp.set(|inner| inner.error = None);
    idp.set(|inner| inner.date = Some("Thu, 01 Jan 2026 00:00:00 GMT"));
    has(&check(&idp, &conf, None).await.unwrap(), Weight::Problem, "clocks");
    idp.set(|inner| inner.refuses_redirect = true);
    has(&check(&idp, &conf, Some("https://dash.example")).await.unwrap(), Weight::Problem, "redirect");
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
        has(&found, Weight::Note, "to a request without a prompt");
        has(&found, Weight::Note, "https://dash.example is registered");
        assert!(found.iter().all(|finding| finding.weight != Weight::Problem), "{found:#?}");
    }
    idp.set(|inner| inner.refuses_redirect = true);
    has(&check(&idp, &idp.conf("", ""), Some("https://dash.example")).await.unwrap(), Weight::Problem, "registered");
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
        has(&found, Weight::Problem, "404");
        has(&found, Weight::Note, words);
        has(&found, Weight::Note, "`realm`");
        assert!(found.iter().all(|finding| !finding.text.contains("endpoint`")), "{found:#?}");
    }
}
