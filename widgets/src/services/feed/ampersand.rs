//! Ampersands that begin nothing: people write `R&D`, which is no XML, and a parser drops the text around it.

use std::borrow::Cow;

use super::tags::length_to;

/// Longest name of a reference, as in `&CounterClockwiseContourIntegral;`.
const LONGEST_NAME: usize = 32;

/// The file with `&amp;` for each ampersand that begins no reference. Where ampersands stand for themselves anyhow, in
/// CDATA and comments, they stay.
pub(super) fn escaped(file: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let mut written = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = file[at..].iter().position(|byte| matches!(byte, b'&' | b'<')) {
        at += found;
        let rest = &file[at..];
        if rest.starts_with(b"<![CDATA[") {
            at += length_to(rest, b"]]>");
        } else if rest.starts_with(b"<!--") {
            at += length_to(rest, b"-->");
        } else {
            at += 1;
            if rest[0] == b'&' && !begins_reference(&rest[1..]) {
                written.extend_from_slice(&file[done..at]);
                written.extend_from_slice(b"amp;");
                done = at;
            }
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
            ("&", "&amp;"),
            ("<a/>", "<a/>"),
        ] {
            let escaped = escaped(Cow::Borrowed(file.as_bytes()));
            assert_eq!(String::from_utf8_lossy(&escaped), expected, "{file}");
        }
    }
}
