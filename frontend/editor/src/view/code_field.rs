//! The field for the text of a config: CodeMirror, which is JavaScript (`frontend/edit/code.js`).

use std::rc::Rc;

use js_sys::{Array, Object, Promise, Reflect};
use leptos::prelude::*;
use serde_json::json;
use wasm_bindgen::{
    JsCast as _, JsValue,
    prelude::{Closure, wasm_bindgen},
};
use wasm_bindgen_futures::future_to_promise;
use web_sys::HtmlElement;

use crate::schema::Schema;

#[wasm_bindgen]
extern "C" {
    /// The module.
    #[derive(Clone)]
    pub type CodeModule;
    /// Puts a field into an element.
    #[wasm_bindgen(method, js_name = codeField)]
    fn code_field(this: &CodeModule, options: &Object) -> CodeField;

    /// The field.
    #[derive(Clone)]
    pub type CodeField;
    /// The text, with the line ends that it came with.
    #[wasm_bindgen(method)]
    pub fn text(this: &CodeField) -> String;
    /// Puts another text there, as one step of the field's own undo.
    #[wasm_bindgen(method)]
    pub fn replace(this: &CodeField, text: &str);
    /// Shows a place, which counts from one, with the cursor at it.
    #[wasm_bindgen(method)]
    pub fn jump(this: &CodeField, line: usize, column: usize);
    /// Wraps long lines, or not.
    #[wasm_bindgen(method)]
    pub fn wrap(this: &CodeField, on: bool);
    /// Opens the search.
    #[wasm_bindgen(method)]
    pub fn find(this: &CodeField);
    /// Whether the line with the cursor is in sight.
    #[wasm_bindgen(method, js_name = seesCursor)]
    pub fn sees_cursor(this: &CodeField) -> bool;
    /// Scrolls to the cursor.
    #[wasm_bindgen(method, js_name = showCursor)]
    pub fn show_cursor(this: &CodeField);
    /// Moves the focus there.
    #[wasm_bindgen(method)]
    pub fn focus(this: &CodeField);
    /// Formats the text. Resolves to whether it was not formatted before, and rejects with an `Error` for the person.
    #[wasm_bindgen(method)]
    pub fn format(this: &CodeField) -> Promise;
    /// Copies the text to the clipboard.
    #[wasm_bindgen(method)]
    pub fn copy(this: &CodeField) -> Promise;
    /// Removes the field.
    #[wasm_bindgen(method)]
    pub fn destroy(this: &CodeField);
}

/// What is wrong in a text. Resolves to JSON: a list of `app::editing::TextProblem`.
pub type Check = Rc<dyn Fn(String) -> std::pin::Pin<Box<dyn Future<Output = String>>>>;

/// The functions that a field calls. They have to live as long as the field.
pub struct Callbacks {
    _check: Closure<dyn Fn(String) -> Promise>,
    _changed: Closure<dyn Fn()>,
    _complete: Closure<dyn Fn(Array, usize, usize) -> Option<String>>,
    _hint: Closure<dyn Fn(Array, usize, usize) -> Option<String>>,
}

/// Puts a field into an element, which is empty.
pub fn code_field(
    module: &CodeModule,
    place: &HtmlElement,
    (text, label): (&str, &str),
    schema: StoredValue<Schema>,
    check: Check,
    changed: impl Fn() + 'static,
) -> (CodeField, Callbacks) {
    let check = Closure::<dyn Fn(String) -> Promise>::new(move |text| {
        let problems = check(text);
        future_to_promise(async move { Ok(problems.await.into()) })
    });
    let changed = Closure::<dyn Fn()>::new(changed);
    let complete = Closure::<dyn Fn(Array, usize, usize) -> Option<String>>::new(move |lines, row, column| {
        schema.try_with_value(|schema| completions(schema, &lines, row, column)).flatten()
    });
    let hint = Closure::<dyn Fn(Array, usize, usize) -> Option<String>>::new(move |lines, row, column| {
        schema.try_with_value(|schema| hint(schema, &lines, row, column)).flatten()
    });
    let options = Object::new();
    let values: [(&str, &JsValue); 7] = [
        ("place", place),
        ("text", &text.into()),
        ("label", &label.into()),
        ("check", check.as_ref()),
        ("onChange", changed.as_ref()),
        ("complete", complete.as_ref()),
        ("hint", hint.as_ref()),
    ];
    for (name, value) in values {
        _ = Reflect::set(&options, &name.into(), value);
    }
    let field = module.code_field(&options);
    (field, Callbacks { _check: check, _changed: changed, _complete: complete, _hint: hint })
}

/// The message of an `Error`.
pub fn message_of(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| format!("{error:?}"))
}

/// Lines, and a column of a row in bytes. JavaScript counts in units of UTF-16.
fn at(lines: &Array, row: usize, column: usize) -> Option<(Vec<String>, usize)> {
    let lines: Vec<String> = lines.iter().filter_map(|line| line.as_string()).collect();
    let mut units = 0;
    let letters = lines.get(row)?.char_indices();
    let before = letters.take_while(|(_, letter)| {
        units += letter.len_utf16();
        units <= column
    });
    let column = before.last().map_or(0, |(at, letter)| at + letter.len_utf8());
    Some((lines, column))
}

/// A column in units of UTF-16.
fn units(line: &str, column: usize) -> usize {
    line[..column].encode_utf16().count()
}

/// The completions at a position, as JSON for CodeMirror.
fn completions(schema: &Schema, lines: &Array, row: usize, column: usize) -> Option<String> {
    let (lines, column) = at(lines, row, column)?;
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let found = schema.completions(&lines, row, column)?;
    let options = found.options.iter().map(|option| {
        let mut json = json!({ "label": option.label, "apply": option.apply });
        for (name, value) in [("detail", &option.detail), ("info", &option.info)] {
            if let Some(value) = value {
                json[name] = value.as_str().into();
            }
        }
        json
    });
    let options: Vec<_> = options.collect();
    Some(json!({ "from": units(lines[row], found.from), "options": options }).to_string())
}

/// The hint at a position, as JSON.
fn hint(schema: &Schema, lines: &Array, row: usize, column: usize) -> Option<String> {
    let (lines, column) = at(lines, row, column)?;
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let found = schema.hint(&lines, row, column)?;
    let (from, to) = (units(lines[row], found.from), units(lines[row], found.to));
    Some(json!({ "from": from, "to": to, "lines": found.lines }).to_string())
}

impl CodeModule {
    /// The module as `frontend/edit.js` loads it.
    pub fn of(module: JsValue) -> Self {
        module.unchecked_into()
    }
}
