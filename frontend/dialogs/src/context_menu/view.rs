//! The menu on the page.

use app::{
    browser::is_rtl,
    built_view::{AnyView, IntoAny},
};
use leptos::{
    ev::{KeyboardEvent, MouseEvent, PointerEvent},
    html,
    prelude::*,
    task::{spawn_local, tick},
};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDialogElement, HtmlElement};

use super::{
    entry::{Action, Entry, Line},
    menus::menu_of,
    page::{Point, has_dialog, is_editing, text_of, window_size},
    timer,
};
use crate::{
    dialog::{Mounted, mount, place},
    style_sheets, texts,
};

/// The minimum distance of the menu from the edges of the window, in pixels.
const GAP: f64 = 8.0;

/// Opens the menu of an element, unless a dialog is open.
pub(super) fn open(element: Element, point: Point) {
    timer::release();
    spawn_local(async move {
        // Without its style sheet, the menu is plain but works.
        _ = style_sheets::load(&["menu"]).await;
        // What only edit mode offers is not among the texts of the page.
        if is_editing() {
            texts::load().await;
        }
        let (title, lines) = menu_of(&element);
        if lines.is_empty() || has_dialog() {
            return;
        }
        let Some(place) = place(false) else { return };
        let Some(dialog) = mount(place, move |mounted| view! { <ContextMenu title lines mounted/> }) else { return };
        _ = dialog.show_modal();
        put_at(&dialog, point);
        focus_first(&dialog);
    });
}

fn put_at(dialog: &HtmlDialogElement, Point { x, y }: Point) {
    let bounds = dialog.get_bounding_client_rect();
    let (width, height) = window_size();
    let is_mirrored = is_rtl();
    let left = if is_mirrored { x - bounds.width() } else { x };
    let top = if y + bounds.height() + GAP > height { y - bounds.height() } else { y };
    let style = HtmlElement::style(dialog);
    for (name, place, size, room) in [("left", left, bounds.width(), width), ("top", top, bounds.height(), height)] {
        _ = style.set_property(name, &format!("{}px", place.min(room - size - GAP).max(GAP)));
    }
}

/// The entries of the menu.
fn items(dialog: &Element) -> Vec<HtmlElement> {
    let Ok(items) = dialog.query_selector_all("[role=menuitem]") else { return Vec::new() };
    (0..items.length()).filter_map(|at| items.item(at)?.dyn_into().ok()).collect()
}

fn focus_first(dialog: &Element) {
    if let Some(first) = items(dialog).first() {
        _ = first.focus();
    }
}

#[component]
fn ContextMenu(title: String, lines: Vec<Line>, mounted: Mounted) -> impl IntoView {
    let shown = RwSignal::new_local(lines);
    let node = NodeRef::<html::Dialog>::new();
    // Whether a click is meant for the menu, and is not the end of the press that opened it.
    let armed = StoredValue::new(false);
    let close = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let choose = move |action: Action, event: &MouseEvent| {
        // A click by key has no detail.
        if event.detail() != 0 && !armed.get_value() {
            return;
        }
        match action {
            Action::Run(run) => {
                close();
                run();
            }
            Action::More(more) => spawn_local(async move {
                let lines = more().await;
                if shown.try_set(lines).is_some() {
                    return;
                }
                tick().await;
                if let Some(dialog) = node.get_untracked() {
                    focus_first(&dialog);
                }
            }),
        }
    };
    let on_press = move |event: PointerEvent| {
        armed.set_value(true);
        // Only a press beside the menu has the dialog itself as its target.
        if event.target().is_some_and(|target| target.has_type::<HtmlDialogElement>()) {
            close();
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let Some(dialog) = node.get_untracked() else { return };
        if event.key() == "Tab" {
            dialog.close();
        } else if let Some(next) = next_item(&items(&dialog), &event) {
            event.prevent_default();
            _ = next.focus();
        }
    };
    let rows = move || {
        let row = |line| match line {
            Line::Separator => view! { <div role="separator"></div> }.into_any(),
            Line::Entry(entry) => item(entry, choose),
        };
        shown.get().into_iter().map(row).collect::<Vec<_>>()
    };
    view! {
        <dialog
            node_ref=node class="context-menu" aria-labelledby="context-menu-title"
            on:pointerdown=on_press on:click=|event: MouseEvent| event.stop_propagation()
            on:contextmenu=|event: MouseEvent| event.prevent_default() on:keydown=on_key
            on:close=move |_: Event| mounted.remove()
        >
            <p id="context-menu-title">{title}</p>
            <div role="menu" aria-labelledby="context-menu-title">{rows}</div>
        </dialog>
    }
}

fn item(entry: Entry, choose: impl Fn(Action, &MouseEvent) + 'static) -> AnyView {
    let Entry { label, action, is_dangerous } = entry;
    let popup = matches!(action, Action::More(_)).then_some("menu");
    view! {
        <button
            type="button" role="menuitem" tabindex="-1" class=is_dangerous.then_some("danger") aria-haspopup=popup
            on:click=move |event| choose(action.clone(), &event)
        >
            {label}
        </button>
    }
    .into_any()
}

/// The entry that a key leads to: arrow keys, Home and End, and the first letters of labels.
fn next_item(all: &[HtmlElement], event: &KeyboardEvent) -> Option<HtmlElement> {
    let active = document().active_element();
    let at = all.iter().position(|item| active.as_ref().is_some_and(|active| **active == ***item));
    let count = all.len();
    let key = event.key();
    match (key.as_str(), at) {
        ("ArrowDown", at) => all.get(at.map_or(0, |at| (at + 1) % count)),
        ("ArrowUp", at) => all.get(at.map_or(count, |at| at + count).checked_sub(1)? % count),
        ("Home", _) => all.first(),
        ("End", _) => all.last(),
        _ => {
            let is_letter = key.chars().count() == 1 && key != " ";
            if !is_letter || event.ctrl_key() || event.meta_key() || event.alt_key() {
                return None;
            }
            let key = key.to_lowercase();
            let from = at.map_or(0, |at| at + 1);
            let after = all.iter().skip(from).chain(all.iter().take(from));
            after.into_iter().find(|item| text_of(Some(item)).to_lowercase().starts_with(&key))
        }
    }
    .cloned()
}
