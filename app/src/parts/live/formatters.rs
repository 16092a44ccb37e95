//! The formatters of the browser (`Intl`), in the language of the page.

use std::cell::RefCell;

use js_sys::{Array, Function, Object, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use widgets::ViewerHints;

use super::dom::{self, property};

thread_local! {
    /// Formatters by their options: they are expensive to create, and a table needs the same one a thousand times.
    static FORMATTERS: RefCell<Vec<(String, Option<JsValue>)>> = const { RefCell::new(Vec::new()) };
}

/// Forgets all formatters, because the page may be in another language now.
pub fn forget_formatters() {
    FORMATTERS.with_borrow_mut(Vec::clear);
}

/// A formatter or a collator of the browser. `options` are pairs of names and values. `None` if the browser does not
/// support the zone, language or currency.
pub fn formatter(kind: &str, locale: Option<&str>, options: &[(&str, &str)]) -> Option<JsValue> {
    let mut key = String::from(kind);
    for text in options.iter().flat_map(|(name, value)| [*name, *value]).chain(locale) {
        key.push('|');
        key.push_str(text);
    }
    FORMATTERS.with_borrow_mut(|formatters| {
        if let Some((_, formatter)) = formatters.iter().find(|(known, _)| *known == key) {
            return formatter.clone();
        }
        let formatter = new_formatter(kind, locale, options);
        formatters.push((key, formatter.clone()));
        formatter
    })
}

fn new_formatter(kind: &str, locale: Option<&str>, options: &[(&str, &str)]) -> Option<JsValue> {
    let constructor: Function = property(&property(&js_sys::global(), "Intl"), kind).dyn_into().ok()?;
    let object = Object::new();
    for (name, value) in options {
        // Numbers of digits, and `true`, can be passed as text: the browser converts them.
        let value = JsValue::from_str(value);
        _ = Reflect::set(&object, &JsValue::from_str(name), &value);
    }
    let locale = locale.map_or_else(own_locale, JsValue::from_str);
    // An exception here means that the browser does not support it.
    Reflect::construct(&constructor, &Array::of2(&locale, &object)).ok()
}

/// The text of a formatter for a value.
pub fn format(formatter: &JsValue, value: &JsValue) -> Option<String> {
    call(formatter, "format", value, &JsValue::UNDEFINED)
}

/// The plural category of a number in the language of the page, such as `few`. Pirates count in English.
pub fn plural_category(count: usize) -> Option<String> {
    let locale = page_language().starts_with("zz").then_some("en");
    call(&formatter("PluralRules", locale, &[])?, "select", &count.into(), &JsValue::UNDEFINED)
}

/// A number in the digits of the page's language, without signs between its thousands; none for another text.
pub fn in_digits(number: &str) -> Option<String> {
    let value = dom::number(number);
    // An empty text stands for `false`.
    format(&formatter("NumberFormat", None, &[("useGrouping", "")])?, &value.into()).filter(|_| value.is_finite())
}

/// The result of a method of a formatter, if it is a text.
pub fn call(formatter: &JsValue, method: &str, value: &JsValue, second: &JsValue) -> Option<String> {
    let function: Function = property(formatter, method).dyn_into().ok()?;
    function.call2(formatter, value, second).ok()?.as_string()
}

/// The language of the page.
fn page_language() -> String {
    document().document_element().and_then(|root| root.get_attribute("lang")).unwrap_or_default()
}

/// Whether durations are in English: pirates count in English too.
pub fn is_english() -> bool {
    let page = page_language();
    page.starts_with("en") || page.starts_with("zz")
}

/// The language of the page, as the browser writes it: on a British page `en-AU` formats as people there do. Not so on an Arabic
/// page: half of the regions have digits of their own, and the server writes those of the language.
fn own_locale() -> JsValue {
    let page = page_language();
    let is_form = |own: &String| {
        page != "ar" && own.starts_with(&page)
            || page == "en-GB" && own.starts_with("en-") && !["en-US", "en-CA", "en-PH"].contains(&own.as_str())
    };
    window().navigator().language().filter(is_form).unwrap_or(page).into()
}

/// The viewer's language and time zone.
pub fn viewer_hints() -> ViewerHints {
    let resolved = formatter("DateTimeFormat", None, &[]).and_then(|formatter| {
        let function: Function = property(&formatter, "resolvedOptions").dyn_into().ok()?;
        function.call0(&formatter).ok()
    });
    let hint = |name: &str| property(resolved.as_ref()?, name).as_string();
    ViewerHints { locale: hint("locale"), time_zone: hint("timeZone") }
}
