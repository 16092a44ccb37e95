//! Reading the options of an entry, and checking them.

use serde_json::{Map, Value, json};

use super::Kind;
use crate::{
    Entry, OptionProblems, Widget,
    deserialize::{self, ShapeError},
};

/// The options of an entry as a widget. Blank texts count as not set, like null, because forms leave them behind. If an
/// option is given under several names, the first counts, and the others are noted.
///
/// # Errors
///
/// A sentence with the name of the option that cannot be read.
pub(crate) fn read<W: Widget>(kind: Kind, entry: &Entry, problems: &mut OptionProblems) -> Result<W, String> {
    let options = WrittenOptions::of(entry, W::SYNONYMS, problems);
    // Everything but these two lines is compiled once for all widgets.
    deserialize::from_value(&Value::Object(options.known.clone()))
        .map_err(|error| options.problem(kind, &error, &|alone| deserialize::from_value::<W>(&alone).is_err()))
}

/// The options of an entry under the names that its widget knows.
struct WrittenOptions {
    known: Map<String, Value>,
    /// The renamed ones, as written and as known.
    renamed: Vec<(&'static str, &'static str)>,
}

impl WrittenOptions {
    fn of(entry: &Entry, synonyms: &[(&'static str, &'static str)], problems: &mut OptionProblems) -> Self {
        let is_written = |value: &Value| value.as_str().is_none_or(|text| !text.trim().is_empty());
        let written = entry.options.iter().filter(|(_, value)| is_written(value));
        let mut known: Map<String, Value> = written.map(|(name, value)| (name.clone(), value.clone())).collect();
        let renamed = rename_synonyms(synonyms, &mut known, problems);
        Self { known, renamed }
    }

    /// What is wrong with them, as a sentence. `fails` says whether options cannot be read.
    fn problem(&self, kind: Kind, error: &ShapeError, fails: &dyn Fn(Value) -> bool) -> String {
        let path = error.path.to_string();
        let reason = &error.reason;
        // The error does not say which option of a flattened struct it is about, so try each option alone.
        let is_wrong = |name: &&String| fails(json!({ name.as_str(): self.known[name.as_str()] }));
        let culprit = match path.as_str() {
            "" => self.known.keys().find(is_wrong),
            _ => Some(&path),
        };
        let as_written = |name: &str| {
            self.renamed.iter().find(|(_, meant)| *meant == name).map_or(name, |(written, _)| written).to_owned()
        };
        // Messages of our own types continue a sentence; others are complete.
        match (culprit, reason.starts_with("must ")) {
            (None, _) => format!("The options cannot be read: {reason}."),
            (Some(name), true) => {
                let example = kind.example(name).map(|example| format!(", for example {example}")).unwrap_or_default();
                format!("{} {reason}{example}.", as_written(name))
            }
            (Some(name), false) => format!("{} cannot be read: {reason}.", as_written(name)),
        }
    }
}

/// Renames options to the names that the widget knows, and returns the renamed ones, as written and as known.
fn rename_synonyms(
    synonyms: &[(&'static str, &'static str)],
    options: &mut Map<String, Value>,
    problems: &mut OptionProblems,
) -> Vec<(&'static str, &'static str)> {
    let mut renamed: Vec<(&str, &str)> = Vec::new();
    for (synonym, name) in synonyms.iter().copied() {
        let Some(value) = options.remove(synonym) else { continue };
        if options.contains_key(name) {
            let counts = renamed.iter().find(|(_, known)| *known == name).map_or(name, |(written, _)| written);
            problems.note(format!("{synonym} means the same as {counts}, which is also set and takes precedence."));
        } else {
            options.insert(name.to_owned(), value);
            renamed.push((synonym, name));
        }
    }
    renamed
}

/// Reports what is wrong with the options of a widget, with an example for each that is missing.
pub(crate) fn check<W: Widget>(kind: Kind, widget: &W, entry: &Entry, problems: &mut OptionProblems) {
    widget.check(entry, problems);
    problems.add_examples(|option| kind.example_in_sentence(option));
}
