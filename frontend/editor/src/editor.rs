//! The state of the editor, and what it does.

use app::editing::{DraftPreview, EditorDocument, EditorProblem, EditorRefusal, EditorSaved, FileBackup, RefusalKind};
use config::{Document, Place};
use js_sys::{Function, Reflect};
use leptos::{prelude::*, task::spawn_local};
use serde_json::{Map, Value, json};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::HtmlElement;

use crate::{
    calls::call,
    difference::{Line, difference},
    draft::Draft,
    edits::{self, Block, Edit, List, Spot},
    form::Form,
    schema::Schema,
    storage::{self, Stored},
};

/// What stands before the page while it is open.
#[derive(Clone)]
pub enum Dialog {
    /// A form.
    Form(Form),
    /// The types of widgets, to add one to a section.
    Picker(usize),
    /// A question before something that cannot be undone, or loses something.
    Question(Question),
    /// The backups of the file.
    Backups(Vec<FileBackup>),
    /// How the draft would change if a backup, by its name, was restored.
    Difference(String, Vec<Line>),
    /// The list of pages.
    Pages,
    /// What is wrong in the draft.
    Problems,
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
    /// The draft is forgotten, and editing begins again with the file as it is.
    BeginAgain,
    /// The draft of an earlier visit is taken up.
    TakeUp,
    /// The draft of an earlier visit is forgotten.
    ForgetStored,
}

/// A sentence above the save bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The sentence.
    pub text: String,
    /// Whether something has failed.
    pub failed: bool,
    /// Whether it ends with a way to sign in.
    pub sign_in: bool,
}

/// The editor of one page.
#[derive(Clone, Copy)]
pub struct Editor {
    host: StoredValue<JsValue, LocalStorage>,
    /// Path prefix of the product.
    pub base: StoredValue<String>,
    page: StoredValue<Option<String>>,
    /// The file as it was loaded; its version is that of the last save.
    pub file: RwSignal<EditorDocument>,
    /// The fields of all forms.
    pub schema: StoredValue<Schema>,
    /// The draft.
    pub draft: RwSignal<Draft>,
    /// What is wrong in what is shown.
    pub problems: RwSignal<Vec<EditorProblem>>,
    /// What stands before the page.
    pub dialog: RwSignal<Option<Dialog>>,
    /// A sentence above the save bar.
    pub note: RwSignal<Option<Note>>,
    /// What screen readers say.
    pub spoken: RwSignal<String>,
    /// Whether the draft is being saved.
    pub saving: RwSignal<bool>,
    /// Whether the person has been told that comments go.
    told_of_comments: StoredValue<bool>,
    /// Whether the draft may be kept in the browser.
    keeps: StoredValue<bool>,
    /// Whether a preview is being asked for.
    asking: StoredValue<bool>,
    /// What is to be shown next.
    wanted: StoredValue<Option<Document>>,
    /// Gets the focus when what is to be shown next is there.
    focus: StoredValue<Option<String>>,
    /// Owns the values of forms: a form may be opened from a dialog that closes for it.
    owner: StoredValue<Owner>,
}

/// A property of the host, as text.
pub fn host_text(host: &JsValue, name: &str) -> Option<String> {
    Reflect::get(host, &name.into()).ok()?.as_string()
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
            schema: StoredValue::new(schema),
            draft: RwSignal::new(Draft::new(document)),
            dialog: RwSignal::new(None),
            note: RwSignal::new(None),
            spoken: RwSignal::new(String::new()),
            saving: RwSignal::new(false),
            told_of_comments: StoredValue::new(false),
            keeps: StoredValue::new(true),
            asking: StoredValue::new(false),
            wanted: StoredValue::new(None),
            focus: StoredValue::new(None),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        };
        let html = editor.file.with_untracked(|file| file.preview.html.clone());
        editor.draw(&html, &editor.document());
        editor
    }

    /// The document as it is now.
    pub fn document(self) -> Document {
        self.draft.with_untracked(|draft| draft.document().clone())
    }

    /// Name of the file.
    pub fn file_name(self) -> String {
        self.file.with_untracked(|file| file.file.clone())
    }

    /// Does something, shows it, and brings the focus to where the thing is then.
    pub fn make(self, edit: Option<Edit>) {
        let Some(edit) = edit else { return };
        let (words, spot) = (edit.words.clone(), edit.spot);
        let made = self.draft.try_update(|draft| draft.make(edit).is_ok()).unwrap_or_default();
        if made {
            self.focus.set_value(spot.map(Spot::selector));
            self.spoken.set(format!("{words}."));
            self.changed();
        }
    }

    /// Takes the last step back.
    pub fn undo(self) {
        if let Some(words) = self.draft.try_update(Draft::undo).flatten() {
            self.spoken.set(format!("Undone: {words}."));
            self.changed();
        }
    }

    /// Does again what was undone.
    pub fn redo(self) {
        if let Some(words) = self.draft.try_update(Draft::redo).flatten() {
            self.spoken.set(format!("Done again: {words}."));
            self.changed();
        }
    }

    fn changed(self) {
        self.note.set(None);
        let file = self.file_name();
        let (steps, text) = self.draft.with_untracked(|draft| (draft.steps(), draft.document().print()));
        if steps == 0 {
            storage::forget(&file);
        } else if self.keeps.get_value() {
            let version = self.file.with_untracked(|file| file.version.clone());
            storage::keep(&file, &Stored { text, version, at: js_sys::Date::now() });
        }
        self.show(self.document());
    }

    /// Whether the draft differs from the file.
    pub fn is_changed(self) -> bool {
        self.draft.with(|draft| draft.steps() > 0)
    }

    /// The same, for those who do not wait for it to become another.
    pub fn is_changed_now(self) -> bool {
        self.draft.with_untracked(|draft| draft.steps() > 0)
    }

    /// Shows how the page looks with a document. While the server draws one, only the newest waits.
    pub fn show(self, document: Document) {
        self.wanted.set_value(Some(document));
        if self.asking.get_value() {
            return;
        }
        self.asking.set_value(true);
        spawn_local(async move {
            while let Some(document) = self.wanted.try_update_value(Option::take).flatten() {
                let selector = self.focus.try_update_value(Option::take).flatten();
                let arguments = json!({ "page": self.page.get_value(), "text": document.print() });
                let base = self.base.get_value();
                let answer = call::<DraftPreview>(&base, "editor-preview", &arguments).await;
                if self.is_over() {
                    return;
                }
                match answer {
                    Ok(preview) => {
                        self.draw(&preview.html, &document);
                        self.problems.set(preview.problems);
                        if let Some(selector) = selector {
                            focus(&selector);
                        }
                    }
                    Err(refusal) => self.refused(refusal),
                }
            }
            self.asking.set_value(false);
        });
    }

    /// Brings the open page to a document of the server. Widgets whose entries are the same keep their panels.
    fn draw(self, html: &str, document: &Document) {
        let mut entries = Map::new();
        for section in 0..List::Sections.len(document) {
            for index in 0..List::Widgets(section).len(document) {
                let entry = document.at(&Spot { list: List::Widgets(section), index }.place());
                let entry = entry.map(Value::to_string).unwrap_or_default();
                entries.insert(format!("{section}-{index}"), entry.into());
            }
        }
        let arguments = [html.into(), Value::Object(entries).to_string().into()];
        self.host.with_value(|host| host_call(host, "show", &arguments));
    }

    fn refused(self, refusal: EditorRefusal) {
        let sign_in = refusal.kind == RefusalKind::SignIn;
        let mut text = refusal.message;
        if sign_in {
            text.push_str(match self.keeps.get_value() {
                true => " Your draft is kept in this browser and offered again afterwards.",
                false => " Your draft is in this tab alone now: sign in again in another tab, then go on here.",
            });
        }
        self.note.set(Some(Note { text, failed: true, sign_in }));
        if !refusal.problems.is_empty() {
            self.problems.set(refusal.problems);
        }
    }

    /// Keeps nothing in the browser any more if what was kept has just been deleted elsewhere: by a sign-out in another tab,
    /// or by another person there. `key` is what was deleted; none for everything.
    pub fn deleted_elsewhere(self, key: Option<&str>) {
        if self.is_changed_now() && (key.is_none() || key == storage::key(&self.file_name()).as_deref()) {
            self.keeps.set_value(false);
        }
    }

    /// Says something above the save bar.
    pub fn say(self, text: impl Into<String>) {
        self.note.set(Some(Note { text: text.into(), failed: false, sign_in: false }));
    }

    /// Saves the draft, after the questions that have to be asked.
    pub fn save(self) {
        let (comments, version) = self.file.with_untracked(|file| (file.has_comments, file.version.clone()));
        if comments && !self.told_of_comments.get_value() {
            let text = format!(
                "`{}` has comments. Saving writes it anew, and they go. The file as it is now stays among the backups.",
                self.file_name()
            );
            self.ask(
                "Save without comments?",
                text,
                &[("Keep editing", Way::Stay), ("Save", Way::SaveWithoutComments)],
            );
            return;
        }
        self.write(Some(version));
    }

    fn write(self, version: Option<String>) {
        if self.saving.get_untracked() {
            return;
        }
        self.saving.set(true);
        let text = self.document().print();
        spawn_local(async move {
            let arguments = json!({ "page": self.page.get_value(), "text": text, "version": version });
            let answer = call::<EditorSaved>(&self.base.get_value(), "editor-save", &arguments).await;
            if self.is_over() {
                return;
            }
            self.saving.set(false);
            match answer {
                Ok(saved) => {
                    storage::forget(&self.file_name());
                    self.leave(&saved.message);
                }
                Err(refusal) if refusal.kind == RefusalKind::Changed => {
                    let ways = [
                        ("Save mine over it", Way::SaveOver),
                        ("Load the file", Way::BeginAgain),
                        ("Keep editing", Way::Stay),
                    ];
                    let text = format!("{} Saving over it keeps the other version among the backups.", refusal.message);
                    self.ask("The file has changed", text, &ways);
                }
                Err(refusal) => self.refused(refusal),
            }
        });
    }

    /// Asks before something is lost.
    pub fn ask(self, title: &str, text: String, ways: &[(&str, Way)]) {
        let ways = ways.iter().map(|(label, way)| ((*label).to_owned(), *way)).collect();
        self.dialog.set(Some(Dialog::Question(Question { title: title.to_owned(), text, ways })));
    }

    /// Ends edit mode, if nothing is lost by it or the person says so.
    pub fn cancel(self) {
        let steps = self.draft.with_untracked(Draft::steps);
        if steps == 0 {
            self.leave("");
            return;
        }
        let text = format!(
            "{} not saved.",
            if steps == 1 { "One change is".to_owned() } else { format!("{steps} changes are") }
        );
        self.ask("Discard your changes?", text, &[("Discard", Way::Leave), ("Keep editing", Way::Stay)]);
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
            Way::Leave => {
                storage::forget(&self.file_name());
                self.leave("");
            }
            Way::SaveOver => self.write(None),
            Way::SaveWithoutComments => {
                self.told_of_comments.set_value(true);
                self.save();
            }
            Way::BeginAgain => {
                storage::forget(&self.file_name());
                self.begin_again();
            }
            Way::TakeUp => self.take_up(),
            Way::ForgetStored => storage::forget(&self.file_name()),
        }
    }

    /// Ends edit mode. Nothing of the editor is left after it.
    fn leave(self, message: &str) {
        let (host, message) = (self.host.with_value(JsValue::clone), JsValue::from_str(message));
        // Not in the middle of a click on something of the editor.
        spawn_local(async move {
            crate::view::end();
            host_call(&host, "leave", &[message]);
        });
    }

    /// Whether edit mode has ended while something was waited for.
    fn is_over(self) -> bool {
        self.host.try_with_value(|_| ()).is_none()
    }

    /// Loads the file as it is now.
    fn begin_again(self) {
        spawn_local(async move {
            let arguments = json!({ "page": self.page.get_value() });
            let answer = call::<EditorDocument>(&self.base.get_value(), "editor-load", &arguments).await;
            if self.is_over() {
                return;
            }
            match answer {
                Ok(file) => {
                    let Ok(document) = Document::parse(file.text.as_bytes()) else { return };
                    self.draft.set(Draft::new(document.clone()));
                    self.draw(&file.preview.html, &document);
                    self.problems.set(file.preview.problems.clone());
                    self.file.set(file);
                    self.say("This is the file as it is now.");
                }
                Err(refusal) => self.refused(refusal),
            }
        });
    }

    /// Offers the draft of an earlier visit.
    pub fn offer_stored(self) {
        let file = self.file_name();
        let Some(stored) = storage::kept(&file) else { return };
        let date = js_sys::Date::new(&stored.at.into());
        let when = String::from(date.to_locale_string("default", &JsValue::UNDEFINED));
        let changed = self.file.with_untracked(|file| file.version != stored.version);
        let more = if changed { " The file has been changed since." } else { "" };
        let text = format!("You have changes to `{file}` from {when} that were not saved.{more}");
        self.ask("Go on with your draft?", text, &[("Discard it", Way::ForgetStored), ("Go on", Way::TakeUp)]);
    }

    fn take_up(self) {
        let Some(stored) = storage::kept(&self.file_name()) else { return };
        let Ok(document) = Document::parse(stored.text.as_bytes()) else {
            self.say("The draft cannot be read any more.");
            return;
        };
        // Saving it has to notice what happened to the file meanwhile.
        self.file.update(|file| file.version.clone_from(&stored.version));
        self.draft.update(|draft| draft.become_document(&document, "Changes of an earlier visit".to_owned()));
        self.changed();
    }

    /// Says so if the file is another one than the draft began with. Called when the server announces a change.
    pub fn look_at_file(self) {
        spawn_local(async move {
            let arguments = json!({ "page": self.page.get_value() });
            let Ok(file) = call::<EditorDocument>(&self.base.get_value(), "editor-load", &arguments).await else {
                return;
            };
            if !self.is_over() && self.file.with_untracked(|known| known.version != file.version) {
                let text = format!(
                    "`{}` has just been changed by somebody else. Your draft is kept; saving asks before it overwrites anything.",
                    file.file
                );
                self.note.set(Some(Note { text, failed: true, sign_in: false }));
            }
        });
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
        let value = self.document().at(&Place::top().key(block.key())).cloned().unwrap_or_else(|| json!({}));
        self.open_form(|| Form::block(block, value));
    }

    /// Whether the page is one of the further ones, whose files have no list of pages.
    pub fn is_sub_page(self) -> bool {
        self.page.with_value(|page| page.as_deref().is_some_and(|page| !page.is_empty()))
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

    /// Opens the list of backups.
    pub fn open_backups(self) {
        spawn_local(async move {
            let arguments = json!({ "page": self.page.get_value() });
            let answer = call::<Vec<FileBackup>>(&self.base.get_value(), "editor-backups", &arguments).await;
            if self.is_over() {
                return;
            }
            match answer {
                Ok(backups) => self.dialog.set(Some(Dialog::Backups(backups))),
                Err(refusal) => self.refused(refusal),
            }
        });
    }

    /// Shows what would change in the draft if a backup was restored.
    pub fn compare(self, name: String) {
        spawn_local(async move {
            let arguments = json!({ "page": self.page.get_value(), "name": name });
            let answer = call::<String>(&self.base.get_value(), "editor-backup", &arguments).await;
            if self.is_over() {
                return;
            }
            match answer {
                Ok(text) => {
                    // As the draft would be saved: comments and formatting are no difference.
                    let text = Document::parse(text.as_bytes()).map_or(text, |document| document.print());
                    let lines = difference(&self.document().print(), &text);
                    self.dialog.set(Some(Dialog::Difference(name, lines)));
                }
                Err(refusal) => {
                    self.dialog.set(None);
                    self.refused(refusal);
                }
            }
        });
    }

    /// Takes a backup for the draft. Nothing is written before it is saved.
    pub fn restore(self, name: String) {
        self.dialog.set(None);
        spawn_local(async move {
            let arguments = json!({ "page": self.page.get_value(), "name": name });
            let answer = call::<String>(&self.base.get_value(), "editor-backup", &arguments).await;
            if self.is_over() {
                return;
            }
            match answer {
                Ok(text) => match Document::parse(text.as_bytes()) {
                    Ok(document) if document.mapping().is_ok() => {
                        self.draft.update(|draft| draft.become_document(&document, format!("Restore {name}")));
                        self.changed();
                        self.say(format!("This is `{name}`. Save to make it the config, or undo."));
                    }
                    _ => self.say(format!("`{name}` cannot be read as a config. Choose another backup.")),
                },
                Err(refusal) => self.refused(refusal),
            }
        });
    }

    /// Sends the focus to an element.
    pub fn focus_on(self, spot: Spot) {
        focus(&spot.selector());
    }
}

fn host_call(host: &JsValue, name: &str, arguments: &[JsValue]) {
    let function = Reflect::get(host, &name.into()).ok().and_then(|function| function.dyn_into::<Function>().ok());
    let Some(function) = function else { return };
    if let Err(error) = function.apply(host, &arguments.iter().collect::<js_sys::Array>()) {
        leptos::logging::error!("{error:?}");
    }
}

fn focus(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        _ = element.focus();
    }
}
