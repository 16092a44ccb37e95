//! The icons of web pages whose services behave oddly (docs/spec/config.md 11.2).

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, World},
};

const PICTURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect id="of-the-service" width="4" height="4"/></svg>"#;

fn picture() -> Behavior {
    Behavior::Says(200, vec![("content-type", "image/svg+xml".to_owned())], PICTURE.as_bytes().to_vec())
}

fn redirect(to: String) -> Behavior {
    Behavior::Says(302, vec![("location", to)], Vec::new())
}

async fn world(item: String) -> World {
    let conf = format!("appConfig: {{ faviconApi: local }}\nsections: [ {{ name: One, items: [ {item} ] }} ]\n");
    Setup::new().env("OFFLINE", "false").file("conf.yml", conf).start().await
}

/// Whether the picture on the only tile is the one of the service, not a letter.
async fn has_picture(world: &World) -> bool {
    let page = world.get("/").await.expect_status(200).text;
    let picture =
        page.split('"').find(|part| part.starts_with("/icons/favicon/") || part.starts_with("/icons/remote/"));
    world
        .get(picture.unwrap_or_else(|| panic!("no picture: {page}")))
        .await
        .expect_status(200)
        .text
        .contains("of-the-service")
}

#[tokio::test]
async fn a_page_that_redirects_away_or_in_a_circle_has_the_icon_of_its_host() {
    let service = Upstream::start(Behavior::Hangs).await;
    let elsewhere = service.url("/portal.html").replace("127.0.0.1", "localhost");
    service.now(Behavior::ByPath(vec![
        ("/away", redirect(elsewhere)),
        ("/circle", redirect("/circle".to_owned())),
        ("/favicon.ico", picture()),
    ]));
    for path in ["/away", "/circle"] {
        let world = world(format!("{{ title: App, url: '{}', icon: favicon }}", service.url(path))).await;
        assert!(has_picture(&world).await, "{path}");
        assert!(service.heard().iter().all(|heard| !heard.contains("portal")), "{:?}", service.heard());
    }
}

#[tokio::test]
async fn a_certificate_that_the_item_accepts_counts_for_its_pictures_too() {
    let service =
        Upstream::start_self_signed(Behavior::ByPath(vec![("/favicon.ico", picture()), ("/a.png", picture())])).await;
    let own = service.url("/");
    let other = service.url("/a.png");
    for (icon, url, insecure, expected) in [
        ("favicon", own.as_str(), true, true),
        ("favicon", own.as_str(), false, false),
        (other.as_str(), own.as_str(), true, true),
        (other.as_str(), own.as_str(), false, false),
        // The exception is for the service of the item.
        (other.as_str(), "https://192.0.2.1/", true, false),
    ] {
        let world =
            world(format!("{{ title: App, url: '{url}', icon: '{icon}', statusCheckAllowInsecure: {insecure} }}"));
        assert_eq!(has_picture(&world.await).await, expected, "{icon} {url} {insecure}");
    }
}
