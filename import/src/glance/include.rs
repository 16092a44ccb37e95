//! Files that include others.

use serde_json::Value;

use crate::{
    MAX_BYTES,
    report::{Report, SourceLocation},
};

/// Maximum nesting of inclusions, the same as Glance allows.
const MAX_DEPTH: usize = 20;

/// The files that can be included.
pub struct Files {
    files: Vec<File>,
    /// Bytes that may still be included: files may include others many times.
    left: usize,
}

struct File {
    name: String,
    bytes: usize,
    value: Value,
    used: bool,
}

impl Files {
    /// These files: their names, sizes and values.
    pub fn new(files: Vec<(String, usize, Value)>) -> Self {
        let files = files.into_iter().map(|(name, bytes, value)| File { name, bytes, value, used: false });
        Self { files: files.collect(), left: MAX_BYTES }
    }

    /// The value with its included files inserted. A missing file is noted.
    pub fn include(&mut self, value: Value, place: &SourceLocation, report: &mut Report) -> Value {
        self.at_depth(value, 0, place, report)
    }

    /// The files that nothing included.
    pub fn unused(&self) -> Vec<String> {
        self.files.iter().filter(|file| !file.used).map(|file| file.name.clone()).collect()
    }

    fn at_depth(&mut self, value: Value, depth: usize, place: &SourceLocation, report: &mut Report) -> Value {
        match value {
            Value::Array(list) => {
                let mut result = Vec::with_capacity(list.len());
                for element in list {
                    let is_include = element.get("$include").is_some();
                    match self.at_depth(element, depth, place, report) {
                        // The lines of a file with a list become elements of this list.
                        Value::Array(inner) if is_include => result.extend(inner),
                        Value::Null if is_include => {}
                        element => result.push(element),
                    }
                }
                Value::Array(result)
            }
            Value::Object(mut mapping) => match mapping.get("$include").and_then(Value::as_str).map(str::to_owned) {
                Some(path) => self.file(&path, depth, place, report),
                None => {
                    for value in mapping.values_mut() {
                        *value = self.at_depth(value.take(), depth, place, report);
                    }
                    Value::Object(mapping)
                }
            },
            other => other,
        }
    }

    fn file(&mut self, path: &str, depth: usize, place: &SourceLocation, report: &mut Report) -> Value {
        let name = path.rsplit('/').next().unwrap_or(path);
        let found = self.files.iter_mut().find(|file| file.name == name);
        match found {
            Some(file) if depth < MAX_DEPTH && file.bytes <= self.left => {
                file.used = true;
                self.left -= file.bytes;
                let value = file.value.clone();
                self.at_depth(value, depth + 1, place, report)
            }
            Some(_) => {
                report.lost(place, format!("`{path}`: files include each other too often"));
                Value::Null
            }
            None => {
                report.lost(place, format!("the included file `{path}`; import it together with this one"));
                Value::Null
            }
        }
    }
}
