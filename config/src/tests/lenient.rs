//! Reading is lenient: defaults, old forms, and what becomes of wrong values (docs/spec/config.md 1.2, 2 to 9, 14).

use std::fmt::Debug;

use super::config;
use crate::{
    Config, ProblemKind,
    dashboard::{Layout, OpeningMethod, TileSize, View},
    icon::{FaviconService, Icon},
    model::{
        Item, WidgetEntry,
        display_data::{SectionLayout, SortBy},
        item::StatusCheck,
        page::PageSource,
    },
};

/// Checks what is read from a text, and the paths at which there are problems.
fn check<T: PartialEq + Debug>(text: &str, read: impl Fn(&Config) -> T, expected: T, problems: &[&str]) {
    let config = config(text);
    assert_eq!(read(&config), expected, "{text}");
    let paths: Vec<_> = config.problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, problems, "{text}\n{:#?}", config.problems);
}

fn app<T: PartialEq + Debug>(fields: &str, read: impl Fn(&Config) -> T, expected: T, problem: Option<&str>) {
    let path = problem.map(|key| format!("/appConfig/{key}"));
    let problems: Vec<_> = path.iter().map(String::as_str).collect();
    check(&format!("appConfig: {{ {fields} }}"), read, expected, &problems);
}

fn item<T: PartialEq + Debug>(fields: &str, read: impl Fn(&Item) -> T, expected: T, problem: Option<&str>) {
    let text = format!("sections: [{{ name: S, items: [{{ title: T, {fields} }}] }}]");
    let path = problem.map(|key| format!("/sections/0/items/0/{key}"));
    let problems: Vec<_> = path.iter().map(String::as_str).collect();
    check(&text, |config| read(&config.sections[0].items[0]), expected, &problems);
}

fn widget<T: PartialEq + Debug>(fields: &str, read: impl Fn(&WidgetEntry) -> T, expected: T, problem: Option<&str>) {
    let text = format!("sections: [{{ name: S, widgets: [{{ type: clock, {fields} }}] }}]");
    let path = problem.map(|key| format!("/sections/0/widgets/0/{key}"));
    let problems: Vec<_> = path.iter().map(String::as_str).collect();
    check(&text, |config| read(&config.sections[0].widgets[0]), expected, &problems);
}

#[test]
fn nothing_is_an_empty_config() {
    for text in [
        "{}",
        "pageInfo:\nappConfig:\nsections:\npages:\n",
        "madeUp: 1\nfooter: x\nwidgets: []\n",
        "sections: [{ name: A, items: null, widgets: null, displayData: null, icon: null }]",
    ] {
        check(text, |config| config.sections.iter().map(|section| section.items.len()).sum::<usize>(), 0, &[]);
    }
    let defaults = Config::default();
    let empty = config("{}");
    assert_eq!((empty.page_info, empty.app, empty.pages), (defaults.page_info, defaults.app, defaults.pages));
    for text in ["", "- 1", "text", "5"] {
        assert!(Config::read(&super::document(text)).is_err(), "{text:?}");
    }
}

#[test]
fn wrong_types_fall_back() {
    check("sections: text", |config| config.sections.len(), 0, &["/sections"]);
    check("sections: [1, { name: A }, x]", |config| config.sections[0].index, 1, &["/sections/0", "/sections/2"]);
    check("pageInfo: 5", |config| config.page_info.title.clone(), None, &["/pageInfo"]);
    check("pageInfo: { title: [1] }", |config| config.page_info.title.clone(), None, &["/pageInfo/title"]);
    check("pageInfo: { title: 404 }", |config| config.page_info.title.clone(), Some("404".into()), &[]);
    check("pageInfo: { color: nope }", |config| config.page_info.color.clone(), None, &["/pageInfo/color"]);
    check(
        "pageInfo: { favicon: 'javascript:x' }",
        |config| config.page_info.favicon.clone(),
        None,
        &["/pageInfo/favicon"],
    );
    check(
        "sections: [{ name: 2024, items: [x, { title: true }] }]",
        |config| {
            (
                config.sections[0].name.clone(),
                config.sections[0].items[0].index,
                config.sections[0].items[0].title.clone(),
            )
        },
        ("2024".into(), 1, "true".into()),
        &["/sections/0/items/0"],
    );
    let problems = config("appConfig: { layout: [1] }").problems;
    assert_eq!(problems[0].kind, ProblemKind::WrongType);
}

#[test]
fn app_config() {
    app("layout: masonry", |config| config.app.layout, Layout::Masonry, None);
    app("layout: sidebar", |config| config.app.layout, Layout::Auto, None);
    app("layout: round", |config| config.app.layout, Layout::Auto, Some("layout"));
    app("iconSize: Large", |config| config.app.icon_size, TileSize::Large, None);
    app("startingView: default", |config| config.app.starting_view, View::Home, None);
    app("startingView: workspace", |config| config.app.starting_view, View::Workspace, None);
    app("colCount: 4", |config| config.app.col_count, Some(4), None);
    app("colCount: 20", |config| config.app.col_count, Some(8), Some("colCount"));
    app("colCount: 0", |config| config.app.col_count, Some(1), Some("colCount"));
    app("colCount: '3'", |config| config.app.col_count, Some(3), Some("colCount"));
    app("colCount: many", |config| config.app.col_count, None, Some("colCount"));
    app("language: cn", |config| config.app.language.clone(), Some("zh-CN".into()), None);
    app("language: en_GB", |config| config.app.language.clone(), Some("en-GB".into()), None);
    app("contentMaxWidth: 90", |config| config.app.style.content_max_width.clone(), Some("90%".into()), None);
    app("contentMaxWidth: 1600", |config| config.app.style.content_max_width.clone(), Some("1600px".into()), None);
    app("contentMaxWidth: wide", |config| config.app.style.content_max_width.clone(), None, Some("contentMaxWidth"));
    app("statusCheck: true", |config| config.app.status_check, true, None);
    app("statusCheck: 'true'", |config| config.app.status_check, true, Some("statusCheck"));
    app("statusCheck: no", |config| config.app.status_check, false, Some("statusCheck"));
    app("statusCheck: 1", |config| config.app.status_check, false, Some("statusCheck"));
    for (written, expected) in [("0", 0), ("0.5", 0), ("1", 5), ("-3", 0), ("300", 300), ("1000000", 86_400)] {
        app(&format!("statusCheckInterval: {written}"), |config| config.app.status_check_interval, expected, None);
    }
    app("openingMethod: modal", |config| config.app.opening_method, OpeningMethod::Modal, None);
    app(
        "openingMethod: modal, defaultOpeningMethod: top",
        |config| config.app.opening_method,
        OpeningMethod::Top,
        None,
    );
    app("allowConfigEdit: false", |config| config.app.prevent_write_to_disk, true, None);
    app("faviconApi: google", |config| config.app.favicon_service, FaviconService::Google, None);
    app("faviconApi: none", |config| config.app.favicon_service, FaviconService::Allesedv, Some("faviconApi"));
    app(
        "defaultIcon: mdi-link",
        |config| config.app.default_icon.clone(),
        Some(Icon::MaterialDesign("link".into())),
        None,
    );
    app(
        "fontAwesomeKey: 0a1b2c3d4e",
        |config| config.app.font_awesome_key.clone(),
        Some("0a1b2c3d4e".into()),
        Some("fontAwesomeKey"),
    );
    app(
        "cssThemes: [own, '\"x']",
        |config| config.app.style.css_themes.clone(),
        vec!["own".to_owned()],
        Some("cssThemes"),
    );
    app(
        "hideComponents: { hideFooter: true, hideNav: true }",
        |config| (config.app.hide_footer, config.app.hide.nav),
        (true, true),
        None,
    );
    app(
        "workspaceLandingUrl: start.example",
        |config| config.app.workspace_landing_url.clone(),
        Some("http://start.example".into()),
        None,
    );
    app("routingMode: hash, madeUp: [1]", |config| config.app.layout, Layout::Auto, None);
}

#[test]
fn themes_and_styles() {
    let themes = |config: &Config| (config.app.style.day_theme.clone(), config.app.style.night_theme.clone());
    let both = |day: &str, night: &str| (Some(day.to_owned()), Some(night.to_owned()));
    app("theme: nord", themes, both("nord", "nord"), None);
    app("theme: Nord", themes, both("nord", "nord"), None);
    app("theme: nord, dayTheme: glow", themes, both("glow", "nord"), None);
    app("dayTheme: glow", themes, (Some("glow".into()), None), None);
    app("theme: mine", themes, (None, None), Some("theme"));
    app("theme: mine, cssThemes: [mine]", themes, both("mine", "mine"), None);
    app("theme: mine, customColors: { mine: { primary: red } }", themes, both("mine", "mine"), None);
    app("theme: oblivion-scotch", themes, both("oblivion-scotch", "oblivion-scotch"), None);
    app("cssThemes: mine", |config| config.app.style.css_themes.clone(), vec!["mine".to_owned()], Some("cssThemes"));
    let sheets = |config: &Config| config.app.style.style_sheets.clone();
    app("externalStyleSheet: /a.css", sheets, vec!["/a.css".to_owned()], Some("externalStyleSheet"));
    app("externalStyleSheet: ['https://x.example/a.css']", sheets, vec!["https://x.example/a.css".to_owned()], None);
    app("externalStyleSheet: ['javascript:x']", sheets, vec![], Some("externalStyleSheet"));
    app(
        "customColors: { nord: { --primary: red, size: 5, bad: 'a;b' } }",
        |config| config.app.style.custom_colors.clone(),
        vec![("nord".to_owned(), vec![("primary".to_owned(), "red".to_owned()), ("size".to_owned(), "5".to_owned())])],
        Some("customColors/nord/bad"),
    );
}

#[test]
fn search() {
    let engine = |config: &Config| config.app.web_search.engine.clone();
    app("webSearch: { searchEngine: google }", engine, Some("google".into()), None);
    app("webSearch: { searchEngine: altavista }", engine, Some("altavista".into()), Some("webSearch/searchEngine"));
    app(
        "webSearch: { searchBangs: { ' /x ': reddit, '!y': 'https://y.example/?q=', '/z': nothing } }",
        |config| config.app.web_search.bangs.clone(),
        vec![
            ("/x".to_owned(), "https://www.reddit.com/search/?q=".to_owned()),
            ("!y".to_owned(), "https://y.example/?q=".to_owned()),
        ],
        Some("webSearch/searchBangs/~1z"),
    );
    app(
        "webSearch: { searchEngine: custom, customSearchEngine: 'javascript:x' }",
        |config| config.app.web_search.custom_engine.clone(),
        None,
        Some("webSearch/customSearchEngine"),
    );
}

#[test]
fn sections() {
    fn check_display<T: PartialEq + Debug>(
        fields: &str,
        read: impl Fn(&crate::model::DisplayData) -> T,
        expected: T,
        problem: Option<&str>,
    ) {
        let path = problem.map(|key| format!("/sections/0/displayData/{key}"));
        let problems: Vec<_> = path.iter().map(String::as_str).collect();
        let text = format!("sections: [{{ name: S, displayData: {{ {fields} }} }}]");
        check(&text, |config| read(&config.sections[0].display), expected, &problems);
    }
    check_display("", |display| (display.rows, display.cols), (1, None), None);
    check_display("rows: 9, cols: 6", |display| (display.rows, display.cols), (5, Some(6)), Some("rows"));
    check_display("cols: 9", |display| display.cols, Some(6), Some("cols"));
    check_display("cols: 2.7", |display| display.cols, Some(2), None);
    check_display("sortBy: random", |display| display.sort_by, SortBy::Random, None);
    check_display("sortBy: color", |display| display.sort_by, SortBy::Default, Some("sortBy"));
    check_display("layout: grid", |display| display.section_layout, SectionLayout::Grid, None);
    check_display("layout: grid, sectionLayout: auto", |display| display.section_layout, SectionLayout::Auto, None);
    check_display("itemCountX: 20", |display| display.item_count_x, Some(12), Some("itemCountX"));
    check_display("collapsed: false", |display| display.collapsed, Some(false), None);
    check_display("color: 'url(x)'", |display| display.color.clone(), None, Some("color"));
    check_display(
        "customStyles: 'color: #fff'",
        |display| display.custom_styles.clone(),
        Some("color: #fff;".into()),
        None,
    );
    check_display("hideIfEmpty: true", |display| display.hide_from_workspace, false, None);
}

#[test]
fn items() {
    item("url: 'nas.lan:80'", |item| item.url.clone(), Some("http://nas.lan:80".into()), None);
    item("url: 'javascript:x'", |item| item.url.clone(), None, Some("url"));
    item("url: null, description: null, icon: null, target: null", |item| item.clone().url, None, None);
    item("target: newwindow", |item| item.target, Some(OpeningMethod::NewWindow), None);
    item("target: somewhere", |item| item.target, None, Some("target"));
    item("hotkey: 0", |item| item.hotkey, Some(0), None);
    item("hotkey: '7'", |item| item.hotkey, Some(7), Some("hotkey"));
    item("hotkey: 10", |item| item.hotkey, None, Some("hotkey"));
    item("hotkey: 1.5", |item| item.hotkey, None, Some("hotkey"));
    item("tags: [a, 2]", |item| item.tags.clone(), vec!["a".to_owned(), "2".to_owned()], None);
    item("tags: 'a, b,'", |item| item.tags.clone(), vec!["a".to_owned(), "b".to_owned()], Some("tags"));
    item("localUrl: 10.0.0.1, localUrlHint: x", |item| item.local_url.clone(), Some("http://10.0.0.1".into()), None);
    item("id: 5", |item| item.title.clone(), "T".into(), None);
    item(
        "color: gold, backgroundColor: '#ffff'",
        |item| (item.color.clone(), item.background_color.clone()),
        (Some("gold".into()), Some("#ffff".into())),
        None,
    );
    item("subItems: [{ title: A, url: a.example }, 5]", |item| item.sub_items.len(), 1, Some("subItems/1"));
    item("displayData: { hideFromWorkspace: true }", |item| item.display.hide_from_workspace, true, None);
    item("displayData: { hideFromHomepage: true }", |item| item.display.hide_from_homepage, true, None);
    for (written, expected) in [
        ("url: nas.lan", (1_500, 0)),
        ("localUrlTimeout: 2500, localUrlCheckInterval: 30", (2_500, 30)),
        ("localUrlTimeout: 1, localUrlCheckInterval: -5", (300, 0)),
        ("localUrlTimeout: 60000, localUrlCheckInterval: 301", (5_000, 300)),
    ] {
        item(written, |item| (item.local_url_timeout, item.local_url_check_interval), expected, None);
    }
}

#[test]
fn status_checks() {
    fn codes(written: &str, expected: &[(u16, u16)], problem: Option<&'static str>) {
        item(
            &format!("statusCheckAcceptCodes: {written}"),
            |item| item.status.clone().unwrap_or_default().accept_codes,
            expected.to_vec(),
            problem,
        );
    }
    codes("'403,418'", &[(403, 403), (418, 418)], None);
    codes("401", &[(401, 401)], None);
    codes("'2xx 500-502'", &[(200, 299), (500, 502)], None);
    codes("'''401,403'''", &[(401, 401), (403, 403)], None);
    codes("'40, x, 99999'", &[], Some("statusCheckAcceptCodes"));
    codes("'abc 200'", &[(200, 200)], Some("statusCheckAcceptCodes"));
    item(
        "statusCheck: true, statusCheckUrl: x.example, statusCheckHeaders: { A: b, C: 1 }, statusCheckAllowInsecure: true, statusCheckMaxRedirects: 0, statusCheckInterval: 60, statusCheckCertificateDays: 400",
        |item| item.status.clone().unwrap_or_default(),
        StatusCheck {
            enabled: Some(true),
            url: Some("http://x.example".into()),
            headers: vec![("A".into(), "b".into()), ("C".into(), "1".into())],
            allow_insecure: true,
            accept_codes: vec![],
            max_redirects: Some(0),
            interval: Some(60),
            certificate_days: Some(365),
        }
        .into(),
        None,
    );
    let headers = |item: &Item| item.status.clone().unwrap_or_default().headers;
    item("statusCheckHeaders: 'Name: a:b'", headers, vec![("Name".into(), "a:b".into())], Some("statusCheckHeaders"));
    item("statusCheckHeaders: nothing", headers, vec![], Some("statusCheckHeaders"));
}

#[test]
fn widgets() {
    widget("options: null", |widget| widget.kind.clone(), "clock".to_owned(), None);
    // The widget itself decides whether the other fields can be used.
    widget("options: 5, label: []", |widget| widget.kind.clone(), "clock".to_owned(), None);
}

#[test]
fn pages() {
    for (path, expected) in [
        ("media.yml", PageSource::File("media.yml".into())),
        ("./media.yml", PageSource::File("media.yml".into())),
        ("/media.yml", PageSource::File("media.yml".into())),
        ("pages/lab.yml", PageSource::File("pages/lab.yml".into())),
        ("my-http-page.yml", PageSource::File("my-http-page.yml".into())),
        ("HTTPS://x.example/conf.yml", PageSource::Remote("HTTPS://x.example/conf.yml".into())),
    ] {
        check(
            &format!("pages: [{{ name: P, path: '{path}' }}]"),
            |config| config.pages[0].source.clone(),
            expected,
            &[],
        );
    }
    check(
        "pages: [{ name: Lab, path: a.yml }, x, { name: LAB!, path: b.yml }, { name: Main, path: c.yml }]",
        |config| config.pages.iter().map(|page| (page.index, page.slug.clone())).collect::<Vec<_>>(),
        vec![(0, "lab".to_owned()), (3, "main-page".to_owned())],
        &["/pages/1", "/pages/2"],
    );
}

#[test]
fn sources_of_discovery_never_lead_to_another_engine() {
    use crate::model::EngineAddress::{self, Socket, Unusable, Web};

    let read = |fields: &str, expected: EngineAddress, problem: Option<&str>| {
        app(&format!("discovery: [{{ {fields} }}]"), |config| config.app.discovery[0].url.clone(), expected, problem);
    };
    let url = Some("discovery/0/url");
    read("", Socket("/var/run/docker.sock".to_owned()), None);
    read("url: unix:///run/podman/podman.sock", Socket("/run/podman/podman.sock".to_owned()), None);
    read("url: /run/docker.sock", Socket("/run/docker.sock".to_owned()), None);
    read("url: 'tcp://nas.lan:2375'", Web("http://nas.lan:2375".to_owned()), None);
    read("url: 'tcp://nas.lan:2376', tls: { caFile: ca.pem }", Web("https://nas.lan:2376".to_owned()), None);
    read("url: 'https://nas.lan:2376/'", Web("https://nas.lan:2376".to_owned()), None);
    for wrong in ["'ssh://nas.lan'", "nas.lan", "'unix://docker.sock'", "'tcp://'", "'tcp://nas.lan:99999'", "[a]"] {
        read(&format!("url: {wrong}"), Unusable, url);
    }
}

#[test]
fn a_cluster_takes_the_place_of_an_engine() {
    use crate::model::ClusterAccess::{self, InCluster, Kubeconfig, Unusable};

    let read = |value: &str, expected: Option<ClusterAccess>, problem: Option<&str>| {
        let fields = format!("discovery: [{{ kubernetes: {value} }}]");
        app(&fields, |config| config.app.discovery[0].kubernetes.clone(), expected, problem);
    };
    read("cluster", Some(InCluster), None);
    read("kube/config.yml", Some(Kubeconfig("kube/config.yml".to_owned())), None);
    read("''", None, None);
    read("[cluster]", Some(Unusable), Some("discovery/0/kubernetes"));
    let title =
        |fields: &str| config(&format!("appConfig: {{ discovery: [{{ {fields} }}] }}")).app.discovery[0].title();
    assert_eq!(title("kubernetes: cluster"), "Kubernetes");
    assert_eq!(title("kubernetes: a.yml, name: Home"), "Home");
    assert_eq!(title("kubernetes: a.yml"), "a.yml");
}

#[test]
fn wrong_values_of_a_source_of_discovery_are_named() {
    for (fields, path, words) in [
        ("labels: [homepge]", "labels", "did you mean `homepage`"),
        ("allowedVariables: [HOME]", "allowedVariables", "begins with `PORTICO_`"),
        ("tls: { certFile: a.pem }", "tls/keyFile", "belong together"),
        ("tls: { keyFile: a.pem }", "tls/certFile", "belong together"),
        ("url: 'ssh://nas'", "url", "is not an address of Docker or Podman"),
    ] {
        let config = config(&format!("appConfig: {{ discovery: [{{ {fields} }}] }}"));
        let problem = &config.problems[0];
        assert_eq!(problem.path, format!("/appConfig/discovery/0/{path}"));
        assert!(problem.message.contains(words), "{}", problem.message);
    }
}
