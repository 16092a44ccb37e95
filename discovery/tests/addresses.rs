//! Addresses from labels of proxies, and names of images.

use discovery::{caddy_address, icon_names_of_image, traefik_targets};

use crate::labels;

/// The targets of a rule as texts; conditional ones end with a question mark.
fn targets(rule: &str) -> Vec<String> {
    let targets = traefik_targets(rule).unwrap();
    let shown = targets.into_iter().map(|target| {
        let mark = if target.is_conditional { "?" } else { "" };
        format!("{}{}{mark}", target.host, target.path)
    });
    shown.collect()
}

#[test]
fn rules_of_traefik_give_the_addresses_that_they_let_through() {
    let cases: &[(&str, &[&str])] = &[
        ("Host(`a.example`)", &["a.example"]),
        ("Host(\"A.example\")", &["a.example"]),
        ("Host(`a.example`, `b.example`)", &["a.example", "b.example"]),
        ("Host(`a.example`) || Host(`b.example`)", &["a.example", "b.example"]),
        ("Host(`a.example`) && PathPrefix(`/app`)", &["a.example/app"]),
        ("PathPrefix(`/app`) && Host(`a.example`)", &["a.example/app"]),
        ("Host(`a.example`) && PathPrefix(`/`)", &["a.example"]),
        ("Host(`a.example`) && Path(`/x`) || Host(`b.example`)", &["a.example/x", "b.example"]),
        ("Host(`a.example`) && (Path(`/x`) || PathPrefix(`/y`))", &["a.example/x", "a.example/y"]),
        ("(Host(`a.example`) || Host(`b.example`)) && PathPrefix(`/x`)", &["a.example/x", "b.example/x"]),
        ("Host(`a.example`) && !PathPrefix(`/api`)", &["a.example"]),
        ("!Host(`a.example`)", &[]),
        ("!(Host(`a.example`) || PathPrefix(`/x`)) && Host(`b.example`)", &["b.example"]),
        ("!!Host(`a.example`)", &["a.example"]),
        ("!(!Host(`a.example`) || !Path(`/x`))", &["a.example/x"]),
        ("HostRegexp(`^.+\\.example$`)", &[]),
        ("HostRegexp(`{sub:[a-z]+}.example`) || Host(`a.example`)", &["a.example"]),
        ("Host(`*.example`) || Host(`**.example`)", &[]),
        ("Host(`a.example`) && PathPrefix(`/{id:[0-9]+}`)", &["a.example?"]),
        ("Host(`a.example`) && Header(`X-A`, `b`)", &["a.example?"]),
        ("Host(`a.example`) && Headers(\"X-A\", \"b \\\"c\\\"\") || Host(`b.example`)", &["a.example?", "b.example"]),
        ("Host(`a.example`) && Method(`GET`) && ClientIP(`10.0.0.0/8`)", &["a.example"]),
        ("host(`a.example`)", &["a.example"]),
        ("PathPrefix(`/only`)", &[]),
        ("Host(`a.example`) && Host(`b.example`)", &[]),
        ("Host(`{{ normalize .Name }}`)", &[]),
        ("Host(`a.example/<script>`)", &[]),
    ];
    for (rule, expected) in cases {
        assert_eq!(targets(rule), *expected, "{rule}");
    }
}

#[test]
fn rules_that_cannot_be_read_say_why() {
    let deep = format!("{}Host(`a`){}", "(".repeat(100), ")".repeat(100));
    for (rule, reason) in [
        ("Host(`a.example`", "lacks a comma or a closing parenthesis"),
        ("(Host(`a.example`)", "lacks a closing parenthesis"),
        ("Host('a.example')", "has `'`"),
        ("Host(a.example)", "has `.`"),
        ("Host(`a", "without a closing backtick"),
        ("Host(\"a", "without a closing quote"),
        ("Host(`a.example`) &&", "ends where a matcher"),
        ("Host(`a.example`) Path(`/x`)", "`Path` too much"),
        ("&& Host(`a.example`)", "`&&` where a matcher"),
        ("Host", "without parentheses"),
        ("", "ends where a matcher"),
        (&deep, "nested too deeply"),
        (&"Host(`a`) || ".repeat(1000), "longer than"),
    ] {
        let problem = traefik_targets(rule).unwrap_err();
        assert!(problem.contains(reason), "{rule}: {problem}");
    }
    // However many combinations a rule has, only some are looked at.
    let wide = ["(Host(`a`)||Host(`b`)||Path(`/c`)||Path(`/d`))"; 40].join("&&");
    assert!(traefik_targets(&wide).unwrap().len() <= 64);
}

#[test]
fn labels_of_caddy_give_the_address_of_their_first_site() {
    for (pairs, expected) in [
        (&[("caddy", "App.example")][..], Some("https://app.example")),
        (&[("caddy", "http://app.example")], Some("http://app.example")),
        (&[("caddy", "app.example:80")], Some("http://app.example")),
        (&[("caddy", "app.example:8443 b.example")], Some("https://app.example:8443")),
        (&[("caddy", "*.example, app.example")], Some("https://app.example")),
        (&[("caddy_1", "b.example"), ("caddy_0", "a.example")], Some("https://a.example")),
        (&[("caddy_10", "b.example"), ("caddy_9", "a.example")], Some("https://a.example")),
        (&[("caddy", "(snippet)")], None),
        (&[("caddy", ":8080")], None),
        (&[("caddy", "{$HOST}")], None),
        (&[("caddy.reverse_proxy", "{{upstreams 80}}")], None),
        (&[("caddy", "a.example"), ("caddy.handle_path", "/app/*")], Some("https://a.example/app/")),
        (&[("caddy", "a.example"), ("caddy.0_handle", "/x/*"), ("caddy.1_handle", "/y/*")], Some("https://a.example")),
        (&[("caddy", "a.example"), ("caddy.reverse_proxy", "{{upstreams}}")], Some("https://a.example")),
        (&[("caddyfile", "a.example")], None),
    ] {
        assert_eq!(caddy_address(&labels(pairs)).as_deref(), expected, "{pairs:?}");
    }
}

#[test]
fn an_image_names_its_application() {
    let cases: &[(&str, &[&str])] = &[
        ("nginx", &["nginx"]),
        ("docker.io/library/nginx:1.27-alpine", &["nginx"]),
        ("lscr.io/linuxserver/sonarr:latest", &["sonarr", "linuxserver"]),
        ("ghcr.io/immich-app/immich-server:v1.2@sha256:0123", &["immich-server", "immich", "immich-app"]),
        ("vaultwarden/server", &["vaultwarden"]),
        ("grafana/grafana-oss", &["grafana-oss", "grafana"]),
        ("registry.lan:5000/tools/Home_Assistant", &["home-assistant", "tools"]),
        ("localhost/app", &[]),
        ("sha256:0123", &["sha256"]),
        ("", &[]),
    ];
    for (image, expected) in cases {
        assert_eq!(icon_names_of_image(image), *expected, "{image}");
    }
}
