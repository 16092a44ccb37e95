//! Colors to choose from.

use app::built_view::{AnyView, IntoAny};
use leptos::prelude::*;
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};

use crate::texts::t;

#[wasm_bindgen]
extern "C" {
    /// A canvas. Bound here, because the types of `web-sys` would compile Leptos once more for this bundle.
    type Canvas;
    #[wasm_bindgen(method, js_name = getContext)]
    fn context(this: &Canvas, kind: &str) -> Option<Context>;

    /// Its context for drawing.
    type Context;
    #[wasm_bindgen(method, setter, js_name = fillStyle)]
    fn set_fill_style(this: &Context, color: &str);
    #[wasm_bindgen(method, getter, js_name = fillStyle)]
    fn fill_style(this: &Context) -> String;
}

/// The colors of the theme, each with its name.
pub fn of_theme() -> [(&'static str, String); 8] {
    [
        ("var(--primary)", t("Primary")),
        ("var(--foreground)", t("Text")),
        ("var(--background)", t("Background")),
        ("var(--info)", t("Info")),
        ("var(--success)", t("Success")),
        ("var(--warning)", t("Warning")),
        ("var(--danger)", t("Danger")),
        ("var(--muted)", t("Muted")),
    ]
}

/// Colors that are the same in all themes, each with its name.
pub fn fixed() -> [(&'static str, String); 14] {
    [
        ("#dc2626", t("Red")),
        ("#ea580c", t("Orange")),
        ("#d97706", t("Amber")),
        ("#ca8a04", t("Yellow")),
        ("#65a30d", t("Lime")),
        ("#16a34a", t("Green")),
        ("#0d9488", t("Teal")),
        ("#0891b2", t("Cyan")),
        ("#2563eb", t("Blue")),
        ("#4f46e5", t("Indigo")),
        ("#9333ea", t("Purple")),
        ("#db2777", t("Pink")),
        ("#92663f", t("Brown")),
        ("#64748b", t("Gray")),
    ]
}

/// A disc of a color.
pub fn swatch(color: &str) -> AnyView {
    view! { <span class="edit-swatch" aria-hidden="true" style=("--swatch", color.to_owned())></span> }.into_any()
}

/// A color as `#rrggbb`, the only form that `<input type=color>` takes; black if it is none.
pub fn to_hex(color: &str) -> String {
    let black = || "#000000".to_owned();
    let Ok(canvas) = document().create_element("canvas") else { return black() };
    let Some(context) = JsValue::from(canvas).unchecked_into::<Canvas>().context("2d") else { return black() };
    context.set_fill_style("#000000");
    context.set_fill_style(color);
    let hex = context.fill_style();
    if hex.starts_with('#') && hex.len() == 7 { hex } else { black() }
}
