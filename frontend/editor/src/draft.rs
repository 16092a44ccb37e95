//! The draft: a document with its history.

use config::{Change, Document, EditError, ValuePath};

use crate::edits::Edit;

/// The most steps that can be undone.
const MAX_STEPS: usize = 200;

/// A document that is being edited.
#[derive(Clone, Debug)]
pub struct Draft {
    document: Document,
    /// The text as a person wrote it, if nothing has changed since; otherwise the document is printed.
    written: Option<String>,
    done: Vec<Step>,
    undone: Vec<Step>,
}

/// A step of the history, with the changes that reverse it.
#[derive(Clone, Debug)]
struct Step {
    label: String,
    changes: Vec<Change>,
    /// The text as a person wrote it, for the state that the step leads back to.
    written: Option<String>,
}

impl Draft {
    /// A draft without changes.
    #[must_use]
    pub fn new(document: Document) -> Self {
        let written = document.text_as_read().map(str::to_owned);
        Self { document, written, done: Vec::new(), undone: Vec::new() }
    }

    /// The current document.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The text of the draft: as a person wrote it, with comments, or printed if it has changed since.
    #[must_use]
    pub fn text(&self) -> String {
        self.written.clone().unwrap_or_else(|| self.document.print())
    }

    /// Whether the text is as a person wrote it, so that saving loses no comments.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.written.is_some()
    }

    /// Applies an edit, as one step of the history.
    ///
    /// # Errors
    ///
    /// The edit does not fit the document, which stays unchanged.
    pub fn apply(&mut self, edit: Edit) -> Result<(), EditError> {
        let changes = self.document.apply_all(edit.changes)?;
        self.undone.clear();
        if self.done.len() == MAX_STEPS {
            self.done.remove(0);
        }
        self.done.push(Step { label: edit.label, changes, written: self.written.take() });
        Ok(())
    }

    /// Replaces the document, and with it the written text, as one step of the history.
    pub fn replace_with(&mut self, document: &Document, label: String) {
        let change = Change::Replace { at: ValuePath::top(), value: document.value().clone() };
        // Replacing the top level always fits.
        _ = self.apply(Edit { label, changes: vec![change], spot: None });
        self.written = document.text_as_read().map(str::to_owned);
    }

    /// A copy of the document with changes, for a preview.
    ///
    /// # Errors
    ///
    /// The changes do not fit the document.
    pub fn with(&self, changes: Vec<Change>) -> Result<Document, EditError> {
        let mut document = self.document.clone();
        document.apply_all(changes)?;
        Ok(document)
    }

    /// Undoes the last step. Returns its label.
    pub fn undo(&mut self) -> Option<String> {
        let step = self.done.pop()?;
        self.reverse(step, |draft| &mut draft.undone)
    }

    /// Redoes the step that was undone last. Returns its label.
    pub fn redo(&mut self) -> Option<String> {
        let step = self.undone.pop()?;
        self.reverse(step, |draft| &mut draft.done)
    }

    /// Reverses a step, and keeps its reverse on the other stack.
    fn reverse(&mut self, step: Step, other: impl Fn(&mut Self) -> &mut Vec<Step>) -> Option<String> {
        let changes = self.document.apply_all(step.changes).ok()?;
        let label = step.label.clone();
        let written = std::mem::replace(&mut self.written, step.written);
        other(self).push(Step { label: step.label, changes, written });
        Some(label)
    }

    /// The label of the step that can be undone.
    #[must_use]
    pub fn undo_label(&self) -> Option<&str> {
        self.done.last().map(|step| step.label.as_str())
    }

    /// The label of the step that can be redone.
    #[must_use]
    pub fn redo_label(&self) -> Option<&str> {
        self.undone.last().map(|step| step.label.as_str())
    }

    /// The number of steps that can be undone.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.done.len()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::edits::{List, add};

    fn parsed(text: &str) -> Document {
        Document::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_text_stays_as_it_was_written_until_something_changes() {
        let file = "# Mine\nsections:   []\n";
        let mut draft = Draft::new(parsed(file));
        assert_eq!(draft.text(), file);
        draft.apply(add(draft.document(), List::Sections, json!({ "name": "A" }))).unwrap();
        assert_eq!(draft.text(), "sections:\n  - name: A\n");
        assert!(!draft.is_written());
        let typed = "sections: [{ name: A }] # typed\n";
        draft.replace_with(&parsed(typed), "Edit as YAML".to_owned());
        assert_eq!(draft.text(), typed);
        assert!(draft.is_written());
        assert_eq!(
            (draft.undo().as_deref(), draft.text().as_str()),
            (Some("Edit as YAML"), "sections:\n  - name: A\n")
        );
        draft.undo();
        assert_eq!(draft.text(), file);
        draft.redo();
        draft.redo();
        assert_eq!(draft.text(), typed);
    }
}
