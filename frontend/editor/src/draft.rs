//! The draft: a document with the history of what was done to it.

use config::{Change, Document, EditError, ValuePath};

use crate::edits::Edit;

/// Most steps that can be undone.
const MAX_STEPS: usize = 200;

/// A document that is being edited.
#[derive(Clone, Debug)]
pub struct Draft {
    document: Document,
    /// The text that somebody wrote for this state of the document; none if it is printed.
    written: Option<String>,
    done: Vec<Step>,
    undone: Vec<Step>,
}

/// Something that was done or undone, with the changes that turn it round.
#[derive(Clone, Debug)]
struct Step {
    words: String,
    changes: Vec<Change>,
    /// The text that somebody wrote for the state on the other side.
    written: Option<String>,
}

impl Draft {
    /// A draft to which nothing was done.
    #[must_use]
    pub fn new(document: Document) -> Self {
        let written = document.text_as_read().map(str::to_owned);
        Self { document, written, done: Vec::new(), undone: Vec::new() }
    }

    /// The document as it is now.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The draft as text: as somebody wrote it, with comments, or printed where it was changed since.
    #[must_use]
    pub fn text(&self) -> String {
        self.written.clone().unwrap_or_else(|| self.document.print())
    }

    /// Whether the text was written by somebody, so that nothing of it is lost when it is saved.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.written.is_some()
    }

    /// Does something.
    ///
    /// # Errors
    ///
    /// The edit does not fit the document; nothing is done then.
    pub fn make(&mut self, edit: Edit) -> Result<(), EditError> {
        let changes = self.document.apply_all(edit.changes)?;
        self.undone.clear();
        if self.done.len() == MAX_STEPS {
            self.done.remove(0);
        }
        self.done.push(Step { words: edit.words, changes, written: self.written.take() });
        Ok(())
    }

    /// Puts another document in the place of this one, with the text that it was read from, as a step that can be undone.
    pub fn become_document(&mut self, document: &Document, words: String) {
        let change = Change::Replace { at: ValuePath::top(), value: document.value().clone() };
        // There is always a top.
        _ = self.make(Edit { words, changes: vec![change], spot: None });
        self.written = document.text_as_read().map(str::to_owned);
    }

    /// How the document would be with these changes.
    ///
    /// # Errors
    ///
    /// They do not fit it.
    pub fn with(&self, changes: Vec<Change>) -> Result<Document, EditError> {
        let mut document = self.document.clone();
        document.apply_all(changes)?;
        Ok(document)
    }

    /// Takes the last step back and says what it was.
    pub fn undo(&mut self) -> Option<String> {
        let step = self.done.pop()?;
        self.turn(step, |draft| &mut draft.undone)
    }

    /// Does again what was undone last and says what it is.
    pub fn redo(&mut self) -> Option<String> {
        let step = self.undone.pop()?;
        self.turn(step, |draft| &mut draft.done)
    }

    fn turn(&mut self, step: Step, other: impl Fn(&mut Self) -> &mut Vec<Step>) -> Option<String> {
        let changes = self.document.apply_all(step.changes).ok()?;
        let words = step.words.clone();
        let written = std::mem::replace(&mut self.written, step.written);
        other(self).push(Step { words: step.words, changes, written });
        Some(words)
    }

    /// What would be undone.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.done.last().map(|step| step.words.as_str())
    }

    /// What would be done again.
    #[must_use]
    pub fn next(&self) -> Option<&str> {
        self.undone.last().map(|step| step.words.as_str())
    }

    /// How many steps were made.
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
        draft.make(add(draft.document(), List::Sections, json!({ "name": "A" }))).unwrap();
        assert_eq!(draft.text(), "sections:\n  - name: A\n");
        assert!(!draft.is_written());
        let typed = "sections: [{ name: A }] # typed\n";
        draft.become_document(&parsed(typed), "Edit as YAML".to_owned());
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
