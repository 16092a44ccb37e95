//! The viewer's own colors of themes, under the same key as in Dashy: a mapping from themes to variables and their values.

use app::{
    browser::{
        root,
        storage::{CUSTOM_COLORS, read_object, write, write_object},
    },
    property,
};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

/// Variables of a theme, without their hyphens, and their values, in the order in which they were set.
pub type Colors = Vec<(String, String)>;

/// The name of the current theme.
pub fn current_theme() -> String {
    root().get_attribute("data-theme").unwrap_or_else(|| "default".to_owned())
}

/// The colors of all themes that this browser has stored.
pub fn stored() -> Object {
    read_object(CUSTOM_COLORS)
}

/// Stores the colors of all themes.
pub fn store(all: &Object) {
    if Object::keys(all).length() == 0 {
        write(CUSTOM_COLORS, None);
    } else {
        write_object(CUSTOM_COLORS, all);
    }
}

/// A value if it is a mapping, else an empty one.
pub fn mapping(value: JsValue) -> Object {
    value.dyn_into::<Object>().ok().filter(|value| !Array::is_array(value)).unwrap_or_default()
}

/// The colors of a theme.
pub fn of_theme(all: &Object, theme: &str) -> Colors {
    let colors = mapping(property(all, theme));
    let text = |value: JsValue| value.as_string().or_else(|| Some(value.as_f64()?.to_string())).unwrap_or_default();
    let entries = Object::keys(&colors).into_iter().filter_map(|name| name.as_string());
    entries.map(|name| (name.clone(), text(property(&colors, &name)))).collect()
}

/// Colors as an object.
pub fn object(colors: &Colors) -> Object {
    let object = Object::new();
    for (name, value) in colors {
        _ = Reflect::set(&object, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    object
}

/// The colors of all themes, with new ones for one theme; without colors, the theme is removed.
pub fn with_theme(all: &Object, theme: &str, colors: &Colors) -> Object {
    let all = Object::assign(&Object::new(), all);
    if colors.is_empty() {
        _ = Reflect::delete_property(&all, &JsValue::from_str(theme));
    } else {
        _ = Reflect::set(&all, &JsValue::from_str(theme), &object(colors));
    }
    all
}

/// Sets or removes a color.
pub fn set(colors: &mut Colors, name: &str, value: &str) {
    match colors.iter_mut().find(|(known, _)| known == name) {
        _ if value.is_empty() => colors.retain(|(known, _)| known != name),
        Some((_, old)) => value.clone_into(old),
        None => colors.push((name.to_owned(), value.to_owned())),
    }
}

/// Shows these colors instead of those that the page showed before.
pub fn paint(colors: &Colors) {
    let root = root();
    _ = root.remove_attribute("style");
    let style = root.unchecked_ref::<HtmlElement>().style();
    for (name, value) in colors {
        _ = style.set_property(&["--", name].concat(), value);
    }
}
