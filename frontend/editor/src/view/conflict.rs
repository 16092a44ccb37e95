//! What differs between the draft and the file as it is now, and whose version is kept.

use leptos::prelude::*;

use super::{bar::words, modal::Modal};
use crate::{
    editor::{Conflict, Editor, Way},
    merge::{ChangedBy, Entry, Move, Side, moves},
};

/// The two versions, entry by entry.
#[component]
pub fn ConflictView(editor: Editor, conflict: Conflict) -> impl IntoView {
    let close = Callback::new(move |()| editor.go(Way::Stay));
    let choices = conflict.choices;
    let moves = moves(&conflict.entries);
    let ends: Vec<usize> = moves.iter().map(|one| one.to).collect();
    // A move is shown once, where it began.
    let entries = conflict.entries.iter().enumerate().filter(|(index, _)| !ends.contains(index));
    let rows = entries.map(|(index, entry)| {
        let moved = moves.iter().find(|one| one.from == index).cloned();
        let mut entry = entry.clone();
        if let Some(Move { to, by, .. }) = moved {
            let end = &conflict.entries[to];
            match by {
                Side::Mine => entry.mine.clone_from(&end.mine),
                Side::Theirs => entry.theirs.clone_from(&end.theirs),
            }
        }
        view! { <EntryView index entry moved choices/> }
    });
    let rows = rows.collect_view();
    let undecided = Memo::new(move |_| {
        let is_open = |(index, choice): &(usize, &Option<Side>)| choice.is_none() && !ends.contains(index);
        choices.with(|choices| choices.iter().enumerate().filter(is_open).count())
    });
    let all = move |side| move |_| choices.update(|choices| choices.fill(Some(side)));
    let left = move || match undecided.get() {
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
                <button class="button primary" type="button" disabled=move || { undecided.get() > 0 } on:click=save>"Save"</button>
            </div>
        </Modal>
    }
}

/// What was done to an entry, and by whom.
fn deed(by: ChangedBy, moved: Option<&Move>) -> String {
    let Some(Move { by: mover, section, .. }) = moved else {
        let text = match by {
            ChangedBy::Me => "changed by you",
            ChangedBy::Them => "changed by somebody else",
            ChangedBy::Both => "changed by both",
        };
        return text.to_owned();
    };
    let (mover, other) = match mover {
        Side::Mine => ("you", "somebody else"),
        Side::Theirs => ("somebody else", "you"),
    };
    let changed = if by == ChangedBy::Both { format!(", changed by {other}") } else { String::new() };
    format!("moved to {section} by {mover}{changed}")
}

#[component]
fn EntryView(index: usize, entry: Entry, moved: Option<Move>, choices: RwSignal<Vec<Option<Side>>>) -> impl IntoView {
    let by = deed(entry.by, moved.as_ref());
    let end = moved.map(|moved| moved.to);
    let side = move |side: Side, label: &'static str, text: Option<String>| {
        let is_chosen = move || choices.with(|choices| choices.get(index) == Some(&Some(side)));
        let choose = move |_| {
            choices.update(|choices| {
                for index in [Some(index), end].into_iter().flatten() {
                    choices[index] = Some(side);
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
