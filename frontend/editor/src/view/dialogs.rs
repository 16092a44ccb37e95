//! The open dialog: a form, a question, backups, problems.

use app::{built_view::IntoAny, editing::FileBackup};
use js_sys::Date;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::{
    conflict::ConflictView,
    copies::{EncryptedCopy, RemoteCopy, RestoreFile},
    form::FormView,
    import::Import,
    local::SaveLocally,
    modal::Modal,
    pages::Pages,
    pieces::with_code,
    raw_editor::RawEditorView,
    styles::Styles,
};
use crate::{
    editor::{Dialog, DialogAction, Editor, NO_BACKUP, Question},
    edits::Spot,
    line_diff::Line,
    messages::sentence,
    texts::{fill, t, t_count},
};

/// The open dialog, if there is one.
#[component]
pub fn Dialogs(editor: Editor) -> impl IntoView {
    move || {
        editor.dialog.get().map(|dialog| match dialog {
            Dialog::Form(form) => view! { <FormView editor form/> }.into_any(),
            Dialog::Question(question) => view! { <QuestionView editor question/> }.into_any(),
            Dialog::Backups(backups) => view! { <Backups editor backups/> }.into_any(),
            Dialog::BackupDiff(name, lines) => view! { <BackupDiff editor name lines/> }.into_any(),
            Dialog::Conflict(conflict) => {
                let conflict = *conflict;
                view! { <ConflictView editor conflict/> }.into_any()
            }
            Dialog::Pages => view! { <Pages editor/> }.into_any(),
            Dialog::Problems => view! { <Problems editor hints=false/> }.into_any(),
            Dialog::Hints => view! { <Problems editor hints=true/> }.into_any(),
            Dialog::Import => view! { <Import editor/> }.into_any(),
            Dialog::Styles => view! { <Styles editor/> }.into_any(),
            Dialog::Raw(module) => view! { <RawEditorView editor module/> }.into_any(),
            Dialog::SaveLocally => view! { <SaveLocally editor/> }.into_any(),
            Dialog::EncryptedCopy => view! { <EncryptedCopy editor/> }.into_any(),
            Dialog::RestoreFile => view! { <RestoreFile editor/> }.into_any(),
            Dialog::RemoteCopy => view! { <RemoteCopy editor/> }.into_any(),
        })
    }
}

#[component]
fn QuestionView(editor: Editor, question: Question) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(question.close));
    let last = question.actions.len().saturating_sub(1);
    let actions = question.actions.into_iter().enumerate().map(|(position, (label, action))| {
        let class = if position == last { "button primary" } else { "button" };
        view! { <button class=class type="button" on:click=move |_| editor.act(action)>{label}</button> }
    });
    let actions = actions.collect_view();
    view! {
        <Modal title=question.title class="edit-question" close>
            <p class="edit-text">{with_code(&question.text)}</p>
            <div class="edit-buttons">{actions}</div>
        </Modal>
    }
}

#[component]
fn Backups(editor: Editor, backups: Vec<FileBackup>) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let empty = backups.is_empty();
    let rows = backups.into_iter().map(|backup| {
        let date = Date::new(&JsValue::from_f64(backup.at as f64));
        let when = String::from(date.to_locale_string("default", &JsValue::UNDEFINED));
        let size =
            if backup.bytes < 1024 { t_count("1 byte", "{count} bytes", backup.bytes as usize, &[]) } else { format!("{} KB", backup.bytes / 1024) };
        let about = |text: &str| fill(text, &[("time", &when)]);
        let label = about("Restore the backup of {time}");
        let file_label = about("Download the backup of {time}");
        let other_label = about("Differences to the backup of {time}");
        let name = backup.name.clone();
        let compare = move |_| editor.compare(name.clone());
        let name = backup.name.clone();
        let download = move |_| editor.download_backup(name.clone());
        let restore = move |_| editor.restore(backup.name.clone());
        view! {
            <li>
                <span>{when}</span>
                <span class="edit-muted">{size}</span>
                <span class="edit-row-buttons">
                    <button class="button" type="button" aria-label=other_label on:click=compare>{t("Differences")}</button>
                    <button class="button" type="button" aria-label=file_label on:click=download>{t("Download")}</button>
                    <button class="button" type="button" aria-label=label on:click=restore>{t("Restore")}</button>
                </span>
            </li>
        }
    });
    let rows = rows.collect_view();
    let text = match (empty, editor.keeps_backups()) {
        (true, true) => t("There are no backups yet. Each save backs up the previous version."),
        (true, false) => [t("There are no backups."), t(NO_BACKUP)].join(" "),
        (false, _) => t("Restoring takes a backup for the draft; nothing is written before you save."),
    };
    let remote = editor.file.with_untracked(|file| file.backup_endpoint.is_some()).then(|| {
        view! { <button class="button" type="button" on:click=move |_| editor.dialog.set(Some(Dialog::RemoteCopy))>{t("Remote copy…")}</button> }
    });
    view! {
        <Modal title=t("Backups") class="edit-list-dialog" close>
            <p class="edit-text">{with_code(&text)}</p>
            <ul class="edit-list" role="list">{rows}</ul>
            <div class="edit-buttons">
                <button class="button" type="button" on:click=move |_| editor.dialog.set(Some(Dialog::EncryptedCopy))>{t("Encrypted copy…")}</button>
                <button class="button" type="button" on:click=move |_| editor.dialog.set(Some(Dialog::RestoreFile))>{t("Restore from a file…")}</button>
                {remote}
            </div>
        </Modal>
    }
}

/// What restoring a backup would change in the draft.
#[component]
fn BackupDiff(editor: Editor, name: String, lines: Vec<Line>) -> impl IntoView {
    let close = Callback::new(move |()| editor.open_backups());
    let same = lines.is_empty();
    let rows = lines.into_iter().map(|line| match line {
        Line::Same(text) => view! { <span>"  "{text}"\n"</span> }.into_any(),
        Line::Removed(text) => view! { <del>"- "{text}"\n"</del> }.into_any(),
        Line::Added(text) => view! { <ins>"+ "{text}"\n"</ins> }.into_any(),
        Line::Skipped(count) => {
            view! { <span class="edit-muted">"… "{t_count("1 more", "{count} more", count, &[])}"\n"</span> }.into_any()
        }
    });
    let rows = rows.collect_view();
    let shown = if same {
        view! { <p class="edit-text">{t("The draft is the same.")}</p> }.into_any()
    } else {
        view! { <pre class="edit-difference" tabindex="0">{rows}</pre> }.into_any()
    };
    let restored = name.clone();
    view! {
        <Modal title=t("Restoring changes these lines") class="edit-list-dialog" close>
            <p class="edit-text"><code>{name}</code></p>
            {shown}
            <div class="edit-buttons">
                <button class="button" type="button" on:click=move |_| close.run(())>{t("Back")}</button>
                <button class="button primary" type="button" disabled=same on:click=move |_| editor.restore(restored.clone())>
                    {t("Restore")}
                </button>
            </div>
        </Modal>
    }
}

/// What is wrong in the draft; with `hints`, what works but could be done better.
#[component]
fn Problems(editor: Editor, hints: bool) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let rows = move || {
        let shown = editor.problems.get().into_iter().filter(|problem| problem.hint == hints);
        let rows = shown.map(|problem| {
            let spot = Spot::of_pointer(&problem.path);
            let open = spot.map(|spot| {
                view! { <button class="button" type="button" on:click=move |_| editor.open(spot)>{t("Edit")}</button> }
            });
            let message = match problem.blocks {
                true => fill("Cannot be saved: {message}", &[("message", &problem.message)]),
                false => sentence(&problem.message),
            };
            view! { <li><span>{with_code(&message)} " " <code class="edit-muted">{problem.path}</code></span>{open}</li> }
        });
        rows.collect_view()
    };
    let title = if hints { t("Hints") } else { t("Problems") };
    let about = hints.then(|| view! { <p class="edit-text">{t("All of this works. It could be done better.")}</p> });
    let footer = hints.then(|| {
        let dismiss = move |_| {
            editor.close_hints();
            close.run(());
        };
        view! {
            <div class="edit-buttons">
                <button class="button" type="button" on:click=dismiss>{t("Do not show again")}</button>
                <button class="button primary" type="button" on:click=move |_| close.run(())>{t("Close")}</button>
            </div>
        }
    });
    view! {
        <Modal title=title class="edit-list-dialog" close>
            {about}
            <ul class="edit-list" role="list">{rows}</ul>
            {footer}
        </Modal>
    }
}
