//! docs/spec/api.md 11, cases 111 to 131: who may call.

use serde_json::Value;

use crate::world::{C, CONF, Reply, Setup, USERS, World};

const BODY: &str = r#"{"sections":[]}"#;

fn token() -> Setup {
    Setup::new().env("API_TOKEN", "t0k")
}

fn account() -> Setup {
    Setup::new().env("BASIC_AUTH_USERNAME", "admin").env("BASIC_AUTH_PASSWORD", "p:w")
}

fn users() -> Setup {
    Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", format!("{CONF}{USERS}"))
}

fn auth(block: &str) -> Setup {
    Setup::new().file("conf.yml", format!("{CONF}appConfig:\n  auth: {block}\n"))
}

async fn with(world: &World, authorization: &str) -> Reply {
    world.request("GET", "/api/config").header("authorization", authorization).send().await
}

#[tokio::test]
async fn case_111_a_token_closes_the_api() {
    let reply = token().start().await.get("/api/config").await;
    assert_eq!(reply.header("www-authenticate"), "Bearer realm=\"dashboard\"");
    assert!(reply.expect_failure(401).contains("Unauthorized"));
}

#[tokio::test]
async fn case_112_the_token_opens_it() {
    let world = token().start().await;
    for authorization in ["Bearer t0k", "bearer  t0k ", "BEARER t0k"] {
        with(&world, authorization).await.expect_status(200);
    }
}

#[tokio::test]
async fn case_113_nothing_else_does() {
    let world = token().start().await;
    for authorization in
        ["Bearer wrong", "Bearer t0", "Bearer t0kk", "Bearer T0K", "Bearer", "t0k", "Basic dDBrOg==", "Digest t0k"]
    {
        let reply = with(&world, authorization).await;
        let refused = authorization.starts_with("Bearer ");
        assert_eq!(reply.header("www-authenticate").contains("invalid_token"), refused, "{authorization}");
        reply.expect_failure(401);
    }
}

#[tokio::test]
async fn case_114_the_token_writes() {
    let world = token().start().await;
    let path = format!("{C}/sections");
    world.send("POST", &path, r#"{"name":"G"}"#).await.expect_failure(401);
    world.assert_unchanged();
    world.request("POST", &path).bearer("t0k").body(r#"{"name":"G"}"#).send().await.expect_status(201);
}

#[tokio::test]
async fn case_115_the_token_closes_nothing_else() {
    token().start().await.get("/conf.yml").await.expect_status(200);
}

#[tokio::test]
async fn case_116_the_token_opens_nothing_else() {
    let world = token().file("conf.yml", format!("{CONF}{USERS}")).start().await;
    for path in ["/conf.yml", "/", "/download"] {
        world.request("GET", path).bearer("t0k").send().await.expect_status(401);
    }
    world
        .request("POST", "/config-manager/save")
        .bearer("t0k")
        .body(r#"{"config":"sections: []"}"#)
        .send()
        .await
        .expect_status(401);
    world.assert_unchanged();
    world.request("GET", C).bearer("t0k").send().await.expect_status(200);
}

#[tokio::test]
async fn case_117_the_static_account() {
    let world = account().start().await;
    let reply = world.get("/api/config").await;
    assert_eq!(reply.header("www-authenticate"), "Basic realm=\"dashboard\", charset=\"UTF-8\"");
    reply.expect_failure(401);
    for wrong in ["admin:p", "admin:p:w ", "Admin:p:w", "admin", ":", "admin:"] {
        world.request("GET", "/api/config").basic(wrong).send().await.expect_failure(401);
    }
    world.request("GET", "/api/config").basic("admin:p:w").send().await.expect_status(200);
}

#[tokio::test]
async fn case_118_the_static_account_is_an_admin() {
    let world = account().start().await;
    world.request("PUT", C).basic("admin:p:w").body(BODY).send().await.expect_status(200);
}

#[tokio::test]
async fn case_119_users_and_their_types() {
    let world = users().start().await;
    world.request("GET", C).basic("bob:bob").send().await.expect_status(200);
    world.request("PUT", C).basic("bob:bob").body(BODY).send().await.expect_failure(403);
    world.assert_unchanged();
    world.request("GET", C).basic("ANNA:anna").send().await.expect_status(200);
    for wrong in ["ANNA:bob", "carl:anna", "anna:"] {
        world.request("PUT", C).basic(wrong).body(BODY).send().await.expect_failure(401);
    }
    world
        .request("PUT", &format!("{C}/pageInfo"))
        .basic("ANNA:anna")
        .body(r#"{"title":"T"}"#)
        .send()
        .await
        .expect_status(200);
}

#[tokio::test]
async fn case_120_readers_see_no_passwords() {
    let world = users().start().await;
    for path in [C.to_owned(), format!("{C}/appConfig")] {
        let seen = world.request("GET", &path).basic("bob:bob").send().await.expect_status(200);
        assert!(seen.text.contains("Anna") && !seen.text.contains("hash"), "{}", seen.text);
        let seen = world.request("GET", &path).basic("anna:anna").send().await.expect_status(200);
        assert!(seen.text.contains("hash"));
    }
}

#[tokio::test]
async fn case_121_token_and_account_side_by_side() {
    let world = account().env("API_TOKEN", "t0k").start().await;
    world.request("GET", C).bearer("t0k").send().await.expect_status(200);
    world.request("GET", C).basic("admin:p:w").send().await.expect_status(200);
    world.request("GET", C).bearer("nope").send().await.expect_failure(401);
    let reply = world.get(C).await;
    let challenges = reply.header("www-authenticate");
    assert!(challenges.contains("Basic") && challenges.contains("Bearer"), "{challenges}");
    reply.expect_failure(401);
}

#[tokio::test]
async fn case_122_authentication_before_the_body() {
    let world = token().start().await;
    world.send("PUT", C, "{not json").await.expect_failure(401);
}

#[tokio::test]
async fn case_123_authentication_before_the_path() {
    let world = token().start().await;
    world.get("/api/nonsense").await.expect_failure(401);
    world.get("/api//config").await.expect_failure(401);
    world.request("BREW", C).send().await.expect_failure(401);
}

#[tokio::test]
async fn case_124_users_close_the_api() {
    let world = users().env("ENABLE_HTTP_AUTH", "").start().await;
    world.get(C).await.expect_failure(401);
    world.request("GET", C).basic("bob:bob").send().await.expect_status(200);
}

#[tokio::test]
async fn providers_close_the_api() {
    for block in [
        "{ enableOidc: true, oidc: { clientId: a, endpoint: 'https://id.example' } }",
        "{ enableOidc: true, enableGuestAccess: true, oidc: { clientId: a, endpoint: 'https://id.example' } }",
        "{ enableKeycloak: true, keycloak: { serverUrl: 'https://id.example', realm: r, clientId: a } }",
        "{ enableHeaderAuth: true, headerAuth: { proxyWhitelist: [ 10.0.0.1 ] } }",
        "{ enableOidc: true }",
        "{ enableOidc: 'yes please' }",
        "{ users: [ { user: nobody } ], enableOidc: nonsense }",
    ] {
        let world = auth(block).env("API_TOKEN", "t0k").start().await;
        world.get(C).await.expect_failure(401);
        world.send("PUT", C, BODY).await.expect_failure(401);
        world.request("GET", C).bearer("some.id.token").send().await.expect_failure(401);
        world.request("GET", C).basic("a:b").send().await.expect_failure(401);
        world.request("GET", C).bearer("t0k").send().await.expect_status(200);
    }
}

#[tokio::test]
async fn case_129_guests_are_not_authenticated() {
    let block = "{ enableOidc: true, enableGuestAccess: true, oidc: { clientId: a, endpoint: 'https://id.example' } }";
    let world = auth(block).start().await;
    world.get(C).await.expect_failure(401);
    world.get("/").await.expect_status(200);
}

#[tokio::test]
async fn case_130_a_check_in_the_browser_only() {
    let block =
        "{ enableOidc: true, oidc: { clientId: a, endpoint: 'https://id.example', disableServerSideCheck: true } }";
    auth(block).start().await.get(C).await.expect_status(200);
    auth(block).env("API_TOKEN", "t0k").start().await.get(C).await.expect_failure(401);
}

#[tokio::test]
async fn case_131_cookies_are_not_read() {
    let world = users().env("ENABLE_HTTP_AUTH", "").start().await;
    let request = world.request("PUT", C).header("cookie", "authenticated=anna; session=anything").body(BODY);
    request.send().await.expect_failure(401);
    world.assert_unchanged();
}

#[tokio::test]
async fn a_wrong_credential_is_never_ignored() {
    let world = World::new().await;
    for authorization in ["Bearer x", "Basic YTpi", "nonsense"] {
        with(&world, authorization).await.expect_failure(401);
    }
}

#[tokio::test]
async fn two_credentials_are_none() {
    let world = token().start().await;
    let request = world.request("GET", C).bearer("t0k").header("authorization", "Bearer t0k");
    request.send().await.expect_failure(400);
}

#[tokio::test]
async fn scripts_get_no_prompt() {
    let world = account().start().await;
    for (mode, prompts) in [("navigate", true), ("cors", false), ("same-origin", false)] {
        let reply = world.request("GET", C).header("sec-fetch-mode", mode).send().await;
        assert_eq!(reply.header("www-authenticate").contains("Basic"), prompts, "{mode}");
    }
}

#[tokio::test]
async fn a_listed_proxy_vouches_for_its_user() {
    let conf = format!(
        "{CONF}{USERS}    enableHeaderAuth: true\n    headerAuth: {{ userHeader: X-User, proxyWhitelist: [ 10.0.0.0/8 ] }}\n"
    );
    let world = Setup::new().file("conf.yml", conf).start().await;
    let from = |peer: &str, user: &str| world.request("GET", C).peer(peer).header("x-user", user);
    from("10.1.2.3", "anna").send().await.expect_status(200);
    from("::ffff:10.1.2.3", "stranger").send().await.expect_status(200);
    from("192.168.0.1", "anna").send().await.expect_failure(401);
    from("10.1.2.3", "").send().await.expect_failure(401);
    from("10.1.2.3", "anna").header("x-user", "bob").send().await.expect_failure(401);
    // The proxy adds the user to every request, including those caused by pages of other sites.
    let put = |user: &str| world.request("PUT", C).peer("10.1.2.3").header("x-user", user).header("host", "dash.lan");
    put("anna").header("origin", "https://evil.example").body(BODY).send().await.expect_failure(403);
    put("bob").body(BODY).send().await.expect_failure(403);
    world.assert_unchanged();
    world.request("GET", "/conf.yml").peer("10.1.2.3").header("x-user", "bob").send().await.expect_status(200);
    world.request("GET", "/conf.yml").peer("10.1.2.3").send().await.expect_status(401);
    let named = |peer: &str| world.request("GET", "/get-user").peer(peer).header("x-user", "anna").send();
    assert_eq!(named("10.1.2.3").await.expect_status(200).text, r#"{"success":true,"user":"anna"}"#);
    assert_eq!(named("11.1.2.3").await.expect_status(200).text, "{}");
    world.request("GET", "/conf.yml").peer("11.1.2.3").header("x-user", "anna").send().await.expect_status(401);
}

#[tokio::test]
async fn argon2_passwords() {
    // Generated by the reference implementation.
    let hash = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$SqZFr64t6Ky9QGo9cMVcfm3eT8ekDtwIwUmpbTtqZaA";
    let conf = format!("{CONF}appConfig:\n  auth:\n    users: [ {{ user: Anna, type: admin, hash: '{hash}' }} ]\n");
    let world = Setup::new().file("conf.yml", conf).start().await;
    for _ in 0..2 {
        world.request("GET", C).basic("anna:anna").send().await.expect_status(200);
        world.request("GET", C).basic("anna:other").send().await.expect_failure(401);
        world.request("GET", C).basic("carl:anna").send().await.expect_failure(401);
    }
}

#[tokio::test(start_paused = true)]
async fn guessing_takes_time() {
    let world = token().start().await;
    let guess = async |peer: &str| {
        let before = tokio::time::Instant::now();
        world.request("GET", C).peer(peer).bearer("guess").send().await.expect_failure(401);
        before.elapsed().as_millis()
    };
    for _ in 0..5 {
        assert_eq!(guess("10.0.0.1").await, 0);
    }
    assert_eq!(guess("10.0.0.1").await, 250);
    for _ in 0..4 {
        guess("10.0.0.1").await;
    }
    assert_eq!(guess("10.0.0.1").await, 2000);
    // Correct tokens are not delayed, from any address. Guesses at the same token from another address are.
    for peer in ["10.0.0.1", "10.0.0.2"] {
        let before = tokio::time::Instant::now();
        world.request("GET", C).peer(peer).bearer("t0k").send().await.expect_status(200);
        assert_eq!(before.elapsed().as_millis(), 0);
    }
    // The first one of an address less than the others.
    assert_eq!(guess("10.0.0.3").await, 400);
    assert_eq!(guess("10.0.0.3").await, 2000);
    // The delay ends after a minute.
    tokio::time::advance(std::time::Duration::from_secs(61)).await;
    assert_eq!(guess("10.0.0.1").await, 0);
}

#[tokio::test]
async fn pages_know_the_same_accounts() {
    let world = account().start().await;
    for path in ["/", "/conf.yml", "/download"] {
        world.get(path).await.expect_status(401);
        world.request("GET", path).basic("admin:wrong").send().await.expect_status(401);
        world.request("GET", path).basic("admin:p:w").send().await.expect_status(200);
    }
    world.get("/healthz").await.expect_status(200);
    let world = users().start().await;
    let seen = world.request("GET", "/conf.yml").basic("bob:bob").send().await.expect_status(200);
    assert!(!seen.text.contains("hash"));
    let seen = world.request("GET", "/conf.yml").basic("anna:anna").send().await.expect_status(200);
    assert!(seen.text.contains("hash"));
}

#[tokio::test]
async fn guests_view_pages_and_not_the_api() {
    let world = users().file("conf.yml", format!("{CONF}{USERS}    enableGuestAccess: true\n")).start().await;
    world.get("/").await.expect_status(200);
    world.request("GET", "/").basic("bob:wrong").send().await.expect_status(401);
    world.get(C).await.expect_failure(401);
}

#[tokio::test]
async fn users_of_the_config_outdo_the_static_account() {
    let world = users().env("BASIC_AUTH_USERNAME", "admin").env("BASIC_AUTH_PASSWORD", "p").start().await;
    world.request("GET", C).basic("admin:p").send().await.expect_failure(401);
    world.request("GET", C).basic("bob:bob").send().await.expect_status(200);
}

#[tokio::test]
async fn http_auth_without_users_stays_closed() {
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").start().await;
    world.get(C).await.expect_failure(401);
    let page = world.get("/").await.expect_status(503);
    assert!(page.text.contains("ENABLE_HTTP_AUTH is on, but the config has no users"), "{}", page.text);
    let german = world.request("GET", "/").header("accept-language", "de").send().await.expect_status(503).text;
    assert!(german.contains("Die Anmeldung ist nicht richtig eingerichtet."), "{german}");
    assert_eq!(world.get("/login").await.expect_status(303).header("location"), "/");
}

#[tokio::test]
async fn a_config_that_cannot_be_read_stays_closed() {
    let world = Setup::new().file("conf.yml", "a: [1").env("API_TOKEN", "t0k").start().await;
    world.get(C).await.expect_failure(401);
    world.request("GET", C).bearer("t0k").send().await.expect_failure(500);
    assert_eq!(world.get("/conf.yml").await.status, 404);
    world.send("POST", "/config-manager/save", r#"{"config":"sections: []"}"#).await.expect_status(403);
    world.assert_unchanged();
    world.request("PUT", C).bearer("t0k").body(BODY).send().await.expect_status(200);
    world.request("GET", C).bearer("t0k").send().await.expect_status(200);
}

#[tokio::test]
async fn a_first_user_closes_the_api_and_a_provider_waits_for_a_restart() {
    let world = World::new().await;
    let users: Value = serde_json::from_str(
        r#"{"auth":{"users":[{"user":"anna","type":"admin",
            "hash":"55579b557896d0ce1764c47fed644f9b35f58bad620674af23f356d80ed0c503"}]}}"#,
    )
    .unwrap();
    let oidc = r#"{"auth":{"enableOidc":true,"oidc":{"clientId":"a","endpoint":"https://id.example"}}}"#;
    let path = format!("{C}/appConfig");
    let answer = world.send("PUT", &path, oidc).await.expect_status(200).json();
    assert_eq!(answer["restartRequired"], true);
    world.get(C).await.expect_status(200);
    let answer = world.send("PUT", &path, "{}").await.expect_status(200).json();
    assert_eq!(answer["restartRequired"], true);
    let answer = world.send("PUT", &path, &users.to_string()).await.expect_status(200).json();
    assert_eq!(answer.get("restartRequired"), None);
    world.get(C).await.expect_failure(401);
    world.request("GET", C).basic("anna:anna").send().await.expect_status(200);
}
