//! Where a field is.

use app::built_view::AnyView;
use leptos::prelude::Signal;

use crate::{editor::Editor, form::Form, schema::SchemaField};

/// Where a field is.
#[derive(Clone)]
pub struct Place {
    /// The editor.
    pub editor: Editor,
    /// The form, or a row in it.
    pub form: Form,
    /// The place of the form's value in the document, as a JSON pointer; empty if its problems are shown elsewhere.
    pub pointer: Signal<String>,
    /// The beginning of the ids of its elements.
    pub id: String,
}

/// Draws the field for the value at a path of the value of a form.
pub type FieldView = fn(&Place, Vec<String>, SchemaField) -> AnyView;
