//! The footer keeps simple markup and loses everything that could do harm.

use crate::footer::{MAX_BYTES, sanitized, with_pictures};

fn check(text: &str, expected: Option<&str>) {
    assert_eq!(sanitized(text).as_deref(), expected, "{text:?}");
}

#[test]
fn footers() {
    const REL: &str = "rel=\"noopener noreferrer\"";
    for (text, expected) in [
        ("Ask the cat & dog", Some("Ask the cat &amp; dog".to_owned())),
        ("Run by <b>nobody</b>", Some("Run by <b>nobody</b>".to_owned())),
        ("<a href='https://x.example' onclick='x()'>x</a>", Some(format!("<a href=\"https://x.example\" {REL}>x</a>"))),
        ("<a href='javascript:x()'>x</a>", Some(format!("<a {REL}>x</a>"))),
        ("<a href='/minimal' target='_blank'>x</a>", None),
        ("<script>x()</script>", Some(String::new())),
        ("<style>*{}</style><p style='color:red' class='a'>x</p>", Some("<p>x</p>".to_owned())),
        ("<iframe src='https://x'></iframe><form action='x'><input></form>", Some(String::new())),
        ("<img src='/logo.png' onerror='x()'>", Some("<img src=\"/logo.png\">".to_owned())),
        ("<svg onload='x()'><a href='x'></a></svg>", None),
        ("  ", Some(String::new())),
    ] {
        match expected {
            Some(html) if html.is_empty() => check(text, None),
            Some(html) => check(text, Some(&html)),
            // What exactly remains is up to the library; it must be harmless.
            None => {
                let html = sanitized(text).unwrap_or_default();
                assert!(!html.contains("onload") && !html.contains("<svg"), "{html}");
            }
        }
    }
}

#[test]
fn what_follows_the_first_bytes_is_left_out() {
    let text = "ä".repeat(MAX_BYTES);
    assert_eq!(sanitized(&text).unwrap().len(), MAX_BYTES);
    assert_eq!(sanitized(&format!("x{text}")).unwrap().len(), MAX_BYTES - 1);
}

#[test]
fn nested_markup_stays_small() {
    // Each paragraph reopens all the tags before it: without a limit, 100 KB would become gigabytes.
    let text: String = (0..10_000).map(|number| format!("<p><b title={number}>")).collect();
    assert!(sanitized(&text).unwrap_or_default().len() < 4 * 1024 * 1024);
}

#[test]
fn pictures_of_other_hosts_get_other_addresses() {
    let own = |address: &str| (!address.contains("lost")).then(|| format!("/own/{}", address.len()));
    for (text, expected) in [
        (
            "<p>By <img alt='A &quot;<b>' src='https://x.example/a.png?b&amp;c' width=8> and <img src=//x.example/d>",
            "<p>By <img alt=\"A &quot;&lt;b&gt;\" src=\"/own/27\" width=\"8\"> and <img src=\"/own/13\"></p>",
        ),
        ("<img src='/logo.png' title='https://x.example'>", "<img src=\"/logo.png\" title=\"https://x.example\">"),
        ("<img src='https://lost.example/'>", "<img src=\"https://lost.example/\">"),
        ("<b title='<img src='>x</b>", "<b title=\"&lt;img src=\">x</b>"),
        ("a &lt;img src=&quot;https://x.example&quot;", "a &lt;img src=\"https://x.example\""),
    ] {
        assert_eq!(with_pictures(&sanitized(text).unwrap(), own), expected, "{text}");
    }
}
