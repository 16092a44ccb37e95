//! The classes that custom styles of Dashy's users need (docs/spec/config.md 12).

use crate::world::Setup;

const CONF: &str = "\
pageInfo: { title: Harbor, navLinks: [ { title: Docs, path: /minimal } ] }
appConfig: { iconSize: large, statusCheck: true }
sections:
  - name: Media Room
    displayData: { cols: 2, rows: 3, itemSize: small }
    items:
      - { title: Films, description: All of them, icon: fas fa-film, url: 'https://films.example' }
      - { title: Nowhere }
  - name: Closed
    displayData: { collapsed: true }
    items:
      - { title: Mail, url: 'https://mail.example' }
      - { title: Group, subItems: [ { title: Part, url: 'https://part.example' } ] }
  - name: Bare
  - name: Gauges
    widgets: [ { type: clock }, { type: image, options: { imagePath: /a.png } } ]
";

/// The classes of all elements with a class of that name, in the order of the page.
fn classes(html: &str, name: &str) -> Vec<Vec<String>> {
    let lists = html.split(" class=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let lists = lists.map(|list| list.split(' ').map(str::to_owned).collect::<Vec<_>>());
    lists.filter(|list| list.iter().any(|class| class == name)).collect()
}

#[tokio::test]
async fn pages_have_the_classes_of_existing_styles() {
    let page = Setup::new().file("conf.yml", CONF).start().await.get("/").await.expect_status(200).text;
    for (name, count) in [
        ("section_media-room", 1),
        ("item-group-container", 1),
        ("there-are-items", 2),
        ("item", 3),
        ("item-wrapper", 3),
        ("size-small", 2),
        ("size-large", 1),
        ("description", 1),
        ("sub-items-group", 1),
        ("sub-item-group-title", 1),
        ("widget-list", 1),
        ("widget-base", 2),
        ("collapsable", 4),
        ("is-open", 3),
        ("col-2", 1),
        ("row-3", 1),
        ("section-header", 4),
        ("content-inner", 4),
        ("no-items", 1),
        ("orientation-auto", 2),
        // Of the page and of the element around all sections.
        ("item-size-large", 2),
        ("item-size-small", 1),
        ("status-indicator", 2),
        ("short", 2),
        ("item-icon", 1),
        ("sub-item-link", 1),
        ("inner-size-small", 1),
        ("inner-size-large", 1),
        ("collapsible-content", 4),
        ("header-action", 4),
        ("update-btn", 1),
        ("open-btn", 2),
        ("clock", 1),
        ("city", 1),
        ("page-titles", 1),
        ("nav-outer", 1),
        ("nav-item", 1),
        ("settings-outer", 1),
    ] {
        assert_eq!(classes(&page, name).len(), count, "{name}: {page}");
    }
    assert!(!page.contains(" row-1"), "nothing is said about what nobody has set: {page}");
    let sections = classes(&page, "collapsable");
    let open: Vec<_> = sections.iter().map(|classes| classes.iter().any(|class| class == "is-open")).collect();
    assert_eq!(open, [true, false, true, true]);
    // These are named together, as in Dashy.
    let container = &classes(&page, "item-group-container")[0];
    for class in ["orientation-auto", "item-size-large"] {
        assert!(container.iter().any(|one| one == class), "{class}: {container:?}");
    }
    assert!(page.contains("<p class=\"time\"><time "), "`.clock p.time`: {page}");
    // Custom styles mean `.item` first of all.
    assert!(classes(&page, "item").iter().all(|classes| classes[0] == "item"));
}

#[tokio::test]
async fn classes_say_what_the_config_sets() {
    const CONF: &str = "\
appConfig: { layout: horizontal, iconSize: small, colCount: 4 }
sections:
  - displayData: { sectionLayout: grid, cutToHeight: true }
    items: [ { title: Films, icon: 'https://icons.example/films.png' } ]
  - { name: Other, displayData: { itemCountX: 3 }, items: [ { title: Mail } ] }
";
    let world = Setup::new().file("conf.yml", CONF).start().await;
    let page = world.get("/").await.expect_status(200).text;
    for (name, count) in [("item-group-grid", 2), ("full-height", 1), ("unnamed-section", 1), ("tile-icon", 1)] {
        assert_eq!(classes(&page, name).len(), count, "{name}: {page}");
    }
    let container = |page: &str| classes(page, "item-group-container")[0].join(" ");
    let expected = "sections item-group-container orientation-horizontal item-size-small";
    assert_eq!(container(&page), format!("{expected} col-count-4"));
    let alone = world.get("/home/main/other").await.expect_status(200).text;
    assert_eq!(container(&alone), format!("{expected} single-section-view col-count-4"));
    assert_eq!(classes(&alone, "back-to-all-link").len(), 1);
}
