//! The controls of the editor on a page: a button for viewers who may edit it, and in edit mode, a control for everything
//! that has a form. The editor's bundle listens to all of them; `data-edit` names what each edits.

use leptos::prelude::*;

use super::symbols;
use crate::words::{t, t_for_script_with};

/// Whether a page can be edited, or is being edited.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum EditMode {
    /// The viewer may not edit it.
    #[default]
    Absent,
    /// It can be edited in the home view, as a whole: its button leads there.
    Elsewhere,
    /// It has a button that starts editing.
    Offered,
    /// The same, and the page is still the example of a new dashboard.
    Example,
    /// It is being edited: this is a preview of the draft.
    On,
}

/// The button that starts editing. The inline script of the page loads the module at the first click.
#[component]
pub(super) fn EditButton(
    /// Address of the module.
    editor: String,
    /// The address of the page in the home view, if it is edited there.
    home: Option<String>,
) -> impl IntoView {
    let name = if home.is_some() { "edit-elsewhere" } else { "edit-button" };
    let class = format!("icon-button pencil {name}");
    view! {
        <button class=class type="button" data-module=editor data-home=home aria-label=t("Edit this page")>
            {symbols::pencil()}
        </button>
    }
}

/// A small button with a pencil. `target` names the element that it edits: `section-2` or `widget-2-5`.
pub(super) fn edit(target: String, label: String) -> impl IntoView {
    view! { <button class="edit-control" type="button" data-edit=target aria-label=label>{symbols::pencil()}</button> }
}

/// A small button that opens the context menu of an element.
pub(super) fn menu(target: String, label: String) -> impl IntoView {
    view! {
        <button class="edit-control edit-menu" type="button" data-more=target aria-label=label aria-haspopup="menu">
            {symbols::dots()}
        </button>
    }
}

/// The buttons at the end of a section.
#[component]
pub(super) fn AddToSection(
    /// Position of the section in the file.
    index: usize,
    /// The name of the section.
    name: String,
) -> impl IntoView {
    let button = |command: &str, text: &'static str, label: String| {
        view! {
            <button class="edit-add" type="button" data-edit=format!("{command}-{index}") aria-label=label>
                {symbols::plus()}{t(text)}
            </button>
        }
    };
    view! {
        <div class="edit-adders">
            {button("add-item", "Add item", t_for_script_with("Add item to {name}", &name))}
            {button("add-widget", "Add widget", t_for_script_with("Add widget to {name}", &name))}
        </div>
    }
}

/// The button at the end of the page.
#[component]
pub(super) fn AddSection() -> impl IntoView {
    view! {
        <button class="edit-add edit-add-section" type="button" data-edit="add-section">
            {symbols::plus()}{t("Add section")}
        </button>
    }
}
