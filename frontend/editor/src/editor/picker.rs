//! The dialogs above a form, which help to choose something.

use app::browser::{element, first};
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlDialogElement, HtmlInputElement};

use crate::form::Form;

/// The id of their title: the dialog below has one too.
pub const PICKER_TITLE: &str = "edit-picker-title";

/// A dialog that helps to choose something.
#[derive(Clone)]
pub enum Picker {
    /// The types of widgets, for a new one in the section at this position.
    NewWidget(usize),
    /// The types of widgets, for the one whose form is open.
    WidgetType(Form),
    /// The sections of the page, for a new widget of this type.
    Section(String),
    /// Icons, for a field.
    Icon(Field),
    /// The languages, for the field with that of everybody.
    Language(Field),
    /// A color, for a field.
    Color(Field),
    /// Several colors, for a field with a list of them.
    Colors(Field),
}

/// The input of a field that a dialog fills in.
#[derive(Clone)]
pub struct Field(SendWrapper<HtmlInputElement>);

/// Closes the open one, so that the focus returns to where it was: a browser does not move it when a dialog is only removed.
pub fn close_dialog() {
    if let Some(dialog) = first(&format!("dialog[aria-labelledby={PICKER_TITLE}]")) {
        dialog.unchecked_into::<HtmlDialogElement>().close();
    }
}

impl Field {
    /// The input beside a button.
    pub fn beside(button: &Element) -> Option<Self> {
        let input = button.closest(".edit-helped").ok()??.query_selector("input").ok()??;
        Some(Self(SendWrapper::new(input.dyn_into().ok()?)))
    }

    /// The input with an id.
    pub fn by_id(id: &str) -> Option<Self> {
        Some(Self(SendWrapper::new(element(id)?.dyn_into().ok()?)))
    }

    /// The input itself.
    pub fn input(&self) -> &HtmlInputElement {
        &self.0
    }

    /// What is typed there.
    pub fn value(&self) -> String {
        self.0.value()
    }

    /// Fills it in as if the person had typed.
    pub fn fill(&self, text: &str) {
        self.0.set_value(text);
        if let Ok(event) = Event::new("input") {
            event.init_event_with_bubbles("input", true);
            _ = self.0.dispatch_event(&event);
        }
    }

    /// Gives it the focus.
    pub fn focus(&self) {
        _ = self.0.focus();
    }
}
