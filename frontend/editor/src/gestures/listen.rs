//! Hears the commands of menus and gestures, and does them.

use js_sys::Reflect;
use leptos::prelude::*;
use serde_json::json;

use super::{command::Command, moves};
use crate::{
    editor::Editor,
    edits::{self, Edit, List},
    page::listen_to_window,
};

/// Listens until edit mode ends.
pub fn listen(editor: Editor) {
    let on_command = listen_to_window("portico:edit", move |event| {
        let detail = Reflect::get(&event, &"detail".into()).ok().and_then(|detail| detail.as_string());
        if let Some(command) = detail.as_deref().and_then(Command::parse) {
            run(editor, command);
        }
    });
    // What the server has drawn knows nothing of the selection.
    let on_drawn = listen_to_window("portico:changed", move |_| editor.selection.mark());
    Effect::new(move |_| editor.selection.show());
    on_cleanup(move || {
        on_command();
        on_drawn();
        editor.selection.end();
    });
}

fn run(editor: Editor, command: Command) {
    let document = editor.document();
    match command {
        Command::Open(spot) => editor.open(spot),
        Command::AddWidget(section, kind) => editor.open_new(List::Widgets(section), json!({ "type": kind })),
        Command::Select(spot) => editor.spoken.set(editor.selection.toggle(spot, &spot.name(&document))),
        Command::Duplicate(spot) => editor.make(edits::duplicate(&document, spot)),
        Command::Delete(spot) => editor.delete(spot),
        Command::Shift(spot, later) => make_or_say(editor, edits::shift(&document, spot, later)),
        Command::Move(spot, section) => make_or_say(editor, edits::carry(&document, spot, section, None)),
        Command::Copy(spot, section) => editor.make(moves::copy(&document, spot, section)),
        Command::Drop(spot, section, before) => {
            let items = editor.selection.with(spot);
            let edit = match items.len() {
                0 | 1 => edits::carry(&document, spot, section, before),
                _ => moves::carry_items(&document, &items, section, before),
            };
            make_or_say(editor, edit);
        }
        Command::DropSection(index, before) => make_or_say(editor, moves::place_section(&document, index, before)),
        Command::Rename(spot, name) => editor.make(moves::rename(&document, spot, &name)),
    }
}

/// Does something, or says that all is where it should be.
fn make_or_say(editor: Editor, edit: Option<Edit>) {
    match edit {
        Some(edit) => editor.make(Some(edit)),
        None => editor.spoken.set("Nothing is moved: it is there already.".to_owned()),
    }
}
