//! What cannot be imported, and what is said about it.

use crate::file;
use import::{ImportError, MAX_BYTES, Source, import};

#[test]
fn bad_files_are_refused_in_words() {
    let deep = format!("services: {}", "[".repeat(5000));
    for (source, text, expected) in [
        (None, "", "nothing to import"),
        (None, "just a text", "does not look like"),
        (None, "a: [1", "`a.yml` cannot be read"),
        (Some(Source::Homer), "services: [1", "`a.yml` cannot be read"),
        (Some(Source::Homer), deep.as_str(), "`a.yml` cannot be read"),
        (Some(Source::Homer), "sections: []", "is not a config of Homer"),
        (Some(Source::Homer), "services: []\nlinks: []", "no links, services or widgets of Homer"),
        (Some(Source::Homepage), "a: 1", "is not a file of Homepage"),
        (Some(Source::Homepage), "- Group:\n  - Name:\n", "is not a file of Homepage"),
        (Some(Source::Glance), "pages: []", "no file is a config of Glance"),
        (Some(Source::Glance), "sections: []", "no file is a config of Glance"),
        (Some(Source::Bookmarks), "<html><p>Hello", "does not contain bookmarks"),
        (Some(Source::Dashy), "- 1", "is not a config of Dashy"),
    ] {
        let error = import(source, &[file("a.yml", text)]).expect_err(expected).to_string();
        assert!(error.contains(expected), "{source:?} {text:.40}: {error}");
    }
}

#[test]
fn large_files_are_refused() {
    let text = "# \n".repeat(MAX_BYTES / 3 + 1);
    let error = import(None, &[file("a.yml", &text)]).unwrap_err();
    assert!(matches!(error, ImportError::TooLarge { bytes } if bytes == text.len()), "{error}");
    assert!(error.to_string().contains("at most 4 MB"), "{error}");
}
