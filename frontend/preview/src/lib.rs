//! The entry of a bundle that draws panels from their data, for a preview without the server. `make build` leaves it out:
//! so far only the browser tests load it.

use app::parts::{self, PanelContext};
use wasm_bindgen::{JsError, prelude::wasm_bindgen};
use web_sys::Element;
use widgets::Panel;

/// Draws a panel inside an element.
///
/// `panel` is the panel as JSON; `label` is the label of its widget; `base` is the path before the addresses of the
/// server, without a slash at its end.
///
/// # Errors
///
/// If the JSON is no panel, with what is wrong about it.
#[wasm_bindgen]
pub fn mount(panel: &str, label: String, base: String, element: &Element) -> Result<(), JsError> {
    let panel: Panel = serde_json::from_str(panel)?;
    parts::mount(&panel, &PanelContext { base, label }, element);
    Ok(())
}
