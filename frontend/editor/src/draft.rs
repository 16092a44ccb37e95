//! The draft: a document with its history.

use config::{Change, Document, EditError, PageCopy, ValuePath};

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
    /// What saving writes to files of other pages because of steps that can no longer be undone.
    settled: Vec<PageCopy>,
}

/// A step of the history, with the changes that reverse it.
#[derive(Clone, Debug)]
struct Step {
    label: String,
    changes: Vec<Change>,
    /// The text as a person wrote it, for the state that the step leads back to.
    written: Option<String>,
    /// What saving writes to files of other pages because of this step.
    copies: Vec<PageCopy>,
}

impl Draft {
    /// A draft without changes.
    #[must_use]
    pub fn new(document: Document) -> Self {
        let written = document.text_as_read().map(str::to_owned);
        Self { document, written, done: Vec::new(), undone: Vec::new(), settled: Vec::new() }
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
        let written = self.written.clone();
        if !edit.changes.is_empty() {
            self.written = None;
        }
        let changes = self.document.apply_all(edit.changes)?;
        self.undone.clear();
        if self.done.len() == MAX_STEPS {
            self.settled.extend(self.done.remove(0).copies);
        }
        self.done.push(Step { label: edit.label, changes, written, copies: edit.copies });
        Ok(())
    }

    /// What saving also writes to files of other pages, in the order of the steps.
    #[must_use]
    pub fn copies(&self) -> Vec<PageCopy> {
        let steps = self.done.iter().flat_map(|step| &step.copies);
        self.settled.iter().chain(steps).cloned().collect()
    }

    /// Replaces the document, and with it the written text, as one step of the history.
    pub fn replace_with(&mut self, document: &Document, label: String) {
        self.restore(document, label, Vec::new());
    }

    /// The same for a stored draft, with what saving it writes to files of other pages.
    pub fn restore(&mut self, document: &Document, label: String, copies: Vec<PageCopy>) {
        let change = Change::Replace { at: ValuePath::top(), value: document.value().clone() };
        // Replacing the top level always fits.
        _ = self.apply(Edit { copies, ..Edit::new(label, vec![change], None) });
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
        other(self).push(Step { label: step.label, changes, written, copies: step.copies });
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
