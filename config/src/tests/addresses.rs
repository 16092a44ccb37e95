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
