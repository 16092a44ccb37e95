//! Files that include others. Their lines are inserted before anything is parsed, as Glance does it: a file may be only a
//! part of a list, and use the anchors of another one.

use std::collections::HashSet;

use crate::{
    ImportError, MAX_BYTES, SourceFile,
    report::{Report, SourceLocation},
    variables,
};

/// Maximum nesting of inclusions, the same as Glance allows.
const MAX_DEPTH: usize = 20;

/// The files that can be included.
pub struct Inclusion<'a> {
    files: &'a [SourceFile],
    used: HashSet<&'a str>,
    missing: Vec<String>,
    /// The file that includes the others, directly or not.
    main: SourceLocation,
    /// Bytes that may still be inserted: files may include others many times.
    left: usize,
}

impl<'a> Inclusion<'a> {
    /// These files, of which none is included yet.
    pub fn new(files: &'a [SourceFile]) -> Self {
        Self { files, used: HashSet::new(), missing: Vec::new(), main: SourceLocation::default(), left: MAX_BYTES }
    }

    /// The text of a file with our names of variables and with the files that it includes. A missing file is noted.
    pub fn expand(&mut self, main: &SourceFile, report: &mut Report) -> String {
        let place = SourceLocation::file(&main.name);
        let text = variables::of_glance(&main.text, &place, report);
        let mut result = String::with_capacity(text.len());
        self.main = place;
        self.insert(&main.name, &text, "", 0, &mut result, report);
        result
    }

    /// The first file that is missing.
    pub fn missing(&self) -> Option<&str> {
        self.missing.first().map(String::as_str)
    }

    /// The error with a hint that its position counts the inserted lines.
    pub fn explain(&self, error: ImportError) -> ImportError {
        match error {
            ImportError::Unreadable { file, reason } if !self.used.is_empty() => {
                ImportError::Unreadable { file: format!("{file} with the files that it includes"), reason }
            }
            other => other,
        }
    }

    /// Notes the files that nothing included.
    pub fn finish(&self, main: &SourceFile, report: &mut Report) {
        let is_unused = |file: &&SourceFile| file.name != main.name && !self.used.contains(file.name.as_str());
        for file in self.files.iter().filter(is_unused).filter(|file| !file.text.trim().is_empty()) {
            report.lost(&SourceLocation::file(&file.name), "no other file includes it");
        }
    }

    /// Appends the lines of a file, and those of the files that they include, with an indentation.
    fn insert(
        &mut self,
        name: &str,
        text: &str,
        indentation: &str,
        depth: usize,
        result: &mut String,
        report: &mut Report,
    ) {
        for line in text.lines() {
            if let Some((inner, path)) = included(line) {
                let indentation = format!("{indentation}{inner}");
                self.include(name, path, &indentation, depth + 1, result, report);
            } else if depth == 0 || line.trim_end() != "---" {
                result.push_str(indentation);
                result.push_str(line);
                result.push('\n');
            }
        }
    }

    fn include(
        &mut self,
        includer: &str,
        path: &str,
        indentation: &str,
        depth: usize,
        result: &mut String,
        report: &mut Report,
    ) {
        let files = self.files;
        let named = |name: &String| files.iter().find(|file| file.name == *name);
        let Some(file) = candidates(includer, path).iter().find_map(named) else {
            self.missing.push(path.to_owned());
            report.lost(&self.main, format!("the included file `{path}`; import it together with this one"));
            return;
        };
        self.used.insert(&file.name);
        let text = file.text.trim_start_matches('\u{feff}');
        let text = variables::of_glance(text, &SourceLocation::file(&file.name), report);
        let bytes = text.len() + text.lines().count() * indentation.len();
        if depth > MAX_DEPTH || bytes > self.left {
            report.lost(&self.main, format!("`{path}`: files include each other too often"));
            return;
        }
        self.left -= bytes;
        self.insert(&file.name, &text, indentation, depth, result, report);
    }
}

/// The paths of the files that a text includes.
pub fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(included).map(|(_, path)| path)
}

/// The paths at which an included file may be, relative to the folder of the main file, the best first. A path is
/// relative to the file that includes it. An absolute one may be that of a container, whose last folders are the same
/// here. Files that were uploaded have no folders at all.
pub fn candidates(includer: &str, path: &str) -> Vec<String> {
    let folder = includer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = if path.starts_with('/') { vec![path.to_owned()] } else { vec![joined(folder, path)] };
    let mut rest = joined("", path.trim_start_matches('/'));
    loop {
        if !found.contains(&rest) {
            found.push(rest.clone());
        }
        match rest.split_once('/') {
            Some((_, shorter)) => rest = shorter.to_owned(),
            None => return found,
        }
    }
}

/// A path below a folder, without `.` and, as far as possible, `..`.
fn joined(folder: &str, path: &str) -> String {
    let mut steps = Vec::new();
    for step in folder.split('/').chain(path.split('/')) {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => _ = steps.pop(),
            step => steps.push(step),
        }
    }
    let root = if folder.starts_with('/') { "/" } else { "" };
    format!("{root}{}", steps.join("/"))
}

/// The indentation of a line that includes a file, and the path of the file. A dash before it means nothing.
pub fn included(line: &str) -> Option<(&str, &str)> {
    let blank = [' ', '\t'];
    let rest = line.trim_start_matches(blank);
    let indentation = &line[..line.len() - rest.len()];
    let rest = rest.strip_prefix('-').unwrap_or(rest).trim_start_matches(blank);
    let path = rest.strip_prefix("$include:").or_else(|| rest.strip_prefix("!include:"))?;
    let path = path.split(" #").next().unwrap_or(path).trim().trim_matches(['"', '\'']);
    (!path.is_empty()).then_some((indentation, path))
}
