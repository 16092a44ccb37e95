//! The words that the table in `CONTRIBUTING.md` has retired are used nowhere.

use std::{collections::BTreeMap, fs, path::Path};

use crate::architecture::{quoted, root};

/// Where the words are looked for.
const FOLDERS: [&str; 17] = [
    "app",
    "config",
    "css_values",
    "deploy",
    "discovery",
    "docs",
    "end2end",
    "frontend",
    "import",
    "languages",
    "nearest",
    "public",
    "server",
    "themes",
    "tools",
    "widgets/src",
    "widgets/tests",
];
/// The kinds of files that people write.
const ENDINGS: [&str; 6] = ["rs", "ts", "js", "mjs", "md", "scss"];
/// Folders of what other programs write.
const GENERATED: [&str; 5] = ["node_modules", "target", "output", "dist", ".cache"];

/// The rows of the table, as cells.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let (_, section) = text.split_once("## The words of the code").unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// Whether a text has the word, not as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(start, _)| {
        let (before, after) = (&text[..start], &text[start + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// The files that people write, below a folder.
fn visit(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            if !GENERATED.contains(&name.as_str()) {
                visit(&path, found);
            }
        } else if ENDINGS.contains(&name.rsplit('.').next().unwrap()) && !name.contains(".min.") {
            found.insert(path.display().to_string(), fs::read_to_string(&path).unwrap());
        }
    }
}

/// All texts that people write, by path.
fn texts() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        visit(&root().join(folder), &mut files);
    }
    for name in ["ARCHITECTURE.md", "README.md", "SECURITY.md"] {
        files.insert(name.to_owned(), fs::read_to_string(root().join(name)).unwrap());
    }
    assert!(files.len() > 800, "{} files", files.len());
    files
}

#[test]
fn retired_words_are_used_nowhere() {
    let contract = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let (rows, files) = (rows(&contract), texts());
    assert!((20..=40).contains(&rows.len()), "{} rows", rows.len());
    assert!(rows.iter().all(|row| row.len() == 5), "each row has five cells");
    let retired: Vec<&str> = rows.iter().flat_map(|row| quoted(row[4])).collect();
    assert!(retired.len() > 20, "{retired:?}");
    let mut found = Vec::new();
    for (path, text) in &files {
        let used = retired.iter().filter(|word| has_word(text, word));
        found.extend(used.map(|word| format!("{path}: `{word}`")));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn types_of_words_exist() {
    let contract = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let code: String = texts().into_iter().filter(|(path, _)| path.ends_with(".rs")).map(|(_, text)| text).collect();
    for row in rows(&contract) {
        for name in quoted(row[2]) {
            let name = name.rsplit("::").next().unwrap();
            let definitions =
                ["struct", "enum", "trait", "type", "fn", "mod"].map(|keyword| format!("{keyword} {name}"));
            let is_of_rust = ["String", "u64"].contains(&name) || name.starts_with('…');
            let is_defined = definitions.iter().any(|definition| has_word(&code, definition));
            assert!(is_of_rust || is_defined, "`{name}` of {} is not defined", row[0]);
        }
    }
}

#[test]
fn each_word_is_defined_once() {
    let contract = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let words: Vec<&str> = rows(&contract).into_iter().map(|row| row[0]).collect();
    let mut once = words.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), words.len(), "{words:?}");
}

#[test]
fn words_are_found_alone() {
    assert!(has_word("a Word(b)", "Word") && has_word("Word", "Word"));
    assert!(!has_word("Words", "Word") && !has_word("no_Word", "Word"));
}
