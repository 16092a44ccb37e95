//! The look of a page: its styles, the sizes of its tiles and its columns; and its search of the web.

use super::dashboard::{HOMELAB, dashboard, view};
use crate::{
    Dashboard, PageRequest, Viewer,
    dashboard::{ColumnWidth, Layout, TileSize, View},
};

#[test]
fn styles() {
    let page = view(
        "appConfig: { customColors: { default: { primary: red }, my theme: { a: '1px', b: '2px' }, empty: {} }, customCss: '<b>x</b>', \
         backgroundImg: 'https://x.example/a\")b.png', externalStyleSheet: [/a.css], contentMaxWidth: '80' }",
        &Viewer::Guest,
        PageRequest::default(),
    )
    .unwrap();
    let styles = page.styles;
    let names: Vec<_> =
        styles.custom_colors.iter().map(|(theme, variables)| (theme.as_str(), variables.len())).collect();
    assert_eq!(names, [("default", 1), ("my theme", 2), ("empty", 0)]);
    assert_eq!(page.dashboard.look.themes, ["my theme", "empty"]);
    assert_eq!(styles.custom_css.as_deref(), Some("x"));
    assert_eq!(styles.background.as_deref(), Some("/ownhttps://x.example/a%22%29b.png"));
    assert_eq!(styles.style_sheets, ["/a.css"]);
    assert_eq!(styles.content_max_width.as_deref(), Some("80%"));
    assert_eq!(page.dashboard.look.style_sheets, ["/a.css"]);
}

#[test]
fn what_styles_name_on_other_hosts() {
    let page = view(
        "pageInfo: { footer: '<img src=\"https://x.example/a.png\">' }\n\
         appConfig:\n  externalStyleSheet: [/a.css]\n  customColors: { default: { sea: 'url(https://x.example/b.png)' } }\n  \
         customCss: \"@import 'https://x.example/c.css'; b { background: url(https://x.example/d.png) }\"",
        &Viewer::Guest,
        PageRequest::default(),
    )
    .unwrap();
    assert_eq!(page.dashboard.footer.as_deref(), Some("<img src=\"/ownhttps://x.example/a.png\">"));
    assert_eq!(page.styles.custom_colors[0].1[0].1, "url(/own/https://x.example/b.png)");
    assert_eq!(page.styles.style_sheets, ["/a.css", "https://x.example/c.css"]);
    assert_eq!(page.styles.custom_css.as_deref(), Some(" b { background: url(/own/https://x.example/d.png) }"));
}

#[test]
fn a_sections_own_size_is_never_left_out() {
    // It overrides the size that the viewer chooses for the page, so it matters even if it equals the config's size.
    let size = |text: &str| dashboard(text).sections[0].item_size;
    assert_eq!(size("sections: [{ name: A, displayData: { itemSize: medium } }]"), Some(TileSize::Medium));
    assert_eq!(size("sections: [{ name: A, displayData: { itemSize: large } }]"), Some(TileSize::Large));
    assert_eq!(size("appConfig: { iconSize: large }\nsections: [{ name: A }]"), None);
}

#[test]
fn density_wins_over_the_older_name_of_the_same() {
    let size = |app: &str| dashboard(&format!("appConfig: {{ {app} }}\nsections: []")).look.icon_size;
    assert_eq!(size(""), TileSize::Medium);
    assert_eq!(size("iconSize: large"), TileSize::Large);
    assert_eq!(size("iconSize: large, density: compact"), TileSize::Small);
    assert_eq!(size("density: showcase"), TileSize::Large);
}

#[test]
fn sections_stand_in_the_columns_of_their_page() {
    let columns = |app: &str, sections: &str| {
        let page = dashboard(&format!("appConfig: {{ {app} }}\nsections: [{sections}]"));
        let columns = page.section_columns();
        columns.into_iter().map(|(width, sections)| format!("{} {sections:?}", width.word())).collect::<Vec<_>>()
    };
    let sections = "{ name: A, displayData: { column: 3 } }, { name: B }, { name: C, displayData: { column: 1 } }, \
                    { name: D, displayData: { column: 2 } }";
    assert_eq!(columns("columns: narrow-full-narrow", sections), ["narrow [2]", "full [1, 3]", "narrow [0]"]);
    assert_eq!(columns("columns: narrow-full", sections), ["narrow [2]", "full [0, 1, 3]"]);
    assert_eq!(columns("columns: full-narrow", sections), ["full [0, 1, 2]", "narrow [3]"]);
    assert_eq!(columns("columns: full-full", "{ name: A }"), ["full [0]"]);
    let mut edited = dashboard("appConfig: { columns: full-full }\nsections: [{ name: A }]");
    edited.empty_columns = true;
    assert_eq!(edited.section_columns(), [(ColumnWidth::Full, vec![0]), (ColumnWidth::Full, vec![])]);
    for app in ["", "columns: wide", "columns: [narrow]"] {
        assert_eq!(columns(app, sections), [""; 0], "{app}");
    }
    let alone = PageRequest { section: Some("b"), ..PageRequest::default() };
    let text = format!("appConfig: {{ columns: full-full }}\nsections: [{sections}]");
    assert_eq!(view(&text, &Viewer::Guest, alone).unwrap().dashboard.columns, None);
    // They take the place of a layout.
    let layout =
        |columns: &str| dashboard(&format!("appConfig: {{ layout: masonry{columns} }}\nsections: []")).look.layout;
    assert_eq!([layout(""), layout(", columns: full-full")], [Layout::Masonry, Layout::Auto]);
}

#[test]
fn widgets_below_the_header_belong_to_the_page() {
    let text = "sections:\n  - { name: A, displayData: { hideForGuests: true }, widgets: [{ type: weather, place: header }] }\n  \
                - { name: B, widgets: [{ type: clock }, { type: clock, place: Header }, { type: joke, place: footer }] }\n  \
                - { name: C, widgets: [{ type: calendar, place: header }] }\n";
    let page = |request| view(text, &Viewer::Guest, request).unwrap().dashboard;
    let facts = |page: &Dashboard| {
        page.facts.iter().map(|fact| (fact.section, fact.widget.index, fact.widget.written.clone())).collect::<Vec<_>>()
    };
    let expected = [(1, 1, "clock".to_owned()), (2, 0, "calendar".to_owned())];
    let mut home = page(PageRequest::default());
    assert_eq!(facts(&home), expected);
    let cards = home.sections[0].widgets.iter().map(|widget| widget.index).collect::<Vec<_>>();
    assert_eq!(cards, [0, 2]);
    // The bar is the same on the page of one section, and a section with nothing else is left out elsewhere.
    assert_eq!(facts(&page(PageRequest { section: Some("b"), ..PageRequest::default() })), expected);
    home.leave_out_fact_sections();
    assert_eq!(home.sections.iter().map(|section| section.name.as_str()).collect::<Vec<_>>(), ["B"]);
    let mut minimal = page(PageRequest { section: Some("b"), view: View::Minimal, ..PageRequest::default() });
    minimal.leave_out_fact_sections();
    assert_eq!(minimal.selected, Some(0));
}

#[test]
fn web_search() {
    let search = dashboard(HOMELAB).web_search;
    assert_eq!(search.engine.as_deref(), Some("https://searx.attic.example/search?q="));
    assert_eq!(search.engine_name, "searx.attic.example");
    assert_eq!(search.bangs[0], ("/map".to_owned(), "https://www.openstreetmap.org/search?query=".to_owned()));
    assert!(search.bangs.contains(&("/g".to_owned(), "https://www.bbc.co.uk/search?q=".to_owned())));
    assert_eq!(search.bangs.iter().filter(|(bang, _)| bang == "/g").count(), 1);
    assert_eq!(search.bangs.len(), 11);
    for (written, engine, name) in [
        ("{}", Some("https://duckduckgo.com/?q="), "DuckDuckGo"),
        ("{ searchEngine: GitHub }", Some("https://github.com/search?q="), "GitHub"),
        ("{ searchEngine: WOLFRAMALPHA }", Some("https://www.wolframalpha.com/input/?i="), "Wolfram|Alpha"),
        ("{ searchEngine: altavista }", None, "altavista"),
        ("{ searchEngine: custom }", None, "custom"),
    ] {
        let search = dashboard(&format!("appConfig: {{ webSearch: {written} }}")).web_search;
        assert_eq!((search.engine.as_deref(), search.engine_name.as_str()), (engine, name));
    }
}
