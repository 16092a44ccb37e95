//! Tags as feeds write them: names and attributes in any mix of upper and lower case.

use quick_xml::{escape::unescape, events::BytesStart};

/// The value of an attribute by its name in lower case.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.html_attributes();
    let found = attributes
        .with_checks(false)
        .flatten()
        .find(|found| found.key.as_ref().eq_ignore_ascii_case(name.as_bytes()))?;
    let written = String::from_utf8_lossy(&found.value);
    Some(match unescape(&written) {
        Ok(value) => value.into_owned(),
        // A stray ampersand is a literal one.
        Err(_) => written.replace("&amp;", "&").replace("&#38;", "&"),
    })
}

/// A name in lower case.
pub(super) fn lower(name: &[u8]) -> String {
    String::from_utf8_lossy(name).to_ascii_lowercase()
}
