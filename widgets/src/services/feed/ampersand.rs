//! Ampersands that begin nothing: people write `R&D`, which is no XML, and a parser drops the text around it.

use std::borrow::Cow;

use super::tags;

/// Longest name of a reference, as in `&CounterClockwiseContourIntegral;`.
const LONGEST_NAME: usize = 32;

/// The file with `&amp;` for each ampersand that begins no reference. Where ampersands stand for themselves anyhow, in
/// CDATA, comments, instructions and declarations, they stay.
pub(super) fn escaped(file: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let mut written = Vec::new();
    let mut done = 0;
    let mut at = 0;
    // Brackets within a tag, as in `<a b="<!--">`, begin nothing.
    let mut end_of_tag = 0;
    while let Some(found) = file[at..].iter().position(|byte| matches!(byte, b'&' | b'<')) {
        at += found;
        let rest = &file[at..];
        if rest[0] == b'&' {
            at += 1;
            if !begins_reference(&rest[1..]) {
                written.extend_from_slice(&file[done..at]);
                written.extend_from_slice(b"amp;");
                done = at;
            }
        } else if at < end_of_tag {
            at += 1;
        } else if let Some(length) = tags::length_of_other(rest) {
            at += length;
        } else {
            end_of_tag = at + tags::length_of_tag(rest);
            at += 1;
        }
    }
    if done == 0 {
        return file;
    }
    written.extend_from_slice(&file[done..]);
    Cow::Owned(written)
}

/// Whether `amp;`, `#38;` or the like follows.
fn begins_reference(rest: &[u8]) -> bool {
    let name = rest.strip_prefix(b"#").unwrap_or(rest);
    let length = name.iter().take(LONGEST_NAME).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    length > 0 && name.get(length) == Some(&b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ampersands_that_begin_nothing_are_escaped() {
        for (file, expected) in [
            ("<a>R&D & more</a>", "<a>R&amp;D &amp; more</a>"),
            ("<a x='?a=1&b=2'>&amp;&nbsp;&#38;&#x26;</a>", "<a x='?a=1&amp;b=2'>&amp;&nbsp;&#38;&#x26;</a>"),
            ("<a><![CDATA[R&D]]>&<!-- & -->&</a>", "<a><![CDATA[R&D]]>&amp;<!-- & -->&amp;</a>"),
            ("<a><![CDATA[R&D", "<a><![CDATA[R&D"),
            ("<!--> & -->&<?x <!-- & ?>&", "<!--> & -->&amp;<?x <!-- & ?>&amp;"),
            ("<!DOCTYPE a [<!ENTITY b '<!-- &'>]><a>&</a>", "<!DOCTYPE a [<!ENTITY b '<!-- &'>]><a>&amp;</a>"),
            ("<a b='<!-- &'>&</a>", "<a b='<!-- &amp;'>&amp;</a>"),
            ("&", "&amp;"),
            ("<a/>", "<a/>"),
        ] {
            let escaped = escaped(Cow::Borrowed(file.as_bytes()));
            assert_eq!(String::from_utf8_lossy(&escaped), expected, "{file}");
        }
    }
}
