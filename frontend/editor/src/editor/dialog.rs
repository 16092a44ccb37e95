//! What stands before the page while somebody edits it: forms, questions, lists.

use app::editing::FileBackup;
use config::ValuePath;
use leptos::prelude::*;
use serde_json::{Value, json};

use super::{Conflict, Editor};
use crate::{
    difference::Line,
    edits::{self, Block, List, Spot},
    form::Form,
    storage,
};

/// What stands before the page while it is open.
#[derive(Clone)]
pub enum Dialog {
    /// A form.
    Form(Form),
    /// A question before something that cannot be undone, or loses something.
    Question(Question),
    /// The backups of the file.
    Backups(Vec<FileBackup>),
    /// How the draft would change if a backup, by its name, was restored.
    Difference(String, Vec<Line>),
    /// The file has changed since the draft began.
    Conflict(Box<Conflict>),
    /// The list of pages.
    Pages,
    /// What is wrong in the draft.
    Problems,
    /// The files of another dashboard.
    Import,
}

/// A question with one or two ways on.
#[derive(Clone)]
pub struct Question {
    /// What is asked.
    pub title: String,
    /// What there is to know.
    pub text: String,
    /// The ways on; the last one is the most usual. Closing the dialog does nothing.
    pub ways: Vec<(String, Way)>,
}

/// What follows on a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nothing.
    Stay,
    /// The section is deleted.
    DeleteSection(usize),
    /// The draft is forgotten, and edit mode ends.
    Leave,
    /// The draft is saved over whatever is there.
    SaveOver,
    /// The draft is saved although the file has comments.
    SaveWithoutComments,
    /// The draft of an earlier visit is taken up.
    TakeUp,
    /// The draft of an earlier visit is forgotten.
    ForgetStored,
}

impl Editor {
    /// Asks before something is lost.
    pub fn ask(self, title: &str, text: String, ways: &[(&str, Way)]) {
        let ways = ways.iter().map(|(label, way)| ((*label).to_owned(), *way)).collect();
        self.dialog.set(Some(Dialog::Question(Question { title: title.to_owned(), text, ways })));
    }

    /// Goes the way that a question was answered with.
    pub fn go(self, way: Way) {
        self.dialog.set(None);
        match way {
            Way::Stay => {}
            Way::DeleteSection(index) => {
                let edit = edits::delete(&self.document(), Spot { list: List::Sections, index });
                self.make(Some(edit));
            }
            Way::Leave => self.discard(""),
            Way::SaveOver => self.write(None),
            Way::SaveWithoutComments => {
                self.told_of_comments.set_value(true);
                self.save();
            }
            Way::TakeUp => self.take_up(),
            Way::ForgetStored => {
                storage::forget(&self.file_name());
                self.take_local();
            }
        }
    }

    /// Opens the form of a thing.
    pub fn open(self, spot: Spot) {
        let document = self.document();
        if let Some(value) = document.at(&spot.place()) {
            let value = value.clone();
            self.open_form(|| Form::existing(spot, value));
        }
    }

    /// Opens a form for something new.
    pub fn open_new(self, list: List, value: Value) {
        self.open_form(|| Form::new(list, value));
    }

    fn open_form(self, form: impl FnOnce() -> Form) {
        let form = self.owner.get_value().with(form);
        self.dialog.set(Some(Dialog::Form(form)));
    }

    /// Opens the form of `pageInfo` or `appConfig`.
    pub fn open_block(self, block: Block) {
        let value = self.document().at(&ValuePath::top().key(block.key())).cloned().unwrap_or_else(|| json!({}));
        self.open_form(|| Form::block(block, value));
    }

    /// Deletes a thing; a section after a question, for all that is in it.
    pub fn delete(self, spot: Spot) {
        let document = self.document();
        let count = List::Items(spot.index).len(&document) + List::Widgets(spot.index).len(&document);
        if spot.list == List::Pages {
            let name = spot.name(&document);
            self.make(Some(edits::delete(&document, spot)));
            self.say(format!("“{name}” is no page any more. Its file stays."));
        } else if spot.list == List::Sections && count > 0 {
            let text = format!("“{}” goes with everything in it ({count}). Undo brings it back.", spot.name(&document));
            let ways = [("Keep it", Way::Stay), ("Delete", Way::DeleteSection(spot.index))];
            self.ask("Delete the section?", text, &ways);
        } else {
            self.make(Some(edits::delete(&document, spot)));
        }
    }
}
