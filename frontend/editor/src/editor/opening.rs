//! Opening the dialogs of the editor, and what their answers do.

use config::ValuePath;
use leptos::prelude::*;
use serde_json::{Value, json};

use super::{
    Editor,
    dialog::{Dialog, DialogAction, Question},
};
use crate::{
    edits::{self, ConfigBlock, List, Spot},
    form::Form,
    texts::{fill, t},
};

impl Editor {
    /// Asks a question before something is lost. Closing it does nothing.
    pub fn ask(self, title: &str, text: String, actions: &[(&str, DialogAction)]) {
        self.ask_or(DialogAction::Close, title, text, actions);
    }

    /// Asks a question that does `close` when it is closed without an answer.
    pub(super) fn ask_or(self, close: DialogAction, title: &str, text: String, actions: &[(&str, DialogAction)]) {
        let actions = actions.iter().map(|(label, action)| (t(label), *action)).collect();
        self.dialog.set(Some(Dialog::Question(Question { title: t(title), text, actions, close })));
    }

    /// Closes the dialog, and carries out the answer to its question.
    pub fn act(self, action: DialogAction) {
        self.dialog.set(None);
        match action {
            DialogAction::Close => {}
            DialogAction::DeleteSection(index) => {
                let edit = edits::delete(&self.document(), Spot { list: List::Sections, index });
                self.apply(Some(edit));
            }
            DialogAction::Leave => self.leave(""),
            DialogAction::Discard => self.discard(""),
            DialogAction::Overwrite => self.write(None),
            DialogAction::SaveWithoutComments => {
                self.comments_confirmed.set_value(true);
                self.save();
            }
            DialogAction::SaveAccounts => self.save(),
            DialogAction::KeepAccounts => self.accounts_confirmed.set_value(None),
            DialogAction::ContinueStored => self.continue_stored(),
            DialogAction::DiscardStored => self.discard_stored(),
        }
    }

    /// Whether something was typed into the open form, or into the text of the draft.
    pub fn has_typed(self) -> bool {
        self.typed_text.get_value()
            || self.dialog.with_untracked(|dialog| match dialog {
                Some(Dialog::Form(form)) => form.touched.get_untracked(),
                _ => false,
            })
    }

    /// Opens the form of an element.
    pub fn open(self, spot: Spot) {
        let document = self.document();
        if let Some(value) = document.at(&spot.path()) {
            let value = value.clone();
            self.open_form(|| Form::existing(spot, value));
        }
    }

    /// Opens the form for a new element.
    pub fn open_new(self, list: List, value: Value) {
        self.open_form(|| Form::new(list, value));
    }

    fn open_form(self, form: impl FnOnce() -> Form) {
        let form = self.owner.get_value().with(form);
        self.dialog.set(Some(Dialog::Form(form)));
    }

    /// Opens the form of `pageInfo` or `appConfig`.
    pub fn open_block(self, block: ConfigBlock) {
        let value = self.document().at(&ValuePath::top().key(block.key())).cloned().unwrap_or_else(|| json!({}));
        self.open_form(|| Form::block(block, value));
    }

    /// Deletes an element; asks first for a section that is not empty.
    pub fn delete(self, spot: Spot) {
        let document = self.document();
        let count = List::Items(spot.index).len(&document) + List::Widgets(spot.index).len(&document);
        if spot.list == List::Pages {
            let name = spot.name(&document);
            self.apply(Some(edits::delete(&document, spot)));
            self.say(fill("“{name}” is no longer a page. Its file stays.", &[("name", &name)]));
        } else if spot.list == List::Sections && count > 0 {
            let values = [("name", &*spot.name(&document)), ("count", &*count.to_string())];
            let text = fill("“{name}” goes with everything in it ({count}). Undo brings it back.", &values);
            let actions = [("Keep it", DialogAction::Close), ("Delete", DialogAction::DeleteSection(spot.index))];
            self.ask("Delete the section?", text, &actions);
        } else {
            self.apply(Some(edits::delete(&document, spot)));
        }
    }
}
