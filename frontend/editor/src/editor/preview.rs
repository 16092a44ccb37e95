//! Previews of an open form: titles appear on the page at once; the panel of a widget appears beside its form
//! (`frontend/edit/preview.js`).

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
    /// Previews a widget, given its config entry, beside the open form.
    pub fn preview_widget(self, entry: &Value) {
        let arguments = [JsValue::from_str(&entry.to_string())];
        self.host.with_value(|host| host_call(host, "preview", &arguments));
    }

    /// Shows a title on the page as it is typed, before the preview from the server. `path` is the field of the form, `value`
    /// its value. Returns whether it is such a title.
    pub fn show_title(self, subject: Subject, path: &[String], value: Option<&Value>) -> bool {
        let (Subject::Existing(Spot { list, index }), [key], Some(Value::String(text))) = (subject, path, value) else {
            return false;
        };
        let selector = match (list, key.as_str()) {
            (List::Items(section), "title") => format!("#i-{section}-{index} > :is(.tile-title, .group-title)"),
            (List::Sections, "name") => format!("#s-{index} .section-heading h2:not(.visually-hidden)"),
            (List::SubItems(section, item), "title") => format!("#i-{section}-{item}-{index} > .tile-title"),
            (List::Widgets(section), "label") => format!("[data-widget=\"{section}-{index}\"] .widget-label"),
            _ => return false,
        };
        self.typed.set_value(Some((selector, text.clone())));
        self.show_typed();
        true
    }

    /// Previews a document once nothing has been typed for a moment: patching the page would delay the next key.
    pub fn show_after_typing(self, document: Document) {
        self.cancel_preview_after_typing();
        let timeout = set_timeout_with_handle(move || self.show(document), PAUSE_IN_TYPING);
        self.after_typing.set_value(timeout.ok());
    }

    pub(super) fn cancel_preview_after_typing(self) {
        if let Some(timeout) = self.after_typing.try_update_value(Option::take).flatten() {
            timeout.clear();
        }
    }

    /// Shows the typed title again, after a preview with an older one.
    pub(super) fn show_typed(self) {
        let Some((selector, text)) = self.typed.get_value() else { return };
        if let Ok(Some(element)) = document().query_selector(&selector) {
            element.set_text_content(Some(&text));
        }
    }
}
