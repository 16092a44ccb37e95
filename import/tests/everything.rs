//! What holds for all sources: no address and no title is lost silently.

use proptest::prelude::*;

use crate::{example, file, imported};
use import::{Imported, Source, SourceFile};

/// All addresses in files, as they are written.
fn addresses(files: &[SourceFile]) -> Vec<String> {
    let ends = |letter: char| letter.is_whitespace() || "\"'<>,[](){}".contains(letter);
    let words = files.iter().flat_map(|file| file.text.split(ends));
    words.filter(|word| word.contains("://")).map(|word| word.replace("&amp;", "&")).collect()
}

fn arrives(imported: &Imported, text: &str) -> bool {
    imported.yaml.contains(text) || imported.report.to_string().contains(text)
}

#[test]
fn every_address_is_in_the_config_or_in_the_report() {
    for source in Source::ALL {
        let files = example(source);
        let imported = imported(source, &files);
        let addresses = addresses(&files);
        assert!(!addresses.is_empty(), "{source:?}");
        for address in addresses {
            assert!(arrives(&imported, &address), "{source:?} loses {address}\n{}\n{}", imported.yaml, imported.report);
        }
    }
}

/// What lines such as `- title: News` call something.
fn titles(files: &[SourceFile]) -> Vec<String> {
    let lines = files.iter().flat_map(|file| file.text.lines()).map(|line| line.trim_start_matches([' ', '-']));
    let keys = ["title: ", "name: ", "subtitle: ", "description: "];
    let written = lines.filter_map(|line| keys.iter().find_map(|key| line.strip_prefix(key)));
    written.map(|written| written.trim().trim_matches('"').to_owned()).filter(|title| !title.is_empty()).collect()
}

#[test]
fn every_title_is_in_the_config_or_in_the_report() {
    for source in [Source::Homepage, Source::Homer, Source::Glance] {
        let files = example(source);
        let imported = imported(source, &files);
        let titles = titles(&files);
        assert!(titles.len() > 2, "{source:?} {titles:?}");
        for title in titles {
            assert!(arrives(&imported, &title), "{source:?} loses {title}\n{}\n{}", imported.yaml, imported.report);
        }
    }
}

#[test]
fn the_source_of_each_example_is_detected() {
    for source in Source::ALL {
        let files = example(source);
        assert_eq!(Source::detect(&files), Some(source));
        // Text that was pasted has no name.
        for file in files.into_iter().filter(|file| !["feeds.yml"].contains(&file.name.as_str())) {
            let pasted = [SourceFile { name: String::new(), ..file.clone() }];
            assert_eq!(Source::detect(&pasted), Some(source), "{}", file.name);
        }
    }
}

#[test]
fn the_report_counts_what_arrives() {
    let imported = imported(Source::Homer, &example(Source::Homer));
    assert_eq!(imported.report.sections, imported.sections.len());
    assert!(imported.report.to_string().starts_with("Imported from Homer: "));
}

fn title() -> impl Strategy<Value = String> {
    "[A-Za-zÄÖÜäöü][A-Za-z0-9 .:#'\"äöü-]{0,20}[A-Za-z]"
}

fn address() -> impl Strategy<Value = String> {
    "https?://[a-z]{1,8}\\.example(:[0-9]{2,4})?/[a-zA-Z0-9?=&%#._~-]{0,20}"
}

fn links() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec((title(), address()), 1..8)
}

/// JSON is YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn check(source: Source, text: &str, links: &[(String, String)]) {
    let imported = imported(source, &[file("", text)]);
    let items: Vec<_> = imported.sections.iter().filter_map(|section| section["items"].as_array()).flatten().collect();
    for (title, url) in links {
        let found = items.iter().any(|item| item["title"] == title.trim() && item["url"] == url.as_str());
        assert!(found, "{title} {url}\n{}", imported.yaml);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_link_of_homer_arrives(links in links()) {
        let mut text = "services:\n- name: All\n  items:\n".to_owned();
        for (title, url) in &links {
            text += &format!("  - name: {}\n    url: {}\n", quoted(title), quoted(url));
        }
        check(Source::Homer, &text, &links);
    }

    #[test]
    fn every_link_of_homepage_arrives(links in links()) {
        let mut text = "- All:\n".to_owned();
        for (title, url) in &links {
            text += &format!("  - {}:\n      href: {}\n", quoted(title), quoted(url));
        }
        check(Source::Homepage, &text, &links);
    }

    #[test]
    fn every_link_of_glance_arrives(links in links()) {
        let mut text = "pages:\n- name: P\n  columns:\n  - widgets:\n    - type: bookmarks\n      groups:\n      - links:\n".to_owned();
        for (title, url) in &links {
            text += &format!("        - title: {}\n          url: {}\n", quoted(title), quoted(url));
        }
        check(Source::Glance, &text, &links);
    }

    #[test]
    fn every_bookmark_arrives(links in links()) {
        let mut text = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>".to_owned();
        for (title, url) in &links {
            let url = url.replace('&', "&amp;");
            text += &format!("<DT><A HREF=\"{url}\">{title}</A>\n");
        }
        // White space within titles is collapsed, as browsers show it.
        let links: Vec<_> = links
            .into_iter()
            .map(|(title, url)| (title.split_whitespace().collect::<Vec<_>>().join(" "), url))
            .collect();
        check(Source::Bookmarks, &text, &links);
    }

    #[test]
    fn no_text_breaks_an_import(text in "[ -~\n]{0,200}", name in "(services|bookmarks|widgets|settings|config|a)\\.yaml") {
        for source in Source::ALL {
            _ = import::import(Some(source), &[file(&name, &text)]);
        }
        _ = import::import(None, &[file(&name, &text)]);
    }

    /// Values of any shape in all places that are read.
    #[test]
    fn no_shape_breaks_an_import(value in shape(), key in "(services|links|pages|sections|layout|Group|message|branding)") {
        let text = serde_json::json!({ key: value.clone() }).to_string();
        let list = serde_json::json!([value]).to_string();
        for source in Source::ALL {
            for text in [&text, &list] {
                for name in ["services.yaml", "bookmarks.yaml", "widgets.yaml", "settings.yaml"] {
                    _ = import::import(Some(source), &[file(name, text)]);
                }
            }
        }
    }
}

fn shape() -> impl Strategy<Value = serde_json::Value> {
    let words = "(name|items|widgets|columns|type|rss|widget|href|url|title|glances|feeds|x://y)";
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        words.prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map(words, inner, 0..5)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}
