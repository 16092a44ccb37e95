//! The folders of the server are layers: each imports only from those below it, and only the upper two know axum.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::modules::Modules;

/// The folders of `server/src`, from the lowest layer to the highest. Those of one layer do not know each other.
const LAYERS: [&[&str]; 9] = [
    &["platform"],
    &["settings"],
    &["http_client"],
    &["database"],
    &["store"],
    &["icons", "status"],
    &["access", "alerts", "found", "panels"],
    &["routes"],
    &["commands"],
];

/// The lowest layer that knows the framework for HTTP servers.
const ROUTES: usize = 7;

fn layer(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&folder))
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

pub fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn folders_import_only_from_those_below_them() {
    let modules = Modules::read(&source().join("lib.rs"));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (file, used) in modules.arrows(&source()) {
        let Some((folder, _)) = file.split_once('/') else { continue };
        let own = layer(folder).unwrap_or_else(|| panic!("`{folder}` has no place among the layers"));
        for (used, paths) in used {
            let Some((other, _)) = used.split_once('/').filter(|(other, _)| *other != folder) else { continue };
            seen += 1;
            if layer(other).is_some_and(|other| other >= own) {
                wrong.push(format!("{file} uses {used}: {paths:?}"));
            }
        }
    }
    for (file, path) in modules.paths() {
        let below = file.strip_prefix(source()).unwrap();
        let folder = below.iter().next().and_then(|folder| folder.to_str()).and_then(layer);
        let is_framework = ["axum", "axum_server", "leptos_axum"].contains(&path[0].as_str());
        if is_framework && folder.is_some_and(|folder| folder < ROUTES) {
            wrong.push(format!("{} uses `{}`", below.display(), path.join("::")));
        }
    }
    assert!(seen > 200, "too few uses were found: {seen}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_but_the_two_roots_lies_beside_the_folders() {
    let entries = fs::read_dir(source()).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    let mut names: Vec<String> = files.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["lib.rs", "main.rs"]);
}
