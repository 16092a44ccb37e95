//! The theme that the page shows now.

use std::cell::Cell;

use app::browser::{elements, root};
use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, HtmlLinkElement, HtmlStyleElement};

use crate::{
    own_colors::{current_theme, of_theme, paint, stored},
    style_sheets,
};

thread_local! {
    /// Counts the themes that were asked for, so that a slow style sheet does not replace a later one.
    static TURN: Cell<u32> = const { Cell::new(0) };
}

/// Whether the system is in dark mode.
pub fn is_dark() -> bool {
    window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|query| query.matches())
}

/// The address of a file of the themes.
pub fn address(file: &str) -> String {
    [&root().get_attribute("data-themes").unwrap_or_default(), file].concat()
}

/// Shows a theme; an empty name means that of the config. Done when it is visible.
pub async fn show(name: &str) {
    let turn = TURN.get() + 1;
    TURN.set(turn);
    let before = elements("link.theme");
    if !["", "default", "auto"].contains(&name) {
        let file = [&String::from(js_sys::encode_uri_component(name)), ".css"].concat();
        let Some(sheet) = style_sheets::link(&address(&file)) else { return };
        sheet.set_class_name("theme");
        // Without its sheet, a theme still has the colors of the config.
        _ = style_sheets::add(&sheet).await;
        if TURN.get() != turn {
            sheet.remove();
            return;
        }
    }
    for sheet in before {
        sheet.unchecked_into::<HtmlLinkElement>().remove();
    }
    for style in elements("style.theme") {
        style.unchecked_into::<HtmlStyleElement>().set_disabled(!name.is_empty());
    }
    let root = root();
    let configured = match root.get_attribute("data-day").filter(|day| !day.is_empty()) {
        Some(_) if is_dark() => root.get_attribute("data-night"),
        Some(day) => Some(day),
        None => root.get_attribute("data-only"),
    };
    let shown = if name.is_empty() { configured.unwrap_or_default() } else { name.to_owned() };
    _ = match shown.as_str() {
        "" | "default" | "auto" => root.remove_attribute("data-theme"),
        shown => root.set_attribute("data-theme", shown),
    };
    _ = root.toggle_attribute_with_force("data-chosen", !name.is_empty());
    paint(&of_theme(&stored(), &current_theme()));
}

/// The rules of the page's own style sheets, each with its selector.
pub fn own_rules() -> Vec<(String, CssStyleDeclaration)> {
    use app::property;
    use js_sys::Array;
    use wasm_bindgen::JsValue;

    fn read(rules: &JsValue, found: &mut Vec<(String, CssStyleDeclaration)>) {
        for rule in Array::from(rules).iter() {
            match property(&rule, "selectorText").as_string() {
                Some(selector) => found.push((selector, property(&rule, "style").unchecked_into())),
                // A rule that contains others, such as `@layer` or `@media`.
                None => {
                    let inner = property(&rule, "cssRules");
                    if inner.is_object() {
                        read(&inner, found);
                    }
                }
            }
        }
    }

    let mut found = Vec::new();
    for sheet in Array::from(&property(&document(), "styleSheets")).iter() {
        if property(&sheet, "href").is_null() {
            read(&property(&sheet, "cssRules"), &mut found);
        }
    }
    found
}
