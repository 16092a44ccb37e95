//! The schema check (docs/spec/config.md 1.3 and 14, docs/spec/api.md 8).

use super::{document, every_field};
use crate::{
    ProblemKind::{self, Conflict, Legacy, Malformed, Missing, NotAllowed, OutOfRange, TooMany, UnknownKey, WrongType},
    Severity,
    check::{check_read, check_schema, new_errors, new_errors_of_draft},
};

/// The problems of a text, as path and kind.
fn check(text: &str, expected: &[(&str, ProblemKind)]) {
    let mut problems = check_schema(&document(text));
    problems.retain(|problem| problem.severity != Severity::Note);
    let found: Vec<_> = problems.iter().map(|problem| (problem.path.as_str(), problem.kind)).collect();
    assert_eq!(found, expected, "{text}\n{problems:#?}");
    for problem in &problems {
        let expected = if problem.kind == Legacy { Severity::Warning } else { Severity::Error };
        assert_eq!(problem.severity, expected, "{problem}");
    }
}

fn app(fields: &str, expected: &[(&str, ProblemKind)]) {
    let expected: Vec<_> = expected.iter().map(|(path, kind)| (format!("/appConfig{path}"), *kind)).collect();
    let expected: Vec<_> = expected.iter().map(|(path, kind)| (path.as_str(), *kind)).collect();
    check(&format!("appConfig: {{ {fields} }}\nsections: []"), &expected);
}

fn section(fields: &str, expected: &[(&str, ProblemKind)]) {
    let expected: Vec<_> = expected.iter().map(|(path, kind)| (format!("/sections/0{path}"), *kind)).collect();
    let expected: Vec<_> = expected.iter().map(|(path, kind)| (path.as_str(), *kind)).collect();
    check(&format!("sections: [{{ name: S, {fields} }}]"), &expected);
}

fn item(fields: &str, expected: &[(&str, ProblemKind)]) {
    let expected: Vec<_> = expected.iter().map(|(path, kind)| (format!("/items/0{path}"), *kind)).collect();
    let expected: Vec<_> = expected.iter().map(|(path, kind)| (path.as_str(), *kind)).collect();
    section(&format!("items: [{{ title: T, {fields} }}]"), &expected);
}

#[test]
fn top_level() {
    check("sections: []", &[]);
    check("{}", &[("/sections", Missing)]);
    check("pageInfo: { title: x }", &[("/sections", Missing)]);
    check("sections: text", &[("/sections", WrongType)]);
    check("sections: null", &[("/sections", WrongType)]);
    check("sections: []\nbanana: 1", &[("/banana", UnknownKey)]);
    check("", &[("", WrongType)]);
    check("- 1", &[("", WrongType)]);
    check("sections: [5]", &[("/sections/0", WrongType)]);
    check("a/b~c: 1\nsections: []", &[("/a~1b~0c", UnknownKey)]);
}

#[test]
fn page_info() {
    for (fields, expected) in [
        ("{ title: A }", vec![]),
        ("{ description: no title }", vec![("/pageInfo/title", Missing)]),
        ("{ title: 404 }", vec![("/pageInfo/title", WrongType)]),
        ("{ title: A, bogus: 1 }", vec![("/pageInfo/bogus", UnknownKey)]),
        ("{ title: A, logo: 'x.png' }", vec![("/pageInfo/logo", Malformed)]),
        ("{ title: A, logo: /x.png }", vec![]),
        ("{ title: A, footerText: x }", vec![("/pageInfo/footerText", Legacy)]),
        ("{ title: A, navLinks: [{ title: x }] }", vec![("/pageInfo/navLinks/0/path", Missing)]),
        (
            "{ title: A, navLinks: [{ title: x, path: y, target: modal }] }",
            vec![("/pageInfo/navLinks/0/target", NotAllowed)],
        ),
        ("{ title: A, navLinks: [{ title: x, path: y, z: 1 }] }", vec![("/pageInfo/navLinks/0/z", UnknownKey)]),
    ] {
        check(&format!("pageInfo: {fields}\nsections: []"), &expected);
    }
    let links = ["{ title: x, path: y }"; 7].join(", ");
    check(&format!("pageInfo: {{ title: A, navLinks: [{links}] }}\nsections: []"), &[("/pageInfo/navLinks", TooMany)]);
}

#[test]
fn editors_may_have_keys_of_their_own_at_the_top() {
    check("$schema: http://dash.lan/schema.json\nx-icons: &a [1]\nx-: 5\nsections: []", &[]);
    check("$schema: 5\nsections: []", &[]);
    check("X-icons: 1\nsections: []", &[("/X-icons", UnknownKey)]);
    check("schema: x\nsections: []", &[("/schema", UnknownKey)]);
    check("sections: [{ name: A, x-mine: 1 }]", &[("/sections/0/x-mine", UnknownKey)]);
}

#[test]
fn pages() {
    check("sections: []\npages: [{ name: A, path: a.yml, displayData: { hideForGuests: true } }]", &[]);
    check(
        "sections: []\npages: [{ name: A }, { name: B, path: b, x: 1, displayData: { hideFromWorkspace: true } }]",
        &[
            ("/pages/0/path", Missing),
            ("/pages/1/x", UnknownKey),
            ("/pages/1/displayData/hideFromWorkspace", UnknownKey),
        ],
    );
}

#[test]
fn app_config() {
    app("theme: x, layout: auto, colCount: 8, statusCheckInterval: 500", &[]);
    app("nonsense: true", &[("/nonsense", UnknownKey)]);
    app(
        "title: x, enableErrorStatusIndicators: true, enableWebSearch: true",
        &[("/title", UnknownKey), ("/enableErrorStatusIndicators", UnknownKey), ("/enableWebSearch", UnknownKey)],
    );
    app("statusCheck: 'true'", &[("/statusCheck", WrongType)]);
    app("colCount: '3'", &[("/colCount", WrongType)]);
    app("colCount: 9", &[("/colCount", OutOfRange)]);
    app("columns: narrow-full", &[]);
    app("columns: [narrow, full]", &[("/columns", WrongType)]);
    app("layout: round", &[("/layout", NotAllowed)]);
    app("theme: null", &[("/theme", WrongType)]);
    app("contentMaxWidth: 90", &[("/contentMaxWidth", WrongType)]);
    app("fontAwesomeKey: ABCDEFGHIJ", &[("/fontAwesomeKey", Malformed)]);
    app("externalStyleSheet: /a.css", &[("/externalStyleSheet", WrongType)]);
    app("customColors: { a: { any: 1, 'x y': [1] }, b: red }", &[("/customColors/b", WrongType)]);
    app("webSearch: { searchEngine: custom, searchBangs: { x: 1 } }", &[]);
    app(
        "webSearch: { searchEngine: altavista, openingMethod: modal, x: 1 }",
        &[
            ("/webSearch/searchEngine", NotAllowed),
            ("/webSearch/openingMethod", NotAllowed),
            ("/webSearch/x", UnknownKey),
        ],
    );
    app("hideComponents: { madeUp: 1, hideNav: true }", &[]);
    app("hideComponents: { hideNav: 1 }", &[("/hideComponents/hideNav", WrongType)]);
}

#[test]
fn legacy_fields_are_warnings() {
    for (fields, key) in [
        ("routingMode: hash", "/routingMode"),
        ("allowConfigEdit: false", "/allowConfigEdit"),
        ("startingView: default", "/startingView"),
        ("layout: sidebar", "/layout"),
        ("language: cn", "/language"),
        ("openingMethod: modal", "/openingMethod"),
        ("enableErrorReporting: true", "/enableErrorReporting"),
        ("sentryDsn: x", "/sentryDsn"),
        ("hideComponents: { hideFooter: true }", "/hideComponents/hideFooter"),
        ("hideComponents: { splashScreen: true }", "/hideComponents/splashScreen"),
        ("auth: []", "/auth"),
        ("auth: { users: [{ user: a, password: VUE_APP_A }] }", "/auth/users/0/password"),
    ] {
        app(fields, &[(key, Legacy)]);
    }
    section("filteredItems: [1]", &[("/filteredItems", Legacy)]);
    section("id: 1", &[("/id", Legacy)]);
    section("displayData: { layout: grid }", &[("/displayData/layout", Legacy)]);
    item("id: [1]", &[("/id", Legacy)]);
}

#[test]
fn auth() {
    let hash = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
    app(&format!("auth: {{ users: [{{ user: a, hash: {hash}, type: admin }}] }}"), &[]);
    app("auth: { users: [{ user: a, password: DASHY_A }, { user: b, hash: '$argon2id$v' }] }", &[]);
    app("auth: { users: [{ user: a, password: plain }] }", &[("/auth/users/0/password", Malformed)]);
    app("auth: { users: [{ user: a, hash: short }] }", &[("/auth/users/0/hash", Malformed)]);
    app("auth: { users: [{ user: a }] }", &[("/auth/users/0", Missing)]);
    app(
        &format!("auth: {{ users: [{{ user: a, hash: {hash}, password: DASHY_A }}] }}"),
        &[("/auth/users/0", Conflict)],
    );
    app(
        &format!("auth: {{ users: [{{ hash: {hash}, type: root, x: 1 }}] }}"),
        &[("/auth/users/0/type", NotAllowed), ("/auth/users/0/x", UnknownKey), ("/auth/users/0/user", Missing)],
    );
    app("auth: { oidc: { adminRole: 'false' } }", &[]);
    app("auth: { enableOidc: true }", &[("/auth/oidc", Missing)]);
    app(
        "auth: { enableOidc: true, oidc: { clientId: 5 } }",
        &[("/auth/oidc/clientId", WrongType), ("/auth/oidc/endpoint", Missing)],
    );
    app("auth: { enableHeaderAuth: true, headerAuth: {} }", &[("/auth/headerAuth/proxyWhitelist", Missing)]);
    app(
        "auth: { enableKeycloak: true, keycloak: { realm: x, y: 1 } }",
        &[
            ("/auth/keycloak/y", UnknownKey),
            ("/auth/keycloak/serverUrl", Missing),
            ("/auth/keycloak/clientId", Missing),
        ],
    );
    app("auth: { ldap: {} }", &[("/auth/ldap", UnknownKey)]);
    app("auth: text", &[("/auth", WrongType)]);
}

#[test]
fn sections_and_items() {
    check("sections: [{}]", &[("/sections/0/name", Missing)]);
    section("hideForGuests: true", &[]);
    section("bogus: 1", &[("/bogus", UnknownKey)]);
    section("icon: null", &[]);
    section("items: null", &[("/items", WrongType)]);
    section(
        "displayData: { rows: 6, cols: 0, itemCountX: 13, sortBy: x, itemSize: tiny, hideIfEmpty: true }",
        &[
            ("/displayData/rows", OutOfRange),
            ("/displayData/cols", OutOfRange),
            ("/displayData/itemCountX", OutOfRange),
            ("/displayData/sortBy", NotAllowed),
            ("/displayData/itemSize", NotAllowed),
            ("/displayData/hideIfEmpty", UnknownKey),
        ],
    );
    section(
        "displayData: { hideForUsers: anna, showForKeycloakUsers: { groups: [1], x: 1 } }",
        &[
            ("/displayData/hideForUsers", WrongType),
            ("/displayData/showForKeycloakUsers", Legacy),
            ("/displayData/showForKeycloakUsers/groups/0", WrongType),
            ("/displayData/showForKeycloakUsers/x", UnknownKey),
        ],
    );
    section("displayData: { showForGroups: [a], hideForRoles: [] }", &[]);
    section("displayData: { showForGroups: [1] }", &[("/displayData/showForGroups/0", WrongType)]);
    item("displayData: { hideFromHomepage: true }, localUrlTimeout: 100, localUrlCheckInterval: 900", &[]);
    section("items: [{ url: x }]", &[("/items/0/title", Missing)]);
    item("description: null, icon: null, target: null", &[]);
    item("url: null", &[("/url", WrongType)]);
    item("localUrl: x, localUrlStrategy: [1], statusCheckInterval: 3, hideForGuests: true", &[]);
    item("statusCheckAcceptCodes: 200", &[("/statusCheckAcceptCodes", WrongType)]);
    item("statusCheckHeaders: 'A: b'", &[("/statusCheckHeaders", WrongType)]);
    item("statusCheckHeaders: { A: 1 }", &[("/statusCheckHeaders/A", WrongType)]);
    item("hotkey: 10", &[("/hotkey", OutOfRange)]);
    item("target: newwindow", &[]);
    item("target: nowhere", &[("/target", NotAllowed)]);
    item(
        "tags: [1,2,3,4,5,6,7,8,9,10,11,12,a]",
        &[
            ("/tags", TooMany),
            ("/tags/0", WrongType),
            ("/tags/1", WrongType),
            ("/tags/2", WrongType),
            ("/tags/3", WrongType),
            ("/tags/4", WrongType),
            ("/tags/5", WrongType),
            ("/tags/6", WrongType),
            ("/tags/7", WrongType),
            ("/tags/8", WrongType),
            ("/tags/9", WrongType),
            ("/tags/10", WrongType),
            ("/tags/11", WrongType),
        ],
    );
    item("madeUp: 1", &[("/madeUp", UnknownKey)]);
    item("subItems: [{ madeUp: 1 }, { url: 5 }]", &[("/subItems/1/url", WrongType)]);
    section("widgets: [{ options: { a: [1] }, madeUp: 1 }]", &[("/widgets/0/type", Missing)]);
    section(
        "widgets: [{ type: x, options: null, updateInterval: 1 }, { type: y, updateInterval: often }]",
        &[("/widgets/1/updateInterval", WrongType)],
    );
}

#[test]
fn reading_adds_what_the_schema_cannot_see() {
    let problems = crate::check(&document(
        "pageInfo: { title: A, color: nope }\nsections: [{ name: S, items: [{ title: T, url: 'javascript:x', hotkey: 99 }] }]",
    ));
    let found: Vec<_> = problems.iter().map(|problem| (problem.path.as_str(), problem.severity)).collect();
    assert_eq!(
        found,
        [
            ("/sections/0/items/0/hotkey", Severity::Error),
            ("/pageInfo/color", Severity::Warning),
            ("/sections/0/items/0/url", Severity::Warning),
        ]
    );
    assert_eq!(problems[1].to_string(), "/pageInfo/color: `nope` is not a CSS color; ignored");
}

#[test]
fn a_wrong_value_is_one_problem() {
    let mut count = 0;
    every_field::for_each(&mut |document, pointer, _, field| {
        for wrong in every_field::wrong(field.rule) {
            let mut changed = document.clone();
            every_field::put(&mut changed, pointer, wrong);
            let problems = crate::check(&crate::Document::from_json(changed));
            let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
            for error in errors {
                let same = problems.iter().filter(|other| other.path == error.path && other.kind != Legacy).count();
                assert!(same == 1 || error.kind == Conflict, "{pointer}: {problems:?}");
                count += 1;
            }
        }
    });
    assert!(count > 500, "{count}");
}

#[test]
fn a_page_without_a_path_is_one_problem() {
    const NO_PATH: &str =
        "/pages/0/path: is missing: name the file of the page, such as `media.yml`; the page cannot be shown";
    for (page, expected) in [
        ("name: Lab", "/pages/0/path: a page needs `path`, such as `media.yml`"),
        ("name: Lab, path: ''", NO_PATH),
        ("name: Lab, path: ./", NO_PATH),
    ] {
        let problems = crate::check(&document(&format!("pages: [{{ {page} }}]\nsections: []")));
        let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said, [expected]);
    }
}

#[test]
fn a_change_is_blamed_for_its_own_errors_only() {
    fn check_change(before: &str, after: &str, expected: &[&str]) {
        let [before, after] = [before, after].map(|text| check_schema(&document(text)));
        let new = new_errors(&before, &after);
        let paths: Vec<_> = new.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, expected, "{before:#?}\n{after:#?}");
    }
    let old = "appConfig: { madeUp: 1 }\nsections: [{ name: A }, { name: B, bogus: 1 }]";
    check_change(old, old, &[]);
    check_change(old, "appConfig: { madeUp: 2, more: 1 }\nsections: [{ name: A }]", &["/appConfig/more"]);
    // The broken section moved up because the one before it was deleted.
    check_change(old, "sections: [{ name: B, bogus: 1 }]", &[]);
    check_change(old, "sections: [{ name: A, bogus: 1 }, { name: B, bogus: 1 }]", &["/sections/0/bogus"]);
    // Another kind of problem at the same path is a new one.
    check_change("sections: text", "{}", &["/sections"]);
    // Warnings never block.
    check_change("sections: []", "appConfig: { routingMode: hash }\nsections: []", &[]);
}

#[test]
fn a_draft_may_copy_what_was_wrong_before() {
    fn check_draft(before: &str, after: &str, expected: &[&str]) {
        let [before, after] = [before, after].map(document);
        let problems = check_read(&after, &crate::Config::read(&after).unwrap());
        let new = new_errors_of_draft(&before, &after, &problems);
        let paths: Vec<_> = new.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, expected, "{before:#?}\n{after:#?}");
    }
    let old = "sections: [{ name: A, items: [{ title: T, hotkey: soon }, { url: a }] }, { name: B }]";
    check_draft(old, old, &[]);
    // The item is there twice: in its own section and in another.
    let item = "{ title: T, hotkey: soon }";
    check_draft(old, &old.replace(item, &[item; 3].join(", ")), &[]);
    check_draft(old, &old.replace("name: B", &format!("name: B, items: [{item}, {{ url: a }}]")), &[]);
    // A different value, a different field, or another entry without a title is not a copy.
    let second = |copy: &str| old.replace("name: B", &format!("name: B, items: [{item}, {copy}]"));
    check_draft(old, &second("{ title: U, hotkey: later }"), &["/sections/1/items/1/hotkey"]);
    check_draft(old, &second("{ title: U, tags: soon }"), &["/sections/1/items/1/tags"]);
    check_draft(old, &second("{ title: U, madeUp: 1 }"), &[]);
    check_draft(old, &second("{ url: b }"), &["/sections/1/items/1/title"]);
}
