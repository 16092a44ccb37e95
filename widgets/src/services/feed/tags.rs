//! The tags of a file, found without a parser: the file need not be well-formed, nor mean any good.

use std::ops::Range;

/// A tag, from its first bracket to its last.
#[derive(Clone, Copy)]
pub(super) struct Tag<'a> {
    /// Where it begins in the file.
    pub(super) start: usize,
    pub(super) bytes: &'a [u8],
}

/// All tags in order. What looks like one in comments, CDATA, instructions and declarations is none.
pub(super) fn all(file: &[u8]) -> impl Iterator<Item = Tag<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += file[at..].iter().position(|byte| *byte == b'<')?;
            let start = at;
            let rest = &file[start..];
            if let Some(length) = length_of_other(rest) {
                at += length;
            } else {
                let length = length_of_tag(rest);
                at += length;
                return Some(Tag { start, bytes: &rest[..length] });
            }
        }
    })
}

impl<'a> Tag<'a> {
    /// Whether an element begins here.
    pub(super) fn is_start(&self) -> bool {
        !self.is_end()
    }

    /// Whether an element ends here.
    pub(super) fn is_end(&self) -> bool {
        self.bytes.get(1) == Some(&b'/')
    }

    /// Where the name of the element is in the tag.
    fn name_range(&self) -> Range<usize> {
        let start = if self.is_end() { 2 } else { 1 };
        let rest = self.bytes.get(start..).unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        start..start + rest.iter().position(is_end).unwrap_or(rest.len())
    }

    /// The prefix of the name, which is mostly empty, and the name behind it.
    pub(super) fn names(&self) -> (&'a [u8], &'a [u8]) {
        let name = self.bytes.get(self.name_range()).unwrap_or_default();
        match name.iter().position(|byte| *byte == b':') {
            Some(colon) => (&name[..colon], &name[colon + 1..]),
            None => (&[], name),
        }
    }

    /// Where the name without its prefix is in the file.
    pub(super) fn local_name(&self) -> Range<usize> {
        let end = self.start + self.name_range().end;
        end - self.names().1.len()..end
    }

    /// The attributes with a value in quotes, in order.
    pub(super) fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> {
        let Self { start, bytes } = *self;
        let mut at = self.name_range().end;
        std::iter::from_fn(move || {
            loop {
                at += bytes.get(at..)?.iter().position(is_of_name)?;
                let name = at;
                at += length_while(&bytes[at..], is_of_name);
                let name = &bytes[name..at];
                at += length_while(&bytes[at..], u8::is_ascii_whitespace);
                if bytes.get(at) != Some(&b'=') {
                    continue;
                }
                at += 1;
                at += length_while(&bytes[at..], u8::is_ascii_whitespace);
                let Some(quote @ (b'"' | b'\'')) = bytes.get(at) else { continue };
                at += 1;
                let length = bytes[at..].iter().position(|byte| byte == quote)?;
                let range = start + at..start + at + length;
                let value = &bytes[at..at + length];
                at += length + 1;
                return Some(Attribute { name, value, range });
            }
        })
    }
}

/// An attribute.
pub(super) struct Attribute<'a> {
    pub(super) name: &'a [u8],
    /// Without its quotes.
    pub(super) value: &'a [u8],
    /// Where the value is in the file.
    pub(super) range: Range<usize>,
}

fn is_of_name(byte: &u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'"' | b'\'' | b'/' | b'>')
}

fn length_while(bytes: &[u8], is: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().position(|byte| !is(byte)).unwrap_or(bytes.len())
}

/// How long a text is with an ending, which is looked for behind its beginning, or without one until its end.
fn length_to(text: &[u8], beginning: &[u8], ending: &[u8]) -> usize {
    let rest = text.get(beginning.len()..).unwrap_or_default();
    let found = rest.windows(ending.len()).position(|window| window == ending);
    found.map_or(text.len(), |at| beginning.len() + at + ending.len())
}

/// How long a comment, CDATA, an instruction or a declaration is, if one begins here.
pub(super) fn length_of_other(text: &[u8]) -> Option<usize> {
    if text.starts_with(b"<!--") {
        Some(length_to(text, b"<!--", b"-->"))
    } else if text.starts_with(b"<![CDATA[") {
        Some(length_to(text, b"<![CDATA[", b"]]>"))
    } else if text.starts_with(b"<?") {
        Some(length_to(text, b"<?", b"?>"))
    } else if text.starts_with(b"<!") {
        Some(length_of_declaration(text))
    } else {
        None
    }
}

/// How long a declaration such as `<!DOCTYPE rss [...]>` is, with those within it.
fn length_of_declaration(text: &[u8]) -> usize {
    let mut at = 2;
    let mut is_inside = false;
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        at += match byte {
            b'<' if is_inside && rest.starts_with(b"<!--") => length_to(rest, b"<!--", b"-->"),
            b'<' if is_inside && rest.starts_with(b"<?") => length_to(rest, b"<?", b"?>"),
            b'<' if is_inside && has_quotes(rest) => length_of_tag(rest),
            b'<' if is_inside => length_to(rest, b"<", b">"),
            b']' if is_inside => return at + length_to(rest, b"]", b">"),
            b'[' if !is_inside => {
                is_inside = true;
                1
            }
            b'"' | b'\'' if !is_inside => length_to(rest, b"'", &[*byte]),
            b'>' if !is_inside => return at + 1,
            _ => 1,
        };
    }
    text.len()
}

/// Whether a declaration within another one is of a kind that has texts in quotes.
fn has_quotes(declaration: &[u8]) -> bool {
    [&b"<!ENTITY"[..], b"<!ATTLIST", b"<!NOTATION"].iter().any(|kind| declaration.starts_with(kind))
}

/// How long a tag is; a `>` in quotes is not its end. End tags have no attributes, but the parser looks for quotes in
/// them all the same.
pub(super) fn length_of_tag(tag: &[u8]) -> usize {
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
    use quick_xml::{Reader, events::Event};

    use super::*;

    #[test]
    fn tags_have_names_and_attributes() {
        for (file, expected) in [
            ("<a b='1' c = \"2>\" d='' />", "a b=1 c=2> d="),
            ("<m:a\n  m:b='1'x=y z='2'>", "m:a m:b=1 z=2"),
            ("<!-- <a> --><![CDATA[<b>]]>text</c >", "c"),
            ("<a b=''c='3'><d e", "a b= c=3|d"),
            ("<a b='1", "a"),
            ("<a == = '1' b='2'>", "a b=2"),
            ("<!--> <a> --><b>", "b"),
            ("<!---> <a> --><b>", "b"),
            ("<?generator don't panic > <a> ?><b>", "b"),
            ("<!DOCTYPE a SYSTEM '>[<' [<!-- it's ]> --><?x \" ]> ?><!ENTITY b \"]>\"><!ELEMENT c (')>]><d>", "d"),
            ("<!DOCTYPE a [<!ENTITY % b ']><c>'> %b; ] '><d>", "d"),
            ("<!DOCTYPE a [<b>", ""),
            ("<!-- <a>", ""),
            ("<? <a>", ""),
            ("<", ""),
            ("</", ""),
            ("<>", ""),
            ("text", ""),
        ] {
            let written = |tag: Tag| {
                let (prefix, name) = tag.names();
                let mut text = String::from_utf8_lossy(name).into_owned();
                assert_eq!(file.as_bytes()[tag.local_name()], *name, "{file}");
                if !prefix.is_empty() {
                    text = format!("{}:{text}", String::from_utf8_lossy(prefix));
                }
                for Attribute { name, value, range } in tag.attributes() {
                    assert_eq!(file.as_bytes()[range], *value, "{file}");
                    text += &format!(" {}={}", String::from_utf8_lossy(name), String::from_utf8_lossy(value));
                }
                text
            };
            assert_eq!(all(file.as_bytes()).map(written).collect::<Vec<_>>().join("|"), expected, "{file}");
        }
    }

    /// Where the parser finds tags, up to the first error from which there is no way on, and where that is.
    fn parsed(file: &[u8]) -> (Vec<Range<usize>>, bool) {
        let mut reader = Reader::from_reader(file);
        reader.config_mut().check_end_names = false;
        reader.config_mut().allow_unmatched_ends = true;
        reader.config_mut().allow_dangling_amp = true;
        let mut found = Vec::new();
        loop {
            let start = usize::try_from(reader.buffer_position()).unwrap();
            let event = reader.read_event();
            let range = start..usize::try_from(reader.buffer_position()).unwrap();
            match event {
                Ok(Event::Start(_) | Event::Empty(_) | Event::End(_)) => found.push(range),
                Ok(Event::Eof) => return (found, true),
                Ok(_) | Err(quick_xml::Error::IllFormed(_)) => {}
                Err(_) => return (found, false),
            }
        }
    }

    #[test]
    fn tags_are_where_the_parser_finds_them() {
        let pieces = [
            "<!--",
            "-->",
            "--",
            ">",
            "<![CDATA[",
            "]]>",
            "]",
            "[",
            "<?",
            "?>",
            "'",
            "\"",
            "<!DOCTYPE",
            "<!ENTITY",
            "<!ELEMENT",
            "<!NOTATION",
            "<a",
            "<b>",
            "</b>",
            "</",
            "/>",
            " ",
            "=",
            "x",
            "&",
            "!",
        ];
        let mut random = 88_172_645_463_325_252_u64;
        let mut next = |most: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            usize::try_from(random % 1_000_003).unwrap() % most
        };
        let (mut whole, mut found) = (0, 0);
        for _ in 0..50_000 {
            let soup: String = (0..=next(20)).map(|_| pieces[next(pieces.len())]).collect();
            let (expected, is_whole) = parsed(soup.as_bytes());
            let tags: Vec<_> = all(soup.as_bytes()).map(|tag| tag.start..tag.start + tag.bytes.len()).collect();
            assert_eq!(tags.get(..expected.len()), Some(expected.as_slice()), "{soup}");
            assert!(!is_whole || tags.len() == expected.len(), "{soup}");
            whole += usize::from(is_whole);
            found += expected.len();
        }
        assert!(whole > 5000 && found > 20_000, "{whole} {found}");
    }
}
