//! Who sees what (docs/spec/config.md 10).

use super::config;
use crate::{Person, Viewer};

fn person(name: &str, groups: &[&str], roles: &[&str]) -> Person {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Person { name: name.to_owned(), groups: owned(groups), roles: owned(roles) }
}

fn anna() -> Viewer {
    Viewer::User(person("Anna", &["Staff"], &["editor"]))
}

/// Which of Anonymous, Guest, Anna (group Staff, role editor), Bob (none), Admin Anna and Admin without a user see an
/// entry with these rules; one letter each, in this order.
fn check(rules: &str, expected: &str) {
    let config = config(&format!("sections:\n  - name: A\n    displayData: {rules}\n"));
    let viewers = [
        ("-", Viewer::Anonymous),
        ("G", Viewer::Guest),
        ("a", anna()),
        ("b", Viewer::User(person("bob", &[], &[]))),
        ("A", Viewer::Admin(Some(person("anna", &["Staff"], &["editor"])))),
        ("0", Viewer::Admin(None)),
    ];
    let rules_read = &config.sections[0].display.visibility;
    let seen: String = viewers.iter().filter(|(_, viewer)| viewer.sees(rules_read)).map(|(sign, _)| *sign).collect();
    assert_eq!(seen, expected, "{rules}");
}

#[test]
fn rules() {
    for (rules, expected) in [
        ("{}", "GabA0"),
        ("null", "GabA0"),
        // 1. The signed-in user is not in the list; names in any case; guests and anonymous viewers are not users.
        ("{ hideForUsers: [ANNA] }", "Gb0"),
        ("{ hideForUsers: [someone] }", "GabA0"),
        ("{ hideForUsers: anna }", "Gb0"),
        // 2. The list is empty, or the user is in it; guests are not.
        ("{ showForUsers: [anna] }", "aA0"),
        ("{ showForUsers: [] }", "GabA0"),
        ("{ showForUsers: [Bob, carl] }", "b0"),
        // An unreadable list of names is not an empty one.
        ("{ showForUsers: [null] }", "A0"),
        ("{ showForUsers: [[anna], ''] }", "A0"),
        ("{ showForUsers: [[bob], anna] }", "aA0"),
        ("{ showForUsers: '' }", "GabA0"),
        // 3. Guests.
        ("{ hideForGuests: true }", "abA0"),
        ("{ hideForGuests: 'yes' }", "abA0"),
        ("{ hideForGuests: false }", "GabA0"),
        // 4. Groups and roles that hide; compared exactly.
        ("{ hideForKeycloakUsers: { groups: [Staff] } }", "Gb0"),
        ("{ hideForKeycloakUsers: { groups: [staff] } }", "GabA0"),
        ("{ hideForKeycloakUsers: { roles: [editor], groups: [x] } }", "Gb0"),
        ("{ hideForKeycloakUsers: {} }", "GabA0"),
        // 5. Groups and roles that show.
        ("{ showForKeycloakUsers: { groups: [Staff] } }", "aA0"),
        ("{ showForKeycloakUsers: { roles: [editor] } }", "aA0"),
        ("{ showForKeycloakUsers: { roles: [Editor] } }", "0"),
        ("{ showForKeycloakUsers: { groups: [], roles: [] } }", "0"),
        ("{ showForKeycloakUsers: null }", "GabA0"),
        // The form of today: one matching group or role admits, any match hides, case counts.
        ("{ showForGroups: [Staff] }", "aA0"),
        ("{ showForGroups: [staff] }", "0"),
        ("{ showForRoles: [editor] }", "aA0"),
        ("{ showForRoles: [Editor] }", "0"),
        ("{ showForGroups: [x], showForRoles: [editor] }", "aA0"),
        ("{ showForGroups: [Staff], showForRoles: [x] }", "aA0"),
        ("{ showForGroups: [x], showForRoles: [y] }", "0"),
        ("{ showForGroups: Staff }", "aA0"),
        ("{ hideForGroups: [Staff] }", "Gb0"),
        ("{ hideForGroups: [staff] }", "GabA0"),
        ("{ hideForRoles: [editor] }", "Gb0"),
        ("{ hideForGroups: [x], hideForRoles: [editor] }", "Gb0"),
        ("{ showForGroups: [Staff], hideForRoles: [editor] }", "0"),
        // An empty list is no rule.
        ("{ showForGroups: [], showForRoles: [], hideForGroups: [], hideForRoles: [] }", "GabA0"),
        ("{ showForGroups: null, hideForRoles: null }", "GabA0"),
        ("{ showForGroups: [], showForRoles: [editor] }", "aA0"),
        // A list that is not empty replaces the old one of its kind, and only that one.
        ("{ showForGroups: [Staff], showForKeycloakUsers: { groups: [x] } }", "aA0"),
        ("{ showForGroups: [x], showForKeycloakUsers: { groups: [Staff] } }", "0"),
        ("{ showForGroups: [], showForKeycloakUsers: { groups: [Staff] } }", "aA0"),
        ("{ showForGroups: [x], showForKeycloakUsers: { roles: [editor] } }", "aA0"),
        ("{ showForRoles: [x], showForKeycloakUsers: { roles: [editor] } }", "0"),
        ("{ showForGroups: [Staff], showForKeycloakUsers: {} }", "aA0"),
        ("{ showForGroups: [], showForKeycloakUsers: {} }", "0"),
        ("{ hideForGroups: [x], hideForKeycloakUsers: { groups: [Staff] } }", "GabA0"),
        ("{ hideForGroups: [Staff], hideForKeycloakUsers: { groups: [x] } }", "Gb0"),
        ("{ hideForGroups: [x], hideForKeycloakUsers: { roles: [editor] } }", "Gb0"),
        ("{ hideForRoles: [], hideForKeycloakUsers: { roles: [editor] } }", "Gb0"),
        // All rules must hold.
        ("{ showForUsers: [anna, bob], hideForUsers: [bob] }", "aA0"),
        ("{ showForUsers: [anna], showForKeycloakUsers: { groups: [x] } }", "0"),
    ] {
        check(rules, expected);
    }
}

#[test]
fn a_rule_that_cannot_be_read_hides_from_all_but_admins() {
    for rules in [
        "{ hideForUsers: { anna: true } }",
        "{ hideForUsers: true }",
        "{ hideForUsers: 5 }",
        "{ hideForUsers: [bob, [carl]] }",
        "{ hideForUsers: [null] }",
        "{ hideForUsers: [bob, { name: carl }] }",
        "{ showForUsers: { anna: true } }",
        "{ showForUsers: [{ name: anna }] }",
        "{ hideForGuests: 1 }",
        "{ hideForGuests: [true] }",
        "{ hideForGuests: 'yes please' }",
        "{ hideForKeycloakUsers: [x] }",
        "{ hideForKeycloakUsers: x }",
        "{ hideForKeycloakUsers: { group: [x] } }",
        "{ hideForKeycloakUsers: { groups: { x: 1 } } }",
        "{ hideForKeycloakUsers: { groups: [y, [x]] } }",
        "{ showForKeycloakUsers: [Staff] }",
        "{ showForKeycloakUsers: { groups: [Staff], role: [x] } }",
        "{ hideForUser: [bob] }",
        "{ HideForGuests: true }",
        "{ showForGroup: [x] }",
        "{ showForGroups: { Staff: true } }",
        "{ showForGroups: [[Staff]] }",
        "{ hideForGroups: [x, [Staff]] }",
        "{ hideForRoles: true }",
        "{ showForRoles: 5 }",
        "[hideForGuests]",
        "hideForGuests",
        "true",
    ] {
        check(rules, "A0");
        let config = config(&format!("sections:\n  - name: A\n    displayData: {rules}\n"));
        let told = config.problems.iter().any(|problem| problem.path.starts_with("/sections/0/displayData"));
        assert!(told, "{rules}: {:?}", config.problems);
    }
    let misplaced = ["hideForGuests: 2", "hideForUsers: [anna]", "showForUsers: [anna]", "hideForGuest: true"];
    for rule in misplaced {
        let text = format!(
            "pages: [{{ name: P, path: p.yml, {rule} }}]\nsections: [{{ name: A, items: [{{ title: x, {rule} }}] }}]"
        );
        let config = config(&text);
        let person = Viewer::User(person("bob", &[], &[]));
        for rules in [&config.pages[0].visibility, &config.sections[0].items[0].display.visibility] {
            assert!(!Viewer::Guest.sees(rules) && !person.sees(rules) && Viewer::Admin(None).sees(rules), "{rule}");
        }
    }
}

#[test]
fn pages_and_items_have_the_same_rules_about_groups_and_roles() {
    let rules = "{ showForGroups: [Staff], hideForRoles: [guest] }";
    let config = config(&format!(
        "pages: [{{ name: P, path: p.yml, displayData: {rules} }}]\n\
         sections: [{{ name: A, items: [{{ title: x, displayData: {rules} }}] }}]"
    ));
    assert_eq!(config.problems, []);
    for rules in [&config.pages[0].visibility, &config.sections[0].items[0].display.visibility] {
        assert!(anna().sees(rules) && !Viewer::Guest.sees(rules));
        assert!(!Viewer::User(person("bob", &[], &[])).sees(rules));
        assert!(!Viewer::User(person("bob", &["Staff"], &["guest"])).sees(rules));
    }
}

#[test]
fn either_place_hides_from_guests() {
    for text in [
        "{ name: A, hideForGuests: true }",
        "{ name: A, displayData: { hideForGuests: true } }",
        "{ name: A, hideForGuests: true, displayData: { hideForGuests: false } }",
        "{ name: A, hideForGuests: false, displayData: { hideForGuests: true } }",
    ] {
        let config = config(&format!("sections: [{text}]"));
        assert!(!Viewer::Guest.sees(&config.sections[0].display.visibility), "{text}");
    }
    let with_page = config("pages: [{ name: P, path: p.yml, hideForGuests: true }]");
    assert!(!Viewer::Guest.sees(&with_page.pages[0].visibility));
    let config = config("sections: [{ name: A, items: [{ title: x, hideForGuests: true }, { title: y }] }]");
    let seen: Vec<_> =
        config.sections[0].items.iter().filter(|item| Viewer::Guest.sees(&item.display.visibility)).collect();
    assert_eq!(seen.len(), 1);
}

#[test]
fn permissions() {
    /// What Guest, Anna and an admin may do: view the config, save locally, save to disk.
    fn check(app: &str, expected: [&str; 3]) {
        let config = config(&format!("appConfig: {app}\nsections: []\n"));
        let permissions = [Viewer::Guest, anna(), Viewer::Admin(None)].map(|viewer| {
            let may = config.app.permissions(&viewer);
            [(may.view_config, 'v'), (may.save_locally, 'l'), (may.save_to_disk, 'd')]
                .into_iter()
                .filter_map(|(may, sign)| may.then_some(sign))
                .collect::<String>()
        });
        assert_eq!(permissions, expected, "{app}");
    }
    check("{}", ["", "vl", "vld"]);
    check("{ preventWriteToDisk: true }", ["", "vl", "vl"]);
    check("{ allowConfigEdit: false }", ["", "vl", "vl"]);
    check("{ allowConfigEdit: true }", ["", "vl", "vld"]);
    check("{ preventLocalSave: true }", ["", "v", "vd"]);
    check("{ disableConfiguration: true }", ["", "", ""]);
    check("{ disableConfigurationForNonAdmin: true }", ["", "", "vld"]);
    // An unreadable switch takes away the rights that it may have been about.
    check("{ preventWriteToDisk: [] }", ["", "vl", "vl"]);
    check("{ allowConfigEdit: never }", ["", "vl", "vl"]);
    check("{ preventLocalSave: maybe }", ["", "v", "vd"]);
    check("{ disableConfiguration: 1 }", ["", "", ""]);
    check("{ disableConfigurationForNonAdmin: 'true please' }", ["", "", "vld"]);
}
