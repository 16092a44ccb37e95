//! The context menu of an item, a section or a widget (docs/spec/behavior.md 5): right click, long press, menu key or Shift+F10.

mod changes;
mod entry;
mod menus;
mod opening;
mod page;
mod press;
mod timer;
mod view;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, KeyboardEvent, PointerEvent};

pub use self::press::install;
use self::{
    page::{Point, is_editing},
    view::open,
};

/// Handles an event that may open a menu: a context menu, a key, a finger that comes down; or an object with `clientX` and
/// `clientY`, which is a press that has lasted long enough. `element` is its target: a link, a tile, a heading, or a control of
/// the editor.
pub fn handle(event: &JsValue, element: Element) {
    let Some(event) = event.dyn_ref::<Event>() else {
        let number = |name: &str| app::property(event, name).as_f64().unwrap_or_default();
        open(element, Point { x: number("clientX"), y: number("clientY") });
        return;
    };
    // A sub-item without an address is no link, so the page names its group.
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let sub_item = target.as_ref().and_then(|target| target.closest(".sub-item").ok()?);
    let element = sub_item.filter(|sub_item| element.contains(Some(sub_item))).unwrap_or(element);
    if event.has_type::<KeyboardEvent>() {
        let bounds = element.get_bounding_client_rect();
        open(element, Point { x: bounds.left(), y: bounds.bottom() });
    } else if event.type_() == "contextmenu" {
        // In edit mode a press may also start a drag, so the editor handles it (`frontend/editor/src/gestures/pointer.rs`).
        let is_touch = event.dyn_ref::<PointerEvent>().is_some_and(|event| event.pointer_type() == "touch");
        if !(is_touch && is_editing()) {
            open(element, Point::of(event.unchecked_ref()));
        }
    } else if let Some(event) = event.dyn_ref::<PointerEvent>().filter(|_| !is_editing()) {
        // While this bundle was loading, the finger may have started to scroll, or have left; then its pointer is no longer
        // captured.
        if target.is_some_and(|target| target.has_pointer_capture(event.pointer_id())) {
            press::begin(element, Point::of(event));
        }
    }
}
