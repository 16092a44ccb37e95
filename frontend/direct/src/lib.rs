//! The widgets that a browser looks up itself, as a bundle of their own: most pages have none, and load none of it.
//! Nothing else.

use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Looks once; see [`app::direct::look_up`].
#[wasm_bindgen(js_name = lookUp)]
pub fn look_up(
    kind: String,
    entry: String,
    base: String,
    locale: Option<String>,
    time_zone: Option<String>,
) -> JsValue {
    app::direct::look_up(kind, entry, base, locale, time_zone).into()
}
