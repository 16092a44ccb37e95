//! The entry of the browser's bundle for pages of sections and items. Nothing else.

use wasm_bindgen::prelude::wasm_bindgen;

/// Brings the page to life.
#[wasm_bindgen(start)]
pub fn hydrate() {
    app::start();
}
