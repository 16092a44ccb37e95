//! `blank`: nothing, or a short note.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Size, Text},
    panel::{Phrase, Space},
};

/// The height in pixels unless the options say otherwise, and the largest.
const USUAL: u32 = 40;
const HIGHEST: u32 = 2000;
const NO_HEIGHT: &str = "height must be a number of pixels, or a length such as 6rem.";

/// Shows nothing, or a short note. Keeps a place in a section free.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Blank {
    /// Height in pixels, or as a CSS length such as {example}; at most 2000 pixels. Without it, 40.
    #[schemars(extend("x-example" = "6rem"))]
    height: Text,
    /// A short note, as plain text. Without it, the widget is empty.
    text: Text,
}

impl Widget for Blank {
    const REACH: Reach = Reach::Local;
    const CATEGORY: Category = Category::TextAndLinks;
    const USUAL_LINES: usize = 3;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        match self.height() {
            None => problems.error(NO_HEIGHT),
            Some((_, true)) => problems.note("height must be between 0 and 2000 pixels; the nearest is used."),
            Some(_) => {}
        }
    }

    async fn fetch(&self, _context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let (height, _) = self.height().ok_or_else(|| FetchError::message(NO_HEIGHT))?;
        let text = self.text.get().map(Phrase::foreign).unwrap_or_default();
        Ok(Panel::new(vec![Space { height, text }.into()]))
    }
}

impl Blank {
    /// The height, and whether it is another one than was written; `None` if that is no length.
    fn height(&self) -> Option<(Size, bool)> {
        let Some(written) = self.height.get() else { return Some((Size::pixels(USUAL), false)) };
        if written.parse::<f64>().is_ok_and(|number| number < 0.0) {
            return Some((Size::pixels(0), true));
        }
        // A percentage would refer to an unknown height.
        let size = Size::parse(written).filter(|size| !size.css().ends_with('%'))?;
        let height = size.clone().at_most(HIGHEST);
        let is_other = height != size;
        Some((height, is_other))
    }
}
