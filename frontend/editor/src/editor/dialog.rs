//! The dialogs of the editor: forms, questions, lists.

use app::editing::{EditorDocument, FileBackup};
use config::Document;
use leptos::prelude::RwSignal;
use send_wrapper::SendWrapper;
use serde_json::Value;

use crate::{
    form::Form,
    line_diff::Line,
    merge::{Difference, MergeSide},
    view::CodeModule,
};

/// A dialog.
#[derive(Clone)]
pub enum Dialog {
    /// The form of an element or a block.
    Form(Form),
    /// A question before something that cannot be undone, or loses something.
    Question(Question),
    /// The backups of the file.
    Backups(Vec<FileBackup>),
    /// What restoring a backup, named first, would change in the draft.
    BackupDiff(String, Vec<Line>),
    /// The file has changed since the draft began.
    Conflict(Box<Conflict>),
    /// The list of pages.
    Pages,
    /// What is wrong in the draft.
    Problems,
    /// What works in the draft, but could be done better.
    Hints,
    /// The files of another dashboard.
    Import,
    /// Custom CSS.
    Styles,
    /// The text of the draft, with the module of its field.
    Raw(SendWrapper<CodeModule>),
    /// Whether to save the draft in this browser only.
    SaveLocally,
    /// An encrypted copy of the draft.
    EncryptedCopy,
    /// Restoring the draft from a file.
    RestoreFile,
    /// A copy of the draft at an endpoint.
    RemoteCopy,
}

/// A question with one or two answers.
#[derive(Clone)]
pub struct Question {
    /// The title of the dialog.
    pub title: String,
    /// What the user has to know to answer it.
    pub text: String,
    /// The buttons; the last one is the default.
    pub actions: Vec<(String, DialogAction)>,
    /// What happens when it is closed without an answer.
    pub close: DialogAction,
}

/// What the answer to a question does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogAction {
    /// Nothing; the dialog closes.
    Close,
    /// Deletes the section at this position.
    DeleteSection(usize),
    /// Ends edit mode, and keeps the draft in the browser.
    Leave,
    /// Deletes the draft and ends edit mode.
    Discard,
    /// Saves the draft, whatever the file has become.
    Overwrite,
    /// Saves the draft although the file has comments.
    SaveWithoutComments,
    /// Saves the draft although an account might be locked out.
    SaveAccounts,
    /// Asks about the accounts again at the next save.
    KeepAccounts,
    /// Continues with the draft of an earlier visit.
    ContinueStored,
    /// Deletes the draft of an earlier visit.
    DiscardStored,
}

/// A draft and the current file, with their differences.
#[derive(Clone)]
pub struct Conflict {
    pub(super) base: Value,
    pub(super) mine: Value,
    pub(super) theirs: Document,
    pub(super) file: EditorDocument,
    /// The differences.
    pub differences: Vec<Difference>,
    /// The chosen side of each difference; `None` while the user has to choose.
    pub choices: RwSignal<Vec<Option<MergeSide>>>,
}
