//! `?q=…` at the address of a page: a search for browsers without scripts (docs/spec/behavior.md 6.2).

use crate::world::{Setup, USERS, World};

const HOUSE: &str = "\
pageInfo: { title: House }
pages:
  - { name: Lab, path: lab.yml }
appConfig: { webSearch: { searchEngine: duckduckgo } }
sections:
  - name: Media
    items:
      - { title: Jellyfin, url: 'http://nas.lan:8096', description: Films }
      - { title: Radio, url: 'http://radio.lan' }
  - name: Attic
    displayData: { collapsed: true }
    items:
      - { title: Film box, url: 'https://box.example' }
  - name: Empty
  - name: Safe
    displayData: { hideForGuests: true }
    items: [ { title: Film vault, url: 'https://vault.example' } ]
";

async fn house(users: bool) -> World {
    let lab = "sections: [ { name: Racks, items: [ { title: Film scanner, url: 'http://scanner.lan' } ] } ]\n";
    let app = if users { USERS.replace("auth:", "auth:\n    enableGuestAccess: true") } else { String::new() };
    let config = match app.strip_prefix("appConfig:\n") {
        Some(auth) => {
            HOUSE.replace("appConfig: { webSearch: { searchEngine: duckduckgo } }\n", &format!("appConfig:\n{auth}"))
        }
        None => HOUSE.to_owned(),
    };
    Setup::new().env("ENABLE_API", "").file("conf.yml", config).file("lab.yml", lab).start().await
}

/// The tag of the element with an id.
fn tag<'a>(html: &'a str, id: &str) -> &'a str {
    let at = html.find(&format!(" id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}"));
    let begin = html[..at].rfind('<').unwrap();
    html[begin..].split_inclusive('>').next().unwrap()
}

#[tokio::test]
async fn hits_are_shown_and_the_rest_is_hidden() {
    let world = house(false).await;
    let page = world.get("/?q=FILM").await.expect_status(200).text;
    assert!(page.contains("<div id=\"page\" class=\"page searching "), "no search");
    assert!(page.contains("4 results for “FILM”") && page.contains("href=\"?\""), "no summary");
    for (id, is_shown) in
        [("s-0", true), ("i-0-0", true), ("i-0-1", false), ("s-1", true), ("i-1-0", true), ("s-2", false)]
    {
        assert_eq!(!tag(&page, id).contains(" hidden"), is_shown, "{id}");
    }
    assert!(tag(&page, "s-3").starts_with("<section"), "admins see everything");
    // A whole word of the title is the best hit.
    assert!(tag(&page, "i-1-0").contains(" data-first"));
    assert!(tag(&page, "search").contains("name=\"q\"") && tag(&page, "search").contains(" value=\"FILM\""));
    let attic = page.split_once(" id=\"s-1\"").unwrap().1;
    assert!(attic.split_once("<summary").unwrap().0.contains("<details open"), "the section is closed");
    // Below: another page, and the web.
    assert!(page.contains("href=\"http://scanner.lan\"") && page.contains("On other pages"));
    assert!(page.contains("https://duckduckgo.com/?q=FILM"), "no way to the web");

    for view in ["/home", "/home/main-page", "/minimal"] {
        let page = world.get(&format!("{view}?q=radio")).await.expect_status(200).text;
        assert!(tag(&page, "i-0-0").contains(" hidden") && !tag(&page, "i-0-1").contains(" hidden"), "{view}");
    }
    let nothing = world.get("/?q=zzz").await.expect_status(200).text;
    assert!(nothing.contains("No results for “zzz”"));
}

#[tokio::test]
async fn without_a_word_the_page_is_as_it_is() {
    let world = house(false).await;
    let page = world.get("/").await.text;
    for query in ["?q=", "?q=%20", "?q=-", "?other=film", "?q"] {
        assert_eq!(world.get(&format!("/{query}")).await.text, page, "{query}");
    }
    assert_eq!(world.get("/workspace?q=film").await.text, world.get("/workspace").await.text);
    // It is a separate page in the cache of the browser, but has the same version for the event stream.
    let searched = world.get("/?q=film").await.text;
    let version = |page: &str| page.split_once("data-version=\"").map(|(_, rest)| rest[..8].to_owned());
    assert_eq!(version(&searched), version(&page));
    assert_eq!(world.get("/").await.text, page);
}

#[tokio::test]
async fn what_is_typed_stays_text() {
    let world = house(false).await;
    let page = world.get("/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await.expect_status(200).text;
    assert!(!page.contains("<script>alert") && !page.contains("\"><script"), "{page}");
    assert!(page.contains("value=\"&quot;>&lt;script>alert(1)&lt;/script>\""));
    // With scripts, the element ends at the first end tag, even inside an attribute.
    let page = world.get("/?q=example.com/%3C/noscript%3E%3Cb%3E").await.expect_status(200).text;
    assert!(!page.contains("/</noscript>") && !page.contains("</noscript><b>"), "{page}");
}

#[tokio::test]
async fn only_what_the_viewer_sees_is_found() {
    let world = house(true).await;
    let guest = world.get("/?q=film").await.expect_status(200).text;
    assert!(!guest.contains("vault") && guest.contains("3 results for"), "{guest}");
    let vault = world.get("/?q=vault").await.expect_status(200).text;
    assert!(vault.contains("No results for “vault”") && !vault.contains("vault.example"));
}

/// Widgets are found by their type and section; those that do not match are hidden, with their sections.
#[tokio::test]
async fn widgets_are_found_too() {
    let text = "\
sections:
  - { name: Links, items: [{ title: Lamp, url: 'http://lamp.lan' }] }
  - { name: Today, widgets: [{ type: clock }, { type: notes, label: Shopping, options: { text: Bread } }] }
";
    let world = Setup::new().file("conf.yml", text).start().await;
    let shows = |page: &str, id: &str| !tag(page, id).contains(" hidden");
    for (query, sections, widgets) in [
        ("lamp", [true, false], [true, true]),
        ("clock", [false, true], [true, false]),
        ("today", [false, true], [true, true]),
        ("zzz", [false, false], [true, true]),
    ] {
        let page = world.get(&format!("/?q={query}")).await.expect_status(200).text;
        assert_eq!(["s-0", "s-1"].map(|id| shows(&page, id)), sections, "{query}");
        assert_eq!(["widget-1-0", "widget-1-1"].map(|id| shows(&page, id)), widgets, "{query}");
    }
}
