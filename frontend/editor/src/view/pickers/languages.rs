//! The languages of the interface, for the field with the language of everybody.

use app::browser::elements;
use js_sys::{Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::field_picker::FieldPicker;
use crate::{
    editor::{Editor, Field},
    texts::t,
};

#[wasm_bindgen]
extern "C" {
    /// What a language calls others.
    #[wasm_bindgen(js_namespace = Intl)]
    type DisplayNames;
    #[wasm_bindgen(constructor, js_namespace = Intl, catch)]
    fn new(locale: &str, options: &Object) -> Result<DisplayNames, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn of(this: &DisplayNames, code: &str) -> Result<Option<String>, JsValue>;
}

/// The languages that the options of the page list, by their codes and their own names.
fn offered() -> Vec<(String, String)> {
    let options = elements("select[name=language] option").into_iter().filter_map(|option| {
        let code = option.get_attribute("value").filter(|code| !code.is_empty())?;
        let name = option.text_content().unwrap_or_else(|| code.clone());
        Some((code, name))
    });
    options.collect()
}

/// What English calls languages.
fn english() -> Option<DisplayNames> {
    let options = Object::new();
    _ = Reflect::set(&options, &"type".into(), &"language".into());
    DisplayNames::new("en", &options).ok()
}

/// The dialog.
#[component]
pub fn Languages(editor: Editor, field: Field) -> impl IntoView {
    let before = field.value().trim().to_owned();
    let stored = StoredValue::new(field.clone());
    let query = RwSignal::new(String::new());
    let english = english();
    let mut entries = vec![(String::new(), t("The browser’s"))];
    entries.extend(offered());
    let is_unknown = !entries.iter().any(|(code, _)| *code == before);
    let rows = entries.into_iter().map(|(code, name)| {
        let foreign = english.as_ref().filter(|_| !code.is_empty()).and_then(|names| names.of(&code).ok().flatten());
        let words = format!("{name} {code} {}", foreign.unwrap_or_default()).to_lowercase();
        let is_hidden = move || query.with(|query| !words.contains(query));
        let is_chosen = code == before;
        let lang = (!code.is_empty()).then(|| code.clone());
        let value = code.clone();
        view! {
            <label hidden=is_hidden>
                <input
                    type="radio" name="edit-language" value=value checked=is_chosen autofocus=is_chosen
                    on:change=move |_| stored.get_value().fill(&code)
                />
                <span lang=lang>{name}</span>
            </label>
        }
    });
    let rows = rows.collect_view();
    view! {
        <FieldPicker editor field title=t("Language for everybody") class="edit-languages">
            <label class="field edit-search">
                <span>{t("Find a language")}</span>
                <input
                    type="search" autocomplete="off" spellcheck="false" autofocus=is_unknown
                    on:input=move |event| query.set(event_target_value(&event).trim().to_lowercase())
                />
            </label>
            <div class="edit-scroll">
                <fieldset class="edit-palette">
                    <legend class="visually-hidden">{t("Language")}</legend>
                    {rows}
                </fieldset>
            </div>
        </FieldPicker>
    }
}
