//! Opening and closing the dialogs that help to choose something, and what becomes of the choice.

use leptos::prelude::*;
use serde_json::json;

use super::{
    Editor,
    host::host_call,
    picker::{Field, Picker, close_dialog},
};
use crate::{
    edits::List,
    form::{Form, ID},
};

impl Editor {
    /// Opens a dialog above the others.
    pub fn pick(self, picker: Picker) {
        self.picker.set(Some(picker));
    }

    /// Closes that dialog. The focus returns to where it was.
    pub fn close_picker(self) {
        close_dialog();
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
