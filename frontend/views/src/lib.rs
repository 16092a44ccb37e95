//! The minimal and the workspace view in the browser. A bundle of its own, which `frontend/view.js` starts on pages in these views.
//! Without it, their links work by themselves.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod minimal;
#[cfg(target_arch = "wasm32")]
mod workspace;

/// Starts the view of the page.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(start)]
pub fn start() {
    minimal::install();
    workspace::install();
}
