//! The character set of a response. What a file or a header says about it is often wrong, so the bytes have a say too.

use std::borrow::Cow;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

/// The text of a body; invalid parts are replaced. `names` are the character sets that its headers declare, the most
/// trusted first.
pub(crate) fn decode<'a>(body: &'a [u8], names: &[&str]) -> Cow<'a, str> {
    encoding_of(body, names).decode(body).0
}

/// The encoding of a body: that of its byte order mark, or else the first one named that fits its bytes, or else UTF-8.
pub(crate) fn encoding_of(body: &[u8], names: &[&str]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return encoding;
    }
    // The documents that we read begin with an ASCII character (as in XML 1.0, appendix F).
    match body {
        [0, 1..=255, ..] => return UTF_16BE,
        [1..=255, 0, ..] => return UTF_16LE,
        _ => {}
    }
    // What is readable as single bytes is not in UTF-16, whatever it says.
    let is_possible = |encoding: &&Encoding| ![UTF_16BE, UTF_16LE, REPLACEMENT].contains(encoding);
    let named = || names.iter().filter_map(|name| Encoding::for_label(name.as_bytes())).filter(is_possible);
    let Some(other) = named().find(|encoding| *encoding != UTF_8) else { return UTF_8 };
    // Text in another encoding is hardly ever valid UTF-8; but a few characters in one with several bytes may be.
    let may_be_utf8 = other.is_single_byte() || named().any(|encoding| encoding == UTF_8);
    if may_be_utf8 && is_mostly_utf8(body) { UTF_8 } else { other }
}

/// Whether more characters beyond ASCII are valid UTF-8 than not.
fn is_mostly_utf8(body: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    for chunk in body.utf8_chunks() {
        // The first byte of each such character.
        valid += chunk.valid().bytes().filter(|byte| *byte >= 0xc0).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid > invalid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_names_decide_together() {
        let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        for (body, names, expected) in [
            (b"B\xe4r".to_vec(), &[][..], "B\u{fffd}r"),
            (b"B\xe4r".to_vec(), &["utf-8"], "B\u{fffd}r"),
            (b"B\xe4r".to_vec(), &["latin1"], "Bär"),
            (b"B\xe4r".to_vec(), &["utf-8", "latin1"], "Bär"),
            (b"B\xe4r".to_vec(), &["nonsense", "latin1"], "Bär"),
            (b"B\xe4r".to_vec(), &["utf-16", "hz-gb-2312"], "B\u{fffd}r"),
            (b"\xcf\xf0\xe8\xe2\xe5\xf2".to_vec(), &["utf-8", "windows-1251"], "Привет"),
            ("Bär".into(), &["latin1"], "Bär"),
            ("Bär".into(), &["utf-8", "latin1"], "Bär"),
            ([b"B\xe4r ".to_vec(), "äöü".into()].concat(), &["utf-8", "latin1"], "B\u{fffd}r äöü"),
            (b"\x1b$B%F\x1b(B".to_vec(), &["utf-8", "iso-2022-jp"], "テ"),
            // These bytes are valid UTF-8 by chance.
            (b"\xc1\xaa\xcd\xa8".to_vec(), &["gbk"], "联通"),
            ([b"\xef\xbb\xbf".to_vec(), "Bär".into()].concat(), &["latin1"], "Bär"),
            (wide("<ä>", u16::to_be_bytes), &["utf-8"], "<ä>"),
            (wide("<ä>", u16::to_le_bytes), &[], "<ä>"),
        ] {
            assert_eq!(decode(&body, names), expected, "{names:?}");
        }
    }
}
