//! What is shown of a form before the server has drawn it: titles, at once, and the panel of a widget, which a script of its own
//! asks for and draws (`frontend/edit/preview.js`).

use leptos::prelude::{GetValue, SetValue, WithValue, document};
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::{Editor, host_call};
use crate::{
    edits::{List, Spot},
    form::Subject,
};

/// A title that is being typed: a CSS selector of its element, and its text.
pub type TypedTitle = Option<(String, String)>;

impl Editor {
    /// Shows beside the open form what a widget with this entry shows.
    pub fn preview_widget(self, entry: &Value) {
        let arguments = [JsValue::from_str(&entry.to_string())];
        self.host.with_value(|host| host_call(host, "preview", &arguments));
    }

    /// Puts a title on the page as it is typed: the drawing of the server takes longer than a key. `path` is the field of the
    /// form, `value` what is in it now.
    pub fn show_title(self, subject: Subject, path: &[String], value: Option<&Value>) {
        let (Subject::Existing(Spot { list, index }), [key], Some(Value::String(text))) = (subject, path, value) else {
            return;
        };
        let selector = match (list, key.as_str()) {
            (List::Items(section), "title") => format!("#i-{section}-{index} > :is(.tile-title, .group-title)"),
            (List::Sections, "name") => format!("#s-{index} .section-heading h2:not(.visually-hidden)"),
            (List::Widgets(section), "label") => format!("[data-widget=\"{section}-{index}\"] .widget-label"),
            _ => return,
        };
        self.typed.set_value(Some((selector, text.clone())));
        self.show_typed();
    }

    /// Puts the title on the page again that was typed while the server drew an older one.
    pub(super) fn show_typed(self) {
        let Some((selector, text)) = self.typed.get_value() else { return };
        if let Ok(Some(element)) = document().query_selector(&selector) {
            element.set_text_content(Some(&text));
        }
    }
}
