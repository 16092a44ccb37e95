//! A web page in the place of a feed: it may name its feed.

use html5gum::{DefaultEmitter, Token, Tokenizer};
use url::Url;

/// The types of feeds.
const TYPES: [&str; 3] = ["application/rss+xml", "application/atom+xml", "application/feed+json"];
/// How much of a page is read: its head is at the top.
const MAX_BYTES: usize = 200_000;
/// Longer addresses are of no use.
const LONGEST: usize = 200;

/// The first feed that a page names as another form of itself.
pub(super) fn feed_of(html: &str, address: &str) -> Option<String> {
    let base = Url::parse(address).ok()?;
    let mut emitter = DefaultEmitter::default();
    // Without this the text of a script would be read as tags.
    emitter.naively_switch_states(true);
    let html = &html[..html.floor_char_boundary(MAX_BYTES)];
    Tokenizer::new_with_emitter(html, emitter).flatten().find_map(|token| {
        let Token::StartTag(tag) = token else { return None };
        if tag.name.as_slice() != b"link" {
            return None;
        }
        let attribute = |name: &[u8]| Some(String::from_utf8_lossy(tag.attributes.get(name)?).trim().to_owned());
        let is_other_form =
            attribute(b"rel")?.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("alternate"));
        let kind = attribute(b"type")?.to_ascii_lowercase();
        let url = base.join(&attribute(b"href")?).ok()?;
        let is_good = is_other_form
            && TYPES.contains(&kind.as_str())
            && matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.as_str().len() <= LONGEST;
        is_good.then(|| url.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_feed() {
        let address = "https://blog.example.org/posts/1";
        for (html, expected) in [
            (
                "<head><link rel=stylesheet href=a.css><link rel='home Alternate' type='application/RSS+xml' href='/feed?a=1&amp;b=2'>",
                Some("https://blog.example.org/feed?a=1&b=2"),
            ),
            (
                "<link rel=alternate type=application/atom+xml href=atom.xml>",
                Some("https://blog.example.org/posts/atom.xml"),
            ),
            ("<link rel=alternate hreflang=de href=/de>", None),
            ("<link rel=alternate type=application/rss+xml href='javascript:1'>", None),
            ("<script>'<link rel=alternate type=application/rss+xml href=/feed>'</script>", None),
            ("<p>", None),
        ] {
            assert_eq!(feed_of(html, address).as_deref(), expected, "{html}");
        }
    }
}
