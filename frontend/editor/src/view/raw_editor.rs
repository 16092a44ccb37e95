//! The editor for the text of a config: "Edit as YAML" in the save bar.
//!
//! It shows the draft as text. "Preview" replaces the draft with the text, as one step of the history; "Save" does so too, and
//! saves the text as it was typed.

use std::rc::Rc;

use app::{
    browser::download_text,
    built_view::IntoAny,
    editing::{EditorRejection, TextProblem},
};
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, HtmlElement, KeyboardEvent};

use super::{
    code_field::{Callbacks, CodeField, CodeModule, code_field, message_of},
    modal::Modal,
    pieces::with_code,
};
use crate::{
    dom::{closest, target},
    editor::{DialogAction, Editor, RawDraft},
    page::listen_to_window,
    texts::{digits, fill, t},
};

/// Phones, as `style/_screens.scss` has them.
const NARROW: &str = "(width < 600px)";

/// The open editor.
#[derive(Clone, Copy)]
struct RawEditor {
    editor: Editor,
    draft: StoredValue<RawDraft>,
    field: StoredValue<Option<(CodeField, Callbacks)>, LocalStorage>,
    /// The draft, with the line ends of the field.
    began: StoredValue<String>,
    /// Whether the text differs from the draft.
    is_typed: RwSignal<bool>,
    problems: RwSignal<Vec<TextProblem>>,
    /// What was done, or why it was not, and whether it failed.
    status: RwSignal<(String, bool)>,
    /// Whether the text is on its way into the draft.
    is_taking: StoredValue<bool>,
    /// Whether the question is shown what becomes of the text.
    asks: RwSignal<bool>,
}

/// Whether a problem is in the way.
type IsObstacle = fn(&TextProblem) -> bool;
const SYNTAX: IsObstacle = |problem| problem.syntax;
const BLOCKING: IsObstacle = |problem| problem.blocks;

fn fix_first(problem: &TextProblem) -> String {
    fill("Line {line} has to be fixed first.", &[("line", &digits(problem.line as u64))])
}

impl RawEditor {
    fn with_field<T>(self, act: impl FnOnce(&CodeField) -> T) -> Option<T> {
        self.field.try_with_value(|field| field.as_ref().map(|(field, _)| act(field))).flatten()
    }

    /// The text, while the editor is open.
    fn text(self) -> Option<String> {
        self.with_field(CodeField::text)
    }

    fn say(self, text: String) {
        self.status.set((text, false));
    }

    fn fail(self, text: String) {
        _ = self.status.try_set((text, true));
    }

    fn changed(self) {
        let is_typed = self.text().is_some_and(|text| self.began.with_value(|began| *began != text));
        self.is_typed.set(is_typed);
        self.editor.typed_text.set_value(is_typed);
        self.say(String::new());
    }

    fn read_only(self) -> Option<String> {
        self.draft.with_value(|draft| draft.read_only.clone())
    }

    fn no_local(self) -> Option<String> {
        self.draft.with_value(|draft| draft.no_local.clone())
    }

    /// Why there is nothing to save.
    fn unchanged(self) -> Option<String> {
        let is_changed = self.is_typed.get() || self.draft.with_value(|draft| draft.is_changed);
        (!is_changed).then(|| t("Nothing has changed."))
    }

    /// What is in the way, as the server said last.
    fn obstacle(self, is_obstacle: IsObstacle) -> Option<String> {
        self.problems.with(|problems| problems.iter().find(|problem| is_obstacle(problem)).map(fix_first))
    }

    /// Shows the problems that the server finds in a text.
    async fn check(self, text: &str) -> Result<Vec<TextProblem>, EditorRejection> {
        let Some(answer) = self.editor.problems_in(text).await else { return Ok(Vec::new()) };
        let mut problems = answer?;
        // The end of a text may be behind its last line.
        let last = text.split('\n').count();
        for problem in &mut problems {
            problem.line = problem.line.min(last);
        }
        Ok(problems)
    }

    fn show_problems(self, problems: Vec<TextProblem>) {
        let sees_cursor = self.with_field(CodeField::sees_cursor) == Some(true);
        _ = self.problems.try_set(problems);
        // The list takes space from the text field.
        if sees_cursor {
            request_animation_frame(move || _ = self.with_field(CodeField::show_cursor));
        }
    }

    /// What CodeMirror marks in a text, as JSON.
    async fn marks(self, text: String) -> String {
        let problems = match self.check(&text).await {
            Ok(problems) => problems,
            Err(rejection) => {
                self.fail(rejection.message);
                Vec::new()
            }
        };
        let json = serde_json::to_string(&problems).unwrap_or_default();
        self.show_problems(problems);
        json
    }

    /// Replaces the draft with the text, unless a problem prevents it. Returns whether it has.
    async fn take(self, is_obstacle: IsObstacle) -> bool {
        if self.is_taking.try_get_value() != Some(false) {
            return false;
        }
        self.is_taking.set_value(true);
        let result = self.take_text(is_obstacle).await;
        _ = self.is_taking.try_set_value(false);
        match result {
            Ok(()) => true,
            Err(reason) => {
                if !reason.is_empty() {
                    self.fail(reason);
                }
                false
            }
        }
    }

    /// Fails with the reason why the draft cannot be replaced; empty once the editor is closed.
    async fn take_text(self, is_obstacle: IsObstacle) -> Result<(), String> {
        let mut text = self.text().unwrap_or_default();
        let problems = loop {
            let problems = self.check(&text).await.map_err(|rejection| rejection.message)?;
            let now = self.text().ok_or_else(String::new)?;
            // What was typed in the meantime belongs to it.
            if now == text {
                break problems;
            }
            text = now;
        };
        let obstacle = problems.iter().find(|problem| is_obstacle(problem)).cloned();
        self.show_problems(problems);
        if let Some(obstacle) = obstacle {
            self.jump(&obstacle);
            return Err(fix_first(&obstacle));
        }
        if self.began.with_value(|began| *began != text) {
            let refusal = self.editor.take_text(&text, t("Edit as YAML"));
            if !refusal.is_empty() {
                return Err(refusal);
            }
        }
        self.close();
        Ok(())
    }

    fn jump(self, problem: &TextProblem) {
        self.with_field(|field| field.jump(problem.line, problem.column));
    }

    fn preview(self) {
        spawn_local(async move { _ = self.take(SYNTAX).await });
    }

    fn save(self) {
        match self.read_only().or_else(|| untrack(|| self.unchanged())) {
            Some(reason) => self.say(reason),
            None => spawn_local(async move {
                if self.take(BLOCKING).await {
                    self.editor.save();
                }
            }),
        }
    }

    fn save_locally(self) {
        match self.no_local().or_else(|| untrack(|| self.unchanged())) {
            Some(reason) => self.say(reason),
            None => spawn_local(async move {
                if self.take(SYNTAX).await {
                    self.editor.open_by_name("local");
                }
            }),
        }
    }

    fn format(self) {
        let Some(done) = self.with_field(CodeField::format) else { return };
        spawn_local(async move {
            match JsFuture::from(done).await {
                Ok(changed) if changed.is_falsy() => self.say(t("The text is formatted already.")),
                Ok(_) => {}
                Err(error) => self.fail(message_of(&error)),
            }
        });
    }

    fn copy(self) {
        let Some(done) = self.with_field(CodeField::copy) else { return };
        spawn_local(async move {
            _ = JsFuture::from(done).await;
            _ = self.status.try_set((t("Copied."), false));
        });
    }

    fn reset(self) {
        self.with_field(|field| self.draft.with_value(|draft| field.replace(&draft.saved)));
        self.say(t("This is the file as it was loaded. Ctrl+Z brings your text back."));
    }

    /// Asks what becomes of the text, or goes back to typing.
    fn ask(self, asks: bool) {
        self.asks.set(asks);
        if !asks {
            request_animation_frame(move || _ = self.with_field(CodeField::focus));
        }
    }

    fn leave(self) {
        if self.is_typed.get_untracked() { self.ask(true) } else { self.close() }
    }

    fn close(self) {
        self.editor.act(DialogAction::Close);
    }

    /// Puts the field into its element.
    fn start(self, module: &CodeModule, place: &HtmlElement) {
        let (text, file) = self.draft.with_value(|draft| (draft.text.clone(), draft.file.clone()));
        let label = fill("YAML of {file}. Escape, then Tab, leaves the text.", &[("file", &file)]);
        let check = Rc::new(move |text| Box::pin(self.marks(text)) as _);
        let schema = self.editor.schema;
        let (field, callbacks) = code_field(module, place, (&text, &label), schema, check, move || self.changed());
        self.began.set_value(field.text());
        field.wrap(is_narrow());
        self.field.set_value(Some((field, callbacks)));
        // The dialog opens in the meantime.
        request_animation_frame(move || _ = self.with_field(CodeField::focus));
    }

    fn end(self) {
        self.editor.typed_text.set_value(false);
        if let Some((field, callbacks)) = self.field.try_update_value(Option::take).flatten() {
            field.destroy();
            // The field may be calling one of them.
            spawn_local(async move { drop(callbacks) });
        }
    }
}

fn is_narrow() -> bool {
    window().match_media(NARROW).ok().flatten().is_some_and(|query| query.matches())
}

/// The dialog. `module` is CodeMirror.
#[component]
pub fn RawEditorView(editor: Editor, module: SendWrapper<CodeModule>) -> impl IntoView {
    let raw = RawEditor {
        editor,
        draft: StoredValue::new(editor.raw_draft()),
        field: StoredValue::new_local(None),
        began: StoredValue::new(String::new()),
        is_typed: RwSignal::new(false),
        problems: RwSignal::new(Vec::new()),
        status: RwSignal::new((String::new(), false)),
        is_taking: StoredValue::new(false),
        asks: RwSignal::new(false),
    };
    let place = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(place) = place.get() {
            untrack(|| raw.start(&module, &place));
        }
    });
    on_cleanup(move || raw.end());
    install_listeners(raw);
    let file = raw.draft.with_value(|draft| draft.file.clone());
    let note = raw.read_only().map(|reason| view! { <p class="edit-raw-note">{with_code(&reason)}</p> });
    view! {
        <Modal
            title=fill("Edit as YAML: `{file}`", &[("file", &file)]) class="edit-raw"
            close=Callback::new(move |()| raw.leave())
        >
            <Tools raw file/>
            {note}
            <div
                node_ref=place class="edit-raw-code"
                on:keydown=move |event: KeyboardEvent| {
                    // In the text, Escape closes CodeMirror's popups, or lets the next Tab leave the field.
                    if event.key() == "Escape" {
                        event.prevent_default();
                    }
                }
            ></div>
            <Problems raw/>
            <p class="edit-raw-hint">{t("Escape, then Tab, leaves the text. Ctrl+Space offers what fits.")}</p>
            <p class="edit-raw-status" class:failed=move || raw.status.get().1 role="status">
                {move || with_code(&raw.status.get().0)}
            </p>
            <Question raw/>
            <Buttons raw/>
        </Modal>
    }
}

/// Ctrl+S in the dialog, and the news that somebody else has changed the file.
fn install_listeners(raw: RawEditor) {
    let on_key = listen_to_window("keydown", move |event: Event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
        let is_save = (key.ctrl_key() || key.meta_key()) && key.key().eq_ignore_ascii_case("s");
        if is_save && target(&event).is_some_and(|target| closest(&target, ".edit-raw").is_some()) {
            event.prevent_default();
            raw.save();
        }
    });
    let on_others = listen_to_window("portico:others", move |_| {
        let file = raw.draft.with_value(|draft| draft.file.clone());
        let text = "`{file}` has just been changed by somebody else. Saving shows you both versions first.";
        raw.fail(fill(text, &[("file", &file)]));
    });
    on_cleanup(move || {
        on_key();
        on_others();
    });
}

#[component]
fn Tools(raw: RawEditor, file: String) -> impl IntoView {
    let is_wrapped = RwSignal::new(is_narrow());
    let wrap = move |_| {
        is_wrapped.update(|is_wrapped| *is_wrapped = !*is_wrapped);
        raw.with_field(|field| field.wrap(is_wrapped.get_untracked()));
    };
    let download = move |_| {
        if let Some(text) = raw.text() {
            download_text(&file, &text);
        }
    };
    view! {
        <div class="edit-raw-tools" role="toolbar" aria-label=t("Text")>
            <button class="button" type="button" on:click=move |_| _ = raw.with_field(CodeField::find)>{t("Find")}</button>
            <button class="button" type="button" aria-pressed=move || is_wrapped.get().to_string() on:click=wrap>{t("Wrap")}</button>
            <button class="button" type="button" on:click=move |_| raw.format()>{t("Format")}</button>
            <button class="button" type="button" on:click=move |_| raw.copy()>{t("Copy")}</button>
            <button class="button" type="button" on:click=download>{t("Download")}</button>
            <button class="button" type="button" on:click=move |_| raw.reset()>{t("Reset")}</button>
        </div>
    }
}

#[component]
fn Problems(raw: RawEditor) -> impl IntoView {
    let rows = move || {
        let rows = raw.problems.get().into_iter().map(|problem| {
            let said = match (problem.syntax, problem.blocks) {
                (true, _) => fill("this cannot be read: {message}", &[("message", &problem.message)]),
                (false, true) => fill("cannot be saved: {message}", &[("message", &problem.message)]),
                (false, false) => problem.message.clone(),
            };
            let values = [("line", &*digits(problem.line as u64)), ("message", &said)];
            let text = with_code(&fill("Line {line}: {message}", &values));
            let class = if problem.blocks { "blocking" } else { "" };
            view! { <li><button class=class on:click=move |_| raw.jump(&problem)>{text}</button></li> }
        });
        rows.collect_view()
    };
    view! {
        <ul
            class="edit-raw-problems" role="list" aria-label=t("Problems")
            hidden=move || raw.problems.with(Vec::is_empty)
        >
            {rows}
        </ul>
    }
}

#[component]
fn Question(raw: RawEditor) -> impl IntoView {
    let stay = NodeRef::<html::Button>::new();
    Effect::new(move |_| {
        if raw.asks.get()
            && let Some(stay) = stay.get()
        {
            _ = stay.focus();
        }
    });
    view! {
        <div class="edit-buttons" role="alert" hidden=move || !raw.asks.get()>
            <span>{t("Your changes to the text are not in the draft yet.")}</span>
            <button class="button" type="button" on:click=move |_| raw.close()>{t("Discard")}</button>
            <button node_ref=stay class="button" type="button" on:click=move |_| raw.ask(false)>{t("Keep typing")}</button>
            <button class="button primary" type="button" on:click=move |_| raw.preview()>{t("Preview")}</button>
        </div>
    }
}

/// The buttons. One that something stands in the way of looks disabled and says why; it can be reached all the same.
#[component]
fn Buttons(raw: RawEditor) -> impl IntoView {
    let text_obstacle = Memo::new(move |_| raw.obstacle(SYNTAX).unwrap_or_default());
    let save_obstacle = Memo::new(move |_| {
        raw.read_only().or_else(|| raw.unchanged()).or_else(|| raw.obstacle(BLOCKING)).unwrap_or_default()
    });
    let local_obstacle = Memo::new(move |_| {
        raw.no_local().or_else(|| raw.unchanged()).or_else(|| raw.obstacle(SYNTAX)).unwrap_or_default()
    });
    let button = move |class: &'static str, label: String, obstacle: Memo<String>, act: fn(RawEditor)| {
        view! {
            <button
                class=class type="button" title=obstacle aria-disabled=move || (!obstacle.get().is_empty()).to_string()
                on:click=move |_| act(raw)
            >
                {label}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="edit-buttons" hidden=move || raw.asks.get()>
            <button class="button" type="button" on:click=move |_| raw.leave()>{t("Cancel")}</button>
            {button("button", t("Preview"), text_obstacle, RawEditor::preview)}
            {button("button", t("Save locally"), local_obstacle, RawEditor::save_locally)}
            {button("button primary", t("Save"), save_obstacle, RawEditor::save)}
        </div>
    }
}
