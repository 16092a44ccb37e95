//! The colors of variables as the browser shows them.

use std::collections::HashMap;

use app::browser::root;
use color::Rgba;
use js_sys::{Object, Reflect, Uint8ClampedArray};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use web_sys::{Element, HtmlElement};

#[wasm_bindgen]
extern "C" {
    /// A canvas. Bound here, because the types of `web-sys` would compile Leptos once more for this bundle.
    type Canvas;
    #[wasm_bindgen(method, js_name = getContext)]
    fn context(this: &Canvas, kind: &str, options: &JsValue) -> Context;

    /// Its context for drawing.
    #[derive(Clone)]
    type Context;
    #[wasm_bindgen(method, setter, js_name = fillStyle)]
    fn set_fill_style(this: &Context, color: &str);
    #[wasm_bindgen(method, js_name = clearRect)]
    fn clear_rect(this: &Context, x: f64, y: f64, width: f64, height: f64);
    #[wasm_bindgen(method, js_name = fillRect)]
    fn fill_rect(this: &Context, x: f64, y: f64, width: f64, height: f64);
    #[wasm_bindgen(method, js_name = getImageData)]
    fn image_data(this: &Context, x: f64, y: f64, width: f64, height: f64) -> ImageData;

    /// Pixels.
    type ImageData;
    #[wasm_bindgen(method, getter)]
    fn data(this: &ImageData) -> Uint8ClampedArray;

    /// Whether the browser knows a value of a CSS property.
    #[wasm_bindgen(js_namespace = CSS, js_name = supports)]
    fn css_supports(property: &str, value: &str) -> bool;
}

thread_local! {
    static CONTEXT: Option<Context> = canvas_context();
}

fn canvas_context() -> Option<Context> {
    let canvas: Canvas = JsValue::from(document().create_element("canvas").ok()?).unchecked_into();
    let options = Object::new();
    _ = Reflect::set(&options, &"willReadFrequently".into(), &true.into());
    Some(canvas.context("2d", &options))
}

/// The value of a variable on the page, with references to other variables replaced.
pub fn resolved(name: &str) -> String {
    let style = window().get_computed_style(&root()).ok().flatten();
    let value = style.and_then(|style| style.get_property_value(&["--", name].concat()).ok());
    value.map(|value| value.trim().to_owned()).unwrap_or_default()
}

/// Whether the browser takes a value for a color.
pub fn is_color(value: &str) -> bool {
    !value.is_empty() && css_supports("color", value)
}

/// Colors as shown on the screen, by their values. The styles are computed once for all.
pub fn shown(values: &[String]) -> HashMap<String, Rgba> {
    // In the page's color scheme, light or dark.
    let Ok(probes) = document().create_element("i") else { return HashMap::new() };
    let of_value = |value: &String| -> Option<(String, Element)> {
        let probe = document().create_element("i").ok()?;
        _ = probe.unchecked_ref::<HtmlElement>().style().set_property("color", value);
        _ = probes.append_child(&probe);
        Some((value.clone(), probe))
    };
    let all: Vec<_> = values.iter().filter_map(of_value).collect();
    _ = root().append_child(&probes);
    let computed = all.into_iter().filter_map(|(value, probe)| {
        let style = window().get_computed_style(&probe).ok()??;
        Some((value, style.get_property_value("color").ok()?))
    });
    let computed: Vec<_> = computed.collect();
    probes.remove();
    computed.into_iter().filter_map(|(value, color)| Some((value, drawn(&color)?))).collect()
}

/// A color as the browser draws it.
fn drawn(color: &str) -> Option<Rgba> {
    CONTEXT.with(|context| {
        let context = context.as_ref()?;
        context.clear_rect(0.0, 0.0, 1.0, 1.0);
        context.set_fill_style(color);
        context.fill_rect(0.0, 0.0, 1.0, 1.0);
        let pixel = context.image_data(0.0, 0.0, 1.0, 1.0).data();
        let part = |at: u32| f64::from(pixel.get_index(at)) / 255.0;
        Some(Rgba { rgb: [part(0), part(1), part(2)], alpha: part(3) })
    })
}
