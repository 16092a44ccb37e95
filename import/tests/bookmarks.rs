//! Bookmarks of browsers.

use serde_json::json;

use crate::{assert_noted, example, file, imported, item, names};
use import::{ImportError, Source, import};

#[test]
fn folders_become_sections() {
    let imported = imported(Source::Bookmarks, &example(Source::Bookmarks));
    assert_eq!(names(&imported), ["My bookmarks", "Bar", "Bar / Trips"]);
    let news = json!({
        "title": "News",
        "url": "https://news.example/?a=1&b=2",
        "tags": ["daily", "paper", "n"],
        "description": "What happened today",
    });
    assert_eq!(item(&imported, "Bar", "News"), &news);
    assert_eq!(item(&imported, "My bookmarks", "Loose & free")["url"], "https://loose.example/");
    assert_eq!(item(&imported, "Bar / Trips", "Map at home")["url"], "http://192.168.1.4:8080/map");
    assert_eq!(item(&imported, "Bar", "untitled.example")["url"], "https://untitled.example/page");
    assert_eq!(item(&imported, "My bookmarks", "Write to Anna")["url"], "mailto:anna@example.com");
}

#[test]
fn what_is_no_link_is_noted() {
    let imported = imported(Source::Bookmarks, &example(Source::Bookmarks));
    assert_noted(&imported.report, "bookmarks.html, Bar / Bookmarklet", "`javascript:`");
    assert_noted(&imported.report, "bookmarks.html, Most visited", "a saved search");
    assert_noted(&imported.report, "bookmarks.html, Empty", "a folder without bookmarks");
    assert_noted(&imported.report, "bookmarks.html", "the pictures of 1 bookmarks");
}

#[test]
fn hostile_nesting_is_refused() {
    let text = format!("<!DOCTYPE NETSCAPE-Bookmark-file-1>{}", "<DT><H3>a</H3><DL>".repeat(50_000));
    let error = import(Some(Source::Bookmarks), &[file("b.html", &text)]).unwrap_err();
    assert_eq!(error, ImportError::WrongKind("the folders are nested more than 64 levels deep".to_owned()));
}
