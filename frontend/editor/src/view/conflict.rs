//! The dialog in which a user merges the draft with a file that has changed.

use app::built_view::{AnyView, IntoAny};
use leptos::prelude::*;

use super::{modal::Modal, pieces::with_code};
use crate::{
    editor::{Conflict, DialogAction, Editor},
    merge::{ChangedBy, Difference, MergeSide, Move, moves},
    texts::{fill, t, t_count},
};

/// The differences, each with its two versions.
#[component]
pub fn ConflictView(editor: Editor, conflict: Conflict) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let choices = conflict.choices;
    let moves = moves(&conflict.differences);
    let ends: Vec<usize> = moves.iter().map(|one| one.to).collect();
    // A move is shown once, in the section that it left.
    let differences = conflict.differences.iter().enumerate().filter(|(index, _)| !ends.contains(index));
    let rows = differences.map(|(index, difference)| {
        let moved = moves.iter().find(|one| one.from == index).cloned();
        let mut difference = difference.clone();
        if let Some(Move { to, by, .. }) = moved {
            let end = &conflict.differences[to];
            match by {
                MergeSide::Mine => difference.mine.clone_from(&end.mine),
                MergeSide::Theirs => difference.theirs.clone_from(&end.theirs),
            }
        }
        view! { <DifferenceView index difference moved choices/> }
    });
    let rows = rows.collect_view();
    let undecided = Memo::new(move |_| {
        let is_open = |(index, choice): &(usize, &Option<MergeSide>)| choice.is_none() && !ends.contains(index);
        choices.with(|choices| choices.iter().enumerate().filter(is_open).count())
    });
    let all = move |side| move |_| choices.update(|choices| choices.fill(Some(side)));
    let left = move || match undecided.get() {
        0 => String::new(),
        count => t_count(
            "One entry was changed by both: choose a version.",
            "{count} entries were changed by both: choose their versions.",
            count,
            &[],
        ),
    };
    let save = move |_| editor.resolve(conflict.clone());
    let text = fill(
        match editor.keeps_backups() {
            true => {
                "`{file}` was changed by somebody else while you edited it. These entries differ. Your choices are saved, and the file as it is now goes to the backups."
            }
            false => {
                "`{file}` was changed by somebody else while you edited it. These entries differ. Your choices are saved, and the file as it is now is lost. No backup is kept, because `DISABLE_CONFIG_BACKUPS` is set."
            }
        },
        &[("file", &editor.file_name())],
    );
    view! {
        <Modal title=t("The file has changed") class="edit-conflict" close>
            <div class="edit-scroll">
                <p>{with_code(&text)}</p>
                {rows}
            </div>
            <div class="edit-buttons">
                <span class="edit-left" role="status">{left}</span>
                <button class="button" type="button" on:click=all(MergeSide::Mine)>{t("All mine")}</button>
                <button class="button" type="button" on:click=all(MergeSide::Theirs)>{t("All theirs")}</button>
                <button class="button" type="button" on:click=move |_| close.run(())>{t("Keep editing")}</button>
                <button class="button primary" type="button" disabled=move || { undecided.get() > 0 } on:click=save>{t("Save")}</button>
            </div>
        </Modal>
    }
}

/// Who has changed or moved something.
fn description(by: ChangedBy, moved: Option<&Move>) -> String {
    let Some(Move { by: mover, section, .. }) = moved else {
        return t(match by {
            ChangedBy::Me => "changed by you",
            ChangedBy::Them => "changed by somebody else",
            ChangedBy::Both => "changed by both",
        });
    };
    let text = match (mover, by == ChangedBy::Both) {
        (MergeSide::Mine, false) => "moved to {section} by you",
        (MergeSide::Theirs, false) => "moved to {section} by somebody else",
        (MergeSide::Mine, true) => "moved to {section} by you, changed by somebody else",
        (MergeSide::Theirs, true) => "moved to {section} by somebody else, changed by you",
    };
    fill(text, &[("section", section)])
}

#[component]
fn DifferenceView(
    index: usize,
    difference: Difference,
    moved: Option<Move>,
    choices: RwSignal<Vec<Option<MergeSide>>>,
) -> impl IntoView {
    let by = description(difference.by, moved.as_ref());
    let end = moved.map(|moved| moved.to);
    let side = move |side: MergeSide, label: String, text: Option<String>| {
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
            <legend>{difference.label} " " <span class="edit-muted">{by}</span></legend>
            <div class="edit-sides">
                {side(MergeSide::Mine, t("Mine"), difference.mine)}
                {side(MergeSide::Theirs, t("Theirs"), difference.theirs)}
            </div>
            <details>
                <summary>{t("Before")}</summary>
                {version(difference.base)}
            </details>
        </fieldset>
    }
}

fn version(text: Option<String>) -> AnyView {
    match text {
        Some(text) => view! { <pre tabindex="0">{text}</pre> }.into_any(),
        None => view! { <p class="edit-muted">{t("Not there.")}</p> }.into_any(),
    }
}
