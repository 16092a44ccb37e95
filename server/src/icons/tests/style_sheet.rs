use url::Url;

use super::outside::ScriptedWeb;
use crate::icons::{FetchProblem, HostTrust, cache::LookupOutcome, style_sheet};

const ADDRESS: &str = "https://styles.test/themes/dark/main.css";

async fn fetched(content_type: &'static str, body: &str) -> Option<String> {
    let outside = ScriptedWeb::default();
    outside.respond(ADDRESS, 200, content_type, body.as_bytes());
    match style_sheet::look_up(&outside, &Url::parse(ADDRESS).unwrap(), HostTrust::Named).await {
        LookupOutcome::Found(stored) => Some(String::from_utf8(stored.body.to_vec()).unwrap()),
        LookupOutcome::Missing | LookupOutcome::Failed => None,
    }
}

#[tokio::test]
async fn addresses_become_absolute() {
    for (written, expected) in [
        ("a{background:url(b.png)}", "a{background:url(https://styles.test/themes/dark/b.png)}"),
        ("a{background:URL( '../b.png' )}", "a{background:URL( 'https://styles.test/themes/b.png' )}"),
        ("a{b:url(\"/c d.png\")}", "a{b:url(\"https://styles.test/c%20d.png\")}"),
        ("@import 'base.css';a{}", "@import 'https://styles.test/themes/dark/base.css';a{}"),
        ("@import url(base.css);", "@import url(https://styles.test/themes/dark/base.css);"),
        ("@import url('base.css') screen;", "@import url('https://styles.test/themes/dark/base.css') screen;"),
        ("a{b:url(https://x.test/y)}", "a{b:url(https://x.test/y)}"),
        ("a{b:url(data:image/png;base64,AA==)}", "a{b:url(data:image/png;base64,AA==)}"),
        ("a{b:url(#id)}", "a{b:url(#id)}"),
        (
            "a{b:url(one) url(two)}",
            "a{b:url(https://styles.test/themes/dark/one) url(https://styles.test/themes/dark/two)}",
        ),
        ("a{b:url(never", "a{b:url(never"),
        ("a{content:'ü'}", "a{content:'ü'}"),
        ("a{b:url(", "a{b:url("),
    ] {
        assert_eq!(fetched("text/css", written).await.as_deref(), Some(expected), "{written}");
    }
}

#[tokio::test]
async fn only_style_sheets_are_taken() {
    assert!(fetched("text/css; charset=utf-8", "a{}").await.is_some());
    assert!(fetched("text/plain", "a{}").await.is_some());
    assert!(fetched("text/html", "a{}").await.is_none());
    assert!(fetched("text/css", " <!doctype html>").await.is_none());
    assert!(fetched("text/css", &"a".repeat(1024 * 1024 + 1)).await.is_none());
    let outside = ScriptedWeb::default();
    outside.problem(ADDRESS, FetchProblem::Unreachable);
    assert_eq!(
        style_sheet::look_up(&outside, &Url::parse(ADDRESS).unwrap(), HostTrust::Named).await,
        LookupOutcome::Failed
    );
}

#[tokio::test]
async fn hostile_style_sheets_cost_no_more_than_their_length() {
    // Each once took quadratic time: more than a minute for the longest that is fetched.
    for piece in
        ["url(", "url( ", "url('", "url(\"", "@import '", "@import url(", "url(a)url(\"b", "url((", "@import\n"]
    {
        let css = piece.repeat(1024 * 1024 / piece.len());
        let outside = ScriptedWeb::default();
        outside.respond(ADDRESS, 200, "text/css", css.as_bytes());
        let began = std::time::Instant::now();
        _ = style_sheet::look_up(&outside, &Url::parse(ADDRESS).unwrap(), HostTrust::Named).await;
        assert!(began.elapsed().as_secs() < 30, "{piece}");
    }
}
