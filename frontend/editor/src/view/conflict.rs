//! What differs between the draft and the file as it is now, and whose version is kept.

use leptos::prelude::*;

use super::{bar::words, modal::Modal};
use crate::{
    editor::{Conflict, Editor, Way},
    merge::{ChangedBy, Entry, Side},
};

/// The two versions, entry by entry.
#[component]
pub fn ConflictView(editor: Editor, conflict: Conflict) -> impl IntoView {
    let close = Callback::new(move |()| editor.go(Way::Stay));
    let choices = conflict.choices;
    let entries = conflict.entries.clone().into_iter().enumerate();
    let rows = entries.map(|(index, entry)| view! { <EntryView index entry choices/> }).collect_view();
    let undecided = move || choices.with(|choices| choices.iter().filter(|choice| choice.is_none()).count());
    let all = move |side| move |_| choices.update(|choices| choices.fill(Some(side)));
    let left = move || match undecided() {
        0 => String::new(),
        1 => "One entry was changed by both: choose a version.".to_owned(),
        count => format!("{count} entries were changed by both: choose their versions."),
    };
    let save = move |_| editor.resolve(conflict.clone());
    let text = format!(
        "`{}` was changed by somebody else while you edited it. These entries differ; what stands there is kept as chosen, and \
         what the file was before goes to the backups.",
        editor.file_name()
    );
    view! {
        <Modal title="The file has changed".to_owned() class="edit-conflict" close>
            <div class="edit-scroll">
                <p>{words(&text)}</p>
                {rows}
            </div>
            <div class="edit-buttons">
                <span class="edit-left" role="status">{left}</span>
                <button class="button" type="button" on:click=all(Side::Mine)>"All mine"</button>
                <button class="button" type="button" on:click=all(Side::Theirs)>"All theirs"</button>
                <button class="button" type="button" on:click=move |_| close.run(())>"Keep editing"</button>
                <button class="button primary" type="button" disabled=move || { undecided() > 0 } on:click=save>"Save"</button>
            </div>
        </Modal>
    }
}

#[component]
fn EntryView(index: usize, entry: Entry, choices: RwSignal<Vec<Option<Side>>>) -> impl IntoView {
    let by = match entry.by {
        ChangedBy::Me => "changed by you",
        ChangedBy::Them => "changed by somebody else",
        ChangedBy::Both => "changed by both",
    };
    let side = move |side: Side, label: &'static str, text: Option<String>| {
        let is_chosen = move || choices.with(|choices| choices.get(index) == Some(&Some(side)));
        let choose = move |_| {
            choices.update(|choices| {
                if let Some(choice) = choices.get_mut(index) {
                    *choice = Some(side);
                }
            });
        };
        view! {
            <div class="edit-side">
                <label>
                    <input type="radio" name=format!("edit-side-{index}") prop:checked=is_chosen on:change=choose/>
                    {label}
                </label>
                {version(text)}
            </div>
        }
    };
    view! {
        <fieldset class="edit-block">
            <legend>{entry.label} " " <span class="edit-muted">{by}</span></legend>
            <div class="edit-sides">
                {side(Side::Mine, "Mine", entry.mine)}
                {side(Side::Theirs, "Theirs", entry.theirs)}
            </div>
            <details>
                <summary>"Before"</summary>
                {version(entry.base)}
            </details>
        </fieldset>
    }
}

fn version(text: Option<String>) -> AnyView {
    match text {
        Some(text) => view! { <pre tabindex="0">{text}</pre> }.into_any(),
        None => view! { <p class="edit-muted">"Not there."</p> }.into_any(),
    }
}
