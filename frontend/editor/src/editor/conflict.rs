//! A file that has changed since the draft began: the differences, and the draft that the user merges from them.

use app::editing::{EditorDocument, RejectionKind};
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::json;

use super::{
    Editor, NO_BACKUP,
    dialog::{Conflict, Dialog, DialogAction},
};
use crate::{
    draft::Draft,
    merge::{MergeSide, Move, differences, merged, moves},
    page_files,
    texts::t,
};

impl Editor {
    /// Shows the differences between the draft and the current file.
    pub fn open_conflict(self) {
        spawn_local(async move {
            let Some(answer) = self.call::<EditorDocument>("editor-load", json!({})).await else { return };
            match answer {
                Ok(file) => {
                    let Ok(theirs) = Document::parse(file.text.as_bytes()) else { return };
                    self.show_conflict(file, theirs);
                }
                // A file that cannot be read can only be overwritten.
                Err(rejection) if rejection.kind == RejectionKind::Invalid => {
                    let kept = match self.keeps_backups() {
                        true => t("Overwriting it keeps the other version among the backups."),
                        false => [t("Overwriting it loses the other version."), t(NO_BACKUP)].join(" "),
                    };
                    let text = format!("{} {kept}", rejection.message);
                    let actions = [("Overwrite it", DialogAction::Overwrite), ("Keep editing", DialogAction::Close)];
                    self.ask("The file has changed and cannot be read", text, &actions);
                }
                Err(rejection) => self.refused(rejection),
            }
        });
    }

    fn show_conflict(self, file: EditorDocument, theirs: Document) {
        // The base of a draft from an earlier visit may be unknown; then the user chooses a side of every difference.
        let base = self.file.with_untracked(|file| Document::parse(file.text.as_bytes()).unwrap_or_default().to_json());
        let mine = self.document().to_json();
        let differences = differences(&base, &mine, theirs.value());
        if differences.is_empty() {
            self.take_file(file, theirs);
            self.say(match self.is_changed_now() {
                true => t("The file is now the same as your draft. Save to copy the sections to their pages too."),
                false => t("The file is now the same as your draft."),
            });
            return;
        }
        let mut sides: Vec<Option<MergeSide>> = differences.iter().map(|difference| difference.by.side()).collect();
        for Move { from, to, .. } in moves(&differences) {
            sides[to] = sides[from];
        }
        let choices = self.owner.get_value().with(|| RwSignal::new(sides));
        self.message.set(None);
        self.dialog.set(Some(Dialog::Conflict(Box::new(Conflict { base, mine, theirs, file, differences, choices }))));
    }

    /// Merges the chosen sides into the draft, and saves it.
    pub fn resolve(self, conflict: Conflict) {
        let Conflict { base, mine, theirs, file, choices, .. } = conflict;
        let Some(sides) = choices.with_untracked(|choices| choices.iter().copied().collect::<Option<Vec<MergeSide>>>())
        else {
            return;
        };
        self.dialog.set(None);
        let value = merged(&base, &mine, theirs.value(), &sides);
        if value == *theirs.value() {
            self.take_file(file, theirs);
            match self.is_changed_now() {
                true => self.save(),
                false => self.say(t("You see the current file.")),
            }
            return;
        }
        self.file.set(file);
        if value != mine {
            let label = t("Merge with the changed file");
            self.draft.update(|draft| draft.replace_with(&Document::from_json(value), label));
        }
        self.changed();
        self.save();
    }

    /// Starts again with the current file. What the draft copies to other pages stays.
    pub(super) fn take_file(self, file: EditorDocument, document: Document) {
        let copies = page_files::still_to_copy(self.draft.with_untracked(Draft::copies), &document);
        self.draft.set(Draft::with_copies(document.clone(), copies));
        self.draw(&file.preview.html, &document);
        self.problems.set(file.preview.problems.clone());
        self.file.set(file);
        self.store_draft();
    }
}
