//! Characters that look like a blank or like nothing, and come with text that is copied from web pages and chats.

/// The name of a character that looks like a blank or like nothing, with its code point; `None` for all others. Joiners
/// and variation selectors are not among them, because emoji and some scripts need them.
#[must_use]
pub fn name_of_invisible(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{a0}' => "a no-break space (U+00A0)",
        '\u{ad}' => "a soft hyphen (U+00AD)",
        '\u{2000}'..='\u{200a}' => "a wide or narrow space (U+2000 to U+200A)",
        '\u{200b}' => "a zero-width space (U+200B)",
        '\u{200e}' => "a left-to-right mark (U+200E)",
        '\u{200f}' => "a right-to-left mark (U+200F)",
        '\u{2028}' => "a line separator (U+2028)",
        '\u{2029}' => "a paragraph separator (U+2029)",
        '\u{202f}' => "a narrow no-break space (U+202F)",
        '\u{205f}' => "a mathematical space (U+205F)",
        '\u{2060}' => "a word joiner (U+2060)",
        '\u{3000}' => "an ideographic space (U+3000)",
        '\u{feff}' => "a byte order mark (U+FEFF)",
        _ => return None,
    })
}

/// The first character of a text that is invisible, as its index in bytes and its name.
#[must_use]
pub fn first_invisible(text: &str) -> Option<(usize, &'static str)> {
    text.char_indices().find_map(|(at, character)| Some((at, name_of_invisible(character)?)))
}
