//! The badge of a local config, and its panel.

use std::{any::Any, cell::RefCell};

use app::{
    browser::{download_text, element, first, root},
    editing::{EditorRejection, EditorSaved, RejectionKind},
    page::OVERLAY_ELEMENT,
};
use js_sys::Date;
use leptos::{html, mount::mount_to, prelude::*, task::spawn_local};
use wasm_bindgen::JsValue;

use super::pieces::with_code;
use crate::{
    editor::host_call,
    local_file::{ReplacedFile, is_editable, save_to_disk, show_file},
    storage::{self, Stored},
    texts::{fill, t},
};

const PANEL: &str = "local-panel";

thread_local! {
    /// The mounted badge.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Whether there is a badge.
pub fn is_shown() -> bool {
    MOUNTED.with_borrow(Option::is_some)
}

/// Removes the badge.
pub fn remove() {
    drop(MOUNTED.take());
}

/// Shows a badge that says that the page shows a local config, or why it cannot.
pub fn show(host: JsValue, stored: Stored, file: Option<ReplacedFile>, failure: Option<String>) {
    // Do not replace the panel while it is being read.
    if first("#local-panel:popover-open").is_some() {
        return;
    }
    remove();
    // The overlay is never replaced when the page changes.
    let Some(overlay) = element(OVERLAY_ELEMENT) else { return };
    let handle = mount_to(overlay, move || view! { <Badge host stored file failure/> });
    MOUNTED.set(Some(Box::new(handle)));
}

/// What has to be confirmed.
#[derive(Clone, Copy)]
enum Question {
    Save,
    Reset,
}

/// A time in the language of the page, as this browser writes it.
fn time(at: f64) -> String {
    let language = root().get_attribute("lang").unwrap_or_default();
    let own = window().navigator().language().unwrap_or_default();
    let locale = if own.starts_with(&language) || language == "zz-pirate" { "default" } else { &language };
    Date::new(&at.into()).to_locale_string(locale, &JsValue::UNDEFINED).into()
}

/// What the panel says first.
fn about(stored: &Stored, name: &str, file: Option<&ReplacedFile>, failure: Option<&str>) -> String {
    let when = time(stored.at);
    if let Some(failure) = failure {
        let kept = "This page shows the file. Your config of {time} is stored in this browser.";
        return [failure, &fill(kept, &[("time", &when)])].join(" ");
    }
    let text =
        "This page shows a config that is stored only in this browser, saved on {time}. Everyone else sees {file}.";
    let text = fill(text, &[("time", &when), ("file", name)]);
    if file.is_none_or(|file| file.version == stored.version) {
        return text;
    }
    let changed = fill("{file} has changed since: Edit, then Save, shows both versions.", &[("file", name)]);
    [text, changed].join(" ")
}

/// What is asked before the local config is saved to disk.
fn save_question(name: &str, file: Option<&ReplacedFile>) -> String {
    let asked = "Write the local config to {file}? It is written as it is, without comments that only the file has.";
    let backup = match file.is_some_and(|file| file.keeps_backups) {
        true => t("What is in the file now stays among the backups."),
        false => t("What is in the file now is lost, because this server keeps no backups."),
    };
    [fill(asked, &[("file", name)]), backup].join(" ")
}

/// What went wrong when the local config was saved to disk.
fn refusal(name: &str, rejection: EditorRejection) -> String {
    if rejection.kind == RejectionKind::Changed {
        let text = "{file} has changed since. Choose Edit, then Save: you see both versions first.";
        return fill(text, &[("file", name)]);
    }
    [rejection.message, t("The local config stays stored.")].join(" ")
}

#[component]
fn Badge(host: JsValue, stored: Stored, file: Option<ReplacedFile>, failure: Option<String>) -> impl IntoView {
    let name = file.as_ref().map_or_else(|| t("the config file"), |file| format!("`{}`", file.name));
    let about = about(&stored, &name, file.as_ref(), failure.as_deref());
    let save_question = save_question(&name, file.as_ref());
    let is_failed = failure.is_some();
    let read_only = file.as_ref().and_then(|file| file.read_only.as_ref());
    let title = read_only.map(|reason| reason.replace('`', ""));
    let cannot_save = is_failed || title.is_some();
    let file_name = file.map_or_else(|| "conf.yml".to_owned(), |file| file.name);
    let host = StoredValue::new_local(host);
    let stored = StoredValue::new(stored);
    let told = RwSignal::new(String::new());
    let question = RwSignal::new(None::<Question>);
    let cancel = NodeRef::<html::Button>::new();
    let ask = Callback::new(move |asked: Question| {
        told.set(match asked {
            Question::Save => save_question.clone(),
            Question::Reset => {
                t("Forget the local config? The page then shows the file. Download it first if you may want it again.")
            }
        });
        question.set(Some(asked));
        // It takes the focus once it is shown.
        request_animation_frame(move || _ = cancel.try_get_untracked().flatten().map(|cancel| cancel.focus()));
    });
    let save = move |name: String| {
        let (host, stored_now) = (host.get_value(), stored.get_value());
        spawn_local(async move {
            match save_to_disk(&host, &stored_now).await {
                Ok(saved) if saved.left.is_empty() => show_file(&host, &message(&saved)).await,
                Ok(saved) => {
                    let said = message(&saved);
                    let rest = stored_now.after(saved);
                    _ = storage::keep_local(&rest);
                    _ = stored.try_set_value(rest);
                    _ = told.try_set(said);
                }
                Err(rejection) => _ = told.try_set(refusal(&name, rejection)),
            }
        });
    };
    let answer = move |is_confirmed: bool| {
        told.set(String::new());
        let asked = question.get_untracked();
        question.set(None);
        match asked.filter(|_| is_confirmed) {
            Some(Question::Save) => save(name.clone()),
            Some(Question::Reset) => {
                storage::forget_local();
                _ = window().location().reload();
            }
            None => {}
        }
    };
    let answer = Callback::new(answer);
    let edit = (!is_failed && is_editable()).then(|| {
        let edit = move |_| {
            if let Some(panel) = element(PANEL) {
                _ = panel.hide_popover();
            }
            host.with_value(|host| host_call(host, "begin", &[]));
        };
        view! { <button class="button" type="button" on:click=edit>{t("Edit")}</button> }
    });
    let download = move |_| stored.with_value(|stored| download_text(&file_name, &stored.text));
    let label = if is_failed { t("Local config not shown") } else { t("Local config") };
    let confirmed = move || match question.get() {
        Some(Question::Reset) => t("Reset"),
        _ => t("Save"),
    };
    view! {
        <div id="local-config" class="local-config">
            <button type="button" class="local-badge" class:failed=is_failed popovertarget=PANEL>{label}</button>
            <div id=PANEL class="local-panel" popover="auto" role="region" aria-label=t("Local config")>
                <p>{with_code(&about)}</p>
                <p class="local-told" role="status">{move || with_code(&told.get())}</p>
                <div class="local-actions" hidden=move || question.get().is_some()>
                    {edit}
                    <button class="button" type="button" on:click=download>{t("Download")}</button>
                    <button
                        class="button" type="button" title=title disabled=cannot_save
                        on:click=move |_| ask.run(Question::Save)
                    >
                        {t("Save to disk")}
                    </button>
                    <button class="button" type="button" on:click=move |_| ask.run(Question::Reset)>{t("Reset")}</button>
                </div>
                <div class="local-actions" hidden=move || question.get().is_none()>
                    <button node_ref=cancel class="button" type="button" on:click=move |_| answer.run(false)>
                        {t("Cancel")}
                    </button>
                    <button class="button primary" type="button" on:click=move |_| answer.run(true)>{confirmed}</button>
                </div>
            </div>
        </div>
    }
}

/// What was saved, and what was not.
fn message(saved: &EditorSaved) -> String {
    let sentences: Vec<_> = saved.failures.iter().chain([&saved.message]).map(String::as_str).collect();
    sentences.join(" ")
}
