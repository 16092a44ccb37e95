//! What an open form shows on the page.

use serde_json::Value;

use crate::edits::Spot;

/// What an open form shows on the page before the preview from the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// A text.
    Text {
        /// The CSS selector of its element.
        selector: String,
        /// The text.
        text: String,
    },
    /// An item or a sub-item.
    Item {
        /// Its position.
        spot: Spot,
        /// Its entry.
        entry: Value,
    },
}
