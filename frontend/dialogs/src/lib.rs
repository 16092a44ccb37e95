//! The dialogs of the options, the config menu, the context menus, and the tour of a new dashboard. A bundle of its own, which `frontend/dialogs.js` starts at
//! its first use: ordinary visits load nothing of it.
//!
//! It changes the open page directly, its theme and its colors, so it works without the bundle of the page.

#![cfg_attr(test, allow(clippy::unwrap_used))]
#![recursion_limit = "256"]

pub mod contrast;
pub mod yaml;

#[cfg(target_arch = "wasm32")]
mod calls;
#[cfg(target_arch = "wasm32")]
mod colors;
#[cfg(target_arch = "wasm32")]
mod config_menu;
#[cfg(target_arch = "wasm32")]
mod context_menu;
#[cfg(target_arch = "wasm32")]
mod controls;
#[cfg(target_arch = "wasm32")]
mod dialog;
#[cfg(target_arch = "wasm32")]
mod host;
#[cfg(target_arch = "wasm32")]
mod own_colors;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod style_sheets;
#[cfg(target_arch = "wasm32")]
mod texts;
#[cfg(target_arch = "wasm32")]
mod theme;
#[cfg(target_arch = "wasm32")]
mod tour;
#[cfg(target_arch = "wasm32")]
mod translate;

#[cfg(target_arch = "wasm32")]
mod entry {
    use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
    use web_sys::{Element, HtmlElement, HtmlInputElement};

    use crate::{
        colors, context_menu, controls,
        host::{self, Editor, Host},
        theme, tour,
        translate::{self, Stream},
    };

    /// Starts the bundle. `host` is the object that `frontend/dialogs.js` describes as `Host`.
    #[wasm_bindgen]
    pub fn start(host: Host) {
        _ = any_spawner::Executor::init_wasm_bindgen();
        host::set(host);
        context_menu::install();
    }

    /// Does what a control of the options, a notice or the hints is for.
    ///
    /// # Errors
    ///
    /// A file that its dialog needs cannot be loaded.
    #[wasm_bindgen]
    pub async fn use_control(control: HtmlElement) -> Result<(), JsValue> {
        controls::use_control(control).await
    }

    /// Opens the dialog of themes for a field of the editor, whose theme is that of everybody.
    ///
    /// # Errors
    ///
    /// A file that the dialog needs cannot be loaded.
    #[wasm_bindgen]
    pub async fn choose_theme(field: HtmlInputElement) -> Result<(), JsValue> {
        theme::choose_for(field).await
    }

    /// Opens the colors of a draft. `draft` has the functions of `frontend/edit.js`.
    ///
    /// # Errors
    ///
    /// A file that the dialog needs cannot be loaded.
    #[wasm_bindgen]
    pub async fn open_colors(draft: Editor) -> Result<(), JsValue> {
        colors::open(Some(draft), None).await
    }

    /// Begins the tour of a new dashboard.
    ///
    /// # Errors
    ///
    /// Its style sheet cannot be loaded.
    #[wasm_bindgen]
    pub async fn start_tour() -> Result<(), JsValue> {
        tour::start().await
    }

    /// Brings the page into the language that was just chosen.
    ///
    /// # Errors
    ///
    /// The page has to be loaded again instead.
    #[wasm_bindgen]
    pub async fn translate(stream: Stream) -> Result<(), JsValue> {
        translate::translate(stream).await
    }

    /// Handles an event that may open a context menu; see [`context_menu::handle`].
    #[wasm_bindgen]
    pub fn handle_menu_event(event: JsValue, element: Element) {
        context_menu::handle(&event, element);
    }
}
