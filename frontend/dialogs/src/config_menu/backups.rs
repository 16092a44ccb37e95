//! The backups on the server, and backups as files.

use app::{
    browser::download_text,
    built_view::{AnyView, IntoAny},
    editing::{EditorBackup, EditorBackups, FileBackup},
};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::JsValue;

use super::open_menu::{Menu, or_problem};
use crate::{
    calls::{call, time_text},
    page::page,
    texts::{fill, plural, t, words},
};

fn size(bytes: u64) -> String {
    match bytes {
        ..1024 => plural(usize::try_from(bytes).unwrap_or(usize::MAX), "{count} bytes", "{count} bytes"),
        _ => format!("{} KB", (bytes + 512) / 1024),
    }
}

/// The content of the tab.
pub(super) fn content(menu: Menu) -> AnyView {
    let list = RwSignal::new(None::<Result<Vec<FileBackup>, String>>);
    let problem = RwSignal::new(String::new());
    spawn_local(async move {
        let loaded = call(&EditorBackups { page: page() }).await;
        _ = list.try_set(Some(loaded));
    });
    let take = move |name: String| {
        problem.set(String::new());
        spawn_local(async move {
            match call(&EditorBackup { page: page(), name: name.clone() }).await {
                Ok(text) => download_text(&name, &text),
                Err(reason) => _ = problem.try_set(reason),
            }
        });
    };
    let row = move |FileBackup { name, at, bytes }: FileBackup| {
        let time = time_text(&JsValue::from_f64(at as f64));
        let label = fill(&t("Download the backup of {time}"), &[("time", &time)]);
        view! {
            <li>
                <span>{time}</span>
                <span class="tools-muted">{size(bytes)}</span>
                <button type="button" class="button" aria-label=label on:click=move |_| take(name.clone())>{t("Download")}</button>
            </li>
        }
        .into_any()
    };
    let shown = move || {
        or_problem(list.get(), |backups| {
            if backups.is_empty() {
                return view! { <p>{t("There are no backups yet.")}</p> }.into_any();
            }
            let rows: Vec<_> = backups.into_iter().map(row).collect();
            view! { <ul class="tools-list" role="list">{rows}</ul> }.into_any()
        })
    };
    view! {
        <p>{t("What the file was before each change. Restoring takes a backup for the draft; nothing is written before you save.")}</p>
        <p class="tools-actions">
            {menu.editor_button("Compare and restore", "backups")}
            {menu.editor_button("Encrypted copy…", "encrypt")}
            {menu.editor_button("Restore from a file…", "restore")}
        </p>
        <p class="tools-problem" role="alert">{move || words(&problem.get())}</p>
        <div>{shown}</div>
    }
    .into_any()
}
