//! Changes that can be undone: what the editor in the page does to a document.
//!
//! Applying a change returns the change that undoes it, so a list of them is a history. Everything that a change does
//! not name stays as it is, including unknown keys and the order of keys.

use serde_json::Value;

use super::{Document, EditError};

/// The path to a value: keys of mappings and positions in lists, from the top of the document.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ValuePath(Vec<PathSegment>);

/// One step of a [`ValuePath`].
#[derive(Clone, Debug, Eq, PartialEq)]
enum PathSegment {
    Key(String),
    Index(usize),
}

/// A change of a document that can be undone.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Replaces an existing value.
    Replace {
        /// The place of the value.
        at: ValuePath,
        /// The new value.
        value: Value,
    },
    /// Inserts an element into a list.
    Insert {
        /// The list.
        list: ValuePath,
        /// The position of the new element; may be the length of the list.
        index: usize,
        /// The element.
        value: Value,
    },
    /// Removes an element from a list.
    Remove {
        /// The list.
        list: ValuePath,
        /// The position of the element.
        index: usize,
    },
}

impl ValuePath {
    /// The top of the document.
    #[must_use]
    pub fn top() -> Self {
        Self::default()
    }

    /// The place of a section.
    #[must_use]
    pub fn section(index: usize) -> Self {
        Self::top().key("sections").index(index)
    }

    /// The place of a key's value in the mapping here.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.0.push(PathSegment::Key(key.to_owned()));
        self
    }

    /// The place of an element of the list here.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(PathSegment::Index(index));
        self
    }

    /// The place as a JSON pointer, as in the path of a [`crate::Problem`].
    #[must_use]
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            match step {
                PathSegment::Key(key) => crate::problem::push_step(&mut pointer, key),
                PathSegment::Index(index) => crate::problem::push_step(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }
}

impl Document {
    /// The value at a place.
    #[must_use]
    pub fn at(&self, place: &ValuePath) -> Option<&Value> {
        place.0.iter().try_fold(&self.value, |value, step| match step {
            PathSegment::Key(key) => value.get(key),
            PathSegment::Index(index) => value.get(index),
        })
    }

    /// Makes a change and returns the change that undoes it.
    ///
    /// # Errors
    /// There is nothing at the place of the change, or not a list where one is needed. The document is unchanged then.
    pub fn apply(&mut self, change: Change) -> Result<Change, EditError> {
        let inverse = match change {
            Change::Replace { at, value } => {
                let old = std::mem::replace(self.at_mut(&at)?, value);
                Change::Replace { at, value: old }
            }
            Change::Insert { list, index, value } => {
                let elements = self.list_mut(&list)?;
                if index > elements.len() {
                    return Err(nothing_at(&list));
                }
                elements.insert(index, value);
                Change::Remove { list, index }
            }
            Change::Remove { list, index } => {
                let elements = self.list_mut(&list)?;
                if index >= elements.len() {
                    return Err(nothing_at(&list));
                }
                let value = elements.remove(index);
                Change::Insert { list, index, value }
            }
        };
        self.source = None;
        Ok(inverse)
    }

    /// Makes several changes in order, and returns those that undo them, in the order in which to apply them.
    ///
    /// # Errors
    /// As for [`Document::apply`]; then none of the changes is made.
    pub fn apply_all(&mut self, changes: Vec<Change>) -> Result<Vec<Change>, EditError> {
        let source = self.source.clone();
        let mut inverse = Vec::with_capacity(changes.len());
        for change in changes {
            match self.apply(change) {
                Ok(back) => inverse.push(back),
                Err(error) => {
                    for back in inverse.into_iter().rev() {
                        self.apply(back)?;
                    }
                    self.source = source;
                    return Err(error);
                }
            }
        }
        inverse.reverse();
        Ok(inverse)
    }

    /// Prints scalars as the text of another document spells them, too, of which something is to be inserted here.
    pub fn adopt_spellings(&mut self, other: &Self) {
        self.spellings.extend(&other.spellings);
    }

    fn at_mut(&mut self, place: &ValuePath) -> Result<&mut Value, EditError> {
        let found = place.0.iter().try_fold(&mut self.value, |value, step| match step {
            PathSegment::Key(key) => value.get_mut(key),
            PathSegment::Index(index) => value.get_mut(index),
        });
        found.ok_or_else(|| nothing_at(place))
    }

    fn list_mut(&mut self, place: &ValuePath) -> Result<&mut Vec<Value>, EditError> {
        let what = || EditError::NotAList { what: format!("`{}`", place.pointer()) };
        self.at_mut(place)?.as_array_mut().ok_or_else(what)
    }
}

fn nothing_at(place: &ValuePath) -> EditError {
    EditError::NothingThere { place: place.pointer() }
}
