//! DNS rebinding: a dashboard without sign-in takes changes, and hands out config files, under known names only.

use std::net::SocketAddr;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::json;

use crate::{
    upstream::{Behavior, Upstream},
    world::{C, CONF, Reply, Setup, TestRequest, USERS, World},
};

const EVIL: &str = "evil.example";
const SAVE: &str = "/config-manager/save";
const NEW: &str = r#"{ "config": "pageInfo: { title: Taken }\n" }"#;

async fn world() -> World {
    Setup::new().file("conf.yml.bak", "old: 1\n").file("logo.svg", "<svg/>").start().await
}

/// What a page of another site must not get at, as it would request for it.
fn sensitive(world: &World) -> Vec<TestRequest> {
    let mut asks: Vec<TestRequest> =
        ["/conf.yml", "/download", "/extra.yml", "/CONF.YML", "/conf.yml.bak", C, "/api/config"]
            .into_iter()
            .map(|path| world.request("GET", path))
            .collect();
    asks.push(world.request("POST", SAVE).body(NEW));
    asks.push(world.request("PUT", C).body("{}"));
    asks.push(world.request("POST", "/fn/panel-action").body("{}"));
    asks
}

/// The message of a refused request.
#[track_caller]
fn rejection(reply: Reply) -> String {
    let reply = reply.expect_status(403);
    assert_eq!(reply.json()["success"], false);
    reply.json()["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_open_dashboard_shows_strangers_its_page_and_nothing_else() {
    let world = world().await;
    for host in [EVIL, "Evil.Example:8080", "evil.example.", "dash.evil.example"] {
        for request in sensitive(&world) {
            let message = rejection(request.header("host", host).send().await);
            let name = host.split(':').next().unwrap().trim_end_matches('.').to_lowercase();
            assert!(message.contains(&format!("ALLOWED_HOSTS={name} ")), "{message}");
        }
        for path in ["/", "/logo.svg", "/healthz", "/schema.json"] {
            world.request("GET", path).header("host", host).send().await.expect_status(200);
        }
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn under_an_unknown_host_name_the_server_sends_no_requests() {
    let upstream = Upstream::start(Behavior::json(r#"{ "answer": "from the service" }"#)).await;
    let config = json!({
        "appConfig": { "statusCheck": true },
        "sections": [{
            "name": "Home",
            "items": [
                { "title": "A", "url": upstream.url("/a"), "icon": "favicon-local" },
                { "title": "B", "icon": upstream.url("/b.png") },
            ],
            "widgets": [{ "type": "api-response", "options": { "url": upstream.url("/widget") } }],
        }],
    });
    let world = Setup::new().env("UPDATE_URL", &upstream.url("/releases")).file("conf.yml", config.to_string());
    let world = world.start().await;
    let under = async |host: &str, path: &str| world.request("GET", path).header("host", host).send().await;
    let page = under(EVIL, "/").await.expect_status(200).text;
    let icons: Vec<&str> = page.split('"').filter(|part| part.starts_with("/icons/")).collect();
    assert!(icons.iter().any(|icon| icon.contains("/favicon/")) && icons.iter().any(|icon| icon.contains("/remote/")));
    const PANEL: &str = "/fn/panel?page=home&section=0&widget=0&kind=api-response";
    for path in icons.iter().copied().chain([PANEL, "/new-version"]) {
        _ = under(EVIL, path).await;
    }
    let panel = under(EVIL, PANEL).await.expect_status(200);
    assert!(panel.text.contains("ALLOWED_HOSTS=evil.example"), "{}", panel.text);
    assert_eq!(upstream.count(), 0, "{:?}", upstream.heard());
    // Under a known name all of it is fetched, and then a stranger's name shows what is known.
    let panel = under("nas.lan", PANEL).await.expect_status(200);
    assert!(panel.text.contains("from the service"), "{}", panel.text);
    let count = upstream.count();
    assert!(count > 0);
    assert!(under(EVIL, PANEL).await.expect_status(200).text.contains("from the service"));
    assert_eq!(upstream.count(), count);
}

#[tokio::test]
async fn buttons_of_widgets_require_a_known_host_name() {
    let upstream = Upstream::start(Behavior::json("{}")).await;
    let options = json!({ "apiKey": "0123456789abcdef", "hostname": upstream.url(""), "hideMeta": true });
    let text = format!("sections: [{{ name: Home, widgets: [{{ type: alias-mail, options: {options} }}] }}]\n");
    let world = Setup::new().file("conf.yml", text).start().await;
    let press = json!({
        "page": "home", "section": 0, "widget": 0, "kind": "alias-mail",
        "action": "enable", "target": "11111111-2222-4333-8444-555555555555",
    });
    let press = || world.request("POST", "/fn/panel-action").body(press.to_string());
    for headers in [&[("host", EVIL)][..], &[("host", "nas.lan"), ("x-forwarded-host", EVIL)]] {
        let request = headers.iter().fold(press(), |request, (name, value)| request.header(name, value));
        assert!(rejection(request.send().await).contains("ALLOWED_HOSTS=evil.example "));
    }
    assert_eq!(upstream.count(), 0);
    // It is a real button: under a known name the service hears of it.
    press().header("host", "nas.lan").send().await.expect_status(200);
    assert!(upstream.count() > 0);
}

#[tokio::test]
async fn known_names_are_served_as_ever() {
    let world = Setup::new()
        .env("ALLOWED_HOSTS", "dash.example.com")
        .env("VITE_APP_DOMAIN", "http://own.example")
        .start()
        .await;
    for host in ["nas.lan:8080", "localhost", "10.0.0.4", "[fd00::1]:8080", "nas", "dash.example.com", "own.example"] {
        for path in ["/conf.yml", "/download", C] {
            world.request("GET", path).header("host", host).send().await.expect_status(200);
        }
        world.request("POST", SAVE).header("host", host).body(NEW).send().await.expect_status(200);
    }
    let message = world.request("GET", C).header("host", EVIL).send().await.expect_failure(403);
    assert!(message.contains("ALLOWED_HOSTS=dash.example.com,evil.example "), "{message}");
}

#[tokio::test]
async fn every_name_in_a_request_counts() {
    let world = world().await;
    for (path, headers) in [
        ("http://evil.example/conf.yml", &[("host", "nas.lan")][..]),
        ("http://evil.example/conf.yml", &[]),
        ("http://nas.lan/conf.yml", &[("host", EVIL)]),
        ("/conf.yml", &[("host", "nas.lan"), ("host", EVIL)]),
        ("/conf.yml", &[("host", "nas.lan, evil.example")]),
        ("/conf.yml", &[("host", "portico:8080"), ("x-forwarded-host", EVIL)]),
        ("/conf.yml", &[("host", "portico:8080"), ("x-forwarded-host", "nas.lan, evil.example")]),
        ("/conf.yml", &[("host", EVIL), ("x-forwarded-host", "nas.lan")]),
    ] {
        let request =
            headers.iter().fold(world.request("GET", path), |request, (name, value)| request.header(name, value));
        rejection(request.peer("192.168.1.5").send().await);
    }
    world.request("GET", "http://nas.lan/conf.yml").send().await.expect_status(200);
}

#[tokio::test]
async fn https_counts_if_no_page_can_have_made_it_up() {
    const LAN: &str = "192.168.1.5";
    const FAR: &str = "203.0.113.7";
    let https = ("x-forwarded-proto", "https");
    let by_default = world().await;
    let named = Setup::new().env("TRUSTED_PROXIES", LAN).start().await;
    for (world, peer, headers, expected) in [
        (&by_default, LAN, &[https][..], 403),
        (&by_default, LAN, &[https, ("sec-fetch-site", "same-origin")], 200),
        (&by_default, LAN, &[https, ("origin", "https://evil.example")], 200),
        (&by_default, LAN, &[https, ("origin", "http://evil.example")], 403),
        (&by_default, LAN, &[https, ("origin", "https://a.example"), ("origin", "http://evil.example")], 403),
        (&by_default, LAN, &[("sec-fetch-site", "same-origin")], 403),
        (&by_default, FAR, &[https, ("sec-fetch-site", "same-origin")], 403),
        (&named, LAN, &[https], 200),
        (&named, LAN, &[("x-forwarded-proto", "https, http")], 403),
        (&named, LAN, &[("x-forwarded-proto", "http")], 403),
        (&named, FAR, &[https, ("sec-fetch-site", "same-origin")], 403),
    ] {
        let request = world.request("GET", "/conf.yml").header("host", EVIL).peer(peer);
        let reply = headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send().await;
        assert_eq!(reply.status.as_u16(), expected, "{peer} {headers:?}");
    }
}

#[tokio::test]
async fn names_mean_nothing_once_people_sign_in() {
    let world = Setup::new().file("conf.yml", format!("{USERS}{CONF}")).start().await;
    let request = |method: &str, path: &str| world.request(method, path).header("host", EVIL);
    for path in ["/conf.yml", C] {
        request("GET", path).send().await.expect_status(401);
        request("GET", path).basic("Anna:anna").send().await.expect_status(200);
    }
    request("POST", SAVE).basic("Anna:anna").body(NEW).send().await.expect_status(200);
    let world = Setup::new().env("API_TOKEN", "t0k").start().await;
    world.request("GET", C).header("host", EVIL).bearer("t0k").send().await.expect_status(200);
}

#[tokio::test]
async fn browsers_get_hsts_if_it_is_configured() {
    let hsts = "strict-transport-security";
    let world = Setup::new().env("HSTS", "31536000").start().await;
    let request = || world.request("GET", "/").peer("192.168.1.5");
    assert_eq!(request().header("x-forwarded-proto", "https").send().await.header(hsts), "max-age=31536000");
    assert_eq!(request().send().await.header(hsts), "");
    let far = world.request("GET", "/").peer("203.0.113.7").header("x-forwarded-proto", "https");
    assert_eq!(far.send().await.header(hsts), "");
    let world = World::new().await;
    let reply = world.request("GET", "/").peer("192.168.1.5").header("x-forwarded-proto", "https").send().await;
    assert_eq!(reply.header(hsts), "");
}

#[tokio::test]
async fn redirects_to_https_lead_to_known_hosts_only() {
    let (port, ssl_port) = (crate::over_tls::free_port(), crate::over_tls::free_port());
    let names = ["dash.example.com".to_owned(), "*.home.example".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, cert.pem()).unwrap();
    std::fs::write(&key, signing_key.serialize_pem()).unwrap();
    let world = Setup::new()
        .env("HOST", "127.0.0.1")
        .env("PORT", &port.to_string())
        .env("SSL_PORT", &ssl_port.to_string())
        .env("SSL_PUB_KEY_PATH", &certificate.display().to_string())
        .env("SSL_PRIV_KEY_PATH", &key.display().to_string())
        .env("ALLOWED_HOSTS", "listed.example")
        .start()
        .await;
    world.listen();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().build().unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    while client.get(format!("http://{address}/healthz")).send().await.is_err() {
        tokio::task::yield_now().await;
    }
    for (host, expected) in [
        ("dash.example.com", "dash.example.com"),
        ("DASH.example.com.:8080", "dash.example.com"),
        ("nas.home.example", "nas.home.example"),
        ("listed.example", "listed.example"),
        ("nas.lan:8080", "nas.lan"),
        ("10.0.0.4", "10.0.0.4"),
        ("[fd00::1]:8080", "[fd00::1]"),
        (EVIL, ""),
        ("dash.example.com.evil.example", ""),
    ] {
        let reply = client.get(format!("http://{address}/a?b=c")).header("host", host).send().await.unwrap();
        let location = reply.headers().get("location").map(|location| location.to_str().unwrap().to_owned());
        if expected.is_empty() {
            assert_eq!((reply.status().as_u16(), location), (421, None), "{host}");
            let text = reply.text().await.unwrap();
            assert!(text.contains(&format!("ALLOWED_HOSTS=listed.example,{host} ")), "{text}");
        } else {
            assert_eq!(
                (reply.status().as_u16(), location),
                (308, Some(format!("https://{expected}:{ssl_port}/a?b=c")))
            );
        }
    }
}
