//! The controls that pages have without dialogs: icons in one color, and closing notices and hints; and the buttons that open dialogs.

use app::browser::{
    root,
    storage::{CLOSED_HINTS, ICON_COLOR, QUIET_NOTICES, page_key, write},
};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlElement, HtmlInputElement};

use crate::{colors, config_menu, host, theme};

/// Does what a control is for.
///
/// # Errors
///
/// A file that its dialog needs cannot be loaded.
pub async fn use_control(control: HtmlElement) -> Result<(), JsValue> {
    let of_kind = |name: &str| control.get_attribute(name);
    let owner = |selector: &str| control.closest(selector).ok().flatten();
    if let Some(checkbox) = control.dyn_ref::<HtmlInputElement>().filter(|input| input.type_() == "checkbox") {
        color_icons(checkbox);
    } else if of_kind("data-dismiss").as_deref() == Some("hints") {
        if let Some(hints) = owner("[data-hints]") {
            write(CLOSED_HINTS, hints.get_attribute("data-hints").as_deref());
            hints.unchecked_ref::<HtmlElement>().set_hidden(true);
        }
    } else if let Some(extent) = of_kind("data-dismiss") {
        match owner(".notice") {
            Some(notice) if extent == "now" => notice.remove(),
            // With "Do not show again", its title remains.
            Some(notice) => {
                _ = notice.class_list().add_1("quiet");
                write(QUIET_NOTICES, Some("true"));
            }
            None => {}
        }
    } else {
        match of_kind("data-opens").as_deref() {
            Some("theme") => theme::open(control).await?,
            Some("colors") => {
                let is_edited = root().has_attribute("data-editing") && app::browser::first(".edit-button").is_some();
                let draft = if is_edited { host::editor().await } else { None };
                colors::open(draft, Some(control)).await?;
            }
            Some("config") => config_menu::open(control).await?,
            _ => {}
        }
    }
    Ok(())
}

/// Shows brand icons in the color of the text, or in their own. A choice that equals the config is not stored.
fn color_icons(checkbox: &HtmlInputElement) {
    let is_plain = checkbox.checked();
    let word = if is_plain { "mono" } else { "color" };
    write(&page_key(ICON_COLOR), (is_plain != checkbox.default_checked()).then_some(word));
    _ = root().set_attribute("data-icons", word);
}
