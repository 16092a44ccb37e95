//! The bar with the actions for the selected items, above the save bar.

use leptos::{ev::SubmitEvent, html, prelude::*};

use super::{moves, selection::counted};
use crate::{
    editor::Editor,
    edits::{List, Spot},
    texts::{fill, t},
};

/// The button that makes every click select.
#[component]
pub fn SelectButton(editor: Editor) -> impl IntoView {
    let selecting = editor.selection.selecting;
    let pressed = move || if selecting.get() { "true" } else { "false" };
    let toggle = move |_| {
        if !editor.selection.leave() {
            selecting.set(true);
        }
    };
    view! { <button class="button" type="button" aria-pressed=pressed on:click=toggle>{t("Select")}</button> }
}

/// The bar; nothing while nothing is selected.
#[component]
pub fn SelectionBar(editor: Editor) -> impl IntoView {
    let active = Memo::new(move |_| editor.selection.is_active());
    move || active.get().then(|| view! { <Actions editor/> })
}

#[component]
fn Actions(editor: Editor) -> impl IntoView {
    let selection = editor.selection;
    let none = move || selection.count() == 0;
    let status = move || match selection.count() {
        0 => t("Choose items to move, tag or delete them together."),
        count => counted(count),
    };
    let sections = move || {
        let document = editor.draft.with(|draft| draft.document().clone());
        let options = (0..List::Sections.len(&document)).map(|index| {
            let name = Spot { list: List::Sections, index }.name(&document);
            view! { <option value=index.to_string()>{name}</option> }
        });
        options.collect_view()
    };
    let target = NodeRef::<html::Select>::new();
    let move_items = move |event: SubmitEvent| {
        event.prevent_default();
        match target.get_untracked().and_then(|target| target.value().parse::<usize>().ok()) {
            Some(section) => match moves::move_items(&editor.document(), &selection.items(), section, None) {
                Some(edit) => editor.apply(Some(edit)),
                None => editor.say(t("The items are there already.")),
            },
            None => editor.say(t("Choose a section to move the items to.")),
        }
    };
    let tag = RwSignal::new(String::new());
    let add_tag = move |event: SubmitEvent| {
        event.prevent_default();
        let word = tag.get_untracked().trim().to_owned();
        if word.is_empty() || selection.items().is_empty() {
            editor.spoken.set(t("Type a tag and select items first."));
            return;
        }
        tag.set(String::new());
        match moves::tag_items(&editor.document(), &selection.items(), &word) {
            Some(edit) => editor.apply(Some(edit)),
            None => editor.say(fill("All of them have the tag “{tag}” already.", &[("tag", &word)])),
        }
    };
    let delete = move |_| editor.apply(moves::delete_items(&editor.document(), &selection.items()));
    view! {
        <div class="edit-selection" role="group" aria-label=t("Selected items")>
            <p>{status}</p>
            <form on:submit=move_items>
                <select node_ref=target aria-label=t("Section for the selected items")>
                    <option value="">{t("Section…")}</option>
                    {sections}
                </select>
                <button class="button" type="submit" disabled=none>{t("Move")}</button>
            </form>
            <form on:submit=add_tag>
                <input
                    type="text" aria-label=t("Tag for the selected items") placeholder=t("Tag") autocomplete="off" spellcheck="false"
                    prop:value=move || tag.get() on:input=move |event| tag.set(event_target_value(&event))
                />
                <button class="button" type="submit" disabled=none>{t("Add tag")}</button>
            </form>
            <button class="button danger" type="button" disabled=none on:click=delete>{t("Delete")}</button>
            <button class="button" type="button" on:click=move |_| _ = selection.leave()>{t("Done")}</button>
        </div>
    }
}
