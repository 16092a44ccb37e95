//! The texts of the editor in the language of the page. `frontend/texts.js` has them; in tests they are English.

use std::borrow::Cow;
#[cfg(target_arch = "wasm32")]
use std::cell::RefCell;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::{JsCast as _, JsValue};

#[cfg(target_arch = "wasm32")]
thread_local! {
    /// What the host looks texts up with, as `frontend/edit.js` describes it.
    static HOST: RefCell<JsValue> = const { RefCell::new(JsValue::NULL) };
}

/// Looks texts up with a host, an object that `frontend/edit.js` describes.
#[cfg(target_arch = "wasm32")]
pub fn install(host: JsValue) {
    HOST.set(host);
}

#[cfg(target_arch = "wasm32")]
fn found(function: &str, text: &str, count: Option<usize>) -> Option<String> {
    let host = HOST.with_borrow(JsValue::clone);
    let function: js_sys::Function = js_sys::Reflect::get(&host, &function.into()).ok()?.dyn_into().ok()?;
    let count = count.map_or(JsValue::UNDEFINED, JsValue::from);
    function.call2(&host, &text.into(), &count).ok()?.as_string()
}

#[cfg(not(target_arch = "wasm32"))]
fn found(_function: &str, _text: &str, _: Option<usize>) -> Option<String> {
    #[cfg(test)]
    if _function == "fieldText" {
        tests::FIELD_TEXTS.with_borrow_mut(|texts| texts.insert(_text.to_owned()));
    }
    None
}

/// A text.
#[must_use]
pub fn t(english: &str) -> String {
    found("text", english, None).unwrap_or_else(|| english.to_owned())
}

/// A text with values in the place of `{name}`.
#[must_use]
pub fn fill(english: &str, values: &[(&str, &str)]) -> String {
    filled(t(english), values)
}

/// A text with a number, which is `{count}` in it. `other`, the English plural, is the key.
#[must_use]
pub fn t_count(one: &str, other: &str, count: usize, values: &[(&str, &str)]) -> String {
    let english = if count == 1 { one } else { other };
    let text = found("text", other, Some(count)).unwrap_or_else(|| english.to_owned());
    let number = count.to_string();
    let values: Vec<_> = values.iter().copied().chain([("count", number.as_str())]).collect();
    filled(text, &values)
}

/// The name or the description of a field of the config, or a value of one.
#[must_use]
pub fn field_text(english: &str) -> String {
    let key = english.split_whitespace().collect::<Vec<_>>().join(" ");
    found("fieldText", &key, None).unwrap_or_else(|| english.to_owned())
}

/// A name of a field within a sentence. English writes it small there; other languages keep it as it is.
#[must_use]
pub fn within_sentence(name: &str) -> Cow<'_, str> {
    match found("text", "Save", None) {
        Some(_) => name.into(),
        None => name.to_lowercase().into(),
    }
}

/// A number in the digits of the page's language.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn digits(number: impl Into<u64>) -> String {
    let number = number.into();
    let tag = leptos::prelude::document().document_element().and_then(|root| root.get_attribute("lang"));
    // Pirates count in English.
    let tag = tag.filter(|tag| !tag.starts_with("zz")).unwrap_or_else(|| "en".to_owned());
    let options = js_sys::Object::new();
    _ = js_sys::Reflect::set(&options, &"useGrouping".into(), &JsValue::FALSE);
    let format = js_sys::Intl::NumberFormat::new(&js_sys::Array::of1(&tag.into()), &options).format();
    let written = format.call1(&JsValue::UNDEFINED, &JsValue::from_f64(number as f64)).ok();
    written.and_then(|written| written.as_string()).unwrap_or_else(|| number.to_string())
}

/// A number in the digits of the page's language. Without a page, they are those of English.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn digits(number: impl Into<u64>) -> String {
    number.into().to_string()
}

fn filled(text: String, values: &[(&str, &str)]) -> String {
    let mut rest = text.as_str();
    let mut filled = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, after))
        });
        match value {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{cell::RefCell, collections::BTreeSet};

    use super::{fill, t_count};

    thread_local! {
        /// What was looked up about fields.
        pub static FIELD_TEXTS: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    #[test]
    fn values_stand_in_their_places() {
        assert_eq!(
            fill("Move “{name}” to {section}", &[("name", "{section}"), ("section", "Media")]),
            "Move “{section}” to Media"
        );
        let without_values = "Add `{` and {name}";
        assert_eq!(fill(without_values, &[]), without_values);
        let changes = |count| t_count("1 change, not saved", "{count} changes, not saved", count, &[]);
        assert_eq!((changes(1), changes(3)), ("1 change, not saved".to_owned(), "3 changes, not saved".to_owned()));
    }
}
