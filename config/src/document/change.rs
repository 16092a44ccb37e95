//! Changes that can be undone: what the editor in the page does to a document.
//!
//! Each change gives the change that takes it back, so a list of them is a history. What a change does not name stays as
//! it is, unknown keys and the order of keys included.

use serde_json::Value;

use super::{Document, EditError};

/// The way to a value: keys of mappings and positions in lists, from the top of the document.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place(Vec<Step>);

/// One step of a [`Place`].
#[derive(Clone, Debug, Eq, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

/// A change of a document that can be taken back.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Another value in the place of one that is there.
    Replace {
        /// Where it is.
        at: Place,
        /// What is there afterwards.
        value: Value,
    },
    /// A further element of a list.
    Insert {
        /// The list.
        list: Place,
        /// The position of the element afterwards; the list may end there.
        index: usize,
        /// The element.
        value: Value,
    },
    /// An element of a list less.
    Remove {
        /// The list.
        list: Place,
        /// The position of the element.
        index: usize,
    },
}

impl Place {
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

    /// The value of a key of the mapping here.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.0.push(Step::Key(key.to_owned()));
        self
    }

    /// An element of the list here.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Step::Index(index));
        self
    }

    /// As a JSON pointer, which is how a [`crate::Problem`] says where it is.
    #[must_use]
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            match step {
                Step::Key(key) => crate::problem::push_step(&mut pointer, key),
                Step::Index(index) => crate::problem::push_step(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }
}

impl Document {
    /// The value at a place.
    #[must_use]
    pub fn at(&self, place: &Place) -> Option<&Value> {
        place.0.iter().try_fold(&self.value, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.get(index),
        })
    }

    /// Makes a change and gives the one that takes it back.
    ///
    /// # Errors
    /// There is nothing at the place of the change, or no list where it needs one. The document is as it was.
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

    /// Makes several changes, one after the other, and gives those that take them back, in the order in which to make
    /// them.
    ///
    /// # Errors
    /// As for [`Document::apply`]; none of the changes is made then.
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

    fn at_mut(&mut self, place: &Place) -> Result<&mut Value, EditError> {
        let found = place.0.iter().try_fold(&mut self.value, |value, step| match step {
            Step::Key(key) => value.get_mut(key),
            Step::Index(index) => value.get_mut(index),
        });
        found.ok_or_else(|| nothing_at(place))
    }

    fn list_mut(&mut self, place: &Place) -> Result<&mut Vec<Value>, EditError> {
        let what = || EditError::NotAList { what: format!("`{}`", place.pointer()) };
        self.at_mut(place)?.as_array_mut().ok_or_else(what)
    }
}

fn nothing_at(place: &Place) -> EditError {
    EditError::NothingThere { place: place.pointer() }
}
