//! Addresses that people open.

use crate::address::{self, Address};

fn check(text: &str, expected: Option<&str>) {
    let expected = expected.map_or(Address::Refused, |address| Address::Safe(address.to_owned()));
    assert_eq!(address::parse(text), expected, "{text:?}");
}

#[test]
fn addresses() {
    for (text, expected) in [
        ("https://x.example/a b", Some("https://x.example/a b")),
        ("HTTP://x.example", Some("HTTP://x.example")),
        ("nas.lan", Some("http://nas.lan")),
        ("nas.lan:8080/ui", Some("http://nas.lan:8080/ui")),
        ("localhost:3000", Some("http://localhost:3000")),
        ("192.168.1.1:8080", Some("http://192.168.1.1:8080")),
        ("[fd00::1]:80", Some("http://[fd00::1]:80")),
        ("mailto:a@b.example", Some("mailto:a@b.example")),
        ("tel:112", Some("tel:112")),
        ("ssh:nas", Some("ssh:nas")),
        ("ssh://nas:22", Some("ssh://nas:22")),
        ("steam://run/1", Some("steam://run/1")),
        ("steam:run", Some("steam:run")),
        ("/minimal", Some("/minimal")),
        ("//x.example", Some("//x.example")),
        ("#top", Some("#top")),
        ("./x", Some("./x")),
        (" https://x.example ", Some("https://x.example")),
        ("javascript:alert(1)", None),
        ("JavaScript:alert(1)", None),
        (" \u{1}java\nscript\t:alert(1)", None),
        ("vbscript:x", None),
        ("data:text/html,x", None),
        ("DATA:image/png,x", None),
    ] {
        check(text, expected);
    }
}

#[test]
fn pictures() {
    for (text, expected) in [
        ("https://x.example/a.png", true),
        ("/logo.png", true),
        ("logo.png", true),
        ("data:image/svg+xml,x", true),
        ("data:text/html,x", false),
        ("javascript:x", false),
        ("vbscript:x", false),
        ("ftp://x.example/a.png", false),
        ("//x.example/a.png", false),
    ] {
        assert_eq!(address::is_picture(text), expected, "{text}");
    }
}

#[test]
fn parts() {
    for (text, host, without_user) in [
        ("https://a:b@x.example:80/p@q?r", Some("x.example"), "https://x.example:80/p@q?r"),
        ("http://[fd00::1]:80/", Some("fd00::1"), "http://[fd00::1]:80/"),
        ("https://x.example", Some("x.example"), "https://x.example"),
        ("/path", None, "/path"),
        ("https:///x", None, "https:///x"),
    ] {
        assert_eq!(address::host(text), host);
        assert_eq!(address::without_user(text), without_user);
    }
}

#[test]
fn addresses_that_no_browser_can_open_are_warned_about() {
    for (text, part) in [
        ("http://“a.lan”", "`“` cannot be in a host"),
        (":8080", "has no host"),
        ("http//c.lan", "a colon is missing"),
        ("htps://d.lan", "no scheme `htps`; did you mean"),
        ("htttp://d.lan", "no scheme `htttp`"),
        ("http:/e.lan", "two slashes belong after `http:`"),
        ("http://f .lan", "a blank in the host"),
        ("http://g.lan:99999", "no port `99999`"),
        ("http://g.lan:80a/x", "no port `80a`"),
        ("http://", "has no host"),
        ("https://https://i.lan", "a second scheme"),
        ("http://j\u{200b}.lan", "a zero-width space (U+200B) in the host"),
        ("http://{{k}}.lan", "`{` cannot be in a host"),
    ] {
        let Address::Safe(address) = address::parse(text) else { panic!("{text}") };
        let problem = address::problem(&address).unwrap_or_default();
        assert!(problem.contains(part), "{text}: {problem:?}");
        let value = serde_json::json!({ "sections": [{ "name": "S", "items": [{ "title": "I", "url": text }] }] });
        let problems = crate::check(&crate::Document::from_json(value));
        assert!(
            problems.iter().any(|problem| problem.path == "/sections/0/items/0/url" && problem.message.contains(part))
        );
    }
    for text in [
        "https://x.example/a b?c={d}#“e”",
        "nas.lan:8080/ui",
        "http://user:pass@nas.lan:80/",
        "http://[fd00::1]:80/",
        "http://日本.example",
        "http://a_b.lan",
        "https://x.example:",
        "mailto:a@b.example",
        "ssh://nas:22",
        "tps:run",
        "/minimal",
        "//x.example",
        "#top",
    ] {
        let Address::Safe(address) = address::parse(text) else { panic!("{text}") };
        assert_eq!(address::problem(&address), None, "{text}");
    }
}

#[test]
fn the_path_of_a_background_begins_at_the_root() {
    for (path, is_warned) in [("sea.jpg", true), ("/sea.jpg", false), ("https://x.example/sea.jpg", false)] {
        let value = serde_json::json!({ "appConfig": { "backgroundImg": path }, "sections": [] });
        let problems = crate::check(&crate::Document::from_json(value));
        assert_eq!(problems.iter().any(|problem| problem.message.contains("must begin with `http` or `/`")), is_warned);
    }
}
