//! The writer of a panel's markup. Text and attributes are escaped by it, so no part can forget to.

use super::Surroundings;

/// Markup that is being written: a string, and the elements that are open in it.
pub struct Markup<'a> {
    html: String,
    open: Vec<&'static str>,
    /// Whether the last tag still takes attributes.
    in_tag: bool,
    /// Where the panel stands.
    pub surroundings: &'a Surroundings,
}

impl<'a> Markup<'a> {
    /// An empty one.
    pub fn new(surroundings: &'a Surroundings) -> Self {
        Self { html: String::new(), open: Vec::new(), in_tag: false, surroundings }
    }

    /// The markup as text, with everything closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.end_tag();
        self.html
    }

    /// Opens an element with classes, which are words of ours; none if `class` is empty.
    pub fn open(&mut self, tag: &'static str, class: &str) {
        self.void(tag, class);
        self.pushed(tag);
    }

    /// Says that the element that was written last has content, and that [`Self::close`] ends it.
    pub fn pushed(&mut self, tag: &'static str) {
        self.open.push(tag);
    }

    /// Opens an element with two sets of classes, of which any may be empty.
    pub fn open_with(&mut self, tag: &'static str, class: &str, more: &str) {
        self.void_with(tag, class, more);
        self.pushed(tag);
    }

    /// Writes an element that has no content.
    pub fn void(&mut self, tag: &'static str, class: &str) {
        self.void_with(tag, class, "");
    }

    /// Writes an element that has no content, with two sets of classes, of which any may be empty.
    pub fn void_with(&mut self, tag: &'static str, class: &str, more: &str) {
        self.end_tag();
        self.html.push('<');
        self.html.push_str(tag);
        self.in_tag = true;
        if class.is_empty() && more.is_empty() {
            return;
        }
        self.html.push_str(" class=\"");
        self.html.push_str(class);
        if !class.is_empty() && !more.is_empty() {
            self.html.push(' ');
        }
        self.html.push_str(more);
        self.html.push('"');
    }

    /// Adds attributes that are always the same, as they stand in markup.
    pub fn fixed(&mut self, attributes: &'static str) {
        debug_assert!(self.in_tag, "{attributes} come after the content");
        self.html.push(' ');
        self.html.push_str(attributes);
    }

    /// Adds an attribute to the tag that was written last.
    pub fn attr(&mut self, name: &str, value: &str) {
        debug_assert!(self.in_tag, "{name} comes after the content");
        self.html.push(' ');
        self.html.push_str(name);
        if !value.is_empty() {
            self.html.push_str("=\"");
            self.escaped(value);
            self.html.push('"');
        } else if matches!(name, "alt" | "value") {
            self.html.push_str("=\"\"");
        }
    }

    /// Adds an attribute that is a whole number.
    pub fn number_attr(&mut self, name: &str, value: i64) {
        self.attr(name, &value.to_string());
    }

    /// Closes the element that was opened last.
    pub fn close(&mut self) {
        self.end_tag();
        if let Some(tag) = self.open.pop() {
            self.html.push_str("</");
            self.html.push_str(tag);
            self.html.push('>');
        }
    }

    /// Writes text.
    pub fn text(&mut self, text: &str) {
        self.end_tag();
        self.escaped(text);
    }

    /// Writes an element that holds nothing but text.
    pub fn element(&mut self, tag: &'static str, class: &str, text: &str) {
        self.open(tag, class);
        self.text(text);
        self.close();
    }

    /// Writes markup that is our own or was sanitised.
    pub fn trusted(&mut self, html: &str) {
        self.end_tag();
        self.html.push_str(html);
    }

    fn end_tag(&mut self) {
        if self.in_tag {
            self.in_tag = false;
            self.html.push('>');
        }
    }

    fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                // No parser of HTML keeps it.
                '\0' => {}
                _ => self.html.push(character),
            }
        }
    }
}
