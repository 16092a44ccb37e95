//! Atom 0.3, which was in use before Atom became a standard: its dates have other names, and its types are media types.

use std::ops::Range;

use super::{
    root::Edit,
    tags::{self, Attribute, Tag},
};

/// What is to be written otherwise behind the first tag, in order. `prefix` is that of the elements.
pub(super) fn edits(file: &[u8], prefix: &[u8], start: usize) -> Vec<Edit> {
    let elements = || tags::all(file).filter(|tag| tag.start >= start && tag.names().0 == prefix);
    let has_issued = elements().any(|tag| tag.names().1 == b"issued");
    let mut edits = Vec::new();
    for tag in elements() {
        let date = match tag.names().1 {
            b"issued" => Some("published"),
            // When somebody began to write matters only where nothing else is said.
            b"created" if !has_issued => Some("published"),
            b"modified" => Some("updated"),
            _ => None,
        };
        edits.extend(date.map(|name| (tag.local_name(), name)));
        edits.extend(kind(&tag));
    }
    edits
}

/// The type of a text as Atom names it today.
fn kind(tag: &Tag) -> Option<(Range<usize>, &'static str)> {
    let is_content = match tag.names().1 {
        b"content" => true,
        b"title" | b"summary" | b"tagline" | b"copyright" | b"info" if tag.is_start() => false,
        _ => return None,
    };
    let Attribute { value, range, .. } = tag.attributes().find(|attribute| attribute.name == b"type")?;
    let kind = match String::from_utf8_lossy(value).trim().to_ascii_lowercase().as_str() {
        "text/html" => "html",
        kind if kind.ends_with("xml") => "xhtml",
        kind if kind.starts_with("text/") || !is_content => "text",
        // Content may be anything, such as a picture.
        _ => return None,
    };
    Some((range, kind))
}
