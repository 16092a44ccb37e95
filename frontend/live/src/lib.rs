//! The entry point of the browser's bundle for pages with widgets or with a session to watch.

use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the page.
#[wasm_bindgen(start)]
pub fn hydrate() {
    app::start_live();
}
