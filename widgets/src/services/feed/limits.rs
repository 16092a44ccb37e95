//! What a file may ask of the parser, which climbs down without any limit of its own.

use std::io::BufReader;

use quick_xml::{Error, Reader, events::Event};

/// How deep elements may be nested; real feeds stay far below. Each level takes a piece of the stack.
const DEEPEST: usize = 250;
/// How many attributes an element may have. The parser compares them with each other.
const MOST_ATTRIBUTES: usize = 1000;
/// How many namespaces may be declared at once. The parser looks through them for each element.
const MOST_NAMESPACES: usize = 100;

/// Whether the parser can read a file without harm.
///
/// The parser of feeds stands on the XML reader that is used here, of the same version and with the same settings, so
/// no file can be deeper for it than it is here, however broken it is. Elements count here that it leaves out because
/// of their namespaces.
pub(super) fn are_kept(file: &[u8]) -> bool {
    // Declarations are told apart by pieces of the file as they come in, so it comes in the same ones.
    let mut reader = Reader::from_reader(BufReader::new(file));
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().trim_markup_names_in_closing_tags = true;
    let mut buffer = Vec::new();
    // How many namespaces each open element declares.
    let mut open = Vec::new();
    let mut namespaces = 0;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => {
                let (mut attributes, mut declared) = (0, 0);
                for attribute in tag.attributes().with_checks(false) {
                    attributes += 1;
                    declared += usize::from(attribute.is_ok_and(|found| found.key.as_namespace_binding().is_some()));
                }
                namespaces += declared;
                open.push(declared);
                if open.len() > DEEPEST || attributes > MOST_ATTRIBUTES || namespaces > MOST_NAMESPACES {
                    return false;
                }
            }
            Ok(Event::End(_)) => namespaces -= open.pop().unwrap_or_default(),
            Ok(Event::Eof) => return true,
            // The reader goes on behind mistakes like a wrong end tag, and the parser forgives some of them.
            Ok(_) | Err(Error::IllFormed(_)) => {}
            // Behind any other there is nothing more to read.
            Err(_) => return true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_nested_as_deep_as_the_parser_finds() {
        let deep = |levels: usize| "<a>".repeat(levels) + &"</a>".repeat(levels);
        let [kept, broken] = [DEEPEST, DEEPEST + 1].map(deep);
        for before in [
            "",
            "<?xml version='1.0'?><!DOCTYPE a><b/><b></b>text",
            "<!--> <![CDATA[ -->",
            "<!---> <![CDATA[ -->",
            "<?x ' ?>",
            "<?x <!-- ?>",
            "<!DOCTYPE a [<!-- ' -->]>",
            "<!DOCTYPE a [<!ENTITY b '<!--'>]>",
            "</b '<b>'>",
            "<b c='<!--'/>",
            "<b c='/>'></b>",
            "<![CDATA[<!--]]>",
            "& &#xffffffff; </b>",
        ] {
            assert!(are_kept(format!("{before}{kept}").as_bytes()), "{before}");
            assert!(!are_kept(format!("{before}{broken}").as_bytes()), "{before}");
        }
        assert!(are_kept(format!("<!-- {broken} --><![CDATA[{broken}]]><?x {broken}?>").as_bytes()));
        assert!(are_kept(b"no markup"));
        // A wrong end tag leads to no element above.
        assert!(!are_kept("<a></b>".repeat(DEEPEST + 1).as_bytes()));
    }

    #[test]
    fn attributes_and_namespaces_have_an_end() {
        let attributes = |most: usize| (0..most).map(|number| format!(" a{number}=''")).collect::<String>();
        assert!(are_kept(format!("<a{}/>", attributes(MOST_ATTRIBUTES)).as_bytes()));
        assert!(!are_kept(format!("<a{}/>", attributes(MOST_ATTRIBUTES + 1)).as_bytes()));
        let element = "<a xmlns='urn:a' xmlns:b='urn:b'>";
        let side_by_side = format!("{element}</a>").repeat(MOST_NAMESPACES);
        assert!(are_kept(side_by_side.as_bytes()));
        let wide = format!("<a{}>", attributes(MOST_NAMESPACES / 2).replace(" a", " xmlns:a"));
        assert!(are_kept(wide.repeat(2).as_bytes()));
        assert!(!are_kept(wide.repeat(3).as_bytes()));
    }

    #[test]
    fn there_is_one_reader_of_xml() {
        let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock")).unwrap();
        assert_eq!(lock.matches("name = \"quick-xml\"").count(), 1);
    }
}
