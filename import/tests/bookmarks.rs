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
    assert_noted(&imported.report, "bookmarks.html", "the picture of a bookmark");
}

#[test]
fn the_description_of_a_folder_belongs_to_no_bookmark() {
    let text = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>Trips</H3><DL><p>\
                <DT><A HREF=\"https://sea.example/\">Sea</A><DD>Salt water\
                <DT><H3>Hills</H3><DD>Where it is cool<DL><p><DT><A HREF=\"https://hut.example/\">Hut</A></DL><p></DL></DL>";
    let imported = imported(Source::Bookmarks, &[file("b.html", text)]);
    assert_eq!(item(&imported, "Trips", "Sea")["description"], "Salt water");
    assert_eq!(item(&imported, "Trips / Hills", "Hut").get("description"), None);
    assert_noted(&imported.report, "b.html, Trips / Hills", "the description: Where it is cool");
}

#[test]
fn hostile_nesting_is_refused() {
    let text = format!("<!DOCTYPE NETSCAPE-Bookmark-file-1>{}", "<DT><H3>a</H3><DL>".repeat(50_000));
    let error = import(Some(Source::Bookmarks), &[file("b.html", &text)]).unwrap_err();
    assert_eq!(error, ImportError::WrongKind("the folders are nested more than 64 levels deep".to_owned()));
}
