//! Sign-in: which kind is on, and that a broken config never opens the dashboard (docs/spec/config.md 6).

use super::config;
use crate::{
    Config, Effects, Severity,
    model::{
        SignIn,
        auth::{DEFAULT_SCOPE, Password, SecretText},
    },
    user_name::folded_name,
};

fn read(auth: &str) -> Config {
    config(&format!("appConfig:\n  auth: {auth}\n"))
}

fn check(auth: &str, expected: &str) {
    let config = read(auth);
    let kind = match config.app.auth.sign_in() {
        SignIn::None => "none",
        SignIn::Users(_) => "users",
        SignIn::HeaderAuth(_) => "header",
        SignIn::Keycloak(_) => "keycloak",
        SignIn::Oidc(_) => "oidc",
        SignIn::Broken(_) => "broken",
    };
    assert_eq!(kind, expected, "{auth}");
}

const HASH: &str = "5E884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";

#[test]
fn kinds() {
    let user = format!("{{ user: anna, hash: {HASH} }}");
    let oidc = "enableOidc: true, oidc: { clientId: 1, endpoint: 'https://id.example' }";
    let keycloak = "enableKeycloak: true, keycloak: { serverUrl: x, realm: y, clientId: z }";
    let header = "enableHeaderAuth: true, headerAuth: { proxyWhitelist: ['10.0.0.1'] }";
    for (auth, expected) in [
        ("null".to_owned(), "none"),
        ("{}".to_owned(), "none"),
        ("{ users: [] }".to_owned(), "none"),
        ("{ users: null }".to_owned(), "none"),
        ("[]".to_owned(), "none"),
        (format!("{{ users: [{user}] }}"), "users"),
        (format!("[{user}]"), "users"),
        (format!("{{ users: [{user}], {header} }}"), "header"),
        (format!("{{ users: [{user}], {header}, {keycloak} }}"), "keycloak"),
        (format!("{{ {oidc}, {keycloak} }}"), "oidc"),
        ("{ oidc: { adminRole: 'false', adminGroup: 'false' } }".to_owned(), "none"),
        ("{ enableOidc: false, oidc: 5 }".to_owned(), "none"),
        ("{ enableOidc: true }".to_owned(), "broken"),
        ("{ enableOidc: true, oidc: { clientId: x } }".to_owned(), "broken"),
        ("{ enableOidc: maybe }".to_owned(), "broken"),
        ("{ enableKeycloak: true, keycloak: {} }".to_owned(), "broken"),
        ("{ enableHeaderAuth: true, headerAuth: {} }".to_owned(), "broken"),
        ("{ users: { anna: x } }".to_owned(), "broken"),
        ("{ users: [anna] }".to_owned(), "broken"),
        // Unreadable users do not matter if another kind of sign-in wins over them.
        (format!("{{ users: [anna], {oidc} }}"), "oidc"),
        (format!("{{ users: [anna], {keycloak} }}"), "keycloak"),
        (format!("{{ users: {{ anna: x }}, {header} }}"), "header"),
        ("[anna]".to_owned(), "broken"),
        ("text".to_owned(), "broken"),
        // An unknown key that barely differs from one that protects may have been meant to close the dashboard.
        ("{ user: [{ user: anna }] }".to_owned(), "broken"),
        ("{ Users: [{ user: anna }] }".to_owned(), "broken"),
        ("{ enableOIDC: true }".to_owned(), "broken"),
        ("{ enalbeOidc: true }".to_owned(), "broken"),
        ("{ header_auth: {} }".to_owned(), "broken"),
        ("{ keyCloack: {} }".to_owned(), "broken"),
        // So may one that begins like a switch.
        ("{ enablePasskeys: true }".to_owned(), "broken"),
        ("{ disableAnonymous: true }".to_owned(), "broken"),
        ("{ requireLogin: true }".to_owned(), "broken"),
        ("{ AllowGuests: false }".to_owned(), "broken"),
        // Any other only has no effect: it may be a key of a version to come.
        ("{ loginTitle: Hello }".to_owned(), "none"),
        ("{ logoutRedirectURL: 'https://sso.example' }".to_owned(), "none"),
        (format!("{{ users: [{user}], sessionLength: 3600, 'x-note': 1 }}"), "users"),
        (format!("{{ {oidc}, ldap: {{}} }}"), "oidc"),
        (format!("{{ {oidc}, enableGuestAcces: false }}"), "broken"),
        (format!("{{ users: [{user}], enableGuestAccess: 1 }}"), "broken"),
        (format!("{{ users: [{user}], enableGuestAccess: 'off' }}"), "users"),
    ] {
        check(&auth, expected);
    }
}

#[test]
fn an_unknown_key_is_a_problem_that_says_what_it_does() {
    let problems = |key: &str| {
        let text = format!("appConfig: {{ auth: {{ {key}: true }} }}\nsections: []\n");
        let document = super::document(&text);
        let config = Config::read(&document).unwrap();
        let problems = crate::check(&document);
        assert_eq!(problems.len(), 1, "{problems:?}");
        Effects::of(&config).tell(&problems[0])
    };
    assert_eq!(problems("loginTitle"), "/appConfig/auth/loginTitle: auth has no key `loginTitle`; ignored");
    assert_eq!(
        problems("enableOidcs"),
        "/appConfig/auth/enableOidcs: auth has no key `enableOidcs` (did you mean `enableOidc`?); the dashboard stays closed"
    );
}

#[test]
fn signing_out_leads_to_a_web_address_or_a_path() {
    for (written, expected) in [
        ("https://sso.example/logout?rd=%2F", Some("https://sso.example/logout?rd=%2F")),
        ("sso.example/out", Some("http://sso.example/out")),
        ("/oauth2/sign_out", Some("/oauth2/sign_out")),
        ("' /out '", Some("/out")),
        ("javascript:alert(1)", None),
        ("//evil.example", None),
        ("mailto:a@b.example", None),
        ("''", None),
    ] {
        let config = read(&format!("{{ logoutRedirectUrl: {written} }}"));
        assert_eq!(config.app.auth.logout_redirect_url.as_deref(), expected, "{written}");
        assert_eq!(config.app.auth.sign_in(), SignIn::None, "{written}");
    }
}

#[test]
fn sign_in_that_stands_in_the_wrong_place_closes() {
    let users = format!("{{ users: [{{ user: anna, hash: {HASH} }}] }}");
    for text in [
        format!("auth: {users}"),
        format!("Auth: {users}"),
        format!("appconfig: {{ auth: {users} }}"),
        format!("appConfig: {{ Auth: {users} }}"),
        format!("appConfig: [{{ auth: {users} }}]"),
        "appConfig: text".to_owned(),
    ] {
        let config = config(&format!("{text}\nsections: []\n"));
        assert!(matches!(config.app.auth.sign_in(), SignIn::Broken(_)), "{text}");
        assert!(!config.app.auth.enable_guest_access);
    }
    assert_eq!(config("appConfig: null\nsections: []").app.auth.sign_in(), SignIn::None);
}

#[test]
fn users() {
    let config = read(&format!(
        "{{ users: [{{ user: Anna, hash: {HASH}, type: admin }}, {{ user: 7, password: VUE_APP_X }}, \
         {{ user: carl, hash: short }}, {{ user: dora, hash: '$argon2id$x' }}, {{ hash: {HASH} }}] }}"
    ));
    let auth = &config.app.auth;
    assert_eq!(auth.users.len(), 4);
    assert!(auth.user("ANNA").unwrap().is_admin);
    assert_eq!(auth.user("anna").unwrap().password, Password::Sha256(SecretText::from(HASH.to_lowercase())));
    assert_eq!(auth.user("7").unwrap().password, Password::Environment("VUE_APP_X".into()));
    assert_eq!(auth.user("carl").unwrap().password, Password::Unknown);
    assert_eq!(auth.user("dora").unwrap().password, Password::Argon2(SecretText::from("$argon2id$x".to_owned())));
    assert!(auth.user("nobody").is_none());
    assert!(!format!("{config:?}").to_lowercase().contains(&HASH[..10].to_lowercase()));
    assert!(config.problems.iter().all(|problem| !problem.message.contains(HASH)));
    assert_eq!(serde_json::to_string(&SecretText::from("x".to_owned())).unwrap(), "\"\"");
}

#[test]
fn blocks() {
    let config = read(
        "{ enableGuestAccess: true, oidc: { clientId: 9007199254740993, endpoint: x, allowedIssuers: a }, \
         headerAuth: {}, keycloak: { serverUrl: 'https://k.example/', realm: r, legacySupport: true } }",
    );
    let auth = config.app.auth;
    assert!(auth.enable_guest_access);
    let oidc = auth.oidc.unwrap();
    assert_eq!(oidc.client_id, "9007199254740993");
    assert_eq!(oidc.scope, DEFAULT_SCOPE);
    assert!(oidc.allowed_issuers.is_empty());
    assert_eq!(auth.header_auth.unwrap().user_header, "Remote-User");
    assert_eq!(auth.keycloak.unwrap().issuer(), "https://k.example/auth/realms/r");
}

#[test]
fn names_that_are_the_same_user() {
    for (one, other, expected) in [
        ("Anna", "anna", true),
        // The Kelvin sign.
        ("\u{212A}arl", "karl", true),
        ("\u{FF21}nna", "anna", true),
        ("stra\u{DF}e", "STRASSE", true),
        ("o\u{FB03}ce", "OFFICE", true),
        ("\u{39F}\u{394}\u{39F}\u{3A3}", "\u{3BF}\u{3B4}\u{3BF}\u{3C2}", true),
        ("Jose\u{301}", "jos\u{E9}", true),
        ("jose", "jos\u{E9}", false),
        // Letters of other scripts only look alike.
        ("\u{430}nna", "anna", false),
    ] {
        assert_eq!(folded_name(one) == folded_name(other), expected, "{one} {other}");
        let users = format!("{{ users: [{{ user: '{one}', hash: {HASH} }}, {{ user: '{other}', hash: {HASH} }}] }}");
        check(&users, if expected { "broken" } else { "users" });
        let header =
            users.replace("{ users", "{ enableHeaderAuth: true, headerAuth: { proxyWhitelist: ['10.0.0.1'] }, users");
        check(&header, if expected { "broken" } else { "header" });
        let problems = read(&users).problems;
        let alike = problems.iter().find(|problem| problem.path == "/appConfig/auth/users/1/user");
        assert_eq!(alike.map(|problem| problem.severity), expected.then_some(Severity::Error), "{problems:?}");
        assert!(alike.is_none_or(|problem| problem.message.contains(one) && problem.message.contains("same user")));
    }
    // Where an identity provider knows the users, the list has no effect.
    let oidc = "enableOidc: true, oidc: { clientId: 1, endpoint: 'https://id.example' }";
    check(&format!("{{ {oidc}, users: [{{ user: a, hash: {HASH} }}, {{ user: A, hash: {HASH} }}] }}"), "oidc");
}

#[test]
fn a_user_is_found_by_every_form_of_the_name() {
    let config = read(&format!("{{ users: [{{ user: karl, hash: {HASH} }}] }}"));
    for name in ["karl", "KARL", "\u{212A}arl", "\u{FF4B}arl"] {
        assert_eq!(config.app.auth.user(name).map(|user| user.name.as_str()), Some("karl"), "{name}");
    }
    assert!(config.app.auth.user("k\u{430}rl").is_none());
}
