//! The address of frames: only addresses of items that the viewer sees, and only sites that allow framing.

use crate::{
    upstream::{Behavior, Upstream},
    world::{Reply, Setup, USERS, World},
};

fn path(url: &str) -> String {
    format!("/framed?url={}", url::form_urlencoded::byte_serialize(url.as_bytes()).collect::<String>())
}

fn site(headers: Vec<(&'static str, String)>) -> Behavior {
    Behavior::Says(200, headers, b"hello".to_vec())
}

async fn world(config: String) -> World {
    Setup::new().env("ENABLE_API", "").file("conf.yml", config).start().await
}

async fn response_to(world: &World, url: &str) -> Reply {
    world.request("GET", &path(url)).header("host", "start.lan").header("referer", "http://start.lan/home").send().await
}

#[tokio::test]
async fn a_site_is_shown_or_offered_in_a_new_tab() {
    for (headers, is_shown) in [
        (vec![], true),
        (vec![("x-frame-options", "DENY")], false),
        (vec![("x-frame-options", "SAMEORIGIN")], false),
        (vec![("content-security-policy", "default-src 'self'; frame-ancestors 'none'")], false),
        (vec![("content-security-policy", "frame-ancestors http://start.lan")], true),
        (vec![("content-security-policy", "frame-ancestors http://other.example")], false),
    ] {
        let named = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let service = Upstream::start(site(named)).await;
        let url = service.url("/app");
        let world = world(format!("sections: [ {{ name: S, items: [ {{ title: A, url: '{url}' }} ] }} ]\n")).await;
        for _ in 0..3 {
            let reply = response_to(&world, &url).await.expect_status(if is_shown { 302 } else { 200 });
            assert_eq!(reply.header("cache-control"), "no-store");
            if is_shown {
                assert_eq!(reply.header("location"), url, "{headers:?}");
            } else {
                assert!(reply.text.contains("127.0.0.1 does not allow other pages to show it."), "{}", reply.text);
                assert!(reply.text.contains(&format!("href=\"{url}\" target=\"_blank\"")), "{}", reply.text);
                assert!(reply.header("content-security-policy").contains("frame-ancestors 'self'"));
            }
        }
        assert_eq!(service.count(), 1, "the answer holds for a while");
    }
}

#[tokio::test]
async fn only_addresses_of_items_that_the_viewer_sees() {
    let service = Upstream::start(site(vec![])).await;
    let [own, local, sub, hidden, page, landing] =
        ["own", "local", "sub", "hidden", "page", "landing"].map(|name| service.url(&format!("/{name}")));
    let config = format!(
        "{USERS}  workspaceLandingUrl: '{landing}'\npages: [ {{ name: P, path: p.yml, displayData: {{ hideForUsers: [bob] }} }} ]\n\
         sections:\n  - name: S\n    items:\n      - {{ title: A, url: '{own}', localUrl: '{local}' }}\n      \
         - {{ title: G, subItems: [ {{ title: B, url: '{sub}' }} ] }}\n      \
         - {{ title: H, url: '{hidden}', displayData: {{ hideForUsers: [bob] }} }}\n"
    );
    let text = format!("sections: [ {{ name: T, items: [ {{ title: C, url: '{page}' }} ] }} ]\n");
    let world = Setup::new().env("ENABLE_API", "").env("ENABLE_HTTP_AUTH", "true");
    let world = world.file("conf.yml", config).file("p.yml", text).start().await;
    let get = async |url: &str, credentials: &str| world.request("GET", &path(url)).basic(credentials).send().await;
    for url in [&own, &local, &sub, &landing] {
        assert_eq!(get(url, "bob:bob").await.expect_status(302).header("location"), *url);
    }
    for url in [&hidden, &page] {
        get(url, "bob:bob").await.expect_status(404);
        get(url, "Anna:anna").await.expect_status(302);
    }
    let asked = service.count();
    for url in [service.url("/other").as_str(), "https://evil.example/", &format!("{own}?x=1")] {
        let rejection = get(url, "Anna:anna").await.expect_status(404);
        assert!(!rejection.text.contains(url), "{}", rejection.text);
    }
    for url in ["javascript:alert(1)", "data:text/html,x", "//evil.example", "file:///etc/passwd", ""] {
        get(url, "Anna:anna").await.expect_status(400);
    }
    world.get(&path(&own)).await.expect_status(401);
    let elsewhere = world.request("GET", &path(&own)).basic("bob:bob").header("sec-fetch-site", "cross-site");
    elsewhere.send().await.expect_status(403);
    assert_eq!(service.count(), asked, "nothing of this asks anybody");
}

#[tokio::test]
async fn only_our_own_page_makes_the_server_ask_the_site() {
    let service = Upstream::start(site(vec![("x-frame-options", "DENY".to_owned())])).await;
    let url = service.url("/app");
    let world = world(format!("sections: [ {{ name: S, items: [ {{ title: A, url: '{url}' }} ] }} ]\n")).await;
    for headers in [
        &[("host", "start.lan")][..],
        &[("host", "start.lan"), ("referer", "http://evil.example/")],
        &[("host", "start.lan"), ("referer", "http://start.lan:81/")],
        &[("host", "start.lan"), ("sec-fetch-site", "none")],
        // A name that a stranger may have pointed here.
        &[("host", "evil.example"), ("referer", "http://evil.example/")],
    ] {
        let request = headers
            .iter()
            .fold(world.request("GET", &path(&url)), |request, (name, value)| request.header(name, value));
        let reply = request.send().await.expect_status(302);
        assert_eq!((reply.header("location"), service.count()), (url.clone(), 0), "{headers:?}");
    }
    response_to(&world, &url).await.expect_status(200);
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn a_site_that_says_nothing_is_shown() {
    let service = Upstream::start(Behavior::Hangs).await;
    let [slow, away] = [service.url("/"), "http://127.0.0.1:1/".to_owned()];
    let items = format!("[ {{ title: A, url: '{slow}' }}, {{ title: B, url: '{away}' }} ]");
    let world = world(format!("sections: [ {{ name: S, items: {items} }} ]\n")).await;
    for url in [&slow, &away] {
        assert_eq!(response_to(&world, url).await.expect_status(302).header("location"), *url);
    }
}

#[tokio::test]
async fn browsers_with_https_show_nothing_without() {
    let config = "sections: [ { name: S, items: [ { title: A, url: 'http://nas.lan/' }, { title: B, url: 'http://localhost:1/' } ] } ]\n";
    let world = world(config.to_owned()).await;
    let secure = async |url: &str| {
        let request = world.request("GET", &path(url)).peer("127.0.0.1").header("x-forwarded-proto", "https");
        request.header("host", "start.lan").send().await
    };
    assert!(
        secure("http://nas.lan/")
            .await
            .expect_status(200)
            .text
            .contains("This dashboard uses HTTPS and this address does not")
    );
    secure("http://localhost:1/").await.expect_status(302);
}

#[tokio::test]
async fn no_request_is_sent_when_offline() {
    let service = Upstream::start(site(vec![("x-frame-options", "DENY".to_owned())])).await;
    let url = service.url("/");
    let config = format!("sections: [ {{ name: S, items: [ {{ title: A, url: '{url}' }} ] }} ]\n");
    let world = Setup::new().env("ENABLE_API", "").env("OFFLINE", "true").file("conf.yml", config).start().await;
    response_to(&world, &url).await.expect_status(302);
    assert_eq!(service.count(), 0);
}
