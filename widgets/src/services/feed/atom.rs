//! Words of Atom that the parser does not know: types of texts for which it refuses the whole feed, and the dates of
//! Atom 0.3, which was in use before Atom became a standard.

use std::ops::Range;

use super::{
    root::Edit,
    tags::{self, Attribute, Tag},
};

/// What is to be written otherwise behind the first tag, in order. `prefix` is that of the elements.
pub(super) fn edits(file: &[u8], prefix: &[u8], start: usize, is_old: bool) -> Vec<Edit> {
    let elements = || tags::all(file).filter(|tag| tag.start >= start && tag.names().0 == prefix);
    let has_issued = is_old && elements().any(|tag| tag.names().1 == b"issued");
    let mut edits = Vec::new();
    for tag in elements() {
        let date = match tag.names().1 {
            b"issued" => Some("published"),
            // When somebody began to write matters only where nothing else is said.
            b"created" if !has_issued => Some("published"),
            b"modified" => Some("updated"),
            _ => None,
        };
        edits.extend(date.filter(|_| is_old).map(|name| (tag.local_name(), name)));
        edits.extend(kind(&tag));
    }
    edits
}

/// The type of a text as the parser names it, if it does not know the one that is written.
fn kind(tag: &Tag) -> Option<(Range<usize>, &'static str)> {
    let is_content = match tag.names().1 {
        b"content" => true,
        b"title" | b"subtitle" | b"summary" | b"rights" if tag.is_start() => false,
        _ => return None,
    };
    let Attribute { value, range, .. } = tag.attributes().find(|attribute| attribute.name == b"type")?;
    let written = String::from_utf8_lossy(value).trim().to_ascii_lowercase();
    let is_mime = written.split_once('/').is_some_and(|(kind, rest)| !kind.is_empty() && !rest.is_empty());
    let kind = if is_content && tag.attributes().any(|attribute| attribute.name == b"src") {
        // The parser wants a MIME type for what is elsewhere, which nobody reads.
        "text/html"
    } else {
        match written.as_str() {
            "html" | "text/html" => "html",
            kind if kind.ends_with("/xml") || kind.ends_with("+xml") || kind == "xhtml" => "xhtml",
            // Content may be anything else, such as a picture.
            kind if is_content && is_mime && !kind.starts_with("text/") && !tag.bytes.ends_with(b"/>") => return None,
            _ => "text",
        }
    };
    let is_known = match kind {
        "text/html" => is_mime,
        _ => matches!(value, b"text" | b"html" | b"xhtml" | b"text/html"),
    };
    (!is_known).then_some((range, kind))
}
