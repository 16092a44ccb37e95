//! From a config to a page.

use super::{config, document};
use crate::{
    Config, Dashboard, Icon, IconLookup, PageError, PageRequest, PageView, Person, View, Viewer,
    dashboard::{BrowserSort, IconView, OpeningMethod},
    icon::IconEntry,
    model::{CheckTarget, PingTarget},
};

pub(super) const HOMELAB: &str = include_str!("configs/homelab.yml");

/// Returns what it was asked for, as text.
pub(super) struct Echo;

impl IconLookup for Echo {
    fn resolve(&self, icon: &Icon, entry: &IconEntry<'_>) -> IconView {
        IconView::Image(format!("{icon:?} of {} at {}", entry.title, entry.url.unwrap_or("nowhere")))
    }

    fn problem(&self, icon: &Icon, _: &IconView) -> Option<String> {
        matches!(icon, Icon::File(_)).then(|| "there is no such file".to_owned())
    }

    fn image(&self, address: &str) -> Option<String> {
        (!address.contains("missing")).then(|| format!("/own{address}"))
    }

    fn css(&self, css: &str) -> String {
        css.replace("https:", "/own/https:")
    }
}

fn bob() -> Viewer {
    Viewer::User(Person { name: "bob".into(), ..Person::default() })
}

pub(super) fn view(text: &str, viewer: &Viewer, request: PageRequest<'_>) -> Result<PageView, PageError> {
    Dashboard::for_viewer(&config(text), viewer, &request, &Echo)
}

pub(super) fn dashboard(text: &str) -> Dashboard {
    view(text, &Viewer::Admin(None), PageRequest::default()).unwrap().dashboard
}

/// The navigation as `title -> href`, with a star at the current page.
fn navigation(dashboard: &Dashboard) -> Vec<String> {
    let entry = |entry: &crate::dashboard::NavigationEntry| {
        let star = if entry.current { "*" } else { "" };
        format!("{} -> {}{star}{}", entry.title, entry.href, entry.target.as_deref().unwrap_or_default())
    };
    dashboard.navigation.iter().map(entry).collect()
}

#[test]
fn frame() {
    let page = dashboard(HOMELAB);
    assert_eq!(page.title, "Attic");
    assert_eq!(page.slug, "home");
    assert_eq!(page.logo.as_deref(), Some("/own/item-icons/logo.png"));
    assert_eq!(page.footer.as_deref(), Some("Run by <b>nobody</b>"));
    assert_eq!((page.look.day_theme.as_str(), page.look.night_theme.as_str()), ("solarized-light", "nord"));
    assert_eq!(page.look.themes, ["attic"]);
    assert!(page.other_pages && !page.single_section);
    assert_eq!(dashboard("{}").title, "Portico");
    assert_eq!(dashboard("pageInfo: { logo: /missing.png }").logo, None);
    assert_eq!(
        dashboard("pageInfo: { favicon: 'data:image/png;base64,AA' }").favicon.as_deref(),
        Some("data:image/png;base64,AA")
    );
    assert_eq!(dashboard("pageInfo: { footer: x }\nappConfig: { hideComponents: { hideFooter: true } }").footer, None);
}

#[test]
fn navigation_of_each_view() {
    let request = |base, page, view| PageRequest { base, page, view, ..PageRequest::default() };
    let of = |viewer: &Viewer, request| navigation(&view(HOMELAB, viewer, request).unwrap().dashboard);
    assert_eq!(
        of(&Viewer::Admin(None), request("", None, View::Home)),
        [
            "Status -> https://status.attic.example_self",
            "Minimal -> /minimal",
            "Home -> /*",
            "🌱 Garden -> /home/garden",
            "Cellar -> /home/cellar",
        ]
    );
    assert_eq!(
        of(&Viewer::Guest, request("/start", Some("Garden"), View::Workspace)),
        [
            "Status -> https://status.attic.example_self",
            "Minimal -> /start/minimal",
            "Home -> /start/workspace",
            "🌱 Garden -> /start/workspace/garden*",
        ]
    );
    let odd = "pageInfo: { navLinks: [{ title: a, path: 'javascript:x' }, { title: b, path: '//evil.example' }, { title: c, path: 'mailto:x@y.example' }, { path: /x }] }";
    assert_eq!(
        navigation(&dashboard(odd)),
        ["a -> /javascript:x", "b -> /evil.example", "c -> mailto:x@y.example_blank"]
    );
}

#[test]
fn pages_without_a_name_are_called_by_their_file() {
    for (path, expected) in [("beds.yml", "beds.yml"), ("https://git.example/raw/a.yml?token=secret", "git.example")] {
        let page = dashboard(&format!("pages: [{{ path: '{path}' }}]"));
        assert_eq!(navigation(&page), [" -> /*".to_owned(), format!("{expected} -> /home/unnamed-page")]);
    }
}

#[test]
fn the_main_page_has_an_entry_where_others_have_one() {
    let of = |text: &str, viewer: &Viewer| navigation(&view(text, viewer, PageRequest::default()).unwrap().dashboard);
    let others = "pages: [{ name: Garden, path: garden.yml, displayData: { hideForGuests: true } }]";
    assert_eq!(of(others, &Viewer::Admin(None)), [" -> /*", "Garden -> /home/garden"]);
    assert_eq!(of(others, &Viewer::Guest), [""; 0]);
}

#[test]
fn pages_that_exist() {
    let check = |viewer: &Viewer, page: Option<&str>, expected: Result<&str, &str>| {
        let request = PageRequest { page, ..PageRequest::default() };
        let found = view(HOMELAB, viewer, request).map(|page| page.dashboard.slug);
        let expected = expected.map(str::to_owned).map_err(|slug| PageError::PageNotFound(slug.to_owned()));
        assert_eq!(found, expected);
    };
    check(&Viewer::Guest, None, Ok("home"));
    check(&Viewer::Guest, Some("main"), Ok("home"));
    check(&Viewer::Guest, Some("garden"), Ok("garden"));
    check(&Viewer::Guest, Some("-Garden"), Ok("garden"));
    check(&Viewer::Guest, Some("cellar"), Err("cellar"));
    check(&bob(), Some("cellar"), Ok("cellar"));
    check(&bob(), Some("nowhere"), Err("nowhere"));
}

#[test]
fn sections_and_items() {
    let page = dashboard(HOMELAB);
    let machines = &page.sections[0];
    assert_eq!(
        (machines.slug.as_str(), machines.class.as_str(), machines.key.as_str()),
        ("machines", "section_machines", "home-machines")
    );
    assert_eq!((machines.cols, machines.rows, machines.color.as_deref()), (Some(2), 1, Some("#012")));
    assert_eq!((machines.widgets[0].index, machines.widgets[0].written.as_str()), (0, "clock"));
    let titles: Vec<_> = machines.items.iter().map(|item| (item.index, item.title.as_str())).collect();
    assert_eq!(titles, [(2, "Consoles"), (1, "disk 2"), (0, "Disk 10"), (3, "Only for Bob")]);
    let disk = &machines.items[2];
    assert_eq!(disk.id, crate::slug::item_id(0, "Machines", "Disk 10"));
    assert_eq!(disk.url.as_deref(), Some("http://nas.lan:8080"));
    assert_eq!(disk.target, OpeningMethod::NewTab);
    assert_eq!(disk.icon, IconView::Image("Homelab(\"truenas\") of Disk 10 at http://nas.lan:8080".into()));
    assert_eq!(machines.items[1].target, OpeningMethod::Modal);
    assert_eq!(machines.items[1].icon, IconView::Image("Favicon(Some(Allesedv)) of disk 2 at https://10.9.0.1".into()));
    let group = &machines.items[0];
    assert_eq!(group.sub_items[1].icon, IconView::Emoji("💻".into()));
    assert_eq!(group.sub_items[1].target, OpeningMethod::SameTab);
    assert_eq!((group.url.as_ref(), &group.icon), (None, &IconView::None));
    assert_eq!(page.sections[1].items[0].icon, IconView::Letter("S".into()));
    assert_eq!(page.sections[1].sort, BrowserSort::MostUsed);
}

#[test]
fn hidden_entries_do_not_arrive() {
    let json = |viewer: &Viewer, view_kind| {
        let request = PageRequest { view: view_kind, ..PageRequest::default() };
        serde_json::to_string(&view(HOMELAB, viewer, request).unwrap().dashboard).unwrap()
    };
    let guest = json(&Viewer::Guest, View::Home);
    for secret in ["Secret", "secret.example", "Only for Bob", "Cellar", "Hidden", "DASHY_KEY", "5e8848"] {
        assert!(!guest.contains(secret), "{secret}");
    }
    assert!(guest.contains("Disk 10"));
    let bobs = json(&bob(), View::Home);
    assert!(bobs.contains("Only for Bob") && bobs.contains("Secret") && !bobs.contains("DASHY_KEY"));
    assert!(!json(&bob(), View::Workspace).contains("Only for Bob"));
    let nobody = json(&Viewer::Anonymous, View::Home);
    assert!(
        nobody.contains("Attic") && !nobody.contains("Disk") && !nobody.contains("Garden") && !nobody.contains("hums")
    );
}

#[test]
fn single_sections() {
    let request = |section| PageRequest { section: Some(section), ..PageRequest::default() };
    let page = view(HOMELAB, &bob(), request("-Hidden")).unwrap().dashboard;
    assert!(page.single_section);
    assert_eq!(page.sections.iter().map(|section| section.index).collect::<Vec<_>>(), [1]);
    assert_eq!(view(HOMELAB, &Viewer::Guest, request("hidden")), Err(PageError::SectionNotFound("hidden".into())));
    assert_eq!(view(HOMELAB, &Viewer::Guest, request("none")).unwrap_err().to_string(), "section `none` not found");
}

#[test]
fn sections_with_the_same_slug_get_different_addresses() {
    let text = "sections: [{ name: 🎬 }, { name: 🎵 }, { name: C }, { name: C++ }, { name: 'C#' }, \
        { name: Media, displayData: { hideForGuests: true } }, { name: Media }, { name: Media 2 }]";
    let all = view(text, &bob(), PageRequest::default()).unwrap().dashboard;
    let names: Vec<_> = all.sections.iter().map(|section| (section.slug.as_str(), section.key.as_str())).collect();
    assert_eq!(
        names,
        [
            ("unnamed-page", "home--"),
            ("unnamed-page-2", "home---2"),
            ("c", "home-c"),
            ("c-2", "home-c--"),
            ("c-3", "home-c-"),
            ("media", "home-media"),
            ("media-3", "home-media-3"),
            ("media-2", "home-media-2"),
        ]
    );
    let index = |viewer: &Viewer, section, view_kind| {
        let request = PageRequest { section: Some(section), view: view_kind, ..PageRequest::default() };
        let page = view(text, viewer, request).unwrap().dashboard;
        page.sections[page.selected.unwrap_or_default()].index
    };
    for (viewer, section, expected) in [
        (&bob(), "unnamed-page", 0),
        (&bob(), "unnamed-page-2", 1),
        (&bob(), "🎵", 1),
        (&bob(), "c", 2),
        (&bob(), "C++", 3),
        (&bob(), "c-2", 3),
        (&bob(), "C#", 4),
        (&bob(), "media", 5),
        (&bob(), "media-3", 6),
        (&bob(), "Media 2", 7),
        (&Viewer::Guest, "media-3", 6),
        (&Viewer::Guest, "media", 6),
    ] {
        for view_kind in [View::Home, View::Minimal] {
            assert_eq!(index(viewer, section, view_kind), expected, "{section}");
        }
    }
}

#[test]
fn the_minimal_view_selects_a_section_and_keeps_the_others() {
    let request = |section| PageRequest { section, view: View::Minimal, ..PageRequest::default() };
    let of = |section| view(HOMELAB, &bob(), request(section)).map(|page| page.dashboard);
    let page = of(Some("-Hidden")).unwrap();
    assert_eq!((page.selected, page.single_section, page.sections.len()), (Some(1), false, 2));
    assert_eq!(of(None).unwrap().selected, None);
    assert_eq!(of(Some("none")), Err(PageError::SectionNotFound("none".into())));
    let guest = view(HOMELAB, &Viewer::Guest, request(Some("hidden")));
    assert_eq!(guest, Err(PageError::SectionNotFound("hidden".into())));
}

#[test]
fn in_the_workspace_items_open_beside_the_sidebar() {
    let text = "appConfig: { defaultOpeningMethod: newtab, workspaceLandingUrl: start.example, enableMultiTasking: true }\n\
        sections: [{ name: S, items: [{ title: a }, { title: b, target: newtab }, { title: c, target: modal }, \
        { title: d, target: clipboard }, { title: e, target: newwindow }, { title: f, target: sametab }, \
        { title: g, displayData: { hideFromWorkspace: true } }] }, \
        { name: Hidden, displayData: { hideFromWorkspace: true }, items: [{ title: h }] }]";
    let targets = |view_kind| {
        let request = PageRequest { view: view_kind, ..PageRequest::default() };
        let page = view(text, &Viewer::Admin(None), request).unwrap().dashboard;
        let items = page.sections.iter().flat_map(|section| &section.items);
        let items: Vec<_> = items.map(|item| format!("{}:{}", item.title, item.target.word())).collect();
        (items.join(" "), page.landing_url)
    };
    assert_eq!(
        targets(View::Workspace),
        (
            "a:workspace b:newtab c:workspace d:clipboard e:newwindow f:workspace".to_owned(),
            Some("http://start.example".to_owned())
        )
    );
    assert_eq!(
        targets(View::Minimal),
        ("a:newtab b:newtab c:modal d:clipboard e:newwindow f:sametab g:newtab h:newtab".to_owned(), None)
    );
    for (written, expected) in
        [("mailto:a@b.example", None), ("javascript:alert(1)", None), ("/status", Some("/status"))]
    {
        let text = format!("appConfig: {{ workspaceLandingUrl: '{written}' }}");
        let request = PageRequest { view: View::Workspace, ..PageRequest::default() };
        let page = |viewer: &Viewer| view(&text, viewer, request).unwrap().dashboard.landing_url;
        assert_eq!(page(&Viewer::Guest).as_deref(), expected, "{written}");
        assert_eq!(page(&Viewer::Anonymous), None);
    }
}

#[test]
fn the_root_has_its_own_address_where_the_landing_page_is_another_view() {
    let text = "appConfig: { startingView: minimal }\npages: [{ name: Root, path: conf.yml }]";
    for (view_kind, expected) in [(View::Home, "Root -> /home*"), (View::Minimal, "Root -> /minimal*")] {
        let request = PageRequest { view: view_kind, starting_view: View::Minimal, ..PageRequest::default() };
        assert_eq!(navigation(&view(text, &Viewer::Guest, request).unwrap().dashboard), [expected]);
    }
}

#[test]
fn sorting() {
    let order = |sort: &str, app: &str| {
        let text = format!(
            "appConfig: {app}\nsections: [{{ name: S, displayData: {{ sortBy: {sort} }}, items: [{{ title: b10 }}, {{ title: B9 }}, {{ title: a }}, {{ title: b 1 }}, {{ title: ä }}] }}]"
        );
        let section = dashboard(&text).sections.remove(0);
        let titles: Vec<_> = section.items.iter().map(|item| item.title.clone()).collect();
        (titles.join(" "), section.sort)
    };
    assert_eq!(order("default", "{}"), ("b10 B9 a b 1 ä".into(), BrowserSort::None));
    assert_eq!(order("alphabetical", "{}"), ("a b 1 B9 b10 ä".into(), BrowserSort::None));
    assert_eq!(order("reverse-alphabetical", "{}"), ("ä b10 B9 b 1 a".into(), BrowserSort::None));
    assert_eq!(order("alphabetical", "{ disableSmartSort: true }").0, "a b 1 B9 b10 ä");
    assert_eq!(order("last-used", "{}").1, BrowserSort::LastUsed);
    assert_eq!(order("last-used", "{ disableSmartSort: true }").1, BrowserSort::None);
    assert_eq!(order("random", "{ disableSmartSort: true }").1, BrowserSort::Random);
}

#[test]
fn sorting_by_provider_and_by_id() {
    let order = |sort: &str| {
        let text = format!(
            "sections: [{{ name: S, displayData: {{ sortBy: {sort} }}, items: [{{ title: a, provider: Zed, id: x10 }}, \
             {{ title: b, id: x9 }}, {{ title: c, provider: acme, id: X1 }}, {{ title: d, provider: Zed, id: 3 }}, \
             {{ title: e }}] }}]"
        );
        let section = dashboard(&text).sections.remove(0);
        assert_eq!(section.sort, BrowserSort::None);
        section.items.iter().map(|item| item.title.clone()).collect::<String>()
    };
    // Equal providers keep the order of the file, and items without one come last.
    assert_eq!(order("provider"), "cadbe");
    assert_eq!(order("provider-reverse"), "adcbe");
    // An item without an id has the generated one, which begins with its position.
    assert_eq!(order("item-id"), "decba");
    assert_eq!(order("item-id-reverse"), "abced");
}

#[test]
fn items_that_leave_the_home_page_alone() {
    let text = "sections: [{ name: S, items: [{ title: a }, { title: b, displayData: { hideFromHomepage: true } }] }]";
    let off = |request| {
        let page = view(text, &Viewer::Guest, request).unwrap().dashboard;
        let items = &page.sections[0].items;
        assert_eq!(items.len(), 2);
        (items[1].off_home && !items[0].off_home, page.sections[0].shown_items())
    };
    let of = |view| PageRequest { view, ..PageRequest::default() };
    assert_eq!(off(of(View::Home)), (true, 1));
    assert_eq!(off(of(View::Minimal)), (true, 1));
    assert_eq!(off(of(View::Workspace)), (false, 2));
    assert_eq!(off(PageRequest { section: Some("s"), ..PageRequest::default() }), (false, 2));
}

#[test]
fn icons_that_are_off() {
    let icon = |app: &str, icon: &str| {
        dashboard(&format!("appConfig: {{ {app} }}\nsections: [{{ name: S, items: [{{ title: x, icon: {icon} }}] }}]"))
            .sections[0]
            .items[0]
            .icon
            .clone()
    };
    assert_eq!(icon("enableFontAwesome: false", "fas fa-x"), IconView::Letter("X".into()));
    assert_eq!(icon("enableMaterialDesignIcons: false", "mdi-x"), IconView::Letter("X".into()));
    assert_eq!(icon("faviconApi: google", "favicon"), IconView::Image("Favicon(Some(Google)) of x at nowhere".into()));
    assert_eq!(icon("defaultIcon: 🚀", "null"), IconView::Emoji("🚀".into()));
    assert_eq!(icon("", "null"), IconView::None);
}

#[test]
fn a_main_file_of_another_name() {
    let text = "pages: [ { name: Home, path: start.yml }, { name: Lab, path: conf.yml } ]\nsections: []\n";
    let config = config(text).of_main_file("start.yml");
    let request = PageRequest::default();
    let page = Dashboard::for_viewer(&config, &Viewer::Guest, &request, &Echo).unwrap().dashboard;
    assert_eq!(page.file, "start.yml");
    assert_eq!(navigation(&page), ["Home -> /*", "Lab -> /home/lab"]);
    let other = dashboard(text);
    assert_eq!(navigation(&other), ["Lab -> /*", "Home -> /home/home"]);
    assert_eq!(other.file, "conf.yml");
}

#[test]
fn a_sub_page() {
    let config =
        Config::read_page(&document(HOMELAB), &document("sections: [{ name: Beds, items: [{ title: Peas }] }]"))
            .unwrap();
    let request = PageRequest { page: Some("garden"), base: "/b", ..PageRequest::default() };
    let page = Dashboard::for_viewer(&config, &Viewer::Guest, &request, &Echo).unwrap().dashboard;
    assert_eq!((page.slug.as_str(), page.title.as_str(), page.base.as_str()), ("garden", "Attic", "/b"));
    assert_eq!(page.sections[0].key, "garden-beds");
    assert_eq!((page.file.as_str(), dashboard(HOMELAB).file.as_str()), ("garden.yml", "conf.yml"));
    assert!(page.other_pages);
}

#[test]
fn what_travels_reads_back() {
    let page = dashboard(HOMELAB);
    let json = serde_json::to_string(&page).unwrap();
    assert_eq!(serde_json::from_str::<Dashboard>(&json).unwrap(), page);
}

#[test]
fn status_dots() {
    let text = "
appConfig: { statusCheck: true, statusCheckInterval: 300 }
sections:
  - name: Lab
    items:
      - { title: Plain, url: 'https://plain.example' }
      - { title: Off, url: 'https://off.example', statusCheck: false }
      - { title: Other, url: 'ssh://other.example', statusCheckUrl: 'https://other.example/api', statusCheckInterval: 20 }
      - { title: Shell, url: 'ssh://shell.example' }
      - { title: Nowhere }
      - { title: Group, url: 'https://group.example', subItems: [ { title: Sub, url: 'https://sub.example' } ] }
";
    let read = config(text);
    let items = &read.sections[0].items;
    let targets: Vec<_> =
        items.iter().map(|item| read.status_target(item).map(|target| (target.url, target.interval))).collect();
    let target = |url: &str, interval| Some((url.to_owned(), interval));
    let expected =
        [target("https://plain.example", 300), None, target("https://other.example/api", 20), None, None, None];
    assert_eq!(targets, expected);
    let page = dashboard(text);
    let dots: Vec<_> = page.sections[0].items.iter().map(|item| item.has_status).collect();
    assert_eq!(dots, expected.map(|target| target.is_some()));
    // The address of the check stays on the server.
    assert!(!serde_json::to_string(&page).unwrap().contains("other.example/api"));
    let quiet =
        dashboard("sections: [ { name: S, items: [ { title: A, url: 'https://a.example', statusCheck: true } ] } ]");
    assert!(quiet.sections[0].items[0].has_status && !quiet.status_shapes);
}

#[test]
fn pings_have_a_dot_of_their_own() {
    let text = "
appConfig: { pingCheckEnabled: true, pingCheckInterval: 3, pingCheckCount: 9, pingCheckTimeout: 0, pingCheckAccessibility: true }
sections:
  - name: Lab
    items:
      - { title: Plain, url: 'https://anna@plain.example:8443/x', statusCheck: true }
      - { title: Off, url: 'https://off.example', pingCheckEnabled: false }
      - { title: Shell, url: 'ssh://shell.example', pingCheckInterval: 0, pingCheckCount: 1, pingCheckTimeout: 60 }
      - { title: Other, pingCheckHost: ' 10.0.0.9 ', pingCheckCount: 0 }
      - { title: Written, pingCheckHost: 'https://written.example/a' }
      - { title: Six, url: 'http://[fd00::1]:80/' }
      - { title: Nowhere }
      - { title: Group, url: 'https://group.example', subItems: [ { title: Sub, url: 'https://sub.example' } ] }
";
    let read = config(text);
    let pings: Vec<_> = read.sections[0].items.iter().map(|item| read.ping_target(item)).collect();
    let ping =
        |host: &str, count, timeout, interval| Some(PingTarget { host: host.to_owned(), count, timeout, interval });
    let expected = [
        ping("plain.example", 5, 2, 5),
        None,
        ping("shell.example", 1, 10, 0),
        ping("10.0.0.9", 3, 2, 5),
        ping("written.example", 5, 2, 5),
        ping("fd00::1", 5, 2, 5),
        None,
        None,
    ];
    assert_eq!(pings, expected);
    let page = dashboard(text);
    let dots: Vec<_> = page.sections[0].items.iter().map(|item| (item.has_status, item.has_second_status)).collect();
    assert_eq!(dots[..3], [(true, true), (false, false), (true, false)]);
    assert!(page.status_shapes);
    let port = config("sections: [ { name: S, items: [ { title: A, statusCheckUrl: 'tcp://nas.lan:22' } ] } ]");
    assert_eq!(port.status_request(&port.sections[0].items[0]).unwrap().url, "tcp://nas.lan:22");
}

#[test]
fn the_state_of_a_container_takes_the_place_of_the_status_check() {
    let read = config(
        "
appConfig: { statusCheck: true }
sections:
  - name: Lab
    items:
      - { title: Films, url: 'https://films.example', container: ' nas/films ', pingCheckEnabled: true }
      - { title: Off, url: 'https://off.example', container: off, statusCheck: false }
      - { title: Checked, url: 'https://checked.example', container: checked, statusCheck: true }
      - { title: Empty, url: 'https://empty.example', container: '' }
      - { title: Group, container: films, subItems: [ { title: Sub } ] }
",
    );
    let checks = |position: usize| read.checks(&read.sections[0].items[position]).collect::<Vec<_>>();
    let is_container =
        |check: &CheckTarget, name: &str| *check == CheckTarget::Container(name.to_owned()) && check.interval() > 0;
    assert!(is_container(&checks(0)[0], "nas/films") && matches!(checks(0)[1..], [CheckTarget::Ping(_)]));
    assert!(is_container(&checks(1)[0], "off") && checks(1).len() == 1);
    for position in [2, 3] {
        assert!(matches!(checks(position)[..], [CheckTarget::Status(_)]), "{position}");
    }
    assert!(checks(4).is_empty());
}

#[test]
fn admins_see_why_an_icon_is_missing() {
    let text = "appConfig: { enableFontAwesome: false }\nsections: [{ name: S, items: [{ title: A, icon: lost.png }, \
        { title: B, icon: fas fa-rocket }, { title: G, subItems: [{ title: C, icon: lost.png }] }] }]";
    let told = |viewer: &Viewer| {
        let sections = view(text, viewer, PageRequest::default()).unwrap().dashboard.sections;
        let items: Vec<_> = sections[0].items.iter().chain(&sections[0].items[2].sub_items).collect();
        items.iter().map(|item| item.icon_problem.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(told(&Viewer::Admin(None)), [true, false, false, true]);
    assert_eq!(told(&bob()), [false; 4]);
}
