//! A click on a currency makes it the base that the others are compared with.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::{
    dom::{self, all},
    intl,
    morph::{self, CHOSEN},
};
use crate::parts::{
    markup::markup,
    rates::{self, RatesContent, RatesWords},
};

/// Makes the currency of a button the base.
pub fn on_click(button: &Element) {
    let (Ok(Some(part)), Some(code)) = (button.closest(".part-rates"), button.get_attribute("data-base")) else {
        return;
    };
    _ = part.set_attribute(CHOSEN, &code);
    write(&part);
    // The clicked button may be gone now; keep the focus in the list.
    if !button.is_connected()
        && let Ok(Some(first)) = part.query_selector("button")
        && let Ok(first) = first.dyn_into::<HtmlElement>()
    {
        _ = first.focus();
    }
}

/// After a refresh, restores the chosen currency.
pub fn restore(root: &Element) {
    all(root, ".part-rates[data-chosen]").iter().for_each(write);
}

fn write(part: &Element) {
    let (Some(code), Some(written)) = (part.get_attribute(CHOSEN), part.get_attribute("data-rates")) else { return };
    let rates = rates::read(&written, dom::number);
    // The widget may have other currencies by now.
    if rates.value(&code).is_none() {
        _ = part.remove_attribute(CHOSEN);
        return;
    }
    let Ok(fresh) = document().create_element("div") else { return };
    let word = |name: &str| part.get_attribute(name).unwrap_or_default();
    let (reset, absent) = (word("data-reset"), word("data-absent"));
    let words = RatesWords { reset: &reset, absent: &absent };
    fresh.set_inner_html(&markup(view! { <RatesContent rates=&rates base=&code words/> }));
    intl::fill(&fresh);
    morph::children(part, &fresh);
}
