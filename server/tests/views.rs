//! The minimal and the workspace view as the server renders them (docs/spec/behavior.md 1, 8, 9).

use crate::world::{Setup, USERS, World};

const HOUSE: &str = "\
pageInfo: { title: House, footer: Bottom }
pages: [ { name: The Lab, path: lab.yml } ]
appConfig: { workspaceLandingUrl: 'https://films.example/', enableMultiTasking: true }
sections:
  - name: Media
    icon: fas fa-film
    items: [ { title: Films, url: 'https://films.example/' }, { title: Tab, url: 'https://tab.example', target: newtab } ]
  - name: Office
    displayData: { collapsed: true }
    items: [ { title: Mail, url: 'https://mail.example', displayData: { hideFromWorkspace: true } }, { title: Post, url: 'mailto:a@b.example' } ]
  - name: Only at home
    displayData: { hideFromWorkspace: true }
    items: [ { title: Cat flap, url: 'https://flap.example' } ]
";

async fn house(more: &str) -> World {
    let lab = "sections: [ { name: Racks, items: [ { title: Rack, url: 'http://r.example' } ] } ]\n";
    let conf = HOUSE.replace("appConfig: {", &format!("appConfig: {{ {more}"));
    Setup::new().env("ENABLE_API", "").file("conf.yml", conf).file("lab.yml", lab).start().await
}

/// The start tags of elements that hold all of these words.
fn tags<'a>(html: &'a str, words: &[&str]) -> Vec<&'a str> {
    let tags = html.split('<').filter_map(|rest| rest.split('>').next());
    tags.filter(|tag| words.iter().all(|word| tag.contains(word))).collect()
}

#[tokio::test]
async fn the_minimal_view_has_all_sections_and_selects_one() {
    let world = house("").await;
    for (path, selected, title) in [
        ("/minimal", "s-0", "House | Minimal"),
        ("/minimal/", "s-0", "House | Minimal"),
        ("/minimal/main", "s-0", "House | Minimal"),
        ("/minimal/main/office", "s-1", "Office | House | Minimal"),
        // Old bookmarks name a section in the place of a page.
        ("/minimal/-Office", "s-1", "Office | House | Minimal"),
    ] {
        let page = world.get(path).await.expect_status(200);
        assert!(page.text.contains(&format!("<title>{title}</title>")), "{path}");
        let shown = tags(&page.text, &["section ", "data-selected"]);
        assert!(shown.len() == 1 && shown[0].contains(&format!("id=\"{selected}\"")), "{path}: {shown:?}");
        let tab = tags(&page.text, &["data-key", "aria-current"]);
        assert!(tab.len() == 1 && tab[0].contains(&format!("data-section=\"{selected}\"")), "{path}: {tab:?}");
        assert_eq!(tags(&page.text, &["a ", "data-section"]).len(), 3, "{path}");
        for item in ["Films", "Mail", "Cat flap"] {
            assert!(page.text.contains(item), "{path}: {item}");
        }
        // What is collapsed at home is one tab of many here; there is neither header nor footer.
        assert_eq!(tags(&page.text, &["details ", "open"]).len(), 3, "{path}");
        assert!(!page.text.contains("<header") && !page.text.contains("Bottom"), "{path}");
    }
    let lab = world.get("/minimal/the-lab").await.expect_status(200);
    assert!(lab.text.contains("Rack") && tags(&lab.text, &["data-section"]).is_empty(), "one section needs no tabs");
    for path in ["/minimal/nowhere", "/minimal/main/nowhere", "/minimal/the-lab/media"] {
        world.get(path).await.expect_status(404);
    }
}

#[tokio::test]
async fn pages_are_edited_in_the_home_view_from_all_views() {
    let world = house("").await;
    for (path, home) in [
        ("/minimal", "/home"),
        ("/minimal/main/office", "/home"),
        ("/minimal/the-lab", "/home/the-lab"),
        ("/workspace", "/home"),
        ("/home/main/media", "/home"),
        ("/home/the-lab/racks", "/home/the-lab"),
    ] {
        let page = world.get(path).await.expect_status(200);
        let pencil = tags(&page.text, &["button ", "Edit this page"]);
        assert!(pencil.len() == 1 && pencil[0].contains(&format!("data-home=\"{home}\"")), "{path}: {pencil:?}");
        assert!(page.text.contains("Config menu"), "{path}");
    }
    let page = world.get("/home/the-lab").await.expect_status(200);
    assert!(tags(&page.text, &["button ", "data-home"]).is_empty() && page.text.contains("Edit this page"));
    let locked = house("disableConfiguration: true, ").await;
    let page = locked.get("/minimal").await.expect_status(200).text;
    assert!(!page.contains("Edit this page") && !page.contains("Config menu"));
}

#[tokio::test]
async fn the_workspace_opens_items_in_its_frame() {
    let world = house("").await;
    let page = world.get("/workspace").await.expect_status(200);
    assert!(page.text.contains("<title>House | Workspace</title>"), "{}", page.text);
    let [films, tab] =
        ["films", "tab"].map(|name| tags(&page.text, &["class=\"item", &format!("https://{name}.example")])[0]);
    assert!(films.contains("target=\"stage\"") && tab.contains("target=\"_blank\""), "{films} {tab}");
    for hidden in ["Mail", "flap.example", "Only at home", "Bottom", "id=\"search\""] {
        assert!(!page.text.contains(hidden), "{hidden}");
    }
    // Without a script the frame shows the first address; the section that holds it is open, and only that.
    let frame = tags(&page.text, &["iframe", "name=\"stage\""]);
    assert!(frame.len() == 1 && frame[0].contains("src=\"https://films.example/\""), "{frame:?}");
    assert_eq!(tags(&page.text, &["details ", "open"]).len(), 1);
    assert!(page.text.contains("data-keep"));
    assert!(world.get("/workspace/the-lab").await.expect_status(200).text.contains("Rack"));
    for path in ["/workspace/main/media", "/workspace/media", "/workspace/nowhere"] {
        world.get(path).await.expect_status(404);
    }
}

#[tokio::test]
async fn the_landing_page_is_the_view_that_the_config_names() {
    for (view, expected) in [("minimal", "/minimal"), ("workspace", "/workspace")] {
        let world = house(&format!("startingView: {view}, ")).await;
        let landing = world.get("/?guest&x=1").await.expect_status(302);
        assert_eq!(landing.header("location"), format!("{expected}?guest&x=1"));
        let page = world.get(expected).await.expect_status(200);
        // The home view keeps an address of its own, to which the switch leads.
        assert_eq!(tags(&page.text, &["data-view=\"home\"", "href=\"/home\""]).len(), 1);
        let home = world.get("/home").await.expect_status(200);
        assert!(home.text.contains("id=\"search\"") && home.text.contains("Bottom"));
    }
    let world = house("startingView: home, ").await;
    world.get("/").await.expect_status(200);
}

#[tokio::test]
async fn the_switch_keeps_page_and_section() {
    let world = house("").await;
    for (path, expected) in [
        ("/", ["/home", "/minimal", "/workspace"]),
        ("/home/main/office", ["/home/main/office", "/minimal/main/office", "/workspace"]),
        ("/minimal/main/office", ["/home/main/office", "/minimal/main/office", "/workspace"]),
        ("/home/the-lab/racks", ["/home/the-lab/racks", "/minimal/the-lab/racks", "/workspace/the-lab"]),
        ("/workspace/the-lab", ["/home/the-lab", "/minimal/the-lab", "/workspace/the-lab"]),
    ] {
        let page = world.get(path).await.expect_status(200);
        let links = tags(&page.text, &["a ", "data-view="]);
        let found: Vec<_> = links.iter().filter_map(|tag| tag.split("href=\"").nth(1)?.split('"').next()).collect();
        assert_eq!(found, expected, "{path}");
        assert_eq!(links.iter().filter(|tag| tag.contains("aria-current")).count(), 1, "{path}");
    }
}

#[tokio::test]
async fn views_are_below_the_prefix() {
    let world = Setup::new().env("ENABLE_API", "").env("BASE_URL", "/start").file("conf.yml", HOUSE);
    let world = world.file("lab.yml", "sections: []\n").start().await;
    let page = world.get("/start/minimal").await.expect_status(200);
    assert_eq!(tags(&page.text, &["data-section=\"s-1\"", "href=\"/start/minimal/main/office\""]).len(), 1);
    assert_eq!(tags(&page.text, &["script", "src=\"/start/view-0123456789abcdef.js\""]).len(), 1);
    assert_eq!(tags(&page.text, &["nav-item", "href=\"/start/minimal/the-lab\""]).len(), 1);
    world.get("/start/workspace/the-lab").await.expect_status(200);
    world.get("/minimal").await.expect_status(404);
}

#[tokio::test]
async fn views_ask_for_a_sign_in_as_the_home_view_does() {
    let conf = format!("{}{}", USERS, "sections: [ { name: S, items: [ { title: Box } ] } ]\n");
    let conf = conf.replace("appConfig:\n", "appConfig:\n  startingView: workspace\n");
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", conf).start().await;
    for path in ["/", "/minimal", "/minimal/main/s", "/workspace", "/workspace/main"] {
        let nobody = world.get(path).await.expect_status(303);
        assert!(nobody.header("location").starts_with("/login?return_to="), "{path}: {}", nobody.header("location"));
    }
}

#[tokio::test]
async fn items_that_leave_the_home_page_alone_appear_in_a_search() {
    let conf = "sections:\n  - name: Tools\n    items: [ { title: Saw }, \
                { title: Lathe, url: 'https://lathe.example', displayData: { hideFromHomepage: true } } ]\n  \
                - name: Attic\n    items: [ { title: Box, displayData: { hideFromHomepage: true }, subItems: [ { title: Key } ] } ]\n";
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", conf).start().await;
    let rule = |hidden: &str| format!(":root:not([data-editing]) .page:not(.searching) :is({hidden}){{display:none}}");
    for (path, hidden) in [("/", ".off-home,#s-1"), ("/minimal", ".off-home"), ("/home/main", ".off-home,#s-1")] {
        let page = world.get(path).await.expect_status(200).text;
        assert!(page.contains(&rule(hidden)), "{path}");
        let off = tags(&page, &["off-home\"", "id="]);
        let ids = |id: &str| off.iter().any(|tag| tag.contains(&format!("id=\"{id}\"")));
        assert!(off.len() == 2 && ids("i-0-1") && ids("i-1-0"), "{path}: {off:?}");
    }
    for path in ["/workspace", "/home/main/tools", "/home/main/attic"] {
        assert!(!world.get(path).await.expect_status(200).text.contains("off-home"), "{path}");
    }
    let found = world.get("/?q=lathe").await.expect_status(200).text;
    let page = tags(&found, &["id=\"page\""]);
    assert!(page.len() == 1 && page[0].contains("searching"), "{page:?}");
    let lathe = tags(&found, &["id=\"i-0-1\""]);
    assert!(lathe.len() == 1 && !lathe[0].contains(" hidden"), "{lathe:?}");
}

#[tokio::test]
async fn browsers_learn_how_to_reach_local_addresses() {
    let item = |more: &str| format!("{{ title: T, url: 'https://t.example', localUrl: 'http://t.lan'{more} }}");
    let items = [item(""), item(", localUrlTimeout: 3000, localUrlCheckInterval: 60"), item(", localUrlTimeout: 1500")];
    let conf = format!("sections: [ {{ name: S, items: [ {} ] }} ]\n", items.join(", "));
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", conf).start().await;
    let page = world.get("/").await.expect_status(200).text;
    assert_eq!(tags(&page, &["data-local=\"http://t.lan\""]).len(), 3);
    let told = tags(&page, &["data-local-"]);
    assert!(
        told.len() == 1
            && told[0].contains("data-local-timeout=\"3000\"")
            && told[0].contains("data-local-interval=\"60\""),
        "{told:?}"
    );
}

#[tokio::test]
async fn sections_with_the_same_slug_have_addresses_and_folded_states_of_their_own() {
    let conf = "\
sections:
  - { name: 🎬, items: [ { title: Films, url: 'http://a.lan' } ] }
  - { name: 🎵, items: [ { title: Music, url: 'http://b.lan' } ] }
  - { name: Media, items: [ { title: Books, url: 'http://c.lan' } ] }
  - { name: Media, items: [ { title: Radio, url: 'http://d.lan' } ] }
";
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", conf).start().await;
    let page = world.get("/").await.expect_status(200).text;
    let keys = tags(&page, &["details", "data-key"]);
    let mut different = keys.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!((keys.len(), different.len()), (4, 4), "{keys:?}");
    for (address, title) in [
        ("/home/main/unnamed-page", "Films"),
        ("/home/main/unnamed-page-2", "Music"),
        ("/home/main/media", "Books"),
        ("/home/main/media-2", "Radio"),
        ("/home/main/%F0%9F%8E%B5", "Music"),
    ] {
        let alone = world.get(address).await.expect_status(200).text;
        for other in ["Films", "Music", "Books", "Radio"] {
            assert_eq!(alone.contains(&format!(">{other}<")), other == title, "{address}: {other}");
        }
        let is_linked = page.contains(&format!("href=\"{address}\""));
        assert!(is_linked || address.contains('%'), "{address} in {page}");
    }
}

#[tokio::test]
async fn icons_of_sets_may_be_written_like_files() {
    let item = |icon: &str| format!("{{ title: '{icon}', icon: {icon} }}");
    let items = ["hl-plex.png", "sh-x.webp", "hl-own.png"].map(item).join(", ");
    let conf = format!("sections: [ {{ name: S, items: [ {items} ] }} ]\n");
    let world = Setup::new().file("conf.yml", conf).file("item-icons/hl-own.png", "").start().await;
    let page = world.get("/").await.expect_status(200).text;
    for address in ["/icons/hl/plex", "/icons/sh/x", "/icons/file/hl-own.png"] {
        assert!(page.contains(&format!("src=\"{address}\"")), "{address} in {page}");
    }
}
