//! What cannot be imported, and what is said about it.

use crate::{assert_noted, file, imported, item};
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
        (Some(Source::Glance), "pages: []", "none of the files is a config of Glance"),
        (Some(Source::Glance), "sections: []", "none of the files is a config of Glance"),
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

#[test]
fn pasted_text_that_cannot_be_read_is_called_so() {
    for source in [Source::Homer, Source::Dashy, Source::Homepage, Source::Glance] {
        let error = import(Some(source), &[file("", "services: [1")]).unwrap_err().to_string();
        assert!(error.starts_with("the pasted text cannot be read: "), "{source:?}: {error}");
    }
}

#[test]
fn addresses_that_run_code_are_left_out_and_noted() {
    let homer = "services:\n- name: Apps\n  items:\n  - { name: Note, url: 'javascript:alert(1)' }\n  - { name: Pump, url: 'http://pump.example' }\n";
    let homepage =
        "- Apps:\n    - Note:\n        href: 'JavaScript:alert(1)'\n    - Pump:\n        href: http://pump.example\n";
    let glance = "pages:\n- name: Home\n  columns:\n  - widgets:\n    - type: bookmarks\n      groups:\n      - title: Apps\n        links:\n        - { title: Note, url: 'javascript:alert(1)' }\n        - { title: Pump, url: 'http://pump.example' }\n";
    for (source, name, text) in [
        (Source::Homer, "config.yml", homer),
        (Source::Homepage, "services.yaml", homepage),
        (Source::Glance, "glance.yml", glance),
    ] {
        let imported = imported(source, &[file(name, text)]);
        assert_eq!(item(&imported, "Apps", "Note").get("url"), None, "{source:?}");
        assert_eq!(item(&imported, "Apps", "Pump")["url"], "http://pump.example");
        assert_noted(&imported.report, "conf.yml, Apps / Note", "`url`: this kind of address runs code");
    }
    // Those of widgets and of the page too.
    let glance = "pages:\n- name: Home\n  columns:\n  - widgets:\n    - { type: iframe, title: Cam, source: 'javascript:alert(2)' }\n    - type: search\n      search-engine: 'JavaScript:alert(3)'\n    - { type: html, title: Links, source: '<a href=\"javascript:alert(4)\">x</a>' }\n";
    let imported = imported(Source::Glance, &[file("glance.yml", glance)]);
    assert_noted(
        &imported.report,
        "conf.yml, Home / Cam",
        "`url`: this kind of address runs code in the page (javascript:alert(2))",
    );
    assert_noted(&imported.report, "conf.yml, Home / custom-search", "(JavaScript:alert(3))");
    assert_noted(&imported.report, "conf.yml, Home / Links", "`html`: a link in it runs code");
    for left in ["alert(2)", "alert(3)"] {
        assert!(!imported.yaml.contains(left), "{}", imported.yaml);
    }
    // Here the file stays as it is, and so does what it does with such an address: nothing.
    let dashy = "pageInfo:\n  navLinks:\n  - { title: Top, path: 'vbscript:alert' }\nsections:\n- name: Apps\n  items:\n  - { title: Note, url: 'javascript:alert(1)' }\n  widgets:\n  - { type: iframe, options: { url: 'data:text/html,x' } }\n";
    let imported = crate::imported(Source::Dashy, &[file("conf.yml", dashy)]);
    assert_eq!(imported.yaml, dashy);
    assert_noted(&imported.report, "conf.yml, Apps / Note", "runs code in the page");
    assert_noted(
        &imported.report,
        "conf.yml, Top",
        "`path`: this kind of address runs code in the page (vbscript:alert)",
    );
    assert_noted(&imported.report, "conf.yml, Apps / iframe", "(data:text/html,x)");
}
