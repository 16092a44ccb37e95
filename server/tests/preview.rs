//! A preview of another config: `?config=…` (docs/spec/behaviour.md 1).

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, USERS, World},
};

const OTHER: &str = "\
pageInfo: { title: Other house }
pages: [ { name: P, path: p.yml } ]
appConfig: { statusCheck: true, workspaceLandingUrl: 'https://landing.example' }
sections:
  - name: Attic
    items: [ { title: Trunk, url: 'https://trunk.example', localUrl: 'http://trunk.lan', target: modal } ]
    widgets: [ { type: clock } ]
";

async fn world(more: &str) -> World {
    let conf = format!(
        "pageInfo: {{ title: My house }}\n{USERS}{more}sections: [ {{ name: S, items: [ {{ title: Lamp }} ] }} ]\n"
    );
    Setup::new().env("ENABLE_API", "").env("ENABLE_HTTP_AUTH", "true").file("conf.yml", conf).start().await
}

async fn other() -> Upstream {
    Upstream::start(Behavior::Says(200, Vec::new(), OTHER.as_bytes().to_vec())).await
}

fn query(address: &str) -> String {
    url::form_urlencoded::Serializer::new(String::new()).append_pair("config", address).finish()
}

#[tokio::test]
async fn admins_are_asked_and_then_shown_it() {
    let (service, world) = (other().await, world("").await);
    let source = service.url("/conf.yml?a=b");
    let query = query(&source);
    let get = async |path: &str| world.request("GET", path).basic("Anna:anna").send().await;
    let question = get(&format!("/home?{query}")).await.expect_status(200);
    for wanted in ["Other house", "1 page, 1 section, 1 item, 1 widget", &format!("href=\"?{query}&amp;preview\"")] {
        assert!(question.text.contains(wanted), "{wanted}: {}", question.text);
    }
    assert!(!question.text.contains("Trunk"), "{}", question.text);
    for path in ["/home", "/minimal", "/workspace"] {
        let preview = get(&format!("{path}?{query}&preview")).await.expect_status(200);
        assert_eq!((preview.header("cache-control").as_str(), preview.header("etag").as_str()), ("no-store", ""));
        for wanted in
            ["Other house", "Trunk", ">Revert</a>", "Nothing is saved. Its widgets and its pages are left out."]
        {
            assert!(preview.text.contains(wanted), "{path}: {wanted}: {}", preview.text);
        }
        for left_out in ["Lamp", "trunk.lan", "data-status=", "landing.example", "data-open=\"modal\""] {
            assert!(!preview.text.contains(left_out), "{path}: {left_out}: {}", preview.text);
        }
    }
    let own = get("/home").await.expect_status(200).text;
    assert!(own.contains("Lamp") && !own.contains("Other house"), "{own}");
    world.assert_unchanged();
}

#[tokio::test]
async fn nobody_else_is_and_nobody_is_asked() {
    let service = other().await;
    let path = format!("/home?{}&preview", query(&service.url("/conf.yml")));
    let locked = world("  preventWriteToDisk: true\n").await;
    let open = world("").await;
    for (world, who) in [(&open, "bob:bob"), (&locked, "Anna:anna")] {
        let page = world.request("GET", &path).basic(who).send().await.expect_status(200).text;
        assert!(page.contains("Lamp") && !page.contains("Other house"), "{page}");
    }
    // A link on another site makes the server send no requests, and cannot skip the question.
    let foreign = open.request("GET", &path).basic("Anna:anna").header("sec-fetch-site", "cross-site").send().await;
    let foreign = foreign.expect_status(200).text;
    assert!(foreign.contains("Look at another config?") && !foreign.contains("Other house"), "{foreign}");
    for wrong in ["javascript:alert(1)", "file:///etc/passwd", "https://anna:pw@one.example/", "x"] {
        let path = format!("/home?{}", query(wrong));
        let page = open.request("GET", &path).basic("Anna:anna").send().await.expect_status(502).text;
        assert!(page.contains("must begin with http or https"), "{page}");
    }
    assert_eq!(service.count(), 0);
}

#[tokio::test]
async fn what_cannot_be_read_is_told() {
    let world = world("").await;
    for (manner, reason) in [
        (Behavior::fails(404), "responded with 404"),
        (Behavior::Says(200, Vec::new(), b"a: [1".to_vec()), "line "),
        (Behavior::Says(200, Vec::new(), b"- 1".to_vec()), "mapping"),
    ] {
        let service = Upstream::start(manner).await;
        let path = format!("/?{}", query(&service.url("/conf.yml")));
        let page = world.request("GET", &path).basic("Anna:anna").send().await.expect_status(502).text;
        assert!(page.contains("The preview cannot be shown") && page.contains(reason), "{reason}: {page}");
    }
}
