//! The entry point of a bundle that renders panels from their data, without the server. Only the browser tests use it, so
//! `make build` leaves it out.

use app::parts::{self, PanelContext};
use wasm_bindgen::{JsError, prelude::wasm_bindgen};
use web_sys::Element;
use widgets::Panel;

/// Renders a panel inside an element.
///
/// `panel` is the panel as JSON; `label` is the label of its widget; `base` is the path prefix of the server, without a trailing
/// slash.
///
/// # Errors
///
/// The JSON is not a panel; the error says why.
#[wasm_bindgen]
pub fn mount(panel: &str, label: String, base: String, element: &Element) -> Result<(), JsError> {
    let panel: Panel = serde_json::from_str(panel)?;
    parts::mount(&panel, &PanelContext { base, label }, element);
    Ok(())
}
