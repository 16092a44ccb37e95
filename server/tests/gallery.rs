//! The gallery of widgets beside the dashboard.

use crate::world::{Setup, USERS};

const PAGES: [&str; 3] = ["/widget-gallery", "/widget-gallery/", "/widget-gallery/home/all-cases"];

#[tokio::test]
async fn an_admin_finds_every_widget_and_the_way_back() {
    let world = Setup::new().env("BASE_URL", "/start").file("conf.yml", "pageInfo: { title: Zanzibar }").start().await;
    for path in PAGES {
        let page = world.get(&format!("/start{path}")).await.expect_status(200);
        assert!(page.text.contains("<a href=\"/start/widget-gallery/../\""), "{path} leads back");
        assert!(page.text.contains("data-state=\"content\"") && !page.text.contains("Zanzibar"), "{path}");
        let own = page.text.split("\"/start/").skip(1).filter(|rest| !rest.starts_with('"'));
        assert!(own.clone().count() > 10, "{path}");
        for address in own {
            assert!(address.starts_with("widget-gallery"), "{path}: {}", &address[..40.min(address.len())]);
        }
    }
    world.get("/start/widget-gallery/healthz").await.expect_status(200);
    let config = world.get("/start/widget-gallery/conf.yml").await.expect_status(200);
    assert!(!config.text.contains("Zanzibar"), "{}", config.text);
    world.get("/start/").await.expect_status(200);
}

#[tokio::test]
async fn the_gallery_is_hidden_from_all_but_admins() {
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", USERS).start().await;
    for path in PAGES {
        let denied = world.get(path).await;
        assert!([302, 303, 401].contains(&denied.status.as_u16()), "{path}: {}", denied.status);
        world.request("GET", path).basic("bob:bob").send().await.expect_status(403);
        let seen = world.request("GET", path).basic("Anna:anna").send().await;
        assert_eq!(seen.status.as_u16(), 200, "{path}");
    }
}
