//! No modules of a crate depend on each other in a circle. A module is a file here.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::{
    architecture::{quoted, root},
    modules::{Arrows, Modules},
};

/// The circles that are left: the crate, the folder of its files, and how many they are. Do not add one; after making one smaller,
/// write the new number.
const LEFT: [(&str, &str, usize); 1] = [("server", "routes", 77)];

/// The folders of all crates of the workspace.
fn crates() -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.lines().find(|line| line.starts_with("members = ")).unwrap().replace('"', "`");
    quoted(&members).into_iter().map(str::to_owned).collect()
}

/// The sets of files that all reach each other.
fn circles(arrows: &Arrows) -> BTreeSet<Vec<String>> {
    let all: BTreeMap<&String, BTreeSet<&String>> = arrows.keys().map(|file| (file, reached(arrows, file))).collect();
    let in_circle = all.iter().filter(|(file, reached)| reached.contains(**file));
    let members = |(file, reached): (&&String, &BTreeSet<&String>)| {
        let back = reached.iter().filter(|other| all.get(**other).is_some_and(|reached| reached.contains(*file)));
        back.map(|other| (*other).clone()).collect()
    };
    in_circle.map(members).collect()
}

/// All files that can be reached from one.
fn reached<'a>(arrows: &'a Arrows, from: &'a String) -> BTreeSet<&'a String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        open.extend(arrows.get(file).into_iter().flat_map(|used| used.keys()).filter(|used| found.insert(*used)));
    }
    found
}

/// The arrows of a circle, for the message.
fn described(arrows: &Arrows, circle: &[String]) -> Vec<String> {
    let within = |file: &String| {
        let used = arrows[file].iter().filter(|(used, _)| circle.contains(used));
        used.map(|(used, paths)| format!("{file} uses {used}: {paths:?}")).collect::<Vec<_>>()
    };
    circle.iter().flat_map(within).collect()
}

#[test]
fn no_crate_has_a_new_circle_of_modules() {
    let (mut files, mut left) = (0, Vec::new());
    for name in crates() {
        let source = root().join(&name).join("src");
        let arrows = Modules::read(&source.join("lib.rs")).arrows(&source);
        files += arrows.len();
        for circle in circles(&arrows) {
            let folder = circle[0].split('/').next().unwrap();
            let is_left = LEFT.contains(&(name.as_str(), folder, circle.len()));
            assert!(
                is_left && circle.iter().all(|file| file.starts_with(folder)),
                "a circle of {} files in {name}: {:#?}",
                circle.len(),
                described(&arrows, &circle)
            );
            left.push((name.clone(), folder.to_owned(), circle.len()));
        }
    }
    assert!(files > 1000, "only {files} files were read");
    assert_eq!(left, LEFT.map(|(name, folder, count)| (name.to_owned(), folder.to_owned(), count)));
}

#[test]
fn circles_are_found() {
    let arrow = |from: &str, to: &[&str]| {
        (from.to_owned(), to.iter().map(|name| ((*name).to_owned(), BTreeSet::new())).collect())
    };
    let arrows = Arrows::from([arrow("a", &["b"]), arrow("b", &["c"]), arrow("c", &["a"]), arrow("d", &["a"])]);
    assert_eq!(circles(&arrows), BTreeSet::from([["a", "b", "c"].map(str::to_owned).to_vec()]));
    assert_eq!(circles(&Arrows::from([arrow("a", &["b"]), arrow("b", &[])])), BTreeSet::new());
}
