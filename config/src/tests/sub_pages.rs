//! What a page inherits from the root (docs/spec/config.md 1.4).

use std::fmt::Debug;

use super::document;
use crate::Config;

const ROOT: &str = "\
pageInfo: { title: Root, description: D, footer: F, navLinks: [{ title: L, path: /x }] }
appConfig:
  theme: nord
  dayTheme: glow
  layout: masonry
  webSearch: { disableWebSearch: true, openUrlsDirectly: true }
  auth: { enableGuestAccess: true }
pages: [{ name: P, path: p.yml }]
sections: [{ name: R }]
";

fn check<T: PartialEq + Debug>(page: &str, read: impl Fn(&Config) -> T, expected: T) {
    let config = Config::read_page(&document(ROOT), &document(page)).unwrap();
    assert_eq!(read(&config), expected, "{page}");
}

#[test]
fn inheritance() {
    let title = |config: &Config| config.page_info.title.clone().unwrap();
    check("sections: []", title, "Root".into());
    check("pageInfo: { title: Page }", title, "Page".into());
    check("pageInfo: { title: null }", title, "Root".into());
    check("pageInfo: { title: Page }", |config| config.page_info.description.clone(), Some("D".into()));
    check("pageInfo: { footerText: old }", |config| config.page_info.footer.clone(), Some("old".into()));
    check("pageInfo: 5", title, "Root".into());
    check("sections: [{ name: A }]", |config| config.sections[0].name.clone(), "A".into());
    check("pageInfo: {}", |config| config.sections.len(), 0);
    // Inherited key by key, not deeper.
    let search = |config: &Config| (config.app.web_search.disabled, config.app.web_search.open_urls_directly);
    check("appConfig: {}", search, (true, true));
    check("appConfig: { webSearch: { disableWebSearch: false } }", search, (false, false));
}

#[test]
fn themes() {
    let themes =
        |config: &Config| (config.app.style.day_theme.clone().unwrap(), config.app.style.night_theme.clone().unwrap());
    let pair = |day: &str, night: &str| (day.to_owned(), night.to_owned());
    check("{}", themes, pair("glow", "nord"));
    check("appConfig: { theme: bee }", themes, pair("bee", "bee"));
    check("appConfig: { theme: bee, dayTheme: tiger }", themes, pair("tiger", "bee"));
    check("appConfig: { nightTheme: bee }", themes, pair("glow", "bee"));
}

#[test]
fn pages_and_sign_in_are_the_roots() {
    check("pages: [{ name: X, path: x.yml }]", |config| config.pages[0].name.clone(), "P".into());
    check("appConfig: { auth: { enableGuestAccess: false } }", |config| config.app.auth.enable_guest_access, true);
    // It is told that it has no effect, and not what is wrong in it.
    check("appConfig: { auth: [1] }", |config| config.problems.len(), 1);
}

#[test]
fn a_page_must_be_a_mapping() {
    assert!(Config::read_page(&document(ROOT), &document("- 1")).is_err());
}

#[test]
fn an_entry_that_is_not_a_mapping_is_dropped_and_reported() {
    let page = document("pageInfo: 5\nappConfig: [1]\nsections: []\n");
    let problems = Config::read_page(&document(ROOT), &page).unwrap().problems;
    let paths: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["/pageInfo", "/appConfig"]);
    assert!(Config::read_page(&document(ROOT), &document("pageInfo: null\n")).unwrap().problems.is_empty());
}

#[test]
fn keys_without_effect_in_a_page_file_are_reported() {
    let problems = |page: &str| {
        let config = Config::read_page(&document(ROOT), &document(page)).unwrap();
        config.problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(problems("sections: []\npages: null\n$schema: x\nx-a: 1\nappConfig: { theme: nord }"), [""; 0]);
    assert_eq!(problems("pages: []"), ["/pages: has no effect in the file of a page: the main config lists the pages"]);
    assert_eq!(problems("footer: x"), ["/footer: the file of a page has no key `footer`; it has no effect"]);
    let belongs =
        |key: &str| format!("/appConfig/{key}: has no effect in the file of a page: it belongs in the main config");
    assert_eq!(problems("appConfig: { preventWriteToDisk: true }"), [belongs("preventWriteToDisk")]);
    assert_eq!(problems("appConfig: { startingView: minimal }"), [belongs("startingView")]);
    // Sign-in is told in any case; the same settings as in the main config are not.
    let said = problems("appConfig: { auth: { enableGuestAccess: true }, startingView: null }");
    assert!(said.len() == 1 && said[0].contains("it neither closes nor opens anything"), "{said:?}");
    let root = document("appConfig: { startingView: minimal }\nsections: []");
    let config = Config::read_page(&root, &document("appConfig: { startingView: minimal }")).unwrap();
    assert_eq!(config.problems, []);
}
