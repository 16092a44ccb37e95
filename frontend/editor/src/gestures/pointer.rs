//! Dragging items, sub-items, widgets and sections by mouse, pen or finger, and the double click and the keys that rename and move.
//!
//! The listeners run before those of the page and of the editor.

use std::{
    cell::{Cell, RefCell},
    time::Duration,
};

use app::{
    browser::{element, elements, first, is_rtl, root},
    property,
};
use js_sys::{Function, Object, Reflect};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent, PointerEvent, Window};

use super::{
    command::Command,
    draggable::{Draggable, Named},
    rename::rename,
    run::run,
    targets::{DropTarget, Edge, Point},
};
use crate::{
    dom::{closest, matches, number, target},
    editor::Editor,
    edits::{List, Spot},
    page::listen_to_window,
    texts::{fill, t, t_count},
};

/// How far the pointer moves before a drag begins, and how far a finger may move during a long press, in pixels.
const DRAG_THRESHOLD: f64 = 6.0;
/// How long a finger presses before it can drag.
const LONG_PRESS: Duration = Duration::from_millis(400);
/// How long a click on a title waits for a second one.
const DOUBLE_CLICK: Duration = Duration::from_millis(220);
/// The page scrolls while the pointer is this close to the edge of the window, in pixels.
const SCROLL_EDGE: f64 = 90.0;
/// How far the page scrolls per frame at most, in pixels.
const SCROLL_SPEED: f64 = 18.0;
/// How long a phone vibrates when something is lifted, in milliseconds.
const BUZZ: f64 = 10.0;
/// What a double click renames.
const NAMES: &str = "#content :is(.tile-title, .group-title, .section-heading h2, .widget-label), .page-title h1";

#[wasm_bindgen]
extern "C" {
    /// Scrolls the window.
    #[wasm_bindgen(js_name = scrollBy)]
    fn scroll_by(options: &JsValue);
}

/// A pointer that is down on something that can be dragged.
struct Hold {
    pointer: i32,
    touch: bool,
    source: Draggable,
    start: Point,
    /// Where the pointer is now.
    at: Point,
    /// Whether a finger has pressed long enough to drag.
    lifted: bool,
    dragging: bool,
    target: Option<DropTarget>,
}

/// The line where the dragged element would go, and its name beside the pointer.
struct Marks {
    line: HtmlElement,
    label: HtmlElement,
}

thread_local! {
    static HOLD: RefCell<Option<Hold>> = const { RefCell::new(None) };
    static MARKS: RefCell<Option<Marks>> = const { RefCell::new(None) };
    static PRESS: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
    static CLICK: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
    /// Whether the next click is the end of a drag.
    static ENDS_DRAG: Cell<bool> = const { Cell::new(false) };
    /// Whether the last touch was a long press, which neither scrolls nor clicks.
    static IS_LONG_PRESS: Cell<bool> = const { Cell::new(false) };
}

fn clear(timer: &'static std::thread::LocalKey<RefCell<Option<TimeoutHandle>>>) {
    if let Some(timer) = timer.take() {
        timer.clear();
    }
}

fn with_hold<T>(read: impl FnOnce(&mut Hold) -> T) -> Option<T> {
    HOLD.with_borrow_mut(|hold| hold.as_mut().map(read))
}

/// Listens until edit mode ends.
pub fn install(editor: Editor) {
    let on_pointer = |name, handle: fn(Editor, &PointerEvent)| {
        listen_to_window(name, move |event| handle(editor, event.unchecked_ref()))
    };
    let on = |name, handle: fn(Editor, &Event)| listen_to_window(name, move |event| handle(editor, &event));
    let stops = [
        on_pointer("pointerdown", down),
        on_pointer("pointermove", moved),
        on_pointer("pointerup", up),
        on("pointercancel", |_, _| cancel()),
        // An element that loses the focus is no reason.
        on("blur", |_, event| {
            if event.target().is_some_and(|target| target.has_type::<Window>()) {
                cancel();
            }
        }),
        on("click", |editor, event| clicked(editor, event.unchecked_ref())),
        on("keydown", |editor, event| key(editor, event.unchecked_ref())),
        on("touchmove", |_, event| prevent(event, IS_LONG_PRESS.get())),
        on("touchend", |_, event| prevent(event, IS_LONG_PRESS.get())),
        on("contextmenu", |_, event| prevent(event, with_hold(|hold| hold.touch).unwrap_or_default())),
        on("dragstart", |_, event| prevent(event, target(event).is_some_and(|on| Draggable::at(&on).is_some()))),
    ];
    on_cleanup(move || {
        for stop in stops {
            stop();
        }
        release();
        clear(&CLICK);
    });
}

/// Prevents what the browser itself would do with a long press or a drag.
fn prevent(event: &Event, is_ours: bool) {
    if is_ours && event.cancelable() {
        event.prevent_default();
    }
}

fn stop(event: &Event) {
    event.prevent_default();
    event.stop_immediate_propagation();
}

fn point(event: &MouseEvent) -> Point {
    Point { x: event.client_x().into(), y: event.client_y().into() }
}

fn dialog_is_open() -> bool {
    first("dialog[open]").is_some()
}

fn down(_: Editor, event: &PointerEvent) {
    IS_LONG_PRESS.set(false);
    if with_hold(|hold| hold.pointer).is_some_and(|pointer| pointer != event.pointer_id()) {
        cancel();
        return;
    }
    let source = target(event).and_then(|on| Draggable::sub_item_at(&on).or_else(|| Draggable::at(&on)));
    let with_key = event.ctrl_key() || event.meta_key() || event.shift_key();
    let Some(source) = source.filter(|_| event.button() == 0 && !with_key && !dialog_is_open()) else { return };
    let (start, touch) = (point(event), event.pointer_type() == "touch");
    let held = Hold {
        pointer: event.pointer_id(),
        touch,
        source,
        start,
        at: start,
        lifted: false,
        dragging: false,
        target: None,
    };
    HOLD.set(Some(held));
    if touch {
        PRESS.set(set_timeout_with_handle(lift, LONG_PRESS).ok());
    }
}

/// A finger has pressed long enough to drag.
fn lift() {
    IS_LONG_PRESS.set(true);
    with_hold(|hold| {
        hold.lifted = true;
        _ = hold.source.element.set_attribute("data-lifted", "");
    });
    let navigator = window().navigator();
    if let Ok(vibrate) = property(&navigator, "vibrate").dyn_into::<Function>() {
        _ = vibrate.call1(&navigator, &BUZZ.into());
    }
}

fn moved(_: Editor, event: &PointerEvent) {
    let at = point(event);
    let held = with_hold(|hold| {
        (hold.pointer == event.pointer_id()).then(|| {
            hold.at = at;
            let is_far = (at.x - hold.start.x).hypot(at.y - hold.start.y) > DRAG_THRESHOLD;
            (hold.touch, hold.lifted, hold.dragging, is_far)
        })
    });
    let Some((touch, lifted, dragging, is_far)) = held.flatten() else { return };
    // The button was released outside the window.
    if !touch && event.buttons() == 0 {
        cancel();
        return;
    }
    if !dragging {
        if !is_far {
            return;
        }
        // A finger that moves at once scrolls.
        if touch && !lifted {
            release();
            return;
        }
        begin();
    }
    draw_line();
}

fn begin() {
    clear(&CLICK);
    let source = with_hold(|hold| {
        hold.dragging = true;
        hold.source.clone()
    });
    let Some(source) = source else { return };
    _ = root().set_attribute("data-dragging", "");
    let selected =
        if source.element.has_attribute("data-picked") { elements("#content [data-picked]") } else { vec![] };
    let name = match selected.len() {
        0 | 1 => source.name(),
        count => t_count("1 item", "{count} items", count, &[]),
    };
    let moved = if selected.len() > 1 { selected } else { vec![source.element] };
    for one in moved {
        _ = one.set_attribute("data-dragged", "");
    }
    let made = |class: &str| {
        let mark: HtmlElement = document().create_element("div").ok()?.unchecked_into();
        mark.set_class_name(class);
        _ = element("editor")?.append_child(&mark);
        Some(mark)
    };
    if let (Some(line), Some(label)) = (made("drop-line"), made("drag-label")) {
        _ = label.set_attribute("aria-hidden", "true");
        label.set_text_content(Some(&name));
        MARKS.set(Some(Marks { line, label }));
    }
    announce(&fill("Moving {name}. Escape cancels.", &[("name", &name)]));
    request_animation_frame(scroll);
}

/// Says what happens to something that is dragged, for screen readers.
fn announce(text: &str) {
    let Some(place) = element("editor") else { return };
    let region = first("#editor > [role=status]").or_else(|| {
        let region: HtmlElement = document().create_element("p").ok()?.unchecked_into();
        region.set_class_name("visually-hidden");
        _ = region.set_attribute("role", "status");
        _ = place.append_child(&region);
        Some(region)
    });
    if let Some(region) = region {
        region.set_text_content(Some(text));
    }
}

/// Draws the line at the drop target.
fn draw_line() {
    let Some((source, at)) = with_hold(|hold| (hold.source.clone(), hold.at)) else { return };
    let target = DropTarget::at(&source, at);
    MARKS.with_borrow(|marks| {
        let Some(Marks { line, label }) = marks else { return };
        let set = |element: &HtmlElement, name: &str, value: String| _ = element.style().set_property(name, &value);
        set(label, "translate", format!("{}px {}px", at.x + 14.0, at.y + 14.0));
        line.set_hidden(target.is_none());
        let Some(DropTarget { bounds, edge, .. }) = &target else { return };
        let is_vertical = matches!(edge, Edge::Start | Edge::End);
        let left = match is_vertical {
            true if (*edge == Edge::Start) != is_rtl() => bounds.left() - 5.0,
            true => bounds.right() + 2.0,
            false => bounds.left(),
        };
        let top = match edge {
            Edge::Top => bounds.top() - 5.0,
            Edge::Bottom => bounds.bottom() + 2.0,
            _ => bounds.top(),
        };
        _ = line.class_list().toggle_with_force("whole", *edge == Edge::All);
        set(line, "translate", format!("{left}px {top}px"));
        let (width, height) = match edge {
            Edge::All => (bounds.width(), bounds.height()),
            _ if is_vertical => (3.0, bounds.height()),
            _ => (bounds.width(), 3.0),
        };
        set(line, "inline-size", format!("{width}px"));
        set(line, "block-size", format!("{height}px"));
    });
    with_hold(|hold| hold.target = target);
}

/// Scrolls while the pointer is near an edge.
fn scroll() {
    let Some((true, at)) = with_hold(|hold| (hold.dragging, hold.at)) else { return };
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    let bar = first(".edit-bar").map_or(height, |bar| bar.get_bounding_client_rect().top());
    let over = if at.y < SCROLL_EDGE { at.y - SCROLL_EDGE } else { (at.y - bar + SCROLL_EDGE).max(0.0) };
    if over != 0.0 {
        let options = Object::new();
        let distance = (over / SCROLL_EDGE).clamp(-1.0, 1.0) * SCROLL_SPEED;
        _ = Reflect::set(&options, &"top".into(), &distance.into());
        _ = Reflect::set(&options, &"behavior".into(), &"instant".into());
        scroll_by(&options);
        draw_line();
    }
    request_animation_frame(scroll);
}

/// Ends a hold. Returns whether it was a drag.
fn release() -> bool {
    clear(&PRESS);
    let was_drag = HOLD.take().is_some_and(|hold| hold.dragging);
    if was_drag {
        ENDS_DRAG.set(true);
        set_timeout(|| ENDS_DRAG.set(false), Duration::ZERO);
    }
    _ = root().remove_attribute("data-dragging");
    for one in elements("[data-dragged], [data-lifted]") {
        _ = one.remove_attribute("data-dragged");
        _ = one.remove_attribute("data-lifted");
    }
    if let Some(Marks { line, label }) = MARKS.take() {
        line.remove();
        label.remove();
    }
    was_drag
}

/// Ends a hold without an effect.
fn cancel() {
    if release() {
        announce(&t("Not moved."));
    }
}

fn up(editor: Editor, event: &PointerEvent) {
    let Some((pointer, dragging)) = with_hold(|hold| (hold.pointer, hold.dragging)) else { return };
    if pointer != event.pointer_id() {
        return;
    }
    if dragging {
        with_hold(|hold| hold.at = point(event));
        draw_line();
    }
    let Some((source, target, lifted, at)) =
        with_hold(|hold| (hold.source.clone(), hold.target.take(), hold.lifted, hold.at))
    else {
        return;
    };
    let Some(target) = target else {
        cancel();
        if lifted && !dragging && has_menus() {
            open_menu_of(editor, &source, at);
        }
        return;
    };
    release();
    let DropTarget { list, before, column, .. } = target;
    let command = match source.spot {
        Spot { list: List::Sections, index } => Command::DropSection(index, before, column),
        spot => Command::Drop(spot, list, before),
    };
    run(editor, command);
}

/// Whether the config allows menus by right click and long press.
fn has_menus() -> bool {
    let menu = element(app::SETTINGS_ELEMENT).and_then(|settings| settings.get_attribute("data-menu"));
    menu.is_some_and(|menu| !menu.is_empty())
}

/// Opens the context menu under a finger after a long press.
fn open_menu_of(editor: Editor, Draggable { spot, element }: &Draggable, at: Point) {
    let owner = match spot.list {
        List::Items(_) | List::SubItems(..) => Some(Element::from(element.clone())),
        List::Sections => element.query_selector(".section-heading").ok().flatten(),
        _ => element.query_selector("[data-edit]").ok().flatten(),
    };
    if let Some(owner) = owner {
        editor.open_menu(&owner, at.x, at.y);
    }
}

/// A click on a title waits for a second one, which renames.
fn clicked(editor: Editor, event: &MouseEvent) {
    if ENDS_DRAG.get() {
        stop(event);
        return;
    }
    let Some(on) = target(event) else { return };
    if let Some(more) = closest(&on, ".edit-menu") {
        stop(event);
        let bounds = more.get_bounding_client_rect();
        // Its buttons work even if the config turns menus off for right clicks and long presses.
        editor.open_menu(&more, if is_rtl() { bounds.right() } else { bounds.left() }, bounds.bottom());
        return;
    }
    let Some(name) = closest(&on, NAMES) else { return };
    let is_plain = !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key());
    let is_mouse = event.dyn_ref::<PointerEvent>().is_some_and(|event| event.pointer_type() == "mouse");
    if !is_plain || !is_mouse || editor.selection.selecting.get_untracked() || dialog_is_open() {
        return;
    }
    let Some(source) = Named::at(&name) else { return };
    clear(&CLICK);
    match event.detail() {
        0 | 1 => CLICK.set(set_timeout_with_handle(move || single_click(editor, &source), DOUBLE_CLICK).ok()),
        2 => rename(editor, source),
        _ => return,
    }
    stop(event);
}

/// A click on a title that was not followed by a second one.
fn single_click(editor: Editor, source: &Named) {
    match source {
        Named::Page(_) => run(editor, Command::OpenPageInfo),
        Named::Entry(Draggable { spot, element }) => match spot.list {
            List::Items(_) | List::SubItems(..) => run(editor, Command::Open(*spot)),
            List::Sections => {
                if let Ok(Some(summary)) = element.query_selector("summary") {
                    summary.unchecked_into::<HtmlElement>().click();
                }
            }
            List::Widgets(_) | List::Pages => {}
        },
    }
}

fn key(editor: Editor, event: &KeyboardEvent) {
    let key = event.key();
    if key == "Escape" && with_hold(|hold| hold.dragging).unwrap_or_default() {
        stop(event);
        cancel();
        return;
    }
    let is_arrow = key.starts_with("Arrow") && event.alt_key() && !event.shift_key();
    if (key != "F2" && !is_arrow) || dialog_is_open() {
        return;
    }
    let Some(source) = target(event).and_then(|on| Named::at(&on)) else { return };
    if !is_arrow {
        stop(event);
        rename(editor, source);
    } else if let Named::Entry(Draggable { spot: Spot { list: List::Sections, index }, .. }) = source
        && let Some(command) = move_in_column(index, !["ArrowUp", "ArrowLeft"].contains(&key.as_str()))
    {
        stop(event);
        run(editor, command);
    }
}

/// The command that moves a section past the next one in its column of the page. In the file, other sections may be between them.
/// `None` if the page has no columns.
pub fn move_in_column(index: usize, is_down: bool) -> Option<Command> {
    let section: Element = element(&format!("s-{index}"))?.into();
    section.parent_element().filter(|column| matches(column, ".page-column"))?;
    let other = if is_down { section.next_element_sibling() } else { section.previous_element_sibling() };
    let before = other.map_or_else(|| number(&section), |other| number(&other) + usize::from(is_down));
    Some(Command::DropSection(index, Some(before), None))
}
