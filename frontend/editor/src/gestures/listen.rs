//! Listens for the commands of menus.

use js_sys::Reflect;
use leptos::prelude::*;

use super::{
    command::Command,
    draggable::Named,
    pointer::move_in_column,
    rename::{page_drawn, rename},
    run::run,
};
use crate::{
    editor::Editor,
    edits::{List, ListDirection, Spot},
    page::listen_to_window,
};

/// Listens until edit mode ends.
pub fn install(editor: Editor) {
    let on_command = listen_to_window("portico:edit", move |event| {
        let detail = Reflect::get(&event, &"detail".into()).ok().and_then(|detail| detail.as_string());
        if let Some(detail) = detail {
            run_text(editor, &detail);
        }
    });
    // A preview from the server does not show the selection.
    let on_drawn = listen_to_window("portico:changed", move |_| {
        editor.selection.mark();
        page_drawn();
    });
    Effect::new(move |_| editor.selection.show());
    on_cleanup(move || {
        on_command();
        on_drawn();
        editor.selection.end();
    });
}

/// Carries out what a menu asks for.
fn run_text(editor: Editor, text: &str) {
    if let Some(named) = text.strip_prefix("name ").and_then(Named::of_id) {
        rename(editor, named);
        return;
    }
    match Command::parse(text) {
        // On a page with columns, sections move within theirs.
        Some(Command::MoveOne(Spot { list: List::Sections, index }, direction)) => {
            let in_column = move_in_column(index, direction == ListDirection::Down);
            run(editor, in_column.unwrap_or(Command::MoveOne(Spot { list: List::Sections, index }, direction)));
        }
        Some(command) => run(editor, command),
        None => {}
    }
}
