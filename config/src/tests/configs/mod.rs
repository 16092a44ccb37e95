//! Whole files as people write them.

use super::{config, document};
use crate::{Document, Severity};

fn check(text: &str, errors: usize, warnings: usize) {
    let document = document(text);
    let problems = crate::check(&document);
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    assert_eq!((count(Severity::Error), count(Severity::Warning)), (errors, warnings), "{problems:#?}");
    // Every problem has a position, and the stored text reads back the same.
    let locations = document.locations();
    assert!(problems.iter().all(|problem| locations.find(&problem.path).is_some()), "{problems:#?}");
    assert_eq!(Document::parse(document.print().as_bytes()).unwrap().value(), document.value());
}

#[test]
fn homelab() {
    check(include_str!("homelab.yml"), 0, 0);
}

#[test]
fn old_editor() {
    let text = include_str!("old_editor.yml");
    check(text, 0, 15);
    let config = config(text);
    assert_eq!(config.problems, []);
    assert_eq!(config.page_info.footer.as_deref(), Some("Written long ago"));
    assert_eq!(config.app.language.as_deref(), Some("zh-CN"));
}

#[test]
fn large_files_are_quick() {
    let item = "      - { title: Item, url: 'https://x.example', icon: fas fa-rocket, tags: [a, b] }\n";
    let section = format!("  - name: S\n    items:\n{}", item.repeat(50));
    let text = format!("sections:\n{}", section.repeat(20));
    let config = config(&text);
    assert_eq!(config.sections.iter().map(|section| section.items.len()).sum::<usize>(), 1000);
}
