//! Carries out the commands of menus and gestures.

use leptos::prelude::*;
use serde_json::json;

use super::{command::Command, moves};
use crate::{
    editor::Editor,
    edits::{self, ConfigBlock, Edit, List},
    texts::t,
};

/// Carries out a command.
pub fn run(editor: Editor, command: Command) {
    let document = editor.document();
    match command {
        Command::Open(spot) => editor.open(spot),
        Command::AddSubItem(section, item) => editor.open_new(List::SubItems(section, item), json!({ "title": "" })),
        Command::Select(spot) => editor.spoken.set(editor.selection.toggle(spot, &spot.name(&document))),
        Command::Duplicate(spot) => editor.apply(edits::duplicate(&document, &editor.file_name(), spot)),
        Command::Delete(spot) => editor.delete(spot),
        Command::MoveOne(spot, direction) => apply_or_say(editor, edits::move_one(&document, spot, direction)),
        Command::MoveInto(spot, list, before) => apply_or_say(editor, edits::move_into(&document, spot, list, before)),
        Command::CopyInto(spot, list, before) => editor.apply(moves::copy(&document, spot, list, before)),
        Command::ToPage(section, page, moved) => editor.apply(moves::to_page(&document, section, page, moved)),
        Command::Drop(spot, list, before) => {
            let items = editor.selection.with(spot);
            let edit = match list {
                List::Items(section) if items.len() > 1 => moves::move_items(&document, &items, section, before),
                _ => edits::move_into(&document, spot, list, before),
            };
            apply_or_say(editor, edit);
        }
        Command::DropSection(index, before, column) => {
            apply_or_say(editor, moves::move_section(&document, index, before, column));
        }
        Command::Rename(spot, name) => editor.apply(moves::rename(&document, spot, &name)),
        Command::OpenPageInfo => editor.open_block(ConfigBlock::PageInfo),
        Command::RenamePage(title) => editor.apply(moves::rename_page(&document, &title)),
    }
}

/// Applies an edit, or announces that there is nothing to move.
fn apply_or_say(editor: Editor, edit: Option<Edit>) {
    match edit {
        Some(edit) => editor.apply(Some(edit)),
        None => editor.spoken.set(t("It is already there.")),
    }
}
