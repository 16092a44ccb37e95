//! Showing a dialog, and what several of them have.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    time::Duration,
};

use app::{
    browser::element,
    built_view::{AnyView, IntoAny},
};
use leptos::{mount::mount_to, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlTextAreaElement};

use crate::texts::t;

/// How long a button shows the result of its action.
const SHOWN: Duration = Duration::from_secs(3);

thread_local! {
    /// The mounted views, with their numbers.
    static MOUNTED: RefCell<Vec<(u32, Box<dyn Any>)>> = const { RefCell::new(Vec::new()) };
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// A dialog in the page, by its number.
#[derive(Clone, Copy)]
pub struct Mounted(u32);

impl Mounted {
    /// Removes the dialog, after the event that is being handled.
    pub fn remove(self) {
        spawn_local(async move {
            let removed = MOUNTED.with_borrow_mut(|all| {
                let at = all.iter().position(|(number, _)| *number == self.0)?;
                Some(all.remove(at))
            });
            drop(removed);
        });
    }
}

/// Where dialogs belong: to the editor if they belong to its draft. Updates from the server replace neither place.
pub fn place(of_draft: bool) -> Option<HtmlElement> {
    let editor = if of_draft { element("editor") } else { None };
    editor.or_else(|| element(app::page::OVERLAY_ELEMENT)).or_else(|| document().body())
}

/// Adds a dialog to the page, which is not shown yet.
pub fn mount<V: IntoView + 'static>(
    place: HtmlElement,
    view: impl FnOnce(Mounted) -> V + 'static,
) -> Option<HtmlDialogElement> {
    let number = COUNT.get() + 1;
    COUNT.set(number);
    let handle = mount_to(place.clone(), move || view(Mounted(number)));
    MOUNTED.with_borrow_mut(|all| all.push((number, Box::new(handle))));
    place.last_element_child()?.dyn_into().ok()
}

/// Closes the panel of the options, from which dialogs are opened.
pub fn hide_options() {
    if let Some(panel) = element("options-panel") {
        _ = panel.hide_popover();
    }
}

/// A button of a dialog.
pub fn button(label: String, class: &'static str, act: impl Fn() + 'static) -> AnyView {
    view! { <button type="button" class=class on:click=move |_| act()>{label}</button> }.into_any()
}

/// A button that shows the result of its action for a moment.
pub fn acting_button<F: Future<Output = Option<String>> + 'static>(
    label: String,
    disabled: Signal<bool>,
    act: impl Fn() -> F + 'static,
) -> AnyView {
    let shown = RwSignal::new(label.clone());
    let on_click = move |_| {
        let (task, label) = (act(), label.clone());
        spawn_local(async move {
            let Some(result) = task.await else { return };
            shown.set(result);
            set_timeout(move || _ = shown.try_set(label), SHOWN);
        });
    };
    view! { <button type="button" class="button" disabled=disabled on:click=on_click>{shown}</button> }.into_any()
}

/// Copies a text; if scripts cannot use the clipboard, selects the element that shows it. Returns what to say.
pub async fn copy(text: String, shown: Option<Element>) -> Option<String> {
    let is_allowed = window().is_secure_context();
    if is_allowed && JsFuture::from(window().navigator().clipboard().write_text(&text)).await.is_ok() {
        return Some(t("Copied"));
    }
    let shown = shown?;
    if let Some(area) = shown.dyn_ref::<HtmlTextAreaElement>() {
        area.select();
    } else if let Ok(Some(selection)) = window().get_selection() {
        _ = selection.select_all_children(&shown);
    }
    Some(t("Press Ctrl+C"))
}

/// Gives the focus to the first element that matches a selector.
pub fn focus_in(place: &Element, selector: &str) {
    if let Some(found) = place.query_selector(selector).ok().flatten() {
        _ = found.unchecked_ref::<HtmlElement>().focus();
    }
}
