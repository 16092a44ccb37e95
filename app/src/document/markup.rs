//! Writes tags with escaped attributes.

use std::fmt::Write as _;

pub(super) fn style_sheet(html: &mut String, address: &str) {
    tag(html, "link", &[("rel", "stylesheet"), ("href", address)]);
}

pub(super) fn tag(html: &mut String, name: &str, attributes: &[(&str, &str)]) {
    _ = write!(html, "<{name}");
    for (name, value) in attributes {
        attribute(html, name, value);
    }
    html.push('>');
}

pub(super) fn attribute(html: &mut String, name: &str, value: &str) {
    _ = write!(html, " {name}=\"");
    escape(html, value);
    html.push('"');
}

pub(super) fn escape(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
}
