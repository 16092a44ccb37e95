//! The file was changed while it was edited: both versions side by side, and the draft that comes of the choices.

use app::editing::{EditorDocument, RefusalKind};
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::{Value, json};

use super::{
    Editor,
    dialog::{Dialog, Way},
};
use crate::{
    draft::Draft,
    merge::{Entry, Move, Side, entries, merged, moves},
    storage,
};

/// A draft and the file as it is now, with what differs.
#[derive(Clone)]
pub struct Conflict {
    base: Value,
    mine: Value,
    theirs: Document,
    file: EditorDocument,
    /// What differs.
    pub entries: Vec<Entry>,
    /// Which side of each entry is kept; `None` while the person has to choose.
    pub choices: RwSignal<Vec<Option<Side>>>,
}

impl Editor {
    /// Shows what differs between the draft and the file as it is now.
    pub fn open_conflict(self) {
        spawn_local(async move {
            let Some(answer) = self.call::<EditorDocument>("editor-load", json!({})).await else { return };
            match answer {
                Ok(file) => {
                    let Ok(theirs) = Document::parse(file.text.as_bytes()) else { return };
                    self.show_conflict(file, theirs);
                }
                // What cannot be read can be written over.
                Err(refusal) if refusal.kind == RefusalKind::Invalid => {
                    let text = format!("{} Saving over it keeps the other version among the backups.", refusal.message);
                    let ways = [("Save mine over it", Way::SaveOver), ("Keep editing", Way::Stay)];
                    self.ask("The file has changed and cannot be read", text, &ways);
                }
                Err(refusal) => self.refused(refusal),
            }
        });
    }

    fn show_conflict(self, file: EditorDocument, theirs: Document) {
        // Of a draft from an earlier visit the base may be unknown; then everything that differs has to be chosen.
        let base = self.file.with_untracked(|file| Document::parse(file.text.as_bytes()).unwrap_or_default().to_json());
        let mine = self.document().to_json();
        let entries = entries(&base, &mine, theirs.value());
        if entries.is_empty() {
            self.take_file(file, theirs);
            self.say("The file says the same as your draft now.");
            return;
        }
        let mut sides: Vec<Option<Side>> = entries.iter().map(|entry| entry.by.side()).collect();
        for Move { from, to, .. } in moves(&entries) {
            sides[to] = sides[from];
        }
        let choices = self.owner.get_value().with(|| RwSignal::new(sides));
        self.note.set(None);
        self.dialog.set(Some(Dialog::Conflict(Box::new(Conflict { base, mine, theirs, file, entries, choices }))));
    }

    /// Makes the chosen sides the draft, which belongs to the file as it is now, and saves it.
    pub fn resolve(self, conflict: Conflict) {
        let Conflict { base, mine, theirs, file, choices, .. } = conflict;
        let Some(sides) = choices.with_untracked(|choices| choices.iter().copied().collect::<Option<Vec<Side>>>())
        else {
            return;
        };
        self.dialog.set(None);
        let value = merged(&base, &mine, theirs.value(), &sides);
        if value == *theirs.value() {
            self.take_file(file, theirs);
            self.say("This is the file as it is now.");
            return;
        }
        self.file.set(file);
        if value != mine {
            let words = "Bring together with the changed file".to_owned();
            self.draft.update(|draft| draft.become_document(&Document::from_json(value), words));
        }
        self.changed();
        self.save();
    }

    /// Begins again with the file as it is now.
    pub(super) fn take_file(self, file: EditorDocument, document: Document) {
        storage::forget(&file.file);
        self.draft.set(Draft::new(document.clone()));
        self.draw(&file.preview.html, &document);
        self.problems.set(file.preview.problems.clone());
        self.file.set(file);
    }
}
