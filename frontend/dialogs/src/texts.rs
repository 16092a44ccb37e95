//! The texts of the dialogs in the language of the page.

use app::{
    SETTINGS_ELEMENT,
    browser::{element, root},
    built_view::{AnyView, IntoAny},
    property,
};
use gloo_net::http::Request;
use js_sys::{JSON, Object};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::page::address;

/// A text in the language of the page.
pub fn t(text: &str) -> String {
    app::t_for_script(text)
}

/// A text with values in the place of their `{name}`.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = text.to_owned();
    for (name, value) in values {
        filled = filled.replace(&["{", name, "}"].concat(), value);
    }
    filled
}

/// The text for one, or the text for another count in place of `{count}`, in the plural form of the language.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    app::t_count_for_script(one, many, count)
}

/// A sentence with `code` in it.
pub fn words(text: &str) -> AnyView {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned().into_any(),
        _ => view! { <code>{part.to_owned()}</code> }.into_any(),
    });
    parts.collect::<Vec<_>>().into_any()
}

/// Loads the translated texts of dialogs, which pages do not contain. Without them, dialogs are in English.
pub async fn load() {
    let Some(settings) = element(SETTINGS_ELEMENT).filter(|settings| settings.has_attribute("data-texts")) else {
        return;
    };
    if settings.has_attribute("data-dialog-texts") {
        return;
    }
    let language = root().get_attribute("lang").unwrap_or_default();
    let address = address(&["language?of=", &language].concat());
    let Ok(response) = Request::get(&address).send().await else { return };
    let loaded = response.text().await.ok().filter(|_| response.ok()).and_then(|text| JSON::parse(&text).ok());
    if let (Some(loaded), Ok(texts)) = (loaded, property(&settings, "texts").dyn_into::<Object>()) {
        Object::assign(&texts, loaded.unchecked_ref());
        _ = settings.set_attribute("data-dialog-texts", "");
    }
}
