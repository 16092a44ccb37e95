//! The data of a chart in its markup.

use js_sys::{Array, JSON};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::dom::property;

/// The data in the markup of a plot.
pub struct PlotData(pub JsValue);

impl PlotData {
    /// Reads them from the markup.
    pub fn of(plot: &Element) -> Option<Self> {
        JSON::parse(&plot.get_attribute("data-readings")?).ok().map(Self)
    }

    /// The list with this name; empty if there is none.
    pub fn list(&self, name: &str) -> Array {
        property(&self.0, name).dyn_into().unwrap_or_default()
    }

    /// The x positions in the grid of the drawing.
    pub fn places(&self) -> Vec<f64> {
        self.list("x").iter().filter_map(|x| x.as_f64()).collect()
    }
}
