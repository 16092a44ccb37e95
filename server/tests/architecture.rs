//! The paths and tests in `ARCHITECTURE.md` and `CONTRIBUTING.md` exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The texts between backticks.
fn quoted(text: &str) -> Vec<&str> {
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

#[test]
fn the_lower_crates_do_no_io() {
    for name in ["config", "css_values", "import", "languages", "themes", "widgets"] {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("\n[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        for heavy in ["tokio", "reqwest", "hyper", "axum", "leptos", "gloo-net"] {
            let names = dependencies.lines().map(|line| line.split(['.', ' ', '=']).next().unwrap_or_default());
            assert!(names.into_iter().all(|name| name != heavy), "`{name}` depends on {heavy}");
        }
    }
}
