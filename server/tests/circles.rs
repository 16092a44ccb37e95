//! The modules at the top of each crate do not depend on each other in a circle, except in those that are listed here.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use crate::{
    architecture::root,
    layers::{files, references},
};

const CRATES: [&str; 15] = [
    "app",
    "color",
    "config",
    "config/derive",
    "css_values",
    "discovery",
    "figures",
    "frontend/dialogs",
    "frontend/editor",
    "import",
    "languages",
    "nearest",
    "server",
    "themes",
    "widgets",
];

/// The circles that are left. Do not add one; after removing one, delete its line.
const KNOWN: [(&str, &[&str]); 5] = [
    ("app", &["browser", "page"]),
    ("app", &["config_files", "editing", "importing"]),
    ("app", &["parts", "words"]),
    ("config", &["address", "dashboard", "document", "icon", "model", "viewer"]),
    ("frontend/editor", &["editor", "gestures", "page", "view"]),
];

/// What each module uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The arrows between the modules at the top of a crate, without those of its tests.
fn arrows(name: &str) -> Arrows {
    let source = root().join(name).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let modules = all.iter().map(|path| path.strip_prefix(&source).unwrap().with_extension(""));
    let modules: Vec<Vec<String>> =
        modules.map(|path: PathBuf| path.iter().map(|name| name.to_string_lossy().into_owned()).collect()).collect();
    let mut found = Arrows::new();
    for (path, module) in all.iter().zip(&modules) {
        let top = &module[0];
        if module.iter().any(|name| name == "tests") || matches!(top.as_str(), "lib" | "main") {
            continue;
        }
        let code = fs::read_to_string(path).unwrap();
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let mut module = module.clone();
        module.pop_if(|name| name == "mod");
        let known = |name: &String| name != top && modules.iter().any(|other| other[0] == *name);
        // A crate that is named like a module would count too; there is none.
        let ours = references(&module, code).into_iter().filter(known);
        found.entry(top.clone()).or_default().extend(ours);
    }
    found
}

/// All that can be reached from a module.
fn reached(arrows: &Arrows, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(module) = open.pop() {
        for next in arrows.get(&module).into_iter().flatten() {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// The largest sets of modules that all reach each other.
fn circles(arrows: &Arrows) -> BTreeSet<Vec<String>> {
    let all: BTreeMap<&String, BTreeSet<String>> =
        arrows.keys().map(|module| (module, reached(arrows, module))).collect();
    let mut found = BTreeSet::new();
    for (module, others) in &all {
        if others.contains(*module) {
            let members = others.iter().filter(|other| all.get(*other).is_some_and(|back| back.contains(*module)));
            found.insert(members.cloned().collect());
        }
    }
    found
}

#[test]
fn no_crate_has_a_new_circle_of_modules() {
    let mut found = BTreeSet::new();
    for name in CRATES {
        found.extend(circles(&arrows(name)).into_iter().map(|circle| (name.to_owned(), circle)));
    }
    let known = KNOWN.map(|(name, circle)| (name.to_owned(), circle.iter().map(|name| (*name).to_owned()).collect()));
    assert_eq!(found, BTreeSet::from(known));
}

#[test]
fn circles_are_found() {
    let arrow = |from: &str, to: &[&str]| (from.to_owned(), to.iter().map(|name| (*name).to_owned()).collect());
    let arrows = Arrows::from([arrow("a", &["b"]), arrow("b", &["c"]), arrow("c", &["a"]), arrow("d", &["a"])]);
    assert_eq!(circles(&arrows), BTreeSet::from([["a", "b", "c"].map(str::to_owned).to_vec()]));
    assert_eq!(circles(&Arrows::from([arrow("a", &["b"]), arrow("b", &[])])), BTreeSet::new());
}
