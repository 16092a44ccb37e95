//! A preview of another config: `?config=…` (docs/spec/behavior.md 1).

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

/// The address of the button that goes on, below the page.
fn link(page: &str) -> String {
    let button =
        page.split("<a href=\"").find(|rest| rest.split('>').next().is_some_and(|tag| tag.contains("primary")));
    button.and_then(|rest| rest.split('"').next()).unwrap_or_else(|| panic!("no button: {page}")).replace("&amp;", "&")
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
    let first = get(&format!("/home?{query}")).await.expect_status(200).text;
    assert!(first.contains("Look at another config?") && first.contains(">Continue</a>"), "{first}");
    assert!(first.contains(&source) && !first.contains("Other house"), "{first}");
    assert_eq!(service.count(), 0, "nothing is fetched before somebody has agreed");
    let agreed = link(&first);
    assert!(agreed.starts_with(&format!("?{query}&proof=")), "{agreed}");
    let second = get(&format!("/home{agreed}")).await.expect_status(200).text;
    for wanted in ["Other house", "1 page, 1 section, 1 item, 1 widget", ">Show the preview</a>"] {
        assert!(second.contains(wanted), "{wanted}: {second}");
    }
    assert!(!second.contains("Trunk"), "{second}");
    let go_on = link(&second);
    for path in ["/home", "/minimal", "/workspace"] {
        let preview = get(&format!("{path}{go_on}")).await.expect_status(200);
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
async fn only_the_owner_is_and_no_request_is_sent() {
    let service = other().await;
    let query_of_it = query(&service.url("/conf.yml"));
    let path = format!("/home?{query_of_it}&preview");
    let locked = world("  preventWriteToDisk: true\n").await;
    let open = world("").await;
    for (world, who) in [(&open, "bob:bob"), (&locked, "Anna:anna")] {
        let page = world.request("GET", &path).basic(who).send().await.expect_status(200).text;
        assert!(page.contains("Lamp") && !page.contains("Other house"), "{page}");
    }
    // A link on another site makes the server send no requests, and cannot skip the question: whether the browser says
    // so or not, and with a proof that was given to somebody else, for something else, or before a restart.
    let link_of = async |world: &World, who: &str, query: &str| {
        link(&world.request("GET", &format!("/home?{query}")).basic(who).send().await.expect_status(200).text)
    };
    let own = link_of(&open, "Anna:anna", &query_of_it).await;
    let proof_for = |link: &str| link.rsplit("&proof=").next().unwrap().to_owned();
    let for_another = proof_for(&link_of(&open, "Anna:anna", &query(&service.url("/other.yml"))).await);
    let of_another_run = proof_for(&link_of(&world("").await, "Anna:anna", &query_of_it).await);
    for (address, site) in [
        (path.clone(), ""),
        (path.clone(), "cross-site"),
        (path.clone(), "same-site"),
        (path.clone(), "none"),
        (format!("/home{own}&preview"), "cross-site"),
        (format!("/home{own}&preview"), "same-site"),
        (format!("{path}&proof={for_another}"), ""),
        (format!("{path}&proof={of_another_run}"), ""),
        (format!("{path}&proof="), ""),
    ] {
        let request = open.request("GET", &address).basic("Anna:anna");
        let request = if site.is_empty() { request } else { request.header("sec-fetch-site", site) };
        let foreign = request.send().await.expect_status(200).text;
        assert!(foreign.contains("Look at another config?") && !foreign.contains("Other house"), "{address} {foreign}");
    }
    for wrong in ["javascript:alert(1)", "file:///etc/passwd", "https://anna:pw@one.example/", "x"] {
        let path = format!("/home?{}", query(wrong));
        let page = open.request("GET", &path).basic("Anna:anna").send().await.expect_status(502).text;
        assert!(page.contains("must begin with http or https"), "{page}");
    }
    assert_eq!(service.count(), 0);
}

#[tokio::test]
async fn unreadable_input_is_reported() {
    let world = world("").await;
    for (behavior, reason) in [
        (Behavior::fails(404), "responded with 404"),
        (Behavior::Says(200, Vec::new(), b"a: [1".to_vec()), "line "),
        (Behavior::Says(200, Vec::new(), b"- 1".to_vec()), "mapping"),
    ] {
        let service = Upstream::start(behavior).await;
        let path = format!("/?{}", query(&service.url("/conf.yml")));
        let question = world.request("GET", &path).basic("Anna:anna").send().await.expect_status(200).text;
        let path = format!("/{}", link(&question));
        let page = world.request("GET", &path).basic("Anna:anna").send().await.expect_status(502).text;
        assert!(page.contains("The preview cannot be shown") && page.contains(reason), "{reason}: {page}");
    }
}

#[tokio::test]
async fn an_unknown_host_name_shows_no_preview() {
    let service = other().await;
    let world = Setup::new().start().await;
    let path = format!("/home?{}", query(&service.url("/conf.yml")));
    let under = async |host: &str, path: &str| world.request("GET", path).header("host", host).send().await;
    let agreed = format!("/home{}", link(&under("nas.lan", &path).await.expect_status(200).text));
    for path in [path, agreed.clone(), format!("{agreed}&preview")] {
        let page = under("evil.example", &path).await.expect_status(403).text;
        assert!(page.contains("ALLOWED_HOSTS=evil.example") && !page.contains("Other house"), "{page}");
    }
    assert_eq!(service.count(), 0);
    assert!(under("nas.lan", &agreed).await.expect_status(200).text.contains("Other house"));
}
