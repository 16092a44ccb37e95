//! How deep the elements of a file are nested, found out before a parser climbs down with no limit of its own.

use super::tags;

/// Whether elements are nested no deeper than this. Quick and rough: the file need not be well-formed.
pub(super) fn is_at_most(file: &[u8], most: usize) -> bool {
    let mut depth = 0_usize;
    for tag in tags::all(file) {
        if tag.is_end() {
            depth = depth.saturating_sub(1);
        } else if tag.is_start() && !tag.bytes.ends_with(b"/>") {
            depth += 1;
        }
        if depth > most {
            return false;
        }
    }
    true
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
