//! `GET /download`: the config of a page as text (docs/spec/behavior.md 1).

use crate::world::{Setup, USERS, World};

const PAGES: &str = "pages: [ { name: Lab, path: extra.yml }, { name: Far, path: 'https://far.example/a.yml' } ]\n";

async fn world(app: &str) -> World {
    let conf = format!("{PAGES}pageInfo: {{ title: Base }}\nappConfig: {{ {app} }}\nsections: []\n");
    Setup::new().file("conf.yml", conf).start().await
}

#[tokio::test]
async fn it_is_that_of_the_page_that_is_shown() {
    let world = world("").await;
    for (path, from, part) in [
        ("/download", "", "title: Base"),
        ("/download?page=lab", "", "title: Extra"),
        ("/download?page=main", "http://dash.lan/home/lab", "title: Base"),
        ("/download", "http://dash.lan/home/lab", "title: Extra"),
        ("/download", "http://dash.lan/start/minimal/lab/racks", "title: Extra"),
        ("/download", "http://dash.lan/home", "title: Base"),
        ("/download", "http://dash.lan/home/some-section", "title: Base"),
        ("/download", "nonsense", "title: Base"),
    ] {
        let mut request = world.request("GET", path);
        if !from.is_empty() {
            request = request.header("referer", from);
        }
        let reply = request.send().await.expect_status(200);
        assert!(reply.text.contains(part), "{path} from {from:?}: {}", reply.text);
    }
    world.get("/download?page=far").await.expect_status(404);
}

#[tokio::test]
async fn who_may_not_look_at_the_config_gets_none() {
    world("disableConfiguration: true").await.get("/download").await.expect_status(403);
    let conf = format!("{USERS}  disableConfigurationForNonAdmin: true\nsections: []\n");
    let world = Setup::new().file("conf.yml", conf).env("ENABLE_HTTP_AUTH", "true").start().await;
    for (credentials, status) in [("bob:bob", 403), ("anna:anna", 200)] {
        world.request("GET", "/download").basic(credentials).send().await.expect_status(status);
    }
}
