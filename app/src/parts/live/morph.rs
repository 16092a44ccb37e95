//! A refresh: makes the nodes of a panel equal to new ones, and leaves equal ones alone. So a frame does not reload, a
//! field keeps its text, and the focus stays where it is.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Node};

/// The chosen currency, as an attribute of the part. A refresh keeps it.
pub const CHOSEN: &str = "data-chosen";
/// Attributes that belong to the viewer after the first render.
const KEPT: [&str; 5] = ["open", "aria-expanded", "aria-sort", CHOSEN, "style"];

/// Makes the children of an element equal to those of another, whose children may be moved.
pub fn children(old: &Node, new: &Node) {
    let (mut left, mut right) = (old.first_child(), new.first_child());
    while let Some(fresh) = right {
        right = fresh.next_sibling();
        match left {
            Some(stale) => {
                left = stale.next_sibling();
                if is_same_kind(&stale, &fresh) {
                    node(&stale, &fresh);
                } else {
                    _ = old.replace_child(&fresh, &stale);
                }
            }
            None => _ = old.append_child(&fresh),
        }
    }
    while let Some(stale) = left {
        left = stale.next_sibling();
        _ = old.remove_child(&stale);
    }
}

fn is_same_kind(stale: &Node, fresh: &Node) -> bool {
    // A part is not turned into a different one, so that nothing stays open that belonged to another part.
    stale.node_name() == fresh.node_name() && part_of(stale) == part_of(fresh)
}

fn part_of(node: &Node) -> Option<String> {
    let starts = ["part ", "panel", "widget-"];
    let class = node.dyn_ref::<Element>()?.get_attribute("class")?;
    starts.iter().any(|start| class.starts_with(start)).then_some(class)
}

fn node(stale: &Node, fresh: &Node) {
    let (Some(stale), Some(fresh)) = (stale.dyn_ref::<Element>(), fresh.dyn_ref::<Element>()) else {
        if stale.node_value() != fresh.node_value() {
            stale.set_node_value(fresh.node_value().as_deref());
        }
        return;
    };
    // A link of a search field follows the text in it, as long as it leads to the same engine.
    let keeps_link =
        fresh.has_attribute("data-engine") && fresh.get_attribute("data-engine") == stale.get_attribute("data-engine");
    // A picture that failed to load does not fire the event again.
    let keeps_class = stale.class_list().contains("broken") && stale.get_attribute("src") == fresh.get_attribute("src");
    let is_kept = |name: &str| match name {
        "href" => keeps_link,
        "class" => keeps_class,
        _ => KEPT.contains(&name),
    };
    for name in names(fresh) {
        let value = fresh.get_attribute(&name);
        if value != stale.get_attribute(&name) && !(is_kept(&name) && stale.has_attribute(&name)) && name != "open" {
            _ = stale.set_attribute(&name, &value.unwrap_or_default());
        }
    }
    for name in names(stale) {
        if !fresh.has_attribute(&name) && !is_kept(&name) {
            _ = stale.remove_attribute(&name);
        }
    }
    children(stale, fresh);
}

fn names(element: &Element) -> Vec<String> {
    element.get_attribute_names().iter().filter_map(|name: JsValue| name.as_string()).collect()
}
