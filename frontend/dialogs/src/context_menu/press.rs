//! Long presses.

use std::{cell::Cell, time::Duration};

use app::browser::listen;
use leptos::prelude::*;
use web_sys::{Element, Event, PointerEvent};

use super::{
    page::Point,
    timer::{TIMER, release},
    view::open,
};

/// The duration of a long press on an item.
const ON_ITEM: Duration = Duration::from_millis(750);
/// The duration of a long press on the heading of a section.
const ON_SECTION: Duration = Duration::from_millis(500);
/// How far a finger may move during a long press, in pixels.
const SLIP: f64 = 10.0;

thread_local! {
    /// Where the press began.
    static START: Cell<Point> = const { Cell::new(Point { x: 0.0, y: 0.0 }) };
}

/// Begins a press, which opens the menu of the element if it lasts.
pub(super) fn begin(element: Element, start: Point) {
    release();
    START.set(start);
    let duration = if element.matches(".section-heading").unwrap_or_default() { ON_SECTION } else { ON_ITEM };
    TIMER.set(set_timeout_with_handle(move || open(element, start), duration).ok());
}

/// Follows the fingers.
pub fn install() {
    for name in ["pointerup", "pointercancel", "scroll"] {
        listen(&window(), name, true, |_: Event| release());
    }
    listen(&window(), "pointermove", true, |event: PointerEvent| {
        let (start, now) = (START.get(), Point::of(&event));
        if (now.x - start.x).hypot(now.y - start.y) > SLIP {
            release();
        }
    });
    // Some browsers treat a long press on a link as the start of a drag.
    listen(&window(), "dragstart", true, |event: Event| {
        if TIMER.with_borrow(Option::is_some) {
            event.prevent_default();
        }
    });
}
