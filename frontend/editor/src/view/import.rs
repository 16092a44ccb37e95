//! The dialog that imports from other dashboards: files or text first, then the report.

use app::importing::{ImportedFile, ImportedSections};
use leptos::{ev::SubmitEvent, html, prelude::*, task::spawn_local};

use super::{files::chosen, modal::Modal, pieces::with_code};
use crate::{
    editor::{DialogAction, Editor},
    messages::sentence,
    texts::t,
};

/// The dashboards that files may come from, with their labels.
const SOURCES: [(&str, &str); 6] = [
    ("", "Find out from the files"),
    ("dashy", "Dashy"),
    ("homepage", "Homepage"),
    ("homer", "Homer"),
    ("glance", "Glance"),
    ("bookmarks", "Bookmarks of a browser"),
];

/// The dialog.
#[component]
pub fn Import(editor: Editor) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let result = RwSignal::new(None::<ImportedSections>);
    let report = move || result.get().map(|imported| view! { <Report editor imported result/> });
    // “Back” returns to the form as it was left.
    view! {
        <Modal title=t("Import") class="edit-form" close>
            <Choice editor result/>
            {report}
        </Modal>
    }
}

/// The form for the files and where they come from.
#[component]
fn Choice(editor: Editor, result: RwSignal<Option<ImportedSections>>) -> impl IntoView {
    let source = RwSignal::new(String::new());
    let pasted = RwSignal::new(String::new());
    let problem = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let input = NodeRef::<html::Input>::new();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        problem.set(None);
        // Read now, because the dialog may close in the meantime.
        let (input, source, text) = (input.get_untracked(), source.get_untracked(), pasted.get_untracked());
        spawn_local(async move {
            let mut files = match &input {
                Some(input) => chosen(input).await,
                None => Vec::new(),
            };
            if !text.trim().is_empty() {
                files.push(ImportedFile { name: String::new(), text });
            }
            let answer = if files.is_empty() {
                Some(Err(t("Choose a file, or paste the text of one.")))
            } else {
                editor.convert(source, files).await
            };
            // Edit mode has ended, so the signals are gone.
            let Some(answer) = answer else { return };
            busy.set(false);
            match answer {
                Ok(imported) => result.set(Some(imported)),
                Err(message) => problem.set(Some(message)),
            }
        });
    };
    let options =
        SOURCES.map(|(name, title)| view! { <option value=name>{t(title)}</option> }).into_iter().collect_view();
    view! {
        <form hidden=move || result.with(Option::is_some) on:submit=submit novalidate>
            <div class="edit-scroll">
                <p>
                    {t("Sections from another dashboard are added at the end of this page. Nothing is written before you save.")}
                </p>
                <label class="field">
                    <span>{t("From")}</span>
                    <select on:change=move |event| source.set(event_target_value(&event))>{options}</select>
                </label>
                <label class="field">
                    <span>{t("Files")}</span>
                    <input node_ref=input type="file" multiple accept=".yml,.yaml,.html,.htm"/>
                    <span class="edit-about">
                        {t("Of Homepage, choose services, bookmarks, widgets and settings together.")}
                    </span>
                </label>
                <label class="field">
                    <span>{t("Or paste the text of a file")}</span>
                    <textarea rows="6" spellcheck="false" on:input=move |event| pasted.set(event_target_value(&event))></textarea>
                </label>
                {move || {
                    problem.get().map(|message| view! { <p class="edit-problem" role="alert">{with_code(&sentence(&message))}</p> })
                }}
            </div>
            <div class="edit-buttons">
                <button class="button" type="button" on:click=move |_| editor.act(DialogAction::Close)>{t("Cancel")}</button>
                <button class="button primary" type="submit" disabled=move || busy.get()>
                    {move || if busy.get() { t("Reading…") } else { t("Show what arrives") }}
                </button>
            </div>
        </form>
    }
}

/// The report: what would be imported and what would not.
#[component]
fn Report(editor: Editor, imported: ImportedSections, result: RwSignal<Option<ImportedSections>>) -> impl IntoView {
    let list = |heading: &'static str, notes: &[String]| {
        let rows = notes.iter().map(|note| view! { <li>{with_code(note)}</li> }).collect_view();
        (!notes.is_empty()).then(|| view! { <h3>{t(heading)}</h3><ul>{rows}</ul> })
    };
    let lost = list("Not carried over", &imported.lost);
    let changed = list("Changed, or left for you to do", &imported.changed);
    let nothing =
        (imported.lost.is_empty() && imported.changed.is_empty()).then(|| view! { <p>{t("Everything arrives.")}</p> });
    let summary = imported.summary.clone();
    view! {
        <div class="edit-scroll edit-report" tabindex="0" role="region" aria-label=t("Report")>
            <p role="status">{summary}</p>
            {nothing}
            {lost}
            {changed}
        </div>
        <div class="edit-buttons">
            <button class="button" type="button" on:click=move |_| result.set(None)>{t("Back")}</button>
            <button class="button primary" type="button" on:click=move |_| editor.add_imported(&imported)>{t("Add to the page")}</button>
        </div>
    }
}
