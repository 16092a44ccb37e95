//! The list of pages.

use leptos::prelude::*;
use serde_json::json;

use super::{
    modal::Modal,
    pieces::{focus_later, with_code},
};
use crate::{
    editor::{DialogAction, Editor},
    edits::{self, List, ListDirection, Spot},
    texts::{fill, t},
};

/// All pages except the main one, which is this file.
#[component]
pub fn Pages(editor: Editor) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let rows = move || {
        let document = editor.draft.with(|draft| draft.document().clone());
        let count = List::Pages.len(&document);
        let row = |index: usize| {
            let spot = Spot { list: List::Pages, index };
            let name = spot.name(&document);
            let path = document.at(&spot.path().key("path")).and_then(|path| path.as_str()).unwrap_or_default();
            let shift = move |direction: ListDirection| {
                move |_| {
                    let Some(edit) = edits::move_one(&editor.document(), spot, direction) else { return };
                    let Some(Spot { index, .. }) = edit.spot else { return };
                    editor.apply(Some(edit));
                    // The focus follows the page; at the end of the list, its button there is off.
                    let own = format!(".edit-list > li:nth-child({}) button", index + 1);
                    let again = if direction == ListDirection::Up { 1 } else { 2 };
                    focus_later(format!("{own}:nth-child({again}):enabled, {own}:nth-child(3)"));
                }
            };
            let duplicate = move |_| {
                editor.apply(edits::duplicate(&editor.document(), &editor.file_name(), spot));
                focus_later(format!(".edit-list > li:nth-child({}) button:nth-child(4)", index + 2));
            };
            let label = |what: &str| fill(what, &[("name", &name)]);
            view! {
                <li>
                    <span><strong>{name.clone()}</strong> " " <code class="edit-muted">{path.to_owned()}</code></span>
                    <span class="edit-row-buttons">
                        <button class="button" type="button" aria-label=label("Move up {name}") disabled=index == 0 on:click=shift(ListDirection::Up)>"↑"</button>
                        <button class="button" type="button" aria-label=label("Move down {name}") disabled=index + 1 == count on:click=shift(ListDirection::Down)>"↓"</button>
                        <button class="button" type="button" aria-label=label("Edit {name}") on:click=move |_| editor.open(spot)>{t("Edit")}</button>
                        <button class="button" type="button" aria-label=label("Duplicate {name}") on:click=duplicate>{t("Duplicate")}</button>
                        <button class="button" type="button" aria-label=label("Remove {name}") on:click=move |_| editor.delete(spot)>{t("Remove")}</button>
                    </span>
                </li>
            }
        };
        (0..count).map(row).collect_view()
    };
    let add = move |_| editor.open_new(List::Pages, json!({ "name": "" }));
    view! {
        <Modal title=t("Pages") class="edit-list-dialog" close>
            <p class="edit-text">
                {t("Each further page is a file beside this one, or the web address of one. Saving creates the files of new pages. Removing a page leaves its file where it is.")}
            </p>
            <p class="edit-text" role="status">{move || editor.message.get().map(|message| with_code(&message.text))}</p>
            // The save bar's announcements are silent while the dialog is open.
            <p class="visually-hidden" role="status">{move || editor.spoken.get()}</p>
            <ul class="edit-list" role="list">{rows}</ul>
            <div class="edit-buttons">
                <button class="button primary" type="button" on:click=add>{t("Add page")}</button>
            </div>
        </Modal>
    }
}
