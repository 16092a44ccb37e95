//! Clicks and keys on the page in edit mode, handled before the page's own listeners: a click on a tile opens its form, not its
//! address.

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use serde_json::json;
use wasm_bindgen::JsCast as _;
use web_sys::{AddEventListenerOptions, Element, Event, KeyboardEvent, MouseEvent};

use crate::{
    dom::{closest, target},
    editor::{Editor, Picker},
    edits::{self, ConfigBlock, List, ListDirection, Spot},
    gestures::{TILES, moves},
    texts::t,
};

/// Listens until edit mode ends.
pub fn install(editor: Editor) {
    let on_click = listen_to_window("click", move |event| click(editor, &event));
    let on_key = listen_to_window("keydown", move |event| {
        if let Some(event) = event.dyn_ref::<KeyboardEvent>() {
            key(editor, event);
        }
    });
    let on_leave = listen_to_window("beforeunload", move |event| {
        if editor.is_changed_now() || editor.has_typed() {
            event.prevent_default();
        }
    });
    // `stream.js` announces a changed config, and would reload the page.
    let on_change = listen_to_window("portico:change", move |event| {
        event.prevent_default();
        editor.check_file();
    });
    on_cleanup(move || {
        for stop in [on_click, on_key, on_leave, on_change] {
            stop();
        }
    });
}

/// Listens on the window in the capture phase, and may prevent what the browser does. Returns what ends it.
pub fn listen_to_window(name: &'static str, listener: impl Fn(Event) + 'static) -> Box<dyn FnOnce() + Send + Sync> {
    use wasm_bindgen::prelude::Closure;
    let closure = Closure::<dyn Fn(Event)>::new(listener);
    let function = closure.as_ref().unchecked_ref();
    let options = AddEventListenerOptions::new();
    options.set_capture(true);
    options.set_passive(false);
    _ = window().add_event_listener_with_callback_and_add_event_listener_options(name, function, &options);
    // A page has only one thread.
    let closure = SendWrapper::new(closure);
    Box::new(move || {
        let closure = closure.take();
        let function = closure.as_ref().unchecked_ref();
        _ = window().remove_event_listener_with_callback_and_bool(name, function, true);
    })
}

fn tile_of(element: &Element) -> Option<(Element, Spot)> {
    let tile = closest(element, TILES)?;
    let spot = Spot::parse(&tile.id())?;
    Some((tile, spot))
}

fn click(editor: Editor, event: &Event) {
    let Some(target) = target(event) else { return };
    if let Some(control) = closest(&target, "[data-edit]") {
        take(event);
        control_clicked(editor, &control.get_attribute("data-edit").unwrap_or_default());
    } else if let Some((_, spot)) = tile_of(&target) {
        // The context menu opens the address of the tile.
        if closest(&target, "[data-opening]").is_some() {
            return;
        }
        take(event);
        let name = spot.name(&editor.document());
        match editor.selection.take_click(event.dyn_ref::<MouseEvent>(), spot, &name) {
            Some(message) => editor.spoken.set(message),
            None => editor.open(sub_item_of(&target).unwrap_or(spot)),
        }
    } else if closest(&target, ".page-title").is_some() {
        // It would leave edit mode.
        take(event);
        editor.open_block(ConfigBlock::PageInfo);
    }
}

fn take(event: &Event) {
    event.prevent_default();
    event.stop_immediate_propagation();
}

fn control_clicked(editor: Editor, what: &str) {
    let section = |prefix: &str| what.strip_prefix(prefix).and_then(|index| index.parse::<usize>().ok());
    if let Some(index) = section("add-item-") {
        editor.open_new(List::Items(index), json!({ "title": "" }));
    } else if let Some(index) = section("add-widget-") {
        editor.pick(Picker::NewWidget(index));
    } else if what == "add-section" {
        editor.open_new(List::Sections, json!({ "name": "" }));
    } else if let Some(spot) = Spot::parse(what) {
        editor.open(spot);
    }
}

fn key(editor: Editor, event: &KeyboardEvent) {
    let Some(target) = target(event) else { return };
    let key = event.key();
    let command = event.ctrl_key() || event.meta_key();
    let takes_text = target.matches("input, textarea, select, [contenteditable]").unwrap_or_default();
    let in_dialog = closest(&target, "dialog").is_some();
    if command && key.eq_ignore_ascii_case("s") {
        event.prevent_default();
        if !in_dialog && editor.is_changed_now() {
            editor.save();
        }
    } else if in_dialog || takes_text {
        // Fields have their own undo.
    } else if command && key.eq_ignore_ascii_case("z") {
        event.prevent_default();
        if event.shift_key() { editor.redo() } else { editor.undo() }
    } else if command && key.eq_ignore_ascii_case("y") {
        event.prevent_default();
        editor.redo();
    } else if key == "Escape" && editor.selection.leave() {
        take(event);
        editor.spoken.set(t("Nothing is selected now."));
    } else if let Some(spot) = spot_of(&target) {
        element_key(editor, event, &key, &target, spot);
    }
}

/// The sub-item that contains an element.
fn sub_item_of(element: &Element) -> Option<Spot> {
    Spot::parse(&closest(element, ".sub-item")?.id())
}

/// The element whose tile or pencil has the focus.
fn spot_of(target: &Element) -> Option<Spot> {
    if let Some(part) = sub_item_of(target) {
        return Some(part);
    }
    let tile = tile_of(target).map(|(_, spot)| spot);
    tile.or_else(|| Spot::parse(&closest(target, "[data-edit]")?.get_attribute("data-edit")?))
}

fn element_key(editor: Editor, event: &KeyboardEvent, key: &str, target: &Element, spot: Spot) {
    let document = editor.document();
    match key {
        "ArrowUp" | "ArrowLeft" | "ArrowDown" | "ArrowRight" if event.alt_key() => {
            take(event);
            let direction =
                if matches!(key, "ArrowDown" | "ArrowRight") { ListDirection::Down } else { ListDirection::Up };
            let edit = if event.shift_key() {
                neighbor(&document, spot, direction).and_then(|list| edits::move_into(&document, spot, list, None))
            } else {
                edits::move_one(&document, spot, direction)
            };
            match edit {
                Some(edit) => editor.apply(Some(edit)),
                None => editor.spoken.set(t("It cannot move further in that direction.")),
            }
        }
        "Delete" => {
            take(event);
            match editor.selection.with(spot).as_slice() {
                [_] => editor.delete(spot),
                items => editor.apply(moves::delete_items(&document, items)),
            }
        }
        " " if matches!(spot.list, List::Items(_)) => {
            take(event);
            editor.spoken.set(editor.selection.toggle(spot, &spot.name(&document)));
        }
        // Enter clicks only links and buttons.
        "Enter" if target.matches("span, div").unwrap_or_default() => {
            take(event);
            editor.open(spot);
        }
        _ => {}
    }
}

/// The list of the same kind in the next section or group.
fn neighbor(document: &config::Document, spot: Spot, direction: ListDirection) -> Option<List> {
    match spot.list {
        List::Sections | List::Pages => None,
        List::Items(section) | List::Widgets(section) => {
            let other = direction.next_to(section).filter(|other| *other < List::Sections.len(document))?;
            spot.list.in_section(other)
        }
        List::SubItems(..) => {
            let groups = List::groups(document);
            let own = groups.iter().position(|list| *list == spot.list)?;
            groups.get(direction.next_to(own)?).copied()
        }
    }
}
