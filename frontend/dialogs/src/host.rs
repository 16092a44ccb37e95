//! What the scripts of the page offer: the names of style sheets, messages, and the editor.

use std::cell::RefCell;

use js_sys::Object;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use web_sys::HtmlElement;

#[wasm_bindgen]
extern "C" {
    /// The object that `frontend/dialogs.js` describes as `Host`.
    #[derive(Clone)]
    pub type Host;

    /// The address of a style sheet.
    #[wasm_bindgen(method)]
    fn sheet(this: &Host, name: &str) -> String;

    /// Says that something cannot be loaded.
    #[wasm_bindgen(method, js_name = sayUnreachable)]
    fn say_unreachable(this: &Host);

    /// The module `frontend/edit.js`.
    #[wasm_bindgen(method, catch)]
    async fn editor(this: &Host) -> Result<JsValue, JsValue>;

    /// The module `frontend/edit.js`, or an object with its functions for the settings of a draft.
    #[derive(Clone)]
    pub type Editor;

    /// Does what the pencil does.
    #[wasm_bindgen(method, catch, js_name = default)]
    pub async fn edit(this: &Editor, button: &HtmlElement) -> Result<JsValue, JsValue>;

    /// Starts edit mode unless it is on, and opens a dialog.
    #[wasm_bindgen(method, catch)]
    pub async fn begin(this: &Editor, dialog: Option<&str>) -> Result<JsValue, JsValue>;

    /// Whether the page is being edited.
    #[wasm_bindgen(method, js_name = isRunning)]
    pub fn is_running(this: &Editor) -> bool;

    /// A setting of the draft.
    #[wasm_bindgen(method)]
    pub fn setting(this: &Editor, key: &str) -> JsValue;

    /// Changes a setting of the draft. Without a label for the history, it is only previewed.
    #[wasm_bindgen(method, js_name = changeSetting)]
    pub fn change_setting(this: &Editor, key: &str, value: &JsValue, label: Option<&str>);

    /// Adds colors of this browser to the draft.
    #[wasm_bindgen(method, js_name = takeColors)]
    pub fn take_colors(this: &Editor, theme: &str, colors: &Object);
}

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// Sets the host, before anything else is called.
pub fn set(host: Host) {
    HOST.set(Some(host));
}

fn host() -> Option<Host> {
    HOST.with_borrow(Clone::clone)
}

/// The address of a style sheet by its name without the hash.
pub fn sheet(name: &str) -> String {
    host().map(|host| host.sheet(name)).unwrap_or_default()
}

/// Says that something cannot be loaded.
pub fn say_unreachable() {
    if let Some(host) = host() {
        host.say_unreachable();
    }
}

/// The editor's module. If it cannot be loaded, the page says so.
pub async fn editor() -> Option<Editor> {
    let host = host()?;
    match host.editor().await {
        Ok(module) => Some(module.unchecked_into()),
        Err(_) => {
            host.say_unreachable();
            None
        }
    }
}
