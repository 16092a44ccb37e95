//! The banner above the page and the save bar below it.

use app::browser::download_text;
use leptos::{ev::FocusEvent, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::{
    pieces::{close_symbol, symbol, with_code},
    protect,
};
use crate::{
    draft::Draft,
    editor::{BarMessage, Dialog, Editor},
    edits::ConfigBlock,
    gestures::{SelectButton, SelectionBar},
    texts::{fill, t, t_count},
};

/// Banner and save bar.
#[component]
pub fn Bar(editor: Editor) -> impl IntoView {
    let file = editor.file_name();
    let state = move || {
        let steps = editor.draft.with(|draft| draft.steps());
        match steps {
            0 => t("nothing changed yet"),
            steps => t_count("1 change, not saved", "{count} changes, not saved", steps, &[]),
        }
    };
    let read_only = editor.file.with_untracked(|file| file.read_only.clone());
    let is_read_only = read_only.is_some();
    let unwritable = editor.file.with_untracked(|file| file.unwritable.clone());
    let is_open = editor.file.with_untracked(|file| file.open);
    // A sign-in drops the drafts of people without one.
    let protect = is_open.then(|| {
        let open = move |_| {
            if editor.is_changed_now() {
                editor.say(t("Save or discard your changes first."));
            } else {
                protect::open(editor.base.get_value());
            }
        };
        view! { <button class="button" type="button" on:click=open>{t("Protect this dashboard")}</button> }
    });
    let no_local = editor.file.with_untracked(|file| file.no_local.clone());
    let cannot_keep = no_local.is_some();
    let undo_label = move || {
        editor
            .draft
            .with(|draft| draft.undo_label().map_or_else(|| t("Undo"), |step| fill("Undo: {step}", &[("step", step)])))
    };
    let redo_label = move || {
        editor
            .draft
            .with(|draft| draft.redo_label().map_or_else(|| t("Redo"), |step| fill("Redo: {step}", &[("step", step)])))
    };
    let cannot_undo = move || editor.draft.with(|draft| draft.undo_label().is_none());
    let cannot_redo = move || editor.draft.with(|draft| draft.redo_label().is_none());
    let cannot_save = move || is_read_only || editor.saving.get() || !editor.is_changed();
    // What is needed less often is behind "More", until the focus goes elsewhere than to a dialog opened from there.
    let more = RwSignal::new(false);
    let left = move |event: FocusEvent| {
        let stays = match event.related_target().map(JsCast::dyn_into::<Element>) {
            Some(Ok(target)) => {
                target.closest("dialog, .edit-more, .edit-more-button").is_ok_and(|found| found.is_some())
            }
            // The whole window has lost the focus.
            _ => !document().has_focus().unwrap_or_default(),
        };
        if !stays {
            more.set(false);
        }
    };
    let problems = move || {
        let (count, blocks) = editor.problems.with(|problems| {
            let real = problems.iter().filter(|problem| !problem.hint);
            (real.count(), problems.iter().any(|problem| problem.blocks))
        });
        (count > 0).then(|| {
            let text = t_count("1 problem", "{count} problems", count, &[]);
            let class = if blocks { "edit-problems blocking" } else { "edit-problems" };
            let open = move |_| editor.dialog.set(Some(Dialog::Problems));
            view! { <button class=class type="button" on:click=open>{text}</button> }
        })
    };
    let hints = move || {
        let (count, is_closed) = (editor.hints().len(), editor.hints_closed.get());
        (count > 0 && !is_closed).then(|| {
            let text = t_count("1 hint", "{count} hints", count, &[]);
            let open = move |_| editor.dialog.set(Some(Dialog::Hints));
            view! { <button class="edit-problems hints" type="button" on:click=open>{text}</button> }
        })
    };
    let pages = (!editor.is_sub_page()).then(|| {
        let open = move |_| editor.dialog.set(Some(Dialog::Pages));
        view! { <button class="button" type="button" data-pages on:click=open>{t("Pages")}</button> }
    });
    view! {
        <div class="edit-banner" role="region" aria-label=t("Edit mode")>
            <p><strong>{fill("Editing {file}", &[("file", &file)])}</strong> <span class="edit-state">{state}</span></p>
        </div>
        <div class="edit-bar" role="region" aria-label=t("Save bar")>
            {unwritable.map(|reason| view! { <p class="edit-note failed"><span>{with_code(&reason)}</span></p> })}
            {read_only.map(|reason| view! { <p class="edit-note"><span>{with_code(&reason)}</span></p> })}
            {move || editor.message.get().map(|message| message_view(editor, message))}
            <SelectionBar editor/>
            <div class="edit-actions">
                <button class="icon-button" type="button" aria-label=undo_label title=undo_label disabled=cannot_undo on:click=move |_| editor.undo()>
                    {symbol("M7.500 4.500L4 8l3.500 3.500M4 8h7.500a4.250 4.250 0 0 1 0 8.500H8")}
                </button>
                <button class="icon-button" type="button" aria-label=redo_label title=redo_label disabled=cannot_redo on:click=move |_| editor.redo()>
                    {symbol("M12.500 4.500L16 8l-3.500 3.500M16 8H8.500a4.250 4.250 0 0 0 0 8.500H12")}
                </button>
                {problems}
                {hints}
                <span class="edit-space"></span>
                <SelectButton editor/>
                <button class="button" type="button" on:click=move |_| editor.open_block(ConfigBlock::AppConfig)>{t("Settings")}</button>
                <button
                    class="button edit-more-button"
                    type="button"
                    aria-expanded=move || more.get().to_string()
                    on:click=move |_| more.update(|open| *open = !*open)
                >
                    {t("More")}
                </button>
                <div class="edit-more" class:open=more on:focusout=left>
                    <button class="button" type="button" on:click=move |_| editor.open_block(ConfigBlock::PageInfo)>{t("Page info")}</button>
                    {pages}
                    <button class="button" type="button" on:click=move |_| editor.open_raw()>{t("Edit as YAML")}</button>
                    <button class="button" type="button" on:click=move |_| editor.dialog.set(Some(Dialog::Styles))>{t("Styles")}</button>
                    <button class="button" type="button" on:click=move |_| editor.open_backups()>{t("Backups")}</button>
                    <button class="button" type="button" on:click=move |_| editor.dialog.set(Some(Dialog::Import))>{t("Import")}</button>
                    <button class="button" type="button" on:click=move |_| download(editor)>{t("Download")}</button>
                    <button
                        class="button"
                        type="button"
                        title=no_local
                        disabled=move || cannot_keep || !editor.is_changed()
                        on:click=move |_| editor.dialog.set(Some(Dialog::SaveLocally))
                    >
                        {t("Save locally")}
                    </button>
                    {protect}
                </div>
                <button class="button" type="button" on:click=move |_| editor.cancel()>{t("Cancel")}</button>
                <button class="button primary" type="button" disabled=cannot_save on:click=move |_| editor.save()>
                    {move || if editor.saving.get() { t("Saving…") } else { t("Save") }}
                </button>
            </div>
            <p class="visually-hidden" role="status" aria-live="polite">{move || editor.spoken.get()}</p>
        </div>
    }
}

fn message_view(editor: Editor, message: BarMessage) -> impl IntoView {
    let role = if message.failed { "alert" } else { "status" };
    let class = if message.failed { "edit-note failed" } else { "edit-note" };
    let here = window().location().pathname().unwrap_or_default();
    let sign_in = message.sign_in.then(|| {
        let base = editor.base.get_value();
        let href = format!("{base}/login?return_to={}", js_sys::encode_uri_component(&here));
        view! { " " <a href=href>{t("Sign in again")}</a> }
    });
    let compare = message.compare.then(|| {
        view! { <button class="button" type="button" on:click=move |_| editor.open_conflict()>{t("Compare")}</button> }
    });
    view! {
        <p class=class role=role>
            <span>{with_code(&message.text)}{sign_in}</span>
            {compare}
            <button class="icon-button" type="button" aria-label=t("Close this message") on:click=move |_| editor.message.set(None)>
                {close_symbol()}
            </button>
        </p>
    }
}

/// Downloads the draft.
fn download(editor: Editor) {
    download_text(&editor.file_name(), &editor.draft.with_untracked(Draft::text));
}
