//! Comments cite the decisions in `docs/spec/` as `docs/spec/config.md 1.3`. Each citation must lead to an existing
//! section.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

/// Pages of `docs/spec/`, and their former names, which must not come back.
const PAGES: [&str; 4] = ["config.md", "behavior.md", "api.md", "widgets.md"];
const OLD_PAGES: [&str; 2] = ["_common.md", "_aliases.md"];
const CODE: [&str; 5] = ["rs", "ts", "mjs", "js", "scss"];
const NOT_OURS: [&str; 5] = ["target", "node_modules", "dist", "test-results", "playwright-report"];

/// The sections of a page, as `1` and `1.2`.
fn sections(page: &str) -> HashSet<String> {
    let headings = page
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    let numbers = headings.filter_map(|heading| heading.split(' ').next()).map(|number| number.trim_end_matches('.'));
    numbers.filter(|number| number.starts_with(|first: char| first.is_ascii_digit())).map(str::to_owned).collect()
}

/// A text on one line, without comment markers, so that a citation may continue on the next line.
fn flattened(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!', '*']).trim_start());
    lines.collect::<Vec<_>>().join(" ")
}

/// The sections named right after the name of a page: `1.2`, `2 to 9`, `3 and 4.1, 5`.
fn named(mut rest: &str) -> Vec<String> {
    let mut sections = Vec::new();
    loop {
        let start = [", ", " and ", " to ", " "].iter().find_map(|divider| rest.strip_prefix(divider));
        let Some(start) = start.filter(|start| start.starts_with(|first: char| first.is_ascii_digit())) else {
            return sections;
        };
        let end = start.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(start.len());
        sections.push(start[..end].trim_end_matches('.').to_owned());
        rest = &start[end..];
    }
}

/// The pages that a text cites with `prefix` before their names, each with its sections.
fn citations(text: &str, prefix: &str) -> Vec<(String, Vec<String>)> {
    let cited = text.match_indices(prefix).filter_map(|(at, _)| {
        let rest = &text[at + prefix.len()..];
        let end = rest.find(".md")? + ".md".len();
        let name = &rest[..end];
        let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'_'));
        is_name.then(|| (name.to_owned(), named(&rest[end..])))
    });
    cited.collect()
}

/// Citations in the old form: the name of a page and a section, without the folder.
fn old_form(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for page in PAGES.iter().chain(&OLD_PAGES) {
        for (at, _) in text.match_indices(page) {
            let rest = &text[at + page.len()..];
            let cites = rest.starts_with(" section") || !named(rest).is_empty();
            if cites && !text[..at].ends_with("docs/spec/") {
                found.push(text[at..].chars().take(30).collect());
            }
        }
    }
    found
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            if !name.starts_with('.') && !NOT_OURS.contains(&name.as_str()) {
                files(&path, found);
            }
        } else if path.extension().is_some_and(|ending| CODE.iter().any(|known| ending == *known)) {
            found.push(path);
        }
    }
}

#[test]
fn every_citation_leads_to_a_section() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |page: &str| std::fs::read_to_string(project.join("docs/spec").join(page)).unwrap();
    let pages: HashMap<_, _> = PAGES.iter().map(|page| (*page, sections(&read(page)))).collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut check = |place: &str, (page, cited): (String, Vec<String>)| {
        count += 1;
        match pages.get(page.as_str()) {
            None => wrong.push(format!("{place}: there is no docs/spec/{page}")),
            Some(known) => wrong.extend(
                cited
                    .iter()
                    .filter(|section| !known.contains(*section))
                    .map(|section| format!("{place}: {page} has no section {section}")),
            ),
        }
    };
    let mut code = Vec::new();
    files(&project, &mut code);
    let mut old = Vec::new();
    for path in code.iter().filter(|path| !path.ends_with("tests/citations.rs")) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let (text, place) = (flattened(&text), path.strip_prefix(&project).unwrap_or(path).display().to_string());
        citations(&text, "docs/spec/").into_iter().for_each(|citation| check(&place, citation));
        old.extend(old_form(&text).into_iter().map(|text| format!("{place}: {text}")));
    }
    for page in PAGES {
        let text = flattened(&read(page));
        citations(&text, "(").into_iter().for_each(|citation| check(&format!("docs/spec/{page}"), citation));
    }
    assert_eq!(wrong, [""; 0]);
    assert_eq!(old, [""; 0], "write `docs/spec/config.md 1.3`");
    assert!(count > 150, "{count}");
}

#[test]
fn citations_are_understood() {
    let check = |text: &str, expected: &[(&str, &[&str])]| {
        let found = citations(&flattened(text), "docs/spec/");
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(page, sections)| ((*page).to_owned(), sections.iter().map(ToString::to_string).collect()))
            .collect();
        assert_eq!(found, expected, "{text}");
    };
    check("//! It (docs/spec/config.md 1.3).", &[("config.md", &["1.3"])]);
    check(
        "/// docs/spec/config.md 1.2, 2 to 9,\n    /// and docs/spec/api.md",
        &[("config.md", &["1.2", "2", "9"]), ("api.md", &[])],
    );
    check("// docs/spec/api.md\n// 11, cases 5 to 47: reading", &[("api.md", &["11"])]);
    assert_eq!(
        old_form("config.md 1.3 and _common.md section 4, docs/config.md, docs/spec/api.md 2"),
        ["config.md 1.3 and _common.md s", "_common.md section 4, docs/con"]
    );
    assert_eq!(sections("# Title\n\n## 1. One\n\ntext 3\n\n### 1.2 Two\n"), ["1".to_owned(), "1.2".to_owned()].into());
}
