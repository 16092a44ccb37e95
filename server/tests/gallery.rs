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
async fn the_gallery_has_an_index_and_each_widget_can_be_added_from_it() {
    let world = Setup::new().env("BASE_URL", "/start").file("conf.yml", "sections: []\n").start().await;
    let page = world.get("/start/widget-gallery").await.expect_status(200).text;
    for kind in widgets::Kind::ALL {
        let add = format!("href=\"/start/widget-gallery/../?add-widget={}\"", kind.name());
        assert_eq!(page.matches(&add).count(), 1, "{}", kind.name());
    }
    let links = page.split("href=\"#s-").skip(1).filter_map(|rest| rest.split('"').next());
    let links: Vec<_> = links.collect();
    assert_eq!(links.len(), widgets::Kind::ALL.len());
    for position in links {
        let section = page.split_once(&format!("id=\"s-{position}\"")).unwrap().1.split_once("</section>").unwrap().0;
        assert!(section.contains("?add-widget="), "{section}");
    }
}

#[tokio::test]
async fn the_index_of_the_gallery_is_sorted_in_each_language() {
    let world = Setup::new().file("conf.yml", "sections: []\n").start().await;
    for language in ["en", "de", "fr", "ru"] {
        let request = world.request("GET", "/widget-gallery").header("accept-language", language);
        let page = request.send().await.expect_status(200).text;
        let titles = page.split("href=\"#s-").skip(1).filter_map(|rest| {
            let title = rest.split_once("tile-title")?.1.split_once('>')?.1.split_once('<')?.0;
            Some(config::search::fold(title))
        });
        let titles: Vec<_> = titles.collect();
        assert_eq!(titles.len(), widgets::Kind::ALL.len());
        assert!(titles.is_sorted(), "{language}: {titles:?}");
    }
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
