//! The report of an import: how much was carried over, and everything that was lost or changed.

use std::{
    collections::HashSet,
    fmt::{self, Display, Formatter},
};

use serde_json::Value;

use crate::Source;

/// What was carried over, and what was not.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Report {
    /// Where the files came from.
    pub source: Source,
    /// Number of sections.
    pub sections: usize,
    /// Number of items in all sections; a group of small tiles counts as one.
    pub items: usize,
    /// Number of widgets in all sections.
    pub widgets: usize,
    /// Everything that was lost or changed, in the order in which it was found.
    pub notes: Vec<Note>,
    known: HashSet<Note>,
    /// The notes that ask for an environment variable, each with its name.
    variables: Vec<(Note, String)>,
}

/// Something that was lost or changed.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Note {
    /// Where it was.
    pub place: SourceLocation,
    /// Whether it is missing now.
    pub effect: ImportEffect,
    /// What happened to what, as a sentence.
    pub text: String,
}

/// What happened to something.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ImportEffect {
    /// It is not in the new config.
    Lost,
    /// It is in the new config, but differs, or the user has to complete it.
    Changed,
}

/// Where something is in the files.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct SourceLocation {
    /// Name of the file; empty if the note is about all of them.
    pub file: String,
    /// Names of the groups and of the thing, from the outside in, such as `Media` and `Jellyfin`.
    pub path: Vec<String>,
}

/// The name of a text without a file name.
pub(crate) const PASTED: &str = "the pasted text";

impl SourceLocation {
    /// The top of a file.
    pub(crate) fn file(name: &str) -> Self {
        let name = if name.is_empty() { PASTED } else { name };
        Self { file: name.to_owned(), path: Vec::new() }
    }

    /// Something in this place.
    pub(crate) fn child(&self, name: &str) -> Self {
        let mut path = self.path.clone();
        path.push(shortened(name));
        Self { file: self.file.clone(), path }
    }
}

/// Names in places need only be recognizable.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 80;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let start: String = name.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}

impl Report {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            sections: 0,
            items: 0,
            widgets: 0,
            notes: Vec::new(),
            known: HashSet::new(),
            variables: Vec::new(),
        }
    }

    /// Notes that something is missing.
    pub(crate) fn lost(&mut self, place: &SourceLocation, text: impl Into<String>) {
        self.add(place, ImportEffect::Lost, text.into());
    }

    /// Notes that something differs.
    pub(crate) fn changed(&mut self, place: &SourceLocation, text: impl Into<String>) {
        self.add(place, ImportEffect::Changed, text.into());
    }

    /// Notes that an environment variable has to be set.
    pub(crate) fn needs_variable(&mut self, place: &SourceLocation, name: &str, text: String) {
        let note = Note { place: place.clone(), effect: ImportEffect::Changed, text };
        self.add(&note.place, note.effect, note.text.clone());
        self.variables.push((note, name.to_owned()));
    }

    /// Drops the notes about variables that the new config does not name: they were in comments, or in something that was
    /// not carried over.
    pub(crate) fn keep_variables_of(&mut self, yaml: &str) {
        let is_in_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let names: HashSet<&str> = yaml.split(|letter| !is_in_name(letter)).collect();
        let unused = self.variables.iter().filter(|(_, name)| !names.contains(name.as_str()));
        let unused: HashSet<&Note> = unused.map(|(note, _)| note).collect();
        self.notes.retain(|note| !unused.contains(note));
    }

    /// Notes something that is not about one place.
    pub(crate) fn changed_everywhere(&mut self, text: impl Into<String>) {
        self.add(&SourceLocation::default(), ImportEffect::Changed, text.into());
    }

    fn add(&mut self, place: &SourceLocation, effect: ImportEffect, text: String) {
        let note = Note { place: place.clone(), effect, text };
        if self.known.insert(note.clone()) {
            self.notes.push(note);
        }
    }

    /// Counts what is in the sections.
    pub(crate) fn count(&mut self, sections: &[Value]) {
        let count = |key: &str| {
            sections.iter().filter_map(|section| section.get(key)).filter_map(Value::as_array).map(Vec::len).sum()
        };
        self.sections = sections.len();
        self.items = count("items");
        self.widgets = count("widgets");
    }

    /// The counts as a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        format!(
            "Imported from {}: {}, {}, {}.",
            self.source.title(),
            count(self.sections, "section"),
            count(self.items, "item"),
            count(self.widgets, "widget")
        )
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary())?;
        for (effect, heading) in
            [(ImportEffect::Lost, "Not carried over"), (ImportEffect::Changed, "Changed, or left for you to do")]
        {
            let mut notes = self.notes.iter().filter(|note| note.effect == effect).peekable();
            if notes.peek().is_some() {
                writeln!(f, "\n{heading}:")?;
            }
            for note in notes {
                writeln!(f, "- {note}")?;
            }
        }
        Ok(())
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        if place.is_empty() { write!(f, "{}", self.text) } else { write!(f, "{place}: {}", self.text) }
    }
}

impl Display for SourceLocation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let path = self.path.join(" / ");
        match (self.file.as_str(), path.as_str()) {
            (file, "") => f.write_str(file),
            ("", path) => f.write_str(path),
            (file, path) => write!(f, "{file}, {path}"),
        }
    }
}
