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
    /// Bytes that may still be inserted: files may include others many times.
    left: usize,
}

impl<'a> Inclusion<'a> {
    /// These files, of which none is included yet.
    pub fn new(files: &'a [SourceFile]) -> Self {
        Self { files, used: HashSet::new(), missing: Vec::new(), left: MAX_BYTES }
    }

    /// The text of a file with our names of variables and with the files that it includes. A missing file is noted.
    pub fn expand(&mut self, main: &SourceFile, report: &mut Report) -> String {
        let place = SourceLocation::file(&main.name);
        let text = variables::of_glance(&main.text, &place, report);
        let mut result = String::with_capacity(text.len());
        self.insert(&text, "", 0, &place, &mut result, report);
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

    /// Appends lines, and those of the files that they include, with an indentation.
    fn insert(
        &mut self,
        text: &str,
        indentation: &str,
        depth: usize,
        main: &SourceLocation,
        result: &mut String,
        report: &mut Report,
    ) {
        for line in text.lines() {
            if let Some((inner, path)) = included(line) {
                let indentation = format!("{indentation}{inner}");
                self.include(path, &indentation, depth + 1, main, result, report);
            } else if depth == 0 || line.trim_end() != "---" {
                result.push_str(indentation);
                result.push_str(line);
                result.push('\n');
            }
        }
    }

    fn include(
        &mut self,
        path: &str,
        indentation: &str,
        depth: usize,
        main: &SourceLocation,
        result: &mut String,
        report: &mut Report,
    ) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some(file) = self.files.iter().find(|file| file.name == name) else {
            self.missing.push(path.to_owned());
            report.lost(main, format!("the included file `{path}`; import it together with this one"));
            return;
        };
        self.used.insert(&file.name);
        let text = file.text.trim_start_matches('\u{feff}');
        let text = variables::of_glance(text, &SourceLocation::file(name), report);
        let bytes = text.len() + text.lines().count() * indentation.len();
        if depth > MAX_DEPTH || bytes > self.left {
            report.lost(main, format!("`{path}`: files include each other too often"));
            return;
        }
        self.left -= bytes;
        self.insert(&text, indentation, depth, main, result, report);
    }
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
