//! Mappings that turn the fields of a service into the options of a widget, shared by the sources.

use crate::{draft::WidgetDraft, fields::Fields};

/// Which widget shows a service, and which of its options the fields become.
pub struct WidgetMapping {
    /// The type in the other config, in lower case.
    pub from: &'static str,
    /// Our type of widget.
    pub to: &'static str,
    /// The names of fields there, and of options here.
    pub options: &'static [(&'static str, &'static str)],
}

impl WidgetMapping {
    /// The mapping for a type, in upper or lower case.
    pub fn find(mappings: &'static [Self], kind: &str) -> Option<&'static Self> {
        mappings.iter().find(|mapping| mapping.from.eq_ignore_ascii_case(kind))
    }

    /// Takes the fields and makes the widget.
    pub fn apply(&self, fields: &mut Fields) -> WidgetDraft {
        let mut widget = WidgetDraft::new(self.to);
        for (from, to) in self.options {
            widget = widget.with(to, fields.value(from));
        }
        widget
    }
}
