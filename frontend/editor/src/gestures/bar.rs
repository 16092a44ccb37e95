//! The bar with the actions for the selected items, above the save bar.

use leptos::{ev::SubmitEvent, html, prelude::*};

use super::{moves, selection::counted};
use crate::{
    editor::Editor,
    edits::{List, Spot},
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
    view! { <button class="button" type="button" aria-pressed=pressed on:click=toggle>"Select"</button> }
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
        0 => "Choose items to move, tag or delete them together.".to_owned(),
        count => format!("{} selected", counted(count)),
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
                None => editor.say("The items are there already."),
            },
            None => editor.say("Choose a section to move the items to."),
        }
    };
    let tag = RwSignal::new(String::new());
    let add_tag = move |event: SubmitEvent| {
        event.prevent_default();
        let word = tag.get_untracked().trim().to_owned();
        if word.is_empty() || selection.items().is_empty() {
            editor.spoken.set("Type a tag and select items first.".to_owned());
            return;
        }
        tag.set(String::new());
        match moves::tag_items(&editor.document(), &selection.items(), &word) {
            Some(edit) => editor.apply(Some(edit)),
            None => editor.say(format!("All of them have the tag “{word}” already.")),
        }
    };
    let delete = move |_| editor.apply(moves::delete_items(&editor.document(), &selection.items()));
    view! {
        <div class="edit-selection" role="group" aria-label="Selected items">
            <p>{status}</p>
            <form on:submit=move_items>
                <select node_ref=target aria-label="Section for the selected items">
                    <option value="">"Section…"</option>
                    {sections}
                </select>
                <button class="button" type="submit" disabled=none>"Move"</button>
            </form>
            <form on:submit=add_tag>
                <input
                    type="text" aria-label="Tag for the selected items" placeholder="Tag" autocomplete="off" spellcheck="false"
                    prop:value=move || tag.get() on:input=move |event| tag.set(event_target_value(&event))
                />
                <button class="button" type="submit" disabled=none>"Add tag"</button>
            </form>
            <button class="button danger" type="button" disabled=none on:click=delete>"Delete"</button>
            <button class="button" type="button" on:click=move |_| _ = selection.leave()>"Done"</button>
        </div>
    }
}
