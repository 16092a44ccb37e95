//! Pages of one widget: `/home/{page}/{section}/{widget}`.

use crate::world::{Setup, USERS, World};

const CONF: &str = "\
pageInfo: { title: Base }
pages:
  - { name: Cellar, path: cellar.yml }
sections:
  - name: Home Lab
    items: [ { title: Router, url: 'https://router.example' } ]
    widgets:
      - { type: clock, label: Here, id: my clock }
      - { type: clock, options: { customCityName: Elsewhere } }
      - { type: clock, hideControls: true }
      - type: weather
      - { type: custom-search, id: '1', options: { engines: { title: Find, url: 'https://find.example/?q=' } } }
  - name: Secret
    displayData: { hideForGuests: true, hideForUsers: [bob] }
    widgets: [ { type: clock } ]
";

async fn world() -> World {
    let cellar = "sections:\n  - { name: Wine, widgets: [ { type: clock, label: Below } ] }\n";
    Setup::new().file("conf.yml", CONF).file("cellar.yml", cellar).start().await
}

#[tokio::test]
async fn a_widget_below_the_header_is_a_small_fact() {
    let conf = "sections:\n  - name: Top\n    widgets:\n      - { type: clock, place: header }\n      \
                - { type: weather, place: header }\n  - { name: Rest, items: [ { title: Router } ] }\n";
    let world = Setup::new().file("conf.yml", conf).start().await;
    let home = world.get("/").await.expect_status(200).text;
    let bar = home.split_once("class=\"facts-bar\"").unwrap().1.split_once("<main").unwrap().0;
    assert_eq!(frames(bar), 2);
    assert!(
        bar.contains("<span class=\"header-fact\">") && bar.contains("part-clock") && bar.contains("Set the option"),
        "{bar}"
    );
    assert!(!home.contains(">Top</h2>") && home.contains(">Rest</h2>"), "{home}");
    // What is left of the page belongs to the section or the widget that is shown alone.
    for (path, is_there) in [("/minimal", true), ("/home/main/rest", true)] {
        let html = world.get(path).await.expect_status(200).text;
        assert_eq!(html.contains("facts-bar"), is_there, "{path}");
    }
}

fn frames(html: &str) -> usize {
    html.matches("<article ").count()
}

#[tokio::test]
async fn a_widget_has_a_page_by_its_id_or_its_position() {
    let world = world().await;
    let home = world.get("/").await.expect_status(200).text;
    assert_eq!(frames(&home), 6);
    let tags = home.split("<a ").skip(1).filter_map(|rest| rest.split('>').next());
    let arrows = tags.filter(|tag| tag.contains("class=\"widget-open "));
    let links: Vec<_> = arrows.filter_map(|tag| tag.split("href=\"").nth(1)?.split('"').next()).collect();
    // What is broken has no arrow; a number is always a position. Without the reload button the arrow stays.
    let lab = "/home/main/home-lab";
    let expected = ["my-clock", "1", "2", "4"].map(|widget| format!("{lab}/{widget}")).into_iter();
    assert_eq!(links, expected.chain(["/home/main/secret/0".to_owned()]).collect::<Vec<_>>());
    for (path, shown, title) in [
        ("/home/main/home-lab/my-clock", "Here", "Here | Home Lab | Base"),
        ("/minimal/main/home-lab/0", "Here", "Here | Home Lab | Base"),
        ("/home/main/Home%20Lab/0", "Here", "Here | Home Lab | Base"),
        ("/home/main/home-lab/widget-0-1", "Elsewhere", "Clock | Home Lab | Base"),
        ("/home/main/home-lab/1", "Elsewhere", "Clock | Home Lab | Base"),
        ("/home/main/home-lab/4", "find.example", "Custom search | Home Lab | Base"),
        (
            "/home/main/home-lab/3",
            "Set the option <code>city</code> to a place (or set lat and lon), for example <code>London</code>.",
            "Weather | Home Lab | Base",
        ),
        ("/home/cellar/wine/0", "Below", "Below | Wine | Base"),
    ] {
        let page = world.get(path).await.expect_status(200).text;
        assert_eq!(frames(&page), 1, "{path}");
        assert!(page.contains(shown) && page.contains(&format!("<title>{title}</title>")), "{path}: {page}");
        assert!(page.contains("single-section single-widget") && page.contains("Back to all sections"), "{path}");
        assert!(!page.contains("router.example") && !page.contains("widget-open"), "{path}");
    }
}

#[tokio::test]
async fn what_is_not_there_or_hidden_is_not_found() {
    let world = world().await;
    for path in [
        "/home/main/home-lab/9",
        "/home/main/home-lab/-1",
        "/home/main/home-lab/nothing",
        "/home/main/nothing/0",
        "/home/nothing/home-lab/0",
        // Old bookmarks name a section of the root in the place of a page, and nothing below it.
        "/home/home-lab/home-lab/0",
        "/home/main/home-lab/0/0",
    ] {
        world.get(path).await.expect_status(404);
    }
    let users = USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", format!("{users}{CONF}")).start().await;
    let path = "/home/main/secret/0";
    world.get(path).await.expect_status(404);
    world.request("GET", path).basic("bob:bob").send().await.expect_status(404);
    world.request("GET", path).basic("anna:anna").send().await.expect_status(200);
    world.get("/home/main/home-lab/0").await.expect_status(200);
}

#[tokio::test]
async fn a_prefix_stands_before_the_address() {
    let world = Setup::new().env("BASE_URL", "/start").file("conf.yml", CONF).start().await;
    let home = world.get("/start").await.expect_status(200).text;
    assert!(home.contains("href=\"/start/home/main/home-lab/my-clock\""));
    world.get("/start/home/main/home-lab/my-clock").await.expect_status(200);
}
