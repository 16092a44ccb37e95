//! The dialogs above a form, which help to choose something.

use app::browser::element;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use serde_json::json;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlDialogElement, HtmlInputElement};

use super::{Editor, host::host_call};
use crate::{edits::List, form::{Form, ID}};

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

impl Editor {
    /// Opens a dialog above the others.
    pub fn pick(self, picker: Picker) {
        self.picker.set(Some(picker));
    }

    /// Closes that dialog. The focus returns to where it was.
    pub fn close_picker(self) {
        let selector = format!("#editor > [aria-labelledby={PICKER_TITLE}]");
        // A browser moves the focus when a dialog is closed, not when it is removed.
        if let Ok(Some(dialog)) = document().query_selector(&selector) {
            dialog.unchecked_into::<HtmlDialogElement>().close();
        }
        self.picker.set(None);
    }

    /// Opens the dialog of themes for a field; it belongs to another bundle.
    pub fn choose_theme(self, field: &Field) {
        self.host.with_value(|host| host_call(host, "chooseTheme", &[field.input().into()]));
    }

    /// Opens the form of a new widget.
    pub fn open_new_widget(self, section: usize, kind: &str) {
        self.open_new(List::Widgets(section), json!({ "type": kind }));
    }

    /// Adds a widget that was chosen in the gallery: asks for its section, and opens its form.
    pub fn add_widget(self, kind: String) {
        if List::Sections.len(&self.document()) == 1 {
            self.open_new_widget(0, &kind);
        } else {
            self.pick(Picker::Section(kind));
        }
    }

    /// Changes the type of the widget whose form is open.
    pub fn change_kind(self, form: Form, kind: &str) {
        if form.kind() == kind {
            return;
        }
        form.change_kind(kind);
        // The options of the old type are gone from the form, with what was wrong in them.
        form.wrong.update(|wrong| wrong.retain(|id| !id.starts_with(&format!("{ID}-options"))));
        if let Some(tried) = self.draft_with(form) {
            self.show(tried);
        }
    }
}
