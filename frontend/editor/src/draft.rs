//! The draft: a document with its history.

use config::{Change, Document, EditError, PageCopy, ValuePath};

use crate::edits::{Edit, Spot};

/// The most steps that can be undone.
const MAX_STEPS: usize = 200;

/// A document that is being edited.
#[derive(Clone, Debug)]
pub struct Draft {
    document: Document,
    /// The text as a user wrote it, if nothing has changed since; otherwise the document is printed.
    written: Option<String>,
    done: Vec<Step>,
    undone: Vec<Step>,
    settled: Settled,
    /// The number of steps so far, undone ones included.
    made: usize,
}

/// What is left of the steps that can no longer be undone.
#[derive(Clone, Debug, Default)]
struct Settled {
    /// Their number.
    steps: usize,
    /// What saving writes to files of other pages because of them.
    copies: Vec<PageCopy>,
    /// The last text that a user wrote among them.
    written: Option<String>,
}

/// A step of the history, with the changes that reverse it.
#[derive(Clone, Debug)]
struct Step {
    /// Which of all steps it is; stays when it is undone and redone.
    number: usize,
    label: String,
    changes: Vec<Change>,
    /// The text as a user wrote it, for the state that the step leads back to.
    written: Option<String>,
    /// What saving writes to files of other pages because of this step.
    copies: Vec<PageCopy>,
}

impl Draft {
    /// A draft without changes.
    #[must_use]
    pub fn new(document: Document) -> Self {
        let written = document.text_as_read().map(str::to_owned);
        Self { document, written, done: Vec::new(), undone: Vec::new(), settled: Settled::default(), made: 0 }
    }

    /// A draft that changes nothing but the files of other pages.
    #[must_use]
    pub fn with_copies(document: Document, copies: Vec<PageCopy>) -> Self {
        let settled = Settled { steps: usize::from(!copies.is_empty()), copies, written: None };
        Self { settled, ..Self::new(document) }
    }

    /// The current document.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The text of the draft: as a user wrote it, with comments, or printed if it has changed since.
    #[must_use]
    pub fn text(&self) -> String {
        self.written.clone().unwrap_or_else(|| self.document.print())
    }

    /// Whether the text is as a user wrote it, so that saving loses no comments.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.written.is_some()
    }

    /// Whether comments are lost that a user wrote, other than those in the text of the file: the text has been printed since.
    #[must_use]
    pub fn loses_comments(&self, file: &str) -> bool {
        let written =
            || self.done.iter().rev().find_map(|step| step.written.as_ref()).or(self.settled.written.as_ref());
        !self.is_written() && written().is_some_and(|text| text != file && has_comments(text))
    }

    /// Applies an edit, as one step of the history.
    ///
    /// # Errors
    ///
    /// The edit does not fit the document, which stays unchanged.
    pub fn apply(&mut self, edit: Edit) -> Result<(), EditError> {
        let is_changed = !edit.changes.is_empty();
        let changes = self.document.apply_all(edit.changes)?;
        let written = if is_changed { self.written.take() } else { self.written.clone() };
        self.undone.clear();
        if self.done.len() == MAX_STEPS {
            let first = self.done.remove(0);
            self.settled.steps += 1;
            self.settled.copies.extend(first.copies);
            self.settled.written = first.written.or(self.settled.written.take());
        }
        self.made += 1;
        self.done.push(Step { number: self.made, label: edit.label, changes, written, copies: edit.copies });
        Ok(())
    }

    /// What saving also writes to files of other pages, in the order of the steps.
    #[must_use]
    pub fn copies(&self) -> Vec<PageCopy> {
        let steps = self.done.iter().flat_map(|step| &step.copies);
        self.settled.copies.iter().chain(steps).cloned().collect()
    }

    /// Replaces the document, and with it the written text, as one step of the history.
    pub fn replace_with(&mut self, document: &Document, label: String) {
        self.restore(document, label, true, Vec::new());
    }

    /// The same for a stored draft: whether its text is as a user wrote it, and what saving it writes to files of other pages.
    pub fn restore(&mut self, document: &Document, label: String, is_written: bool, copies: Vec<PageCopy>) {
        let change = Change::Replace { at: ValuePath::top(), value: document.value().clone() };
        self.document.adopt_spellings(document);
        // Replacing the top level always fits.
        _ = self.apply(Edit { copies, ..Edit::new(label, vec![change], None) });
        self.written = document.text_as_read().filter(|_| is_written).map(str::to_owned);
    }

    /// Whether the draft is in the same state as an earlier copy of it.
    #[must_use]
    pub fn is_at(&self, earlier: &Self) -> bool {
        let place = |draft: &Self| (draft.settled.steps, draft.done.last().map(|step| step.number));
        place(self) == place(earlier)
    }

    /// Continues with what has changed since `saved`, an earlier copy of this draft that is saved now, apart from the copies in
    /// `left`. What was undone in the meantime becomes one step with the given label.
    pub fn continue_after(&mut self, saved: Self, left: Vec<PageCopy>, label: String) {
        let settled = Settled { steps: usize::from(!left.is_empty()), copies: left, written: None };
        let end = match saved.done.last() {
            Some(last) => self.done.iter().position(|step| step.number == last.number).map(|at| at + 1),
            None => (self.settled.steps == saved.settled.steps).then_some(0),
        };
        if let Some(end) = end {
            self.done.drain(..end);
            self.settled = settled;
            return;
        }
        let (own, copied) = (self.copies(), saved.copies());
        let known = own.iter().zip(&copied).take_while(|(one, other)| one == other).count();
        let (document, is_written) = (self.document.clone(), self.is_written());
        let written = self.written.take();
        *self = Self { done: Vec::new(), undone: Vec::new(), settled, made: self.made, ..saved };
        self.restore(&document, label, is_written, own[known..].to_vec());
        self.written = written;
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
        let Step { number, label, changes, written, copies } = step;
        let changes = self.document.apply_all(changes).ok()?;
        let written = std::mem::replace(&mut self.written, written);
        other(self).push(Step { number, label: label.clone(), changes, written, copies });
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

    /// The element that the last undo has brought back, if it did.
    #[must_use]
    pub fn back_by_undo(&self) -> Option<Spot> {
        self.undone.last()?.removed()
    }

    /// The element that the last redo has brought back, if it did.
    #[must_use]
    pub fn back_by_redo(&self) -> Option<Spot> {
        self.done.last()?.removed()
    }

    /// The number of steps since the draft began, also of those that can no longer be undone.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.settled.steps + self.done.len()
    }
}

impl Step {
    /// The first element that reversing the step removes.
    fn removed(&self) -> Option<Spot> {
        self.changes.iter().find_map(|change| match change {
            Change::Remove { list, index } => Spot::of_pointer(&list.clone().index(*index).pointer()),
            Change::Replace { .. } | Change::Insert { .. } => None,
        })
    }
}

/// Whether a text has comments.
#[must_use]
pub fn has_comments(text: &str) -> bool {
    Document::parse(text.as_bytes()).is_ok_and(|document| document.has_comments())
}

/// Whether a stored draft seems to be as a user wrote it: it has comments, or its base had none to lose.
#[must_use]
pub fn seems_written(text: &str, base: Option<&str>) -> bool {
    has_comments(text) || base.is_some_and(|base| !has_comments(base))
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

    #[test]
    fn a_stored_draft_is_as_written_as_it_was() {
        let printed = "sections: []\n";
        let mut draft = Draft::new(parsed("# Mine\nsections: []\n"));
        draft.restore(&parsed(printed), "Stored".to_owned(), false, Vec::new());
        assert!(!draft.is_written() && draft.loses_comments(""));
        assert!(!draft.loses_comments("# Mine\nsections: []\n"));
        assert_eq!(draft.text(), printed);
        draft.undo();
        draft.restore(&parsed("sections: [] # typed\n"), "Stored".to_owned(), true, Vec::new());
        assert!(draft.is_written());

        let with_comments = "# Mine\nsections: []\n";
        for (text, base, expected) in [
            (printed, Some(with_comments), false),
            (with_comments, Some(with_comments), true),
            (printed, Some(printed), true),
            (printed, None, false),
            (with_comments, None, true),
        ] {
            assert_eq!(seems_written(text, base), expected, "{text:?} {base:?}");
        }
    }

    #[test]
    fn comments_that_a_later_change_loses_are_noticed() {
        let section = |draft: &Draft| add(draft.document(), List::Sections, json!({ "name": "A" }));
        let mut draft = Draft::new(parsed("sections: []\n"));
        draft.apply(section(&draft)).unwrap();
        assert!(!draft.loses_comments(""));
        draft.replace_with(&parsed("sections: [] # typed\n"), "Edit as YAML".to_owned());
        assert!(!draft.loses_comments(""));
        for _ in 0..=MAX_STEPS {
            draft.apply(section(&draft)).unwrap();
        }
        assert!(draft.loses_comments(""));
        // Comments that were removed by hand were removed on purpose.
        draft.replace_with(&parsed("sections: []\n"), "Edit as YAML".to_owned());
        draft.apply(section(&draft)).unwrap();
        assert!(!draft.loses_comments(""));
    }

    #[test]
    fn an_edit_that_does_not_fit_leaves_the_text_as_written() {
        let file = "sections: [] # mine\n";
        let mut draft = Draft::new(parsed(file));
        let nowhere = Change::Remove { list: ValuePath::top().key("none"), index: 3 };
        assert!(draft.apply(Edit::new("Remove".to_owned(), vec![nowhere], None)).is_err());
        assert_eq!(draft.text(), file);
    }

    fn copy(file: &str) -> PageCopy {
        PageCopy::Section { file: file.to_owned(), comments: false, section: "{}".to_owned(), moved: false }
    }

    fn named(draft: &mut Draft, name: &str) {
        let mut edit = add(draft.document(), List::Sections, json!({ "name": name }));
        edit.copies.push(copy(name));
        draft.apply(edit).unwrap();
    }

    #[test]
    fn what_changes_during_a_save_stays_to_be_saved() {
        let mut draft = Draft::new(parsed("sections: []\n"));
        named(&mut draft, "A");
        let sent = draft.clone();
        named(&mut draft, "B");
        draft.undo();
        assert!(draft.is_at(&sent));
        draft.redo();
        assert!(!draft.is_at(&sent));
        let now = draft.text();
        draft.continue_after(sent.clone(), Vec::new(), "Since".to_owned());
        assert_eq!((draft.steps(), draft.copies(), draft.text()), (1, vec![copy("B")], now));
        draft.undo();
        assert_eq!((draft.steps(), draft.text()), (0, sent.text()));
        assert_eq!(draft.undo(), None);
    }

    #[test]
    fn what_is_undone_during_a_save_stays_to_be_saved() {
        let mut draft = Draft::new(parsed("sections: [] # mine\n"));
        named(&mut draft, "A");
        let sent = draft.clone();
        draft.undo();
        named(&mut draft, "B");
        let now = draft.text();
        draft.continue_after(sent.clone(), vec![copy("late")], "Since".to_owned());
        assert_eq!((draft.steps(), draft.text()), (2, now));
        assert_eq!(draft.copies(), [copy("late"), copy("B")]);
        assert_eq!(draft.undo().as_deref(), Some("Since"));
        assert_eq!((draft.text(), draft.copies()), (sent.text(), vec![copy("late")]));

        // Nothing but the copies is left, and nothing can be undone.
        let mut draft = sent.clone();
        draft.continue_after(sent.clone(), vec![copy("late")], "Since".to_owned());
        assert_eq!((draft.steps(), draft.undo_label(), draft.text()), (1, None, sent.text()));
        let sent = draft.clone();
        named(&mut draft, "C");
        draft.continue_after(sent, Vec::new(), "Since".to_owned());
        assert_eq!((draft.steps(), draft.copies()), (1, vec![copy("C")]));
    }

    #[test]
    fn a_draft_with_more_steps_than_can_be_undone_stays_changed() {
        let mut draft = Draft::new(parsed("sections: []\n"));
        for number in 0..=MAX_STEPS {
            draft.apply(add(draft.document(), List::Sections, json!({ "name": number.to_string() }))).unwrap();
        }
        assert_eq!(draft.steps(), MAX_STEPS + 1);
        while draft.undo().is_some() {}
        assert_eq!((draft.steps(), draft.text().as_str()), (1, "sections:\n  - name: '0'\n"));
    }
}
