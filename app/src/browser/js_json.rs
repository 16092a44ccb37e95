//! JSON in the browser.

use config::json::Json;
use js_sys::{Array, JSON};
use wasm_bindgen::{JsCast, JsValue};

use crate::parts::live::property;

/// A value that the browser has parsed.
pub struct JsJson(pub(super) JsValue);

impl JsJson {
    /// Parses JSON; `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }
}

impl Json for JsJson {
    fn member(&self, name: &str) -> Option<Self> {
        let member = property(&self.0, name);
        (!member.is_undefined() && !member.is_null()).then_some(Self(member))
    }

    fn elements(&self) -> Vec<Self> {
        self.0.dyn_ref::<Array>().map(|list| list.iter().map(Self).collect()).unwrap_or_default()
    }

    fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    fn number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    fn flag(&self) -> Option<bool> {
        self.0.as_bool()
    }
}
