//! The classes that custom styles of Dashy's users need (docs/spec/config.md 12).

use crate::world::Setup;

const CONF: &str = "\
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
    widgets: [ { type: clock } ]
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
        ("widget-base", 1),
        ("collapsable", 4),
        ("is-open", 3),
        ("col-2", 1),
        ("row-3", 1),
        ("section-header", 4),
        ("content-inner", 4),
        ("no-items", 1),
        ("orientation-auto", 1),
        ("item-size-large", 1),
        ("item-size-small", 1),
    ] {
        assert_eq!(classes(&page, name).len(), count, "{name}: {page}");
    }
    assert!(!page.contains(" row-1"), "nothing is said about what nobody has set: {page}");
    let sections = classes(&page, "collapsable");
    let open: Vec<_> = sections.iter().map(|classes| classes.iter().any(|class| class == "is-open")).collect();
    assert_eq!(open, [true, false, true, true]);
    // Custom styles mean `.item` first of all.
    assert!(classes(&page, "item").iter().all(|classes| classes[0] == "item"));
}
