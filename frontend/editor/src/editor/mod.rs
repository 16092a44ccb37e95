//! The state of the editor: the draft, its history, and the preview on the page.

mod backups;
mod colors;
mod conflict;
mod dialog;
mod host;
mod importing;
mod opening;
mod picker;
mod picking;
mod preview;
mod raw;
mod saving;
mod settings;
mod starting;
mod taken_colors;
mod typed;

use std::collections::HashMap;

use app::editing::{DraftPreview, EditorDocument, EditorProblem, EditorRejection, RejectionKind};
use config::{Document, json::FromJson};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};
use serde_json::{Value, json};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, HtmlElement};

pub use self::{
    backups::NO_BACKUP,
    dialog::{Conflict, Dialog, DialogAction, Question},
    host::{host_call, host_stream, host_text},
    picker::{Field, PICKER_TITLE, Picker, close_dialog},
    raw::RawDraft,
};
use self::{taken_colors::TakenColors, typed::Typed};
use crate::{
    calls::call,
    draft::Draft,
    edits::{Edit, List, Spot},
    gestures::Selection,
    page_view::{self, Stream},
    schema::Schema,
    storage::{self, Stored},
    texts::{fill, t},
    widget_preview::NewWidgets,
};

/// A message above the save bar.
#[derive(Clone, Debug, PartialEq)]
pub struct BarMessage {
    /// The message.
    pub text: String,
    /// Whether it reports a failure.
    pub failed: bool,
    /// Whether a link to sign in follows it.
    pub sign_in: bool,
    /// Whether a button follows it that compares the draft with the current file.
    pub compare: bool,
}

/// The editor of one page.
#[derive(Clone, Copy)]
pub struct Editor {
    host: StoredValue<JsValue, LocalStorage>,
    /// Path prefix of the product.
    pub base: StoredValue<String>,
    page: StoredValue<Option<String>>,
    /// The file as it was loaded or last saved.
    pub file: RwSignal<EditorDocument>,
    /// The schema of all forms.
    pub schema: StoredValue<Schema>,
    /// The draft.
    pub draft: RwSignal<Draft>,
    /// The problems of the previewed document.
    pub problems: RwSignal<Vec<EditorProblem>>,
    /// Whether the person has closed the hints about the draft.
    pub hints_closed: RwSignal<bool>,
    /// The open dialog.
    pub dialog: RwSignal<Option<Dialog>>,
    /// The dialog above the other one, which helps to choose something.
    pub picker: RwSignal<Option<Picker>>,
    /// The message above the save bar.
    pub message: RwSignal<Option<BarMessage>>,
    /// What screen readers announce.
    pub spoken: RwSignal<String>,
    /// The selected items.
    pub selection: Selection,
    /// Whether the draft is being saved.
    pub saving: RwSignal<bool>,
    /// Whether the user has agreed to lose the comments of the file.
    comments_confirmed: StoredValue<bool>,
    /// The warning about accounts that the user has read last.
    accounts_confirmed: StoredValue<Option<String>>,
    /// The key of the stored draft that is offered to the user.
    offered: StoredValue<Option<String>>,
    /// The colors of this browser that became part of the draft.
    taken_colors: StoredValue<Option<TakenColors>>,
    /// The widgets that are new in the draft.
    new_widgets: NewWidgets,
    /// Whether a preview is on its way.
    previewing: StoredValue<bool>,
    /// The document to preview next.
    next_preview: StoredValue<Option<Document>>,
    /// What an open form shows, until a preview does.
    typed: StoredValue<Option<Typed>>,
    /// Whether the open text of the draft differs from the draft.
    pub typed_text: StoredValue<bool>,
    /// Previews the draft once nothing has been typed for a moment.
    after_typing: StoredValue<Option<TimeoutHandle>>,
    /// The selector of the element that gets the focus after the next preview.
    focus: StoredValue<Option<String>>,
    /// The reactive owner of forms: a form may be opened from a dialog, and has to outlive it.
    owner: StoredValue<Owner>,
}

impl Editor {
    /// The editor of a file that was just loaded.
    pub fn new(host: JsValue, file: EditorDocument, schema: Schema, document: Document) -> Self {
        let editor = Self {
            base: StoredValue::new(host_text(&host, "base").unwrap_or_default()),
            page: StoredValue::new(host_text(&host, "page")),
            host: StoredValue::new_local(host),
            problems: RwSignal::new(file.preview.problems.clone()),
            file: RwSignal::new(file),
            hints_closed: RwSignal::new(false),
            schema: StoredValue::new(schema),
            draft: RwSignal::new(Draft::new(document)),
            dialog: RwSignal::new(None),
            picker: RwSignal::new(None),
            message: RwSignal::new(None),
            spoken: RwSignal::new(String::new()),
            selection: Selection::default(),
            saving: RwSignal::new(false),
            comments_confirmed: StoredValue::new(false),
            accounts_confirmed: StoredValue::new(None),
            offered: StoredValue::new(None),
            taken_colors: StoredValue::new(None),
            new_widgets: NewWidgets::new(),
            typed_text: StoredValue::new(false),
            previewing: StoredValue::new(false),
            next_preview: StoredValue::new(None),
            typed: StoredValue::new(None),
            after_typing: StoredValue::new(None),
            focus: StoredValue::new(None),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        };
        let count = editor.problems.with_untracked(|problems| problems.iter().filter(|problem| problem.hint).count());
        editor.hints_closed.set(storage::are_hints_closed(&editor.file_name(), count));
        let html = editor.file.with_untracked(|file| file.preview.html.clone());
        editor.draw(&html, &editor.document());
        editor
    }

    /// The current document.
    pub fn document(self) -> Document {
        self.draft.with_untracked(|draft| draft.document().clone())
    }

    /// What works in the draft, but could be done better, tracked.
    pub fn hints(self) -> Vec<EditorProblem> {
        self.problems.with(|problems| problems.iter().filter(|problem| problem.hint).cloned().collect())
    }

    /// Closes the hints about the draft; in this browser, those about the file do not come back.
    pub fn close_hints(self) {
        storage::close_hints(&self.file_name(), self.hints().len());
        self.hints_closed.set(true);
    }

    /// Name of the file.
    pub fn file_name(self) -> String {
        self.file.with_untracked(|file| file.file.clone())
    }

    /// Applies an edit to the draft, previews it, and focuses what it changed.
    pub fn apply(self, edit: Option<Edit>) {
        let Some(edit) = edit else { return };
        let (label, spot) = (edit.label.clone(), edit.spot);
        let is_applied = self.draft.try_update(|draft| draft.apply(edit).is_ok()).unwrap_or_default();
        if is_applied {
            self.focus.set_value(spot.map(Spot::selector));
            self.spoken.set(fill("{step}.", &[("step", &label)]));
            self.changed();
        }
    }

    /// Undoes the last step.
    pub fn undo(self) {
        if let Some(label) = self.draft.try_update(Draft::undo).flatten() {
            self.focus_what_is_back(Draft::back_by_undo);
            self.spoken.set(fill("Undone: {step}.", &[("step", &label)]));
            self.changed();
        }
    }

    /// The focus goes to an element that the last step has brought back; otherwise it stays.
    fn focus_what_is_back(self, found: impl Fn(&Draft) -> Option<Spot>) {
        if let Some(spot) = self.draft.with_untracked(found) {
            self.focus.set_value(Some(spot.selector()));
        }
    }

    /// Redoes the step that was undone last.
    pub fn redo(self) {
        if let Some(label) = self.draft.try_update(Draft::redo).flatten() {
            self.focus_what_is_back(Draft::back_by_redo);
            self.spoken.set(fill("Redone: {step}.", &[("step", &label)]));
            self.changed();
        }
    }

    fn changed(self) {
        self.message.set(None);
        self.selection.forget();
        self.store_draft();
        self.show(self.document());
    }

    /// Keeps the draft in the browser, unless it is the same as the file.
    fn store_draft(self) {
        let file = self.file_name();
        if !self.is_changed_now() {
            storage::forget(&file);
        } else {
            let (version, base) = self.file.with_untracked(|file| (file.version.clone(), file.text.clone()));
            storage::store(&file, &self.draft.with_untracked(|draft| Stored::now(draft, version, base)));
        }
    }

    /// Whether the draft differs from the file.
    pub fn is_changed(self) -> bool {
        self.draft.with(|draft| draft.steps() > 0)
    }

    /// The same, without tracking the draft.
    pub fn is_changed_now(self) -> bool {
        self.draft.with_untracked(|draft| draft.steps() > 0)
    }

    /// Previews a document on the page. While a preview is on its way, only the newest document waits.
    pub fn show(self, document: Document) {
        self.cancel_preview_after_typing();
        self.next_preview.set_value(Some(document));
        if self.previewing.get_value() {
            return;
        }
        self.previewing.set_value(true);
        spawn_local(async move {
            while let Some(document) = self.next_preview.try_update_value(Option::take).flatten() {
                let selector = self.focus.try_update_value(Option::take).flatten();
                let arguments = json!({ "text": document.print() });
                let Some(answer) = self.call::<DraftPreview>("editor-preview", arguments).await else { return };
                match answer {
                    Ok(preview) => {
                        self.draw(&preview.html, &document);
                        if self.next_preview.with_value(Option::is_some) {
                            self.show_typed();
                        } else {
                            self.typed.set_value(None);
                        }
                        self.problems.set(preview.problems);
                        // A name that is being typed (`frontend/editor/src/gestures/rename.rs`) keeps the focus.
                        if let Some(selector) = selector.filter(|_| !exists(".rename")) {
                            focus(&selector);
                        }
                    }
                    Err(rejection) => self.refused(rejection),
                }
            }
            self.previewing.set_value(false);
        });
    }

    /// Shows a rendered page. Widgets whose entries are unchanged keep their panels.
    fn draw(self, html: &str, document: &Document) {
        let mut entries = HashMap::new();
        for section in 0..List::Sections.len(document) {
            for index in 0..List::Widgets(section).len(document) {
                let entry = document.at(&Spot { list: List::Widgets(section), index }.path());
                entries.insert(format!("{section}-{index}"), entry.map(Value::to_string).unwrap_or_default());
            }
        }
        if let Some(stream) = self.stream() {
            page_view::show(&stream, html, &entries);
        }
        self.note_taken_colors();
        self.new_widgets.fill(self.entry_page());
    }

    /// The module that patches the open page.
    pub(super) fn stream(self) -> Option<Stream> {
        self.host.with_value(host_stream)
    }

    fn refused(self, rejection: EditorRejection) {
        let sign_in = rejection.kind == RejectionKind::SignIn;
        let mut text = rejection.message;
        if sign_in {
            text.push(' ');
            text.push_str(&match storage::is_kept(&self.file_name()) {
                true => t("Your draft is kept in this browser and offered again afterwards."),
                false => t("Your draft is in this tab alone now: sign in again in another tab, then go on here."),
            });
        }
        self.message.set(Some(BarMessage { text, failed: true, sign_in, compare: false }));
        if !rejection.problems.is_empty() {
            self.problems.set(rejection.problems);
        }
    }

    /// Opens the context menu of an element at a place in the window.
    pub fn open_menu(self, element: &Element, x: f64, y: f64) {
        self.host.with_value(|host| host_call(host, "menu", &[element.into(), x.into(), y.into()]));
    }

    /// Shows a message above the save bar.
    pub fn say(self, text: impl Into<String>) {
        self.message.set(Some(BarMessage { text: text.into(), failed: false, sign_in: false, compare: false }));
    }

    /// Calls a server function for this page. `None` if edit mode has ended in the meantime.
    async fn call<T: FromJson>(self, function: &str, mut arguments: Value) -> Option<Result<T, EditorRejection>> {
        arguments["page"] = json!(self.page.get_value());
        let answer = call(&self.base.get_value(), function, &arguments).await;
        let is_over = self.host.try_with_value(|_| ()).is_none();
        (!is_over).then_some(answer)
    }

    /// The Argon2id hash of a password, from the server.
    ///
    /// # Errors
    ///
    /// Why there is none, in a sentence.
    pub async fn hash_password(self, password: String) -> Result<String, String> {
        let hashed = self.call::<String>("editor-hash-password", json!({ "password": password })).await;
        hashed.unwrap_or_else(|| Ok(String::new())).map_err(|rejection| rejection.message)
    }

    /// Whether the page is not the main one. The files of such pages have no list of pages.
    pub fn is_sub_page(self) -> bool {
        self.page.with_value(|page| page.as_deref().is_some_and(|page| !page.is_empty()))
    }
}

fn exists(selector: &str) -> bool {
    document().query_selector(selector).is_ok_and(|found| found.is_some())
}

/// Focuses the first element that matches a selector, if there is one.
pub fn focus(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        _ = element.focus();
    }
}
