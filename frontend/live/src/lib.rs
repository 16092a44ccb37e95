//! The entry of the browser's bundle for pages with widgets or with a session to watch. Nothing else.

use wasm_bindgen::prelude::wasm_bindgen;

/// Brings the page to life.
#[wasm_bindgen(start)]
pub fn hydrate() {
    app::start_live();
}
