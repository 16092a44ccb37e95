//! A text of a feed while it is being read.

use quick_xml::events::BytesStart;

use super::draft::{FeedField, Shape};

/// Maximum number of bytes of one text. Panels show less.
const MAX_TEXT: usize = 64 * 1024;

/// A text that is being read.
pub(super) struct Capture {
    pub(super) field: FeedField,
    pub(super) shape: Shape,
    /// Number of open elements at its start, including its own.
    pub(super) depth: usize,
    pub(super) text: String,
}

impl Capture {
    /// Adds text, with all references decoded.
    pub(super) fn text(&mut self, text: &str) {
        if self.shape == Shape::Markup {
            // The text will be read as markup, so its own characters must not become tags.
            self.push(&text.replace('&', "&amp;").replace('<', "&lt;"));
        } else {
            self.push(text);
        }
    }

    /// Adds a tag that was written unescaped in a text.
    pub(super) fn tag(&mut self, tag: &BytesStart<'_>, is_empty: bool) {
        if self.shape == Shape::Plain {
            return self.push(" ");
        }
        let written = String::from_utf8_lossy(tag);
        let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
        let prefix = tag.name().as_ref().len() - tag.local_name().as_ref().len();
        self.push(&format!("<{}>", written.get(prefix..).unwrap_or_default()));
        if is_empty {
            self.end(&name);
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        if self.shape != Shape::Plain {
            self.push(&format!("</{}>", name.rsplit(':').next().unwrap_or(name)));
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        let room = MAX_TEXT.saturating_sub(self.text.len());
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
    }
}
