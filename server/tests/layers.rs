//! The folders of the server are layers: each imports only from those below it, and only the upper two know axum.

use std::{
    fs,
    path::{Path, PathBuf},
};

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

/// The code of a Rust file as words and signs: without comments, texts and characters.
fn tokens(code: &str) -> Vec<String> {
    let chars: Vec<char> = code.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let mut found = Vec::new();
    let mut index = 0;
    while index < chars.len() {
        let char = at(index);
        if char == '/' && at(index + 1) == '/' {
            while index < chars.len() && at(index) != '\n' {
                index += 1;
            }
        } else if char == '/' && at(index + 1) == '*' {
            let mut depth = 0;
            loop {
                match (at(index), at(index + 1)) {
                    ('/', '*') => (depth, index) = (depth + 1, index + 2),
                    ('*', '/') => (depth, index) = (depth - 1, index + 2),
                    _ => index += 1,
                }
                if depth == 0 || index >= chars.len() {
                    break;
                }
            }
        } else if char == '"' {
            index = after_text(&chars, index);
        } else if char == '\'' {
            // A character, or a lifetime, which has no second quote.
            if at(index + 1) == '\\' {
                index += 3;
                while index < chars.len() && at(index) != '\'' {
                    index += 1;
                }
                index += 1;
            } else if at(index + 2) == '\'' {
                index += 3;
            } else {
                index += 1;
            }
        } else if char.is_alphanumeric() || char == '_' {
            let start = index;
            while at(index).is_alphanumeric() || at(index) == '_' {
                index += 1;
            }
            let word: String = chars[start..index].iter().collect();
            let hashes = (index..chars.len()).take_while(|index| chars[*index] == '#').count();
            if matches!(word.as_str(), "r" | "br" | "cr") && at(index + hashes) == '"' {
                let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                index += hashes + 1;
                while index < chars.len() && !chars[index..].starts_with(&end) {
                    index += 1;
                }
                index += end.len();
            } else {
                found.push(word);
            }
        } else if char == ':' && at(index + 1) == ':' {
            found.push("::".to_owned());
            index += 2;
        } else {
            if !char.is_whitespace() {
                found.push(char.to_string());
            }
            index += 1;
        }
    }
    found
}

/// The index after the text that begins with a quote at `index`.
fn after_text(chars: &[char], mut index: usize) -> usize {
    index += 1;
    while index < chars.len() && chars[index] != '"' {
        index += if chars[index] == '\\' { 2 } else { 1 };
    }
    index + 1
}

/// The folders that code of a module refers to by paths, in `use` and elsewhere. `module` is its path from the root of
/// the crate; external crates that are named at the beginning of a path come along.
pub fn references(module: &[String], code: &str) -> Vec<String> {
    let tokens = tokens(code);
    let word = |index: usize| tokens.get(index).map_or("", String::as_str);
    let mut found = Vec::new();
    // For each open brace, whether it is that of a module inside of the file.
    let mut braces: Vec<bool> = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        match word(index) {
            "{" => braces.push(index >= 2 && word(index - 2) == "mod"),
            "}" => _ = braces.pop(),
            "crate" | "super" | "self" if word(index.wrapping_sub(1)) != "::" => {
                let inner = braces.iter().filter(|is_module| **is_module).count();
                let mut above = 0;
                let mut next = index;
                let is_root = word(index) == "crate";
                if !is_root {
                    while matches!(word(next), "super" | "self") && word(next + 1) == "::" {
                        above += usize::from(word(next) == "super");
                        next += 2;
                    }
                } else if word(next + 1) == "::" {
                    next += 2;
                }
                if is_root && next > index || !is_root && above >= module.len() + inner && above > 0 {
                    found.extend(firsts(&tokens[next..]));
                }
            }
            name if word(index + 1) == "::" && word(index.wrapping_sub(1)) != "::" => {
                found.push(name.to_owned());
            }
            _ => {}
        }
        index += 1;
    }
    found
}

/// The first names of a path, or of all paths of a group.
fn firsts(tokens: &[String]) -> Vec<String> {
    let Some(first) = tokens.first() else { return Vec::new() };
    if first != "{" {
        return vec![first.clone()];
    }
    let mut found = Vec::new();
    let mut depth = 0;
    for pair in tokens.windows(2) {
        match pair[0].as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && matches!(pair[0].as_str(), "{" | ",") && pair[1] != "}" {
            found.push(pair[1].clone());
        }
    }
    found
}

#[test]
fn folders_import_only_from_those_below_them() {
    let mut all = Vec::new();
    files(&source(), &mut all);
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in &all {
        let below = path.strip_prefix(source()).unwrap().with_extension("");
        let mut module: Vec<String> = below.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if module.len() == 1 {
            continue;
        }
        module.pop_if(|name| name == "mod");
        let folder = module[0].clone();
        let own = layer(&folder).unwrap_or_else(|| panic!("`{folder}` has no place among the layers"));
        for name in references(&module, &fs::read_to_string(path).unwrap()) {
            let is_framework = matches!(name.as_str(), "axum" | "axum_server" | "leptos_axum") && own < ROUTES;
            let is_above = name != folder && layer(&name).is_some_and(|other| other >= own);
            seen += usize::from(layer(&name).is_some());
            if is_framework || is_above {
                wrong.push(format!("{} names `{name}`", below.display()));
            }
        }
    }
    assert!(seen > 200, "too few paths were found: {seen}");
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

#[test]
fn the_reader_of_paths_is_not_fooled() {
    let of = |module: &str, code: &str| {
        let module: Vec<String> = module.split("::").map(str::to_owned).collect();
        let mut names = references(&module, code);
        names.retain(|name| layer(name).is_some());
        names.sort();
        names.dedup();
        names.join(" ")
    };
    for (module, code, expected) in [
        ("store", "use crate::panels::WidgetPlans;", "panels"),
        ("store", "use crate::{access::AccessControl, icons, routes::{self, panels as x}};", "access icons routes"),
        ("store", "fn f() { crate::routes::files::any() }", "routes"),
        ("store", "pub(crate) use crate::routes;", "routes"),
        ("store", "pub(crate) fn f() {}", ""),
        ("store", "use super::routes::files;", "routes"),
        ("store::read", "use super::super::routes;", "routes"),
        ("store::read", "use super::routes::x;", ""),
        ("store", "mod tests { use super::super::routes::x; }", "routes"),
        ("store", "mod routes; use self::routes::x;", ""),
        ("store", "// use crate::routes;\n/* a /* use crate::routes; */ crate::routes */", ""),
        ("store", "const A: &str = \"use crate::routes;\"; const B: &str = r#\"\"crate::routes\"#;", ""),
        ("store", "const A: char = '\"'; use crate::routes; const B: char = '\\'';", "routes"),
        ("store", "fn f<'a>(x: &'a str) -> &'a str { crate::routes::g(x) }", "routes"),
    ] {
        assert_eq!(of(module, code), expected, "{module}: {code}");
    }
}
