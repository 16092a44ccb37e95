//! What a widget shows while its form is open: a script of its own asks for it and draws it (`frontend/edit/preview.js`).

use leptos::prelude::WithValue;
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::{Editor, host_call};

impl Editor {
    /// Shows beside the open form what a widget with this entry shows.
    pub fn preview_widget(self, entry: &Value) {
        let arguments = [JsValue::from_str(&entry.to_string())];
        self.host.with_value(|host| host_call(host, "preview", &arguments));
    }
}
