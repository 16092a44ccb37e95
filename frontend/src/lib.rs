//! The entry of the browser's bundle. Nothing else.

use wasm_bindgen::prelude::wasm_bindgen;

/// Brings the page to life.
#[wasm_bindgen(start)]
pub fn hydrate() {
    app::start();
}
