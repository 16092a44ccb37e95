//! What a menu offers in edit mode. It sends commands to the editor, as events `portico:edit` whose detail is a command such as
//! `move i-2-5 3` (`frontend/editor/src/gestures/command.rs`).

use app::{
    browser::{element, elements},
    config_files::{ConfigFileSummary, ListConfigFiles},
};
use js_sys::{JSON, Object, Reflect};
use leptos::prelude::document;
use wasm_bindgen::JsValue;
use web_sys::{CustomEvent, Element};

use super::{
    entry::{Entry, Line},
    page::text_of,
};
use crate::{
    calls::call,
    page::page,
    texts::{fill, t},
};

/// Sends a command to the editor.
pub fn send(command: &str) {
    let Ok(event) = CustomEvent::new("portico:edit") else { return };
    event.init_custom_event_with_can_bubble_and_cancelable_and_detail("portico:edit", false, false, &command.into());
    _ = document().dispatch_event(&event);
}

/// An entry that sends a command about an element.
fn command(label: String, name: &str, target: &str) -> Line {
    let command = [name, " ", target].concat();
    Line::run(label, move || send(&command))
}

/// What is changed.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Section,
    Widget,
    Item,
    SubItem,
}

impl Kind {
    /// Those of its kind in a section or a group.
    fn selector(self) -> &'static str {
        match self {
            Self::SubItem => ".sub-item",
            Self::Item => ".items > *",
            Self::Section | Self::Widget => ".widget-base",
        }
    }
}

/// The lines about an element. `target` is how commands name it; `tile` is the tile of an item, or a sub-item.
pub fn changes(target: &str, tile: Option<&Element>) -> Vec<Line> {
    let matches = |selector: &str| tile.is_some_and(|tile| tile.matches(selector).unwrap_or_default());
    let kind = match tile {
        _ if target.starts_with("section") => Kind::Section,
        Some(_) if matches(".sub-item") => Kind::SubItem,
        Some(_) => Kind::Item,
        None => Kind::Widget,
    };
    let own_section = target.split('-').nth(1).and_then(|section| element(&["s-", section].concat()));
    // What it can be moved and copied to.
    let all = if kind == Kind::SubItem { "#content .sub-items-group" } else { "#content .collapsable" };
    let lists: Vec<Element> = elements(all).into_iter().map(Element::from).collect();
    let own = match kind {
        Kind::SubItem => tile.and_then(|tile| tile.parent_element()?.parent_element()),
        _ => own_section.clone().map(Element::from),
    };
    let others: Vec<Element> = lists.iter().filter(|list| Some(*list) != own.as_ref()).cloned().collect();
    let columns: Vec<Element> = match kind {
        Kind::Section => elements("#content > .page-column").into_iter().map(Element::from).collect(),
        _ => Vec::new(),
    };
    let mut lines = vec![command(t("Edit"), "open", target), command(t("Rename"), "name", target)];
    if kind == Kind::Item {
        lines.push(command(t("Select"), "select", target));
    }
    if matches(".sub-items-group") {
        lines.push(command(t("Add sub-item"), "add", target));
    }
    lines.push(command(t("Duplicate"), "duplicate", target));
    lines.push(command(t("Move up"), "up", target));
    lines.push(command(t("Move down"), "down", target));
    if columns.len() > 1 {
        let current = own_section.and_then(|section| section.parent_element());
        let target = target.to_owned();
        lines.push(Line::more(t("Move to column…"), move || {
            let others = columns.iter().enumerate().filter(|(_, column)| Some(*column) != current.as_ref());
            let column = |(at, _): (usize, &Element)| {
                let command = format!("drop {target} - {}", at + 1);
                Line::run(fill(&t("Column {number}"), &[("number", &(at + 1).to_string())]), move || send(&command))
            };
            others.map(column).collect()
        }));
    }
    if kind == Kind::Section {
        for (label, what) in [(t("Copy to page…"), "carry"), (t("Move to page…"), "transfer")] {
            let target = target.to_owned();
            lines.push(Line::pending(label, move || Box::pin(to_pages(what, target.clone()))));
        }
    } else {
        if !others.is_empty() {
            lines.push(into_lists(t("Move to…"), "move", target, kind, others));
        }
        lines.push(into_lists(t("Copy to…"), "copy", target, kind, lists));
    }
    if let Line::Entry(entry) = command(t("Delete"), "delete", target) {
        lines.push(Line::Entry(Entry { is_dangerous: true, ..entry }));
    }
    lines
}

/// Leads to the lists that something can be moved or copied to, and from each that is not empty to its beginning and its end.
fn into_lists(label: String, name: &'static str, target: &str, kind: Kind, lists: Vec<Element>) -> Line {
    let target = target.to_owned();
    let line = move |list: &Element| {
        let id = list.id();
        let place = if kind == Kind::SubItem { id.as_str() } else { id.get(2..).unwrap_or_default() };
        let command = [name, " ", &target, " ", place].concat();
        let title = text_of(list.query_selector("h2, .group-title").ok().flatten().as_ref());
        let is_empty = list.query_selector(kind.selector()).ok().flatten().is_none();
        if is_empty {
            return Line::run(title, move || send(&command));
        }
        Line::more(title, move || {
            let (first, last) = ([&command, " 0"].concat(), command.clone());
            vec![
                Line::run(t("At the beginning"), move || send(&first)),
                Line::run(t("At the end"), move || send(&last)),
            ]
        })
    };
    Line::more(label, move || lists.iter().map(&line).collect())
}

/// The pages that a section can be copied or moved to: all others whose files are here and can be read.
async fn to_pages(what: &'static str, target: String) -> Vec<Line> {
    let own = page();
    let Ok(files) = call(&ListConfigFiles {}).await else {
        return vec![Line::run(t("The server cannot be reached"), || ())];
    };
    let others = files.into_iter().filter(|file| file.page != own && !file.remote && file.unreadable.is_none());
    let lines = others.map(|ConfigFileSummary { file, title, comments, .. }| {
        let place = Object::new();
        for (name, value) in [("file", file.into()), ("name", JsValue::from_str(&title)), ("comments", comments.into())]
        {
            _ = Reflect::set(&place, &JsValue::from_str(name), &value);
        }
        let place = JSON::stringify(&place).map(String::from).unwrap_or_default();
        let command = [what, " ", &target, " ", &place].concat();
        Line::run(title, move || send(&command))
    });
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() { vec![Line::run(t("There is no other page"), || ())] } else { lines }
}
