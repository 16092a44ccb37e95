//! What is in the menu of an element.

use app::browser::{element, first};
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlAnchorElement, HtmlDetailsElement, HtmlElement};

use super::{
    changes::{changes, send},
    entry::{Line, add_group},
    opening::ways_to_open,
    page::{is_editing, text_of},
};
use crate::{host, texts::t};

/// The element that matches a selector below another one.
fn below(element: &Element, selector: &str) -> Option<Element> {
    element.query_selector(selector).ok().flatten()
}

fn ancestor(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

/// The title and the lines of the menu of an element.
pub fn menu_of(target: &Element) -> (String, Vec<Line>) {
    let control = ancestor(target, "[data-edit], [data-more]");
    let control = control.and_then(|control| control.get_attribute("data-edit").or(control.get_attribute("data-more")));
    let control = control.unwrap_or_default();
    let is_position = |position: &&str| position.chars().all(|part| part.is_ascii_digit() || part == '-');
    let of_section = control.strip_prefix("section-").filter(is_position);
    let widget = match control.strip_prefix("widget-").filter(is_position) {
        Some(position) => first(&format!("[data-widget=\"{position}\"]")).map(Element::from),
        None => ancestor(target, ".widget-base"),
    };
    if let Some(widget) = widget {
        let data = |name: &str| widget.get_attribute(name).unwrap_or_default();
        let label = text_of(below(&widget, ".widget-label").as_ref());
        let label = if label.is_empty() { data("data-kind") } else { label };
        return (label, changes(&["widget-", &data("data-widget")].concat(), None));
    }
    if let Some(position) = of_section {
        return menu_of_section(element(&["s-", position].concat()).as_deref());
    }
    if target.matches(".section-heading").unwrap_or_default() {
        return menu_of_section(ancestor(target, "section").as_ref());
    }
    let Some(tile) = ancestor(target, ".items > *") else { return (String::new(), Vec::new()) };
    let link = ancestor(target, "a").and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok());
    let opening = link.as_ref().map(ways_to_open).unwrap_or_default();
    let one = ancestor(target, ".sub-item").unwrap_or(tile);
    let name = text_of(below(&one, ":scope > .tile-title, :scope > .group-title").as_ref());
    if !is_editing() {
        let mut lines = opening;
        add_group(&mut lines, begin(one.id()));
        return (name, lines);
    }
    let mut lines = changes(&one.id(), Some(&one));
    if link.is_some() {
        lines.push(Line::Separator);
        lines.push(Line::more(t("Open…"), move || opening.clone()));
    }
    (name, lines)
}

fn menu_of_section(section: Option<&Element>) -> (String, Vec<Line>) {
    let Some(section) = section else { return (String::new(), Vec::new()) };
    let target = section.id().replacen("s-", "section-", 1);
    let mut lines = Vec::new();
    let alone = below(section, ".section-open").and_then(|alone| alone.dyn_into::<HtmlElement>().ok());
    if let Some(alone) = alone.filter(|alone| alone.offset_parent().is_some()) {
        lines.push(Line::run(t("Open this section alone"), move || alone.click()));
    }
    let details = below(section, "details").and_then(|details| details.dyn_into::<HtmlDetailsElement>().ok());
    let is_open = details.as_ref().is_some_and(HtmlDetailsElement::open);
    lines.push(Line::run(t(if is_open { "Collapse" } else { "Expand" }), move || {
        let summary = details.as_ref().and_then(|details| below(details, "summary"));
        if let Some(summary) = summary.and_then(|summary| summary.dyn_into::<HtmlElement>().ok()) {
            summary.click();
        }
    }));
    add_group(&mut lines, if is_editing() { changes(&target, None) } else { begin(target) });
    (text_of(below(section, "h2").as_ref()), lines)
}

/// When the page is not edited: starts editing the page, with the form of an element open.
fn begin(target: String) -> Vec<Line> {
    let Some(button) = first(".edit-button") else { return Vec::new() };
    let edit = move || {
        let (button, target) = (button.clone(), target.clone());
        spawn_local(async move {
            let Some(editor) = host::editor().await else { return };
            // A question about an older draft comes first.
            if editor.edit(&button).await.is_ok() && is_editing() && first("#editor dialog").is_none() {
                send(&["open ", &target].concat());
            }
        });
    };
    vec![Line::run(t("Edit"), edit)]
}
