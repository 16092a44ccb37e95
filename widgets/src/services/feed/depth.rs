//! How deep the elements of a file are nested, found out before a parser climbs down with no limit of its own.

/// Whether elements are nested no deeper than this. Quick and rough: the file need not be well-formed.
pub(super) fn is_at_most(file: &[u8], most: usize) -> bool {
    let mut depth = 0_usize;
    let mut rest = file;
    while let Some(start) = rest.iter().position(|byte| *byte == b'<') {
        rest = &rest[start..];
        rest = if rest.starts_with(b"<!--") {
            behind(rest, b"-->")
        } else if rest.starts_with(b"<![CDATA[") {
            behind(rest, b"]]>")
        } else {
            let end = tag_end(rest);
            let tag = &rest[..end];
            match tag.get(1) {
                Some(b'/') => depth = depth.saturating_sub(1),
                Some(b'?' | b'!') => {}
                _ if tag.ends_with(b"/>") => {}
                _ => depth += 1,
            }
            &rest[end..]
        };
        if depth > most {
            return false;
        }
    }
    true
}

/// What follows the next occurrence of an ending.
fn behind<'a>(text: &'a [u8], ending: &[u8]) -> &'a [u8] {
    let found = text.windows(ending.len()).position(|window| window == ending);
    found.map_or(&[], |at| &text[at + ending.len()..])
}

/// Where a tag ends; a `>` in quotes is not its end.
fn tag_end(tag: &[u8]) -> usize {
    let mut quote = None;
    for (index, byte) in tag.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return index + 1,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    tag.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_open_elements_count() {
        for (file, depth) in [
            ("<?xml version='1.0'?><!DOCTYPE a><a><b/><b>text</b><b></b></a>", 2),
            ("<a><!-- <b><c> --><![CDATA[<b><c>]]></a>", 1),
            ("<a x='/>'><b y=\">\"><c/></b></a>", 2),
            ("no markup", 0),
            ("<a><b><c", 3),
        ] {
            assert!(is_at_most(file.as_bytes(), depth), "{file}");
            assert!(depth == 0 || !is_at_most(file.as_bytes(), depth - 1), "{file}");
        }
    }
}
