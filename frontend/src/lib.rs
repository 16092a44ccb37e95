//! The entry point of the browser's bundle for pages of sections and items.

use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the page.
#[wasm_bindgen(start)]
pub fn hydrate() {
    app::start();
}
