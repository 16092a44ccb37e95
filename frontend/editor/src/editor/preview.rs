//! What is shown of a form before the server has drawn it: titles, at once, and the panel of a widget, which a script of its own
//! asks for and draws (`frontend/edit/preview.js`).

use std::time::Duration;

use config::Document;
use leptos::prelude::{GetValue, SetValue, UpdateValue, WithValue, document, set_timeout_with_handle};
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::{Editor, host_call};
use crate::{
    edits::{List, Spot},
    form::Subject,
};

/// Longer than most people take from key to key.
const PAUSE_IN_TYPING: Duration = Duration::from_millis(150);

/// A title that is being typed: a CSS selector of its element, and its text.
pub type TypedTitle = Option<(String, String)>;

impl Editor {
    /// Shows beside the open form what a widget with this entry shows.
    pub fn preview_widget(self, entry: &Value) {
        let arguments = [JsValue::from_str(&entry.to_string())];
        self.host.with_value(|host| host_call(host, "preview", &arguments));
    }

    /// Puts a title on the page as it is typed: the drawing of the server takes longer than a key. `path` is the field of the
    /// form, `value` what is in it now. Says whether it is such a title.
    pub fn show_title(self, subject: Subject, path: &[String], value: Option<&Value>) -> bool {
        let (Subject::Existing(Spot { list, index }), [key], Some(Value::String(text))) = (subject, path, value) else {
            return false;
        };
        let selector = match (list, key.as_str()) {
            (List::Items(section), "title") => format!("#i-{section}-{index} > :is(.tile-title, .group-title)"),
            (List::Sections, "name") => format!("#s-{index} .section-heading h2:not(.visually-hidden)"),
            (List::Widgets(section), "label") => format!("[data-widget=\"{section}-{index}\"] .widget-label"),
            _ => return false,
        };
        self.typed.set_value(Some((selector, text.clone())));
        self.show_typed();
        true
    }

    /// Shows how the page looks with a document once nothing has been typed for a moment: bringing the page to what the server
    /// has drawn would make the next key wait.
    pub fn show_after_typing(self, document: Document) {
        self.cancel_drawing_after_typing();
        let timeout = set_timeout_with_handle(move || self.show(document), PAUSE_IN_TYPING);
        self.after_typing.set_value(timeout.ok());
    }

    pub(super) fn cancel_drawing_after_typing(self) {
        if let Some(timeout) = self.after_typing.try_update_value(Option::take).flatten() {
            timeout.clear();
        }
    }

    /// Puts the title on the page again that was typed while the server drew an older one.
    pub(super) fn show_typed(self) {
        let Some((selector, text)) = self.typed.get_value() else { return };
        if let Ok(Some(element)) = document().query_selector(&selector) {
            element.set_text_content(Some(&text));
        }
    }
}
