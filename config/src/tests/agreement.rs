//! The check and the JSON Schema refuse the same documents.

use std::sync::LazyLock;

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{document, every_field};
use crate::{
    Document, Severity,
    check::check_schema,
    json_schema,
    model::shape::{Demand, Need, UnknownKeys},
};

static JUDGE: LazyLock<Validator> = LazyLock::new(|| jsonschema::draft202012::new(&json_schema()).unwrap());

/// Whether the check finds an error; the JSON Schema must say the same.
fn is_refused(document: &Document) -> bool {
    let problems = check_schema(document);
    let refused = problems.iter().any(|problem| problem.severity == Severity::Error);
    let errors: Vec<_> = JUDGE.iter_errors(document.value()).map(|error| error.to_string()).collect();
    assert_eq!(!errors.is_empty(), refused, "{}\n{problems:#?}\n{errors:#?}", document.print());
    refused
}

fn check(text: &str, is_fine: bool) {
    assert_eq!(is_refused(&document(text)), !is_fine, "{text}");
}

#[test]
fn whole_files() {
    check(include_str!("configs/homelab.yml"), true);
    check(include_str!("configs/old_editor.yml"), true);
    assert!(!is_refused(&Document::from_json(every_field::document())));
}

#[test]
fn top_level() {
    for (text, is_fine) in [
        ("sections: []", true),
        ("sections: [{ name: A }]\npages: []\npageInfo: { title: T }\nappConfig: {}", true),
        ("", false),
        ("- 1", false),
        ("text", false),
        ("{}", false),
        ("pageInfo: { title: T }", false),
        ("sections: null", false),
        ("sections: {}", false),
        ("sections: [5]", false),
        ("sections: [null]", false),
        ("sections: []\npages: null", false),
        ("sections: []\nappConfig: null", false),
        ("sections: []\npageInfo: {}", false),
        ("sections: []\nfooter: x", false),
        ("$schema: [1]\nx-y: { a: 1 }\nsections: []", true),
        ("sections: []\nwidgets: []", false),
    ] {
        check(text, is_fine);
    }
}

#[test]
fn page_info_and_pages() {
    for (fields, is_fine) in [
        ("title: ''", true),
        ("title: 404", false),
        ("title: null", false),
        ("title: A, footerText: [1]", true),
        ("title: A, logo: http", true),
        ("title: A, logo: httpx", true),
        ("title: A, logo: ''", false),
        ("title: A, logo: 'x/http'", false),
        ("title: A, logo: \"x\\n/a\"", false),
        ("title: A, color: not a color", true),
        ("title: A, favicon: 'javascript:x'", true),
        ("title: A, navLinks: [{ title: a, path: b, target: parent }]", true),
        ("title: A, navLinks: [{ title: a, path: b, target: modal }]", false),
        ("title: A, navLinks: [{ title: a, path: b, target: null }]", false),
        ("title: A, navLinks: [{ path: b }]", false),
        ("title: A, navLinks: { title: a, path: b }", false),
    ] {
        check(&format!("pageInfo: {{ {fields} }}\nsections: []"), is_fine);
    }
    for (count, is_fine) in [(6, true), (7, false)] {
        let links = vec!["{ title: a, path: b }"; count].join(", ");
        check(&format!("pageInfo: {{ title: A, navLinks: [{links}] }}\nsections: []"), is_fine);
    }
    for (page, is_fine) in [
        ("{ name: A, path: a.yml }", true),
        ("{ name: A }", false),
        ("{ name: A, path: a.yml, displayData: { showForUsers: [x] } }", true),
        ("{ name: A, path: a.yml, displayData: { hideFromWorkspace: true } }", false),
        ("{ name: A, path: a.yml, hideForGuests: true }", false),
    ] {
        check(&format!("pages: [{page}]\nsections: []"), is_fine);
    }
}

#[test]
fn app_config() {
    for (fields, is_fine) in [
        ("colCount: 1, statusCheckInterval: -5", true),
        ("colCount: 8.0", true),
        ("colCount: 8.5", false),
        ("colCount: 0.999", false),
        ("colCount: 18446744073709551615", false),
        ("statusCheckInterval: 1e300", true),
        ("statusCheckInterval: .inf", false),
        ("startingView: default, layout: sidebar, language: cn, theme: unheard-of", true),
        ("startingView: Home", false),
        ("contentMaxWidth: 90", false),
        ("contentMaxWidth: wide", true),
        ("fontAwesomeKey: a1b2c3d4e5", true),
        ("fontAwesomeKey: a1b2c3d4e", false),
        ("fontAwesomeKey: A1b2c3d4e5", false),
        ("fontAwesomeKey: ä1b2c3d4e", false),
        ("fontAwesomeKey: \"a1b2c3d4e5\\n\"", false),
        ("cssThemes: one", false),
        ("customColors: { a: { b: [1] } }", true),
        ("customColors: { a: [b] }", false),
        ("webSearch: { searchEngine: custom, searchBangs: { x: [1] } }", true),
        ("webSearch: { searchEngine: Google }", false),
        ("webSearch: { openingMethod: modal }", false),
        ("webSearch: { more: 1 }", false),
        ("hideComponents: { madeUp: [1], hideFooter: 'x' }", true),
        ("hideComponents: { hideNav: 'x' }", false),
        ("routingMode: 5, openingMethod: [], sentryDsn: null, enableErrorReporting: 1", true),
        ("allowConfigEdit: 'no'", false),
        ("title: A", false),
        ("enableErrorStatusIndicators: true", false),
    ] {
        check(&format!("appConfig: {{ {fields} }}\nsections: []"), is_fine);
    }
}

#[test]
fn sign_in() {
    let hash = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
    for (auth, is_fine) in [
        ("{}", true),
        ("null", false),
        ("[]", true),
        ("[{ user: a, password: DASHY_A }]", true),
        ("[{ user: a }]", false),
        ("[a]", false),
        ("{ users: [{ user: a, hash: HASH, type: admin }] }", true),
        ("{ users: [{ user: a, hash: HASH, type: Admin }] }", false),
        ("{ users: [{ user: a, hash: HASH0 }] }", false),
        ("{ users: [{ user: a, hash: gHASH }] }", false),
        ("{ users: [{ user: a, hash: $argon2 }] }", true),
        ("{ users: [{ user: a, hash: x$argon2 }] }", false),
        ("{ users: [{ user: a, hash: HASH, password: VITE_APP_A }] }", false),
        ("{ users: [{ user: a, hash: null }] }", false),
        ("{ users: [{ user: a, password: VUE_APP_A }] }", true),
        ("{ users: [{ user: a, password: VITE_APP }] }", false),
        ("{ users: [{ user: a, password: plain }] }", false),
        ("{ users: [{ hash: HASH }] }", false),
        ("{ oidc: { adminRole: 'false', adminGroup: 'false' } }", true),
        ("{ enableOidc: false, oidc: {} }", true),
        ("{ enableOidc: 'true' }", false),
        ("{ enableOidc: true }", false),
        ("{ enableOidc: true, oidc: {} }", false),
        ("{ enableOidc: true, oidc: [] }", false),
        ("{ enableOidc: true, oidc: null }", false),
        ("{ enableOidc: true, oidc: { clientId: a } }", false),
        ("{ enableOidc: true, oidc: { clientId: a, endpoint: b } }", true),
        ("{ enableOidc: true, oidc: { clientId: 5, endpoint: b } }", false),
        ("{ enableHeaderAuth: true, headerAuth: { userHeader: X } }", false),
        ("{ enableHeaderAuth: true, headerAuth: { proxyWhitelist: [] } }", true),
        ("{ enableHeaderAuth: true, headerAuth: { proxyWhitelist: 10.0.0.1 } }", false),
        ("{ enableKeycloak: true, keycloak: { serverUrl: a, realm: b } }", false),
        ("{ enableKeycloak: true, keycloak: { serverUrl: a, realm: b, clientId: c } }", true),
        ("{ keycloak: { clientSecret: x } }", false),
        ("{ ldap: {} }", false),
    ] {
        check(&format!("appConfig: {{ auth: {} }}\nsections: []", auth.replace("HASH", hash)), is_fine);
    }
}

#[test]
fn sections() {
    for (fields, is_fine) in [
        ("icon: null, filteredItems: x, id: [1]", true),
        ("icon: 5", false),
        ("items: null", false),
        ("items: [5]", false),
        ("hideForGuests: 'yes'", false),
        ("bogus: 1", false),
        ("displayData: { layout: [1] }", true),
        ("displayData: { rows: 5, cols: 1, itemCountX: 12 }", true),
        ("displayData: { rows: 6 }", false),
        ("displayData: { cols: 6 }", false),
        ("displayData: { itemCountY: 0 }", false),
        ("displayData: { sortBy: reverse-alphabetical, itemSize: small, sectionLayout: grid }", true),
        ("displayData: { sortBy: null }", false),
        ("displayData: { hideForUsers: anna }", false),
        ("displayData: { showForKeycloakUsers: {}, hideForKeycloakUsers: { roles: [a], groups: [] } }", true),
        ("displayData: { showForGroups: [a], hideForGroups: [], showForRoles: [b], hideForRoles: [c] }", true),
        ("displayData: { showForGroups: a }", false),
        ("displayData: { showForKeycloakUsers: { users: [a] } }", false),
        ("displayData: { showForKeycloakUsers: { roles: [1] } }", false),
        ("displayData: { hideIfEmpty: true }", false),
        ("widgets: [{ type: x, own: [1], options: null, id: 5 }]", true),
        ("widgets: [{ options: {} }]", false),
        ("widgets: [{ type: x, options: [] }]", false),
        ("widgets: [{ type: x, updateInterval: false }, { type: x, updateInterval: 2 }]", true),
        ("widgets: [{ type: x, updateInterval: 7201 }, { type: x, updateInterval: 0 }]", true),
        ("widgets: [{ type: x, updateInterval: often }]", false),
        ("widgets: [{ type: x, updateInterval: '60' }]", false),
        ("widgets: [{ type: x, timeout: -1 }]", true),
        ("widgets: [{ type: x, label: 5 }]", false),
    ] {
        check(&format!("sections: [{{ name: S, {fields} }}]"), is_fine);
    }
}

#[test]
fn items() {
    for (fields, is_fine) in [
        ("description: null, icon: null, target: null, id: null", true),
        ("url: null", false),
        ("url: 'javascript:x'", true),
        ("localUrl: a, localUrlProbe: [1]", true),
        ("localUrl: 5", false),
        ("LocalUrlProbe: 1", false),
        ("target: newwindow", true),
        ("target: ''", false),
        ("hotkey: 0", true),
        ("hotkey: 9.5", false),
        ("hotkey: '1'", false),
        ("tags: [a, b, c, d, e, f, g, h, i, j, k, l]", true),
        ("tags: [a, b, c, d, e, f, g, h, i, j, k, l, m]", false),
        ("tags: 'a, b'", false),
        ("tags: [1]", false),
        ("statusCheckAcceptCodes: 200", false),
        ("statusCheckHeaders: { A: b }", true),
        ("statusCheckHeaders: { A: 1 }", false),
        ("statusCheckHeaders: 'A: b'", false),
        ("statusCheckMaxRedirects: 0, statusCheckInterval: 5", true),
        ("displayData: { hideFromWorkspace: true }", true),
        ("displayData: { collapsed: true }", false),
        ("subItems: [{}, { own: 1, icon: null }]", true),
        ("subItems: [{ title: 5 }]", false),
        ("subItems: [{ target: window }]", false),
        ("subItems: [5]", false),
    ] {
        check(&format!("sections: [{{ name: S, items: [{{ title: T, {fields} }}] }}]"), is_fine);
    }
}

#[test]
fn every_rule_of_every_field() {
    let mut count = 0;
    every_field::for_each(&mut |start, pointer, shape, field| {
        let mut check = |value: Option<Value>, expected: bool| {
            let mut document = start.clone();
            match value {
                Some(value) => every_field::put(&mut document, pointer, value),
                None => {
                    let (parent, key) = pointer.rsplit_once('/').unwrap();
                    document.pointer_mut(parent).and_then(Value::as_object_mut).unwrap().shift_remove(key);
                }
            }
            assert_eq!(is_refused(&Document::from_json(document)), expected, "{pointer}");
            count += 1;
        };
        let needs_a_block =
            shape.demands.iter().any(|demand| matches!(demand, Demand::WhileOn { flag, .. } if *flag == field.key));
        check(Some(every_field::value(field.rule, true)), needs_a_block);
        let takes_everything = every_field::wrong(field.rule).is_empty();
        check(Some(Value::Null), field.need != Need::Nullable && !takes_everything);
        every_field::wrong(field.rule).into_iter().for_each(|value| check(Some(value), true));
        if field.need == Need::Required {
            check(None, true);
        }
        let mut document = start.clone();
        let (parent, _) = pointer.rsplit_once('/').unwrap();
        every_field::put(&mut document, &format!("{parent}/madeUp"), json!(1));
        assert_eq!(
            is_refused(&Document::from_json(document)),
            !matches!(shape.others, UnknownKeys::Allowed),
            "{pointer}"
        );
    });
    assert!(count > 1000, "{count}");
}

/// One change to a document: where, of which kind, and with which value.
type Change = (prop::sample::Index, u8, prop::sample::Index);

/// Values that have a meaning somewhere, put in places where they may have none.
static VALUES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut values = vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1),
        json!(2.5),
        json!(9),
        json!(13),
        json!(7200),
        json!(u64::MAX),
        json!(""),
        json!("/x"),
        json!("http"),
        json!("newtab"),
        json!("sidebar"),
        json!("VUE_APP_X"),
        json!("$argon2id$"),
        json!("a".repeat(10)),
        json!("a".repeat(64)),
        json!([]),
        json!([null]),
        json!([1]),
        json!(vec!["a"; 13]),
        json!({}),
        json!({ "a": "b" }),
        json!({ "a": {} }),
        json!([{ "title": "a", "path": "b" }]),
        json!([{ "user": "a", "password": "DASHY_A" }]),
    ];
    every_field::for_each(&mut |_, _, _, field| {
        values.push(every_field::value(field.rule, false));
        values.extend(every_field::wrong(field.rule).pop());
    });
    values
});

static KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut keys = vec!["", "madeUp", "localUrlX"];
    every_field::for_each(&mut |_, _, _, field| keys.push(field.key));
    keys
});

static FILES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let files = [include_str!("configs/homelab.yml"), include_str!("configs/old_editor.yml")];
    files.iter().map(|text| document(text).to_json()).chain([every_field::document()]).collect()
});

/// The pointers to all values.
fn pointers(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        Value::Object(mapping) => {
            for (key, value) in mapping {
                let key = key.replace('~', "~0").replace('/', "~1");
                pointers(value, &format!("{pointer}/{key}"), found);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                pointers(value, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn apply(document: &mut Value, (place, kind, what): &Change) {
    let mut places = Vec::new();
    pointers(document, "", &mut places);
    let target = document.pointer_mut(&places[place.index(places.len())]).unwrap();
    match (kind % 4, target) {
        (0, Value::Object(mapping)) => {
            mapping.insert((*what.get(&KEYS)).to_owned(), what.get(&VALUES).clone());
        }
        (1, Value::Object(mapping)) if !mapping.is_empty() => {
            let key = mapping.keys().nth(what.index(mapping.len())).unwrap().clone();
            mapping.shift_remove(&key);
        }
        (0, Value::Array(elements)) => elements.push(what.get(&VALUES).clone()),
        (1, Value::Array(elements)) => drop(elements.pop()),
        (2, Value::Array(elements)) => *elements = [elements.as_slice(); 4].concat(),
        (_, target) => *target = what.get(&VALUES).clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn changed_at_random(file in any::<prop::sample::Index>(), changes in prop::collection::vec(any::<Change>(), 1..4)) {
        let mut document = file.get(&FILES).clone();
        for change in &changes {
            apply(&mut document, change);
        }
        is_refused(&Document::from_json(document));
    }
}
