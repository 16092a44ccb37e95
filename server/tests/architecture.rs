//! The paths and tests in `ARCHITECTURE.md` and `CONTRIBUTING.md` exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::layers::files;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The texts between backticks.
pub fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_path_and_test_in_the_documents_exists() {
    let (mut paths, mut tests) = (0, 0);
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        for quoted in quoted(&text) {
            let (path, test) = quoted.split_once("::").map_or((quoted, None), |(path, test)| (path, Some(test)));
            // Addresses below the server begin with a slash, patterns name no single file, and citations are checked
            // elsewhere.
            if !path.contains('/') || path.starts_with(['/', '~']) || path.contains([' ', '#', '…', '<', '*', '\n']) {
                continue;
            }
            assert!(root().join(path).exists(), "{document}: `{path}` does not exist");
            paths += 1;
            if let Some(test) = test {
                let code = fs::read_to_string(root().join(path)).unwrap();
                let is_there = code.contains(&format!("fn {test}(")) || code.contains(&format!("test('{test}'"));
                assert!(is_there, "{document}: `{path}` has no test `{test}`");
                tests += 1;
            }
        }
    }
    assert!(paths > 60 && tests > 15, "{paths} paths and {tests} tests are named");
}

/// Maximum number of words in a row about code of our own.
const MAX_WORDS: usize = 30;

#[test]
fn the_reasons_for_code_of_our_own_are_short() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, rows) = text.split_once("## What we wrote ourselves").unwrap();
    let rows: Vec<&str> = rows.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 30, "only {} rows were found", rows.len());
    for row in rows {
        let words = row.split([' ', '|']).filter(|word| !word.is_empty()).count();
        assert!(words <= MAX_WORDS, "{words} words: {row}");
    }
}

/// The code below a folder that is part of the product: without tests, and without modules that only tests have.
fn product_code(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    files(folder, &mut all);
    let texts: Vec<(PathBuf, String)> =
        all.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    let mut of_tests = Vec::new();
    for (path, text) in &texts {
        let directory = match path.file_stem().and_then(|name| name.to_str()) {
            Some("mod" | "lib" | "main") => path.parent().unwrap().to_owned(),
            _ => path.with_extension(""),
        };
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[0].starts_with("#[cfg(") && pair[0].contains("test")) {
            let module = pair[1].strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
            of_tests.extend(module.map(|module| directory.join(module)));
        }
    }
    let is_of_tests = |path: &Path| of_tests.iter().any(|module| path.with_extension("").starts_with(module));
    let kept = texts.into_iter().filter(|(path, _)| !is_of_tests(path));
    kept.map(|(path, text)| {
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>();
        (path.display().to_string(), lines.join("\n"))
    })
    .collect()
}

/// Whether code has the name, not as a part of a longer one.
fn has_name(code: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.match_indices(name)
        .any(|(start, _)| !code[..start].ends_with(is_part) && !code[start + name.len()..].starts_with(is_part))
}

#[test]
fn the_lower_crates_do_no_io() {
    for name in ["color", "config", "css_values", "figures", "import", "languages", "nearest", "themes", "widgets"] {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("\n[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        for heavy in ["tokio", "reqwest", "hyper", "axum", "leptos", "gloo-net"] {
            let names = dependencies.lines().map(|line| line.split(['.', ' ', '=']).next().unwrap_or_default());
            assert!(names.into_iter().all(|name| name != heavy), "`{name}` depends on {heavy}");
        }
        for (path, code) in product_code(&root().join(name).join("src")) {
            for name in [
                "std::fs",
                "fs::read",
                "fs::read_to_string",
                "fs::write",
                "File::open",
                "TcpStream",
                "TcpListener",
                "UdpSocket",
                "UnixStream",
                "env::var",
            ] {
                assert!(!has_name(&code, name), "`{path}` uses `{name}`");
            }
        }
    }
}
