//! What depends on the available room: which labels of an axis are shown, and which tables scroll.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{Element, HtmlElement, ResizeObserver};

use super::dom::all;

/// Minimum gap between two labels, in pixels.
const GAP: f64 = 8.0;

/// The axes, and the tables that may scroll.
const FITTED: &str = ".panel :is(.axis-labels, .scroller[role])";

thread_local! {
    /// Lives as long as the page; elements that leave the page are dropped automatically.
    static OBSERVER: Option<ResizeObserver> = {
        let on_resize = Closure::<dyn FnMut()>::new(fit_all);
        let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok();
        on_resize.forget();
        observer
    };
}

/// Fits the contents of an element, before it is painted and whenever its size changes.
pub fn install(root: &Element) {
    OBSERVER.with(|observer| {
        let Some(observer) = observer else { return };
        for element in all(root, FITTED) {
            // Elements that are already observed are reported again: their content may have changed.
            observer.observe(&element);
        }
    });
}

fn fit_all() {
    let Some(page) = document().document_element() else { return };
    all(&page, FITTED).iter().for_each(fit);
}

fn fit(element: &Element) {
    if !element.class_list().contains("scroller") {
        fit_labels(element);
    } else if element.scroll_width() > element.client_width() {
        _ = element.set_attribute("tabindex", "0");
    } else {
        // Without scrolling there is no reason to stop here with the Tab key.
        _ = element.remove_attribute("tabindex");
    }
}

/// Shows every label, or every second, fourth or eighth, so that they do not touch.
fn fit_labels(axis: &Element) {
    let Ok(Some(chart)) = axis.closest("figure") else { return };
    let ends = |element: &Element| {
        let place = element.get_bounding_client_rect();
        (place.left(), place.right())
    };
    let (first, last) = ends(&chart);
    // Labels that the style sheet hides take no room.
    let labels = all(axis, ":scope > span > :first-child");
    let labels: Vec<_> =
        labels.iter().map(|label| (label, ends(label))).filter(|(_, (left, right))| left < right).collect();
    let mut every = 1;
    // In either writing direction.
    while (every..labels.len()).step_by(every).any(|next| {
        let ((_, (left, right)), (_, (next_left, next_right))) = (&labels[next - every], &labels[next]);
        left.max(*next_left) - right.min(*next_right) < GAP
    }) {
        every *= 2;
    }
    for (position, (label, (left, right))) in labels.iter().enumerate() {
        let is_shown = position % every == 0 && *left > first - 1.0 && *right < last + 1.0;
        // Two lines of a label are in one element.
        if let Some(place) = label.parent_element().as_ref().and_then(|place| place.dyn_ref::<HtmlElement>()) {
            _ = place.style().set_property("visibility", if is_shown { "" } else { "hidden" });
        }
    }
}
