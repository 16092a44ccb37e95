//! The first tag of a feed as the parser wants it. That compares versions and namespaces letter by letter; people write
//! them in many ways, and there are files of formats that are older than it.

use std::{borrow::Cow, ops::Range};

use super::{
    atom,
    tags::{self, Tag},
};

/// What stands in the place of a piece of the file.
pub(super) type Edit = (Range<usize>, &'static str);

/// Elements that the parser knows.
struct Vocabulary {
    /// As the parser knows it.
    namespace: &'static str,
    /// As it is declared.
    declaration: &'static str,
    /// What it is called where nothing is declared.
    prefix: &'static [u8],
    /// Other names of it, in small letters, without scheme, `www.` and what is no letter at the end.
    spellings: &'static [&'static str],
}

const RSS: Vocabulary = Vocabulary {
    namespace: "http://purl.org/rss/1.0/",
    declaration: "",
    prefix: b"",
    spellings: &[
        "purl.org/rss/1.0",
        "backend.userland.com/rss",
        "backend.userland.com/rss2",
        "backend.userland.com/rss091",
        "backend.userland.com/rss092",
        "blogs.law.harvard.edu/tech/rss",
        "cyber.law.harvard.edu/rss",
        "my.netscape.com/rdf/simple/0.9",
        "channel.netscape.com/rdf/simple/0.9",
        "my.netscape.com/publish/formats/rss-0.91.dtd",
    ],
};
const ATOM: Vocabulary = Vocabulary {
    namespace: "http://www.w3.org/2005/Atom",
    declaration: " xmlns:atom=\"http://www.w3.org/2005/Atom\"",
    prefix: b"atom",
    spellings: &["w3.org/2005/atom", OLD_ATOM],
};
const OLD_ATOM: &str = "purl.org/atom/ns";
const VOCABULARIES: [Vocabulary; 6] = [
    RSS,
    ATOM,
    Vocabulary {
        namespace: "http://purl.org/rss/1.0/modules/content/",
        declaration: " xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"",
        prefix: b"content",
        spellings: &["purl.org/rss/1.0/modules/content"],
    },
    Vocabulary {
        namespace: "http://purl.org/dc/elements/1.1/",
        declaration: " xmlns:dc=\"http://purl.org/dc/elements/1.1/\"",
        prefix: b"dc",
        spellings: &["purl.org/dc/elements/1.1", "purl.org/dc/elements/1.0"],
    },
    Vocabulary {
        namespace: "http://search.yahoo.com/mrss/",
        declaration: " xmlns:media=\"http://search.yahoo.com/mrss/\"",
        prefix: b"media",
        spellings: &["search.yahoo.com/mrss", "video.search.yahoo.com/mrss", "tools.search.yahoo.com/mrss"],
    },
    Vocabulary {
        namespace: "http://www.itunes.com/dtds/podcast-1.0.dtd",
        declaration: " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"",
        prefix: b"itunes",
        spellings: &["itunes.com/dtds/podcast-1.0.dtd"],
    },
];

/// The kinds of files by their root, which decides to what the elements without a prefix belong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rss,
    Rdf,
    Atom,
}

/// The file with a first tag that says what the parser knows, and as it is if that does so already.
pub(super) fn known(file: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let edits = edits(&file);
    if edits.is_empty() {
        return file;
    }
    let mut written = Vec::with_capacity(file.len() + 500);
    let mut done = 0;
    for (range, text) in edits {
        written.extend_from_slice(&file[done..range.start]);
        written.extend_from_slice(text.as_bytes());
        done = range.end;
    }
    written.extend_from_slice(&file[done..]);
    Cow::Owned(written)
}

/// Whether there are posts in a file, even if they are where nobody looks for them.
pub(super) fn holds_posts(file: &[u8]) -> bool {
    let Some((root, kind)) = root(file) else { return false };
    let name = if kind == Kind::Atom { &b"entry"[..] } else { b"item" };
    // Under other prefixes there are other things, such as the items of a list.
    let is_post = |(prefix, found): (&[u8], &[u8])| found == name && (prefix.is_empty() || prefix == root.names().0);
    tags::all(file).any(|tag| tag.is_start() && is_post(tag.names()))
}

/// The first tag, and of which kind it makes the file.
fn root(file: &[u8]) -> Option<(Tag<'_>, Kind)> {
    let root = tags::all(file).find(Tag::is_start)?;
    let kind = match root.names().1 {
        b"rss" => Kind::Rss,
        b"RDF" => Kind::Rdf,
        b"feed" | b"entry" => Kind::Atom,
        _ => return None,
    };
    Some((root, kind))
}

/// What is to be written otherwise, in order.
fn edits(file: &[u8]) -> Vec<Edit> {
    let Some((root, kind)) = root(file) else { return Vec::new() };
    let (prefix, _) = root.names();
    let mut edits = additions(&root, kind, file);
    let says_rss = root.attributes().any(|attribute| {
        declared(attribute.name).is_some() && vocabulary(attribute.value).is_some_and(|known| is(known, &RSS))
    });
    let mut is_old_atom = false;
    for attribute in root.attributes() {
        let wanted = match (declared(attribute.name), kind) {
            // Without a namespace the parser takes that of the format.
            (Some(_), _) if attribute.value.is_empty() => None,
            (Some(declared), Kind::Rss) if declared == prefix => Some(RSS.namespace),
            (Some(declared), Kind::Atom) if declared == prefix => {
                is_old_atom |= spelling(attribute.value) == OLD_ATOM;
                Some(ATOM.namespace)
            }
            (Some(b""), Kind::Rdf) if !prefix.is_empty() && !says_rss => Some(RSS.namespace),
            (Some(_), _) => vocabulary(attribute.value).map(|known| known.namespace),
            (None, Kind::Atom) if attribute.name == b"version" => {
                is_old_atom |= attribute.value == b"0.3";
                None
            }
            (None, Kind::Rss) if attribute.name == b"version" && !is_known(attribute.value) => Some("2.0"),
            (None, _) => None,
        };
        edits.extend(
            wanted.filter(|wanted| wanted.as_bytes() != attribute.value).map(|wanted| (attribute.range, wanted)),
        );
    }
    if kind == Kind::Atom {
        edits.extend(atom::edits(file, prefix, root.start + root.bytes.len(), is_old_atom));
    }
    edits
}

/// What is missing in the first tag, put behind its name.
fn additions(root: &Tag, kind: Kind, file: &[u8]) -> Vec<Edit> {
    let mut missing: Vec<(&Vocabulary, bool)> = VOCABULARIES
        .iter()
        .filter(|known| !known.prefix.is_empty())
        .filter(|known| !root.attributes().any(|attribute| declared(attribute.name) == Some(known.prefix)))
        .map(|known| (known, false))
        .collect();
    for tag in tags::all(file).filter(Tag::is_start) {
        let (prefix, _) = tag.names();
        if let Some((_, is_used)) = missing.iter_mut().find(|(known, _)| !prefix.is_empty() && known.prefix == prefix) {
            *is_used = true;
        }
    }
    let has_version = kind != Kind::Rss || root.attributes().any(|attribute| attribute.name == b"version");
    let version = (!has_version).then_some(" version=\"2.0\"");
    // What is declared further down is known there.
    let is_declared = |known: &Vocabulary| {
        let declaration = [b"xmlns:", known.prefix].concat();
        file.windows(declaration.len()).any(|window| window == declaration)
    };
    let declarations =
        missing.iter().filter(|(known, is_used)| *is_used && !is_declared(known)).map(|(known, _)| known.declaration);
    let end = root.local_name().end;
    version.into_iter().chain(declarations).map(|text| (end..end, text)).collect()
}

/// The prefix that an attribute declares; an empty one for what has no prefix.
fn declared(attribute: &[u8]) -> Option<&[u8]> {
    let rest = attribute.strip_prefix(b"xmlns")?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(b":") }
}

/// What is meant by a namespace.
fn vocabulary(namespace: &[u8]) -> Option<&'static Vocabulary> {
    let spelling = spelling(namespace);
    VOCABULARIES.iter().find(|known| known.spellings.contains(&spelling.as_str()))
}

fn is(one: &Vocabulary, other: &Vocabulary) -> bool {
    one.namespace == other.namespace
}

/// The namespace without what people write otherwise.
fn spelling(namespace: &[u8]) -> String {
    let text = String::from_utf8_lossy(namespace).trim().to_ascii_lowercase();
    let text = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or(&text);
    text.strip_prefix("www.").unwrap_or(text).trim_end_matches(['/', '#']).to_owned()
}

/// Whether the parser knows a version of RSS. It reads all of them alike.
fn is_known(version: &[u8]) -> bool {
    matches!(version, b"2.0" | b"0.91" | b"0.92")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(file: &str) -> String {
        String::from_utf8(super::known(Cow::Borrowed(file.as_bytes())).into_owned()).unwrap()
    }

    #[test]
    fn the_first_tag_says_what_the_parser_knows() {
        for (file, expected) in [
            ("<rss><channel/></rss>", "<rss version=\"2.0\"><channel/></rss>"),
            ("<rss version='0.94'/>", "<rss version='2.0'/>"),
            ("<rss version=\"\" a='1'/>", "<rss version=\"2.0\" a='1'/>"),
            ("<r:rss xmlns:r='urn:x' version='2.0'/>", "<r:rss xmlns:r='http://purl.org/rss/1.0/' version='2.0'/>"),
            (
                "<?xml version='0.94'?><!-- <rss> --><!DOCTYPE rss [<!ENTITY a 'b'>]><rss version='2' xmlns='urn:x'>",
                "<?xml version='0.94'?><!-- <rss> --><!DOCTYPE rss [<!ENTITY a 'b'>]><rss version='2.0' \
                xmlns='http://purl.org/rss/1.0/'>",
            ),
            (
                "<rdf:RDF xmlns:rdf='urn:rdf' xmlns='http://my.netscape.com/rdf/simple/0.9/'>",
                "<rdf:RDF xmlns:rdf='urn:rdf' xmlns='http://purl.org/rss/1.0/'>",
            ),
            (
                "<rdf:RDF xmlns:rdf='urn:rdf' xmlns='urn:x'>",
                "<rdf:RDF xmlns:rdf='urn:rdf' xmlns='http://purl.org/rss/1.0/'>",
            ),
            // What is no prefix means something else where another one means the posts.
            (
                "<r:RDF xmlns:r='urn:rdf' xmlns='urn:x' xmlns:rss='http://purl.org/rss/1.0/'>",
                "<r:RDF xmlns:r='urn:rdf' xmlns='urn:x' xmlns:rss='http://purl.org/rss/1.0/'>",
            ),
            (
                "<feed xmlns='http://www.w3.org/2005/atom' xmlns:m=' https://search.yahoo.com/mrss '/>",
                "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:m='http://search.yahoo.com/mrss/'/>",
            ),
            (
                "<rss version='2.0'><dc:date/><media:title/><x:y/></rss>",
                "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:media=\"http://search.yahoo.com/mrss/\" \
                version='2.0'><dc:date/><media:title/><x:y/></rss>",
            ),
        ] {
            assert_eq!(known(file), expected, "{file}");
        }
    }

    #[test]
    fn what_is_right_and_what_is_no_feed_stay_as_they_are() {
        for file in [
            "<rss version='2.0'><item><title>dc:date</title><![CDATA[<dc:date>]]></item></rss>",
            "<rss version='0.91' xmlns=''/>",
            "<rss version='2.0'><media:title xmlns:media='http://search.yahoo.com/mrss/'/></rss>",
            "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:x='urn:x'><dc:date/><x:y/></rss>",
            "<rdf:RDF xmlns:rdf='urn:rdf' xmlns='http://purl.org/rss/1.0/'/>",
            "<feed/>",
            "<feed version='1.0'><issued/></feed>",
            "<feed xmlns='http://www.w3.org/2005/Atom'><modified/><title type='text'/><title type='text/html'/></feed>",
            "<feed><summary type='xhtml'/><content type='html'/><content type='image/png'></content></feed>",
            "<feed><content type='application/pdf'></content><link type='text/plain'/><x:content type='text/xml'/></feed>",
            "<html version='1' xmlns='urn:x'/>",
            "<!-- <rss> ",
            "</rss>",
            "<",
            "",
        ] {
            assert!(matches!(super::known(Cow::Borrowed(file.as_bytes())), Cow::Borrowed(_)), "{file}");
        }
        for name in ["atom.xml", "garden.xml", "hostile.xml", "latin1.rdf", "podcast.xml", "wide.xml"] {
            let path = format!("{}/cases/rss-feed/{name}", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(edits(&std::fs::read(path).unwrap()), [], "{name}");
        }
    }

    #[test]
    fn types_of_texts_are_those_that_the_parser_knows() {
        for (file, expected) in [
            ("<title type='text/plain'>", "<title type='text'>"),
            ("<summary type=''>", "<summary type='text'>"),
            ("<summary type='HTML'>", "<summary type='html'>"),
            ("<content type='application/xhtml+xml'>", "<content type='xhtml'>"),
            ("<content type='image/svg+xml'>", "<content type='xhtml'>"),
            ("<content type='text/xml'>", "<content type='xhtml'>"),
            ("<content type='application/xml'>", "<content type='xhtml'>"),
            ("<content type='Text/Markdown'>", "<content type='text'>"),
            ("<content type=''>", "<content type='text'>"),
            ("<content type='image/png'/>", "<content type='text'/>"),
            ("<content type='html' src='a'/>", "<content type='text/html' src='a'/>"),
            ("<content type='text/markdown' src='a'/>", "<content type='text/markdown' src='a'/>"),
        ] {
            assert_eq!(known(&format!("<feed>{file}</feed>")), format!("<feed>{expected}</feed>"), "{file}");
        }
    }

    #[test]
    fn names_of_old_atom_are_those_of_today() {
        for (file, expected) in [
            (
                "<issued>1</issued ><created>2</created><modified>3</modified><x:issued/><![CDATA[<issued>]]>",
                "<published>1</published ><created>2</created><updated>3</updated><x:issued/><![CDATA[<issued>]]>",
            ),
            ("<created>2</created>", "<published>2</published>"),
            ("<title mode='escaped' type='text/plain'>", "<title mode='escaped' type='text'>"),
            (
                "<content type='application/xhtml+xml'><link type='text/plain'>",
                "<content type='xhtml'><link type='text/plain'>",
            ),
            ("<content type='image/png'><summary type='image/png'>", "<content type='image/png'><summary type='text'>"),
        ] {
            let feed = |namespace: &str, content: &str| format!("<feed xmlns='{namespace}'>{content}</feed>");
            let expected = feed("http://www.w3.org/2005/Atom", expected);
            assert_eq!(known(&feed("http://purl.org/atom/ns#", file)), expected, "{file}");
        }
        let prefixed = "<a:feed version='0.3'><a:issued/><issued/></a:feed>";
        assert_eq!(known(prefixed), "<a:feed version='0.3'><a:published/><issued/></a:feed>");
    }

    #[test]
    fn broken_files_do_no_harm() {
        let files = [
            "<?xml version='1.0'?><!DOCTYPE rss><rss version='9' xmlns:dc=\"x\" xmlns='urn:x'><dc:date/><media:a/></rss>",
            "<a:feed xmlns:a='http://purl.org/atom/ns#' version='0.3'><a:issued>ä</a:issued><a:title type='text/plain'/>",
            "<rdf:RDF xmlns='https://my.netscape.com/rdf/simple/0.9'><item/><![CDATA[x]]><!-- y --></rdf:RDF>",
        ];
        for file in files {
            let bytes = file.as_bytes();
            for at in 0..bytes.len() {
                for piece in [&bytes[..at], &bytes[at..]] {
                    super::known(Cow::Borrowed(piece));
                }
                for byte in *b"<>'\"=/:& !\0\xff" {
                    let mut other = bytes.to_vec();
                    other[at] = byte;
                    super::known(Cow::Borrowed(&other));
                }
            }
        }
    }
}
