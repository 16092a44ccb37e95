//! The interface of the editor: the banner, the save bar and dialogs.

mod bar;
mod code_field;
mod conflict;
mod copies;
mod dialogs;
mod fields;
mod files;
mod form;
mod grid;
mod helper;
mod import;
mod local;
pub mod local_badge;
mod modal;
mod pages;
mod password;
mod pickers;
mod picture;
mod pieces;
mod place;
mod preview;
pub mod protect;
mod raw_editor;
mod rows;
mod styles;
mod suggestions;
mod values;

use std::{
    any::Any,
    cell::{Cell, RefCell},
};

use app::editing::EditorDocument;
use config::Document;
use leptos::{mount::mount_to, prelude::*};
use serde_json::json;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

use self::{bar::Bar, dialogs::Dialogs, pickers::Pickers};
pub use self::{code_field::CodeModule, grid::cells};
use crate::{
    appearance,
    calls::{call, schema},
    dom::ELEMENT,
    editor::{Editor, host_text},
    focus, gestures, page, page_view,
    schema::Schema,
    texts::{TextKind, fill, start_loading, t},
};

/// Loads the file and starts the editor. Returns why it cannot start; empty if it has.
pub async fn start(host: JsValue) -> String {
    _ = any_spawner::Executor::init_wasm_bindgen();
    appearance::follow_system();
    let button = app::property(&host, "button").dyn_into::<HtmlElement>().ok();
    let base = host_text(&host, "base").unwrap_or_default();
    let arguments = json!({ "page": host_text(&host, "page") });
    let texts = start_loading(&base, TextKind::Editor);
    let file = call::<EditorDocument>(&base, "editor-load", &arguments).await;
    _ = JsFuture::from(texts).await;
    let file = match file {
        Ok(file) => file,
        Err(rejection) => return rejection.message,
    };
    let schema = match schema(&base).await {
        Ok(schema) => Schema::new(schema),
        Err(rejection) => return rejection.message,
    };
    let document = match Document::parse(file.text.as_bytes()) {
        Ok(document) => document,
        Err(error) => return error.to_string(),
    };
    let element = leptos::prelude::document().create_element("div").map(JsCast::unchecked_into::<HtmlElement>);
    let (Ok(element), Some(body)) = (element, leptos::prelude::document().body()) else {
        return t("The editor cannot be shown here.");
    };
    element.set_id(ELEMENT);
    // `page_view::show` keeps it while previews replace the rest of the page.
    _ = body.append_child(&element);
    let handle = mount_to(element, move || {
        OWNER.set(Owner::current());
        let editor = Editor::new(host, file, schema, document);
        EDITOR.set(Some(editor));
        gestures::install_pointer(editor);
        page::install(editor);
        gestures::install(editor);
        editor.offer_stored();
        view! {
            <Bar editor/>
            <Dialogs editor/>
            <Pickers editor/>
        }
    });
    keep(handle);
    if let Some(owner) = OWNER.with_borrow(Clone::clone) {
        owner.with(focus::install);
    }
    page_view::focus_first_entry(button.as_ref());
    // Screen readers announce what changes, not what is there from the start.
    request_animation_frame(|| {
        if let Some(editor) = running() {
            let text = fill("Editing {file}. Enter edits what has the focus.", &[("file", &editor.file_name())]);
            editor.spoken.set(text);
        }
    });
    String::new()
}

thread_local! {
    /// The mounted view.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
    /// The owner of its signals and listeners.
    static OWNER: RefCell<Option<Owner>> = const { RefCell::new(None) };
    /// The running editor, for scripts.
    static EDITOR: Cell<Option<Editor>> = const { Cell::new(None) };
}

/// The running editor.
pub fn running() -> Option<Editor> {
    EDITOR.get()
}

fn keep<T: 'static>(handle: T) {
    MOUNTED.with_borrow_mut(|mounted| *mounted = Some(Box::new(handle)));
}

/// Ends the editor, with its listeners.
pub fn end() {
    EDITOR.set(None);
    drop(MOUNTED.take());
    // The editor itself holds the owner, so dropping the view does not clean it up.
    if let Some(owner) = OWNER.take() {
        owner.cleanup();
    }
}
