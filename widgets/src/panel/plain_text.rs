//! Text without the markup that it came with.

use url::{ParseError, Url};

use super::markup::{Piece, attribute, beginning, pieces};

/// Elements whose start or end separates words, even without white space.
const BLOCKS: [&[u8]; 22] = [
    b"address",
    b"article",
    b"blockquote",
    b"br",
    b"dd",
    b"div",
    b"dt",
    b"figcaption",
    b"figure",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"hr",
    b"li",
    b"p",
    b"pre",
    b"td",
    b"th",
    b"tr",
];

/// The text of some markup, and its first picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainText {
    /// The text, with single spaces.
    pub text: String,
    /// The address, as written, of the first picture that is larger than a dot.
    pub picture: Option<String>,
}

impl PlainText {
    /// Reads the first 64 KB of markup as a browser would, without running any of it.
    #[must_use]
    pub fn read(html: &str) -> Self {
        let html = beginning(html);
        if !html.contains(['<', '&']) {
            return Self { text: squeeze(html), picture: None };
        }
        let (mut text, mut picture) = (String::new(), None);
        for piece in pieces(html) {
            match piece {
                Piece::Text(piece) => text.push_str(&piece),
                Piece::End(name) if BLOCKS.contains(&name.as_slice()) => text.push(' '),
                Piece::End(_) => {}
                Piece::Start(tag) if BLOCKS.contains(&tag.name.as_slice()) => text.push(' '),
                Piece::Start(tag) if picture.is_none() && tag.name.as_slice() == b"img" => {
                    let is_dot = |name| {
                        attribute(&tag, name).is_some_and(|size| ["0", "1", "0px", "1px"].contains(&size.trim()))
                    };
                    let source = attribute(&tag, "src").map(|source| source.trim().to_owned());
                    picture = source.filter(|source| may_be_picture(source) && !is_dot("width") && !is_dot("height"));
                }
                Piece::Start(_) => {}
            }
        }
        Self { text: squeeze(&text), picture }
    }
}

/// Whether an address is relative or a web address.
fn may_be_picture(source: &str) -> bool {
    match Url::parse(source) {
        Ok(url) => matches!(url.scheme(), "http" | "https"),
        Err(ParseError::RelativeUrlWithoutBase) => !source.is_empty(),
        Err(_) => false,
    }
}

/// The beginning of the text of some markup, cut at a word, with at most `max` characters.
#[must_use]
pub fn teaser(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let cut = &text[..end];
    let end = cut.rfind(' ').filter(|end| *end > max / 2).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([' ', ',', ';', ':', '.', '-', '–']))
}

fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text_once() {
        for (html, expected) in [
            ("Plain  text\n", "Plain text"),
            ("<p>One</p><p>two</p>", "One two"),
            ("Un<b>break</b>able", "Unbreakable"),
            ("Tom &amp; Jerry", "Tom & Jerry"),
            ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
            ("a &lt;b&gt; &nbsp; c", "a <b> c"),
            ("1 < 2", "1 < 2"),
            ("a\0b &#0;", "ab \u{fffd}"),
            ("<style>p{}</style><script>x</script>ok", "ok"),
            ("<p>a<iframe>no frames</iframe><object data=x>no film</object></p>b", "a b"),
            ("<form>Mail <input><button>Subscribe</button></form><svg><title>Logo</title></svg>c", "c"),
            ("<svg/>a<object>b<object>c</object>d</object>e<script><!--</script>f", "aef"),
            ("a</form>b</svg>c", "abc"),
            ("<noscript><img src=/x.png>Turn scripts on</noscript>d<textarea><b></textarea>", "d<b>"),
        ] {
            assert_eq!(PlainText::read(html).text, expected, "{html}");
        }
    }

    #[test]
    fn no_text_is_too_deep() {
        let deep = format!("Before {}after", "<div>".repeat(5000));
        assert_eq!(PlainText::read(&deep).text, "Before after");
        let flat = format!("{}end", "<DIV class=a>one<br></DIV><hr>1 < 2 ".repeat(501));
        assert!(PlainText::read(&flat).text.ends_with("1 < 2 end"));
    }

    #[test]
    fn only_the_beginning_is_read() {
        let long = format!("<p>{}end", "é".repeat(100_000));
        assert_eq!(PlainText::read(&long).text, "é".repeat(64 * 1024 / 2 - 2));
        assert_eq!(PlainText::read(&"é".repeat(100_000)).text, "é".repeat(64 * 1024 / 2));
    }

    #[test]
    fn the_first_picture_is_no_tracking_dot() {
        let html =
            "<img src='https://t.example/p.gif' width=1 height=1><img alt='x'><img width=640 src='/a.png?b&amp;c'>";
        assert_eq!(PlainText::read(html).picture.as_deref(), Some("/a.png?b&c"));
        for html in ["<img src='data:image/png;base64,AAAA'>", "<img src=' '>", "<form><img src='/a.png'></form>"] {
            assert_eq!(PlainText::read(html).picture, None, "{html}");
        }
    }

    #[test]
    fn teasers_end_at_a_word() {
        assert_eq!(teaser("one two three", 20), "one two three");
        assert_eq!(teaser("one two three", 9), "one two…");
        assert_eq!(teaser("ééééééééééé", 4), "éééé…");
        assert_eq!(teaser("éééé", 4), "éééé");
    }
}
