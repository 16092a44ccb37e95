//! `blank`: nothing, or a short note.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    FetchError, Outside, Panel, Reach, Widget,
    option_types::Text,
    panel::{Columns, Paragraph, Part, Phrase},
};

/// Shows nothing, or a short note. Keeps a place in a section free.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Blank {
    /// A short note, as plain text. Without it, the widget is empty.
    text: Text,
}

impl Widget for Blank {
    const REACH: Reach = Reach::Local;

    async fn fetch(&self, _outside: &dyn Outside) -> Result<Panel, FetchError> {
        // A panel without any part says that there is nothing to show, and here that is what was asked for.
        let part = match self.text.get() {
            Some(text) => Part::from(Paragraph::new(Phrase::foreign(text))),
            None => Columns::default().into(),
        };
        Ok(Panel::new(vec![part]))
    }
}
