//! Tables that are sorted by a click on the header of a column.

use js_sys::{Array, Function};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::{
    dom::{self, all, property},
    fold, formatters,
};

/// Sorts by the column of a button, or reverses the order if it is already sorted by it. Numbers begin with the
/// largest, which is usually wanted.
pub fn on_click(button: &Element) {
    let (Ok(Some(head)), Ok(Some(table))) = (button.closest("th"), button.closest("table")) else { return };
    let next = match head.get_attribute("aria-sort").as_deref() {
        Some("ascending") => "descending",
        Some("descending") => "ascending",
        _ if head.class_list().contains("numeric") => "descending",
        _ => "ascending",
    };
    for other in all(&table, "th[aria-sort]") {
        _ = other.set_attribute("aria-sort", "none");
    }
    _ = head.set_attribute("aria-sort", next);
    sort(&table, &head);
}

/// After a refresh, restores the viewer's order: the new rows are in the order of the widget.
pub fn restore(root: &Element) {
    for head in all(root, "th:is([aria-sort=ascending], [aria-sort=descending])") {
        if let Ok(Some(table)) = head.closest("table") {
            sort(&table, &head);
        }
    }
}

fn sort(table: &Element, head: &Element) {
    let Ok(Some(body)) = table.query_selector("tbody") else { return };
    let column = all(table, "thead th").iter().position(|other| other == head).unwrap_or_default();
    let is_descending = head.get_attribute("aria-sort").as_deref() == Some("descending");
    let Some(compare_texts) = formatters::formatter("Collator", None, &[("numeric", "true")])
        .and_then(|collator| property(&collator, "compare").dyn_into::<Function>().ok())
    else {
        return;
    };
    let rows = Array::new();
    for row in all(&body, ":scope > tr") {
        let cell = u32::try_from(column).ok().and_then(|column| row.children().item(column));
        let key = cell.map_or(JsValue::UNDEFINED, |cell| key(&cell));
        rows.push(&Array::of2(&key, &row));
    }
    let compare = &mut |left: JsValue, right: JsValue| {
        let (left, right) = (Array::from(&left).get(0), Array::from(&right).get(0));
        match (left.is_undefined(), right.is_undefined()) {
            (true, true) => return 0,
            // Missing values stay at the end.
            (true, false) => return 1,
            (false, true) => return -1,
            (false, false) => {}
        }
        let order = match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => left - right,
            _ => compare_texts
                .call2(&JsValue::UNDEFINED, &left, &right)
                .ok()
                .and_then(|order| order.as_f64())
                .unwrap_or(0.0),
        };
        let order = i32::from(order > 0.0) - i32::from(order < 0.0);
        if is_descending { -order } else { order }
    };
    for pair in rows.sort_by(compare).iter() {
        if let Ok(row) = Array::from(&pair).get(1).dyn_into::<Element>() {
            _ = body.append_child(&row);
        }
    }
    if let Ok(Some(part)) = table.closest(".part") {
        fold::apply(&part);
    }
}

/// The sort key of a cell: its number, its time, or its text.
fn key(cell: &Element) -> JsValue {
    if let Ok(Some(number)) = cell.query_selector("data[value]") {
        let value = number.get_attribute("value").unwrap_or_default();
        return JsValue::from_f64(dom::number(&value));
    }
    if let Ok(Some(time)) = cell.query_selector("time[datetime]") {
        return JsValue::from_str(&time.get_attribute("datetime").unwrap_or_default());
    }
    match cell.query_selector(".missing") {
        Ok(Some(_)) => JsValue::UNDEFINED,
        _ => JsValue::from_str(&cell.text_content().unwrap_or_default()),
    }
}
