//! Text with markup that came from a service, after sanitising.

use serde::{Deserialize, Serialize};

/// Text with harmless markup. Made on the server only; the page inserts it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RichText {
    html: String,
}

impl RichText {
    /// The markup.
    #[must_use]
    pub fn html(&self) -> &str {
        &self.html
    }
}

#[cfg(feature = "server")]
pub use cleaning::{PlainText, teaser};

#[cfg(feature = "server")]
mod cleaning {
    use ammonia::{Builder, UrlRelative};

    use super::RichText;

    /// Elements that are kept. No pictures: they would tell strangers who reads what.
    const KEPT: [&str; 24] = [
        "a",
        "abbr",
        "b",
        "blockquote",
        "br",
        "code",
        "del",
        "em",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "ins",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "strong",
        "sub",
        "sup",
        "ul",
    ];

    /// Elements whose end is the end of a word, though no white space says so.
    const BLOCKS: [&str; 22] = [
        "address",
        "article",
        "blockquote",
        "br",
        "dd",
        "div",
        "dt",
        "figcaption",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "p",
        "pre",
        "td",
        "th",
        "tr",
    ];

    /// Elements that are dropped with all that is in them: what a browser shows in their place is no text.
    const DROPPED: [&str; 6] = ["script", "style", "iframe", "object", "form", "svg"];

    /// Most elements that may be open at a time. Reading one that is much deeper takes time by the square of its depth,
    /// and no text that people write needs as many.
    const DEEPEST: usize = 500;

    /// Elements that have no end.
    const VOID: [&str; 14] =
        ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

    impl RichText {
        /// Keeps text, lists, emphasis and links to web pages; drops scripts, styles, frames, forms, pictures and
        /// everything else that could act.
        #[must_use]
        pub fn clean(html: &str) -> Self {
            let html = Builder::empty()
                .add_tags(KEPT)
                .add_tag_attributes("a", ["href"])
                .add_url_schemes(["http", "https", "mailto"])
                .url_relative(UrlRelative::Deny)
                .link_rel(Some("noopener noreferrer"))
                .set_tag_attribute_value("a", "target", "_blank")
                .add_clean_content_tags(DROPPED)
                .clean(not_too_deep(html))
                .to_string();
            Self { html: html.trim().to_owned() }
        }

        /// Passes on the texts between the tags and the values of attributes, as markup writes them.
        pub(in crate::panel) fn change_texts(&mut self, change: &mut dyn FnMut(&mut String)) {
            let html = std::mem::take(&mut self.html);
            let (mut rest, mut in_tag) = (html.as_str(), false);
            while !rest.is_empty() {
                // In a tag every second piece is a value: the sanitiser puts all of them into quotes.
                let end = rest.find(if in_tag { ['"', '>'] } else { ['<', '<'] }).unwrap_or(rest.len());
                let (piece, behind) = rest.split_at(end);
                if in_tag {
                    self.html.push_str(piece);
                } else {
                    self.push_changed(piece, change);
                }
                rest = behind;
                if let Some(value) = rest.strip_prefix('"').filter(|_| in_tag) {
                    let end = value.find('"').unwrap_or(value.len());
                    self.html.push('"');
                    self.push_changed(&value[..end], change);
                    rest = &value[end..];
                }
                if let Some(delimiter) = rest.get(..1) {
                    self.html.push_str(delimiter);
                    in_tag = delimiter == "<" || in_tag && delimiter == "\"";
                    rest = &rest[1..];
                }
            }
        }

        fn push_changed(&mut self, text: &str, change: &mut dyn FnMut(&mut String)) {
            let mut text = text.to_owned();
            if !text.is_empty() {
                change(&mut text);
            }
            self.html.push_str(&text);
        }
    }

    /// The text of some markup, and the first picture in it.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct PlainText {
        /// The text, with single spaces.
        pub text: String,
        /// The address of the first picture that is more than a dot, as written.
        pub picture: Option<String>,
    }

    impl PlainText {
        /// Reads markup as a browser would, without running any of it.
        #[must_use]
        pub fn read(html: &str) -> Self {
            if !html.contains(['<', '&']) {
                return Self { text: squeeze(html), picture: None };
            }
            let html = not_too_deep(html);
            let text = Builder::empty().add_tags(BLOCKS).add_clean_content_tags(DROPPED).clean(html).to_string();
            Self { text: squeeze(&without_tags(&text)), picture: first_picture(html) }
        }
    }

    /// The beginning of the text of some markup, cut at a word, with at most so many characters.
    #[must_use]
    pub fn teaser(text: &str, most: usize) -> String {
        if text.chars().count() <= most {
            return text.to_owned();
        }
        let cut: String = text.chars().take(most).collect();
        let end = cut.rfind(' ').filter(|end| *end > most / 2).unwrap_or(cut.len());
        format!("{}…", cut[..end].trim_end_matches([' ', ',', ';', ':', '.', '-', '–']))
    }

    /// The markup as far as it is not nested too deeply. Ends that may be left out count as open, which cuts off nothing
    /// but the end of texts that are longer than anybody shows.
    fn not_too_deep(html: &str) -> &str {
        let mut open = 0_usize;
        for (at, _) in html.match_indices('<') {
            let rest = &html[at + 1..];
            let (is_end, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
            let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            let name = &rest[..length];
            if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                continue;
            }
            if is_end {
                open = open.saturating_sub(1);
            } else if !VOID.iter().any(|void| name.eq_ignore_ascii_case(void)) {
                open += 1;
            }
            if open > DEEPEST {
                return &html[..at];
            }
        }
        html
    }

    /// Takes the tags out of what the sanitiser printed: there, `<` begins a tag and nothing else.
    fn without_tags(html: &str) -> String {
        let mut text = String::with_capacity(html.len());
        for piece in html.split('<') {
            match piece.split_once('>') {
                Some((_, rest)) => {
                    text.push(' ');
                    text.push_str(rest);
                }
                None => text.push_str(piece),
            }
        }
        decode(&text)
    }

    fn first_picture(html: &str) -> Option<String> {
        let cleaned = Builder::empty()
            .add_tags(["img"])
            .add_tag_attributes("img", ["src", "width", "height"])
            .add_url_schemes(["http", "https"])
            .url_relative(UrlRelative::PassThrough)
            .add_clean_content_tags(DROPPED)
            .clean(html)
            .to_string();
        cleaned.split("<img ").skip(1).find_map(|tag| {
            let value = |name: &str| {
                let (_, rest) = tag.split_once(&format!("{name}=\""))?;
                rest.split_once('"').map(|(value, _)| value.trim())
            };
            let is_dot = |name: &str| value(name).is_some_and(|size| ["0", "1", "0px", "1px"].contains(&size));
            let source = value("src").filter(|source| !source.is_empty() && !is_dot("width") && !is_dot("height"));
            source.map(decode)
        })
    }

    /// Turns back what the sanitiser writes for characters with a meaning; the ampersand last, so that nothing is
    /// decoded twice.
    fn decode(text: &str) -> String {
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&nbsp;", " ")
            .replace("&amp;", "&")
    }

    fn squeeze(text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_survives() {
        let hostile = "<p onclick=x>Hi <script>alert(1)</script><b style='x'>you</b> <a href='javascript:x'>a</a>\
            <a href='https://example.com/' onmouseover=x>b</a><img src=x onerror=y><svg><a xlink:href='x'/></svg></p>";
        let html = RichText::clean(hostile).html().to_owned();
        assert!(html.starts_with("<p>Hi <b>you</b>"), "{html}");
        assert!(html.contains("href=\"https://example.com/\""), "{html}");
        assert!(html.contains("rel=\"noopener noreferrer\""), "{html}");
        for bad in ["script", "onclick", "onmouseover", "onerror", "style", "svg", "<img"] {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
    }

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
            ("<style>p{}</style><script>x</script>ok", "ok"),
            ("<p>a<iframe>no frames</iframe><object data=x>no film</object></p>b", "a b"),
            ("<form>Mail <input><button>Subscribe</button></form><svg><title>Logo</title></svg>c", "c"),
        ] {
            assert_eq!(PlainText::read(html).text, expected, "{html}");
        }
    }

    #[test]
    fn markup_is_read_as_far_as_it_is_not_too_deep() {
        let deep = format!("Before {}after", "<div>".repeat(501));
        assert_eq!((PlainText::read(&deep).text, RichText::clean(&deep).html()), ("Before".to_owned(), "Before"));
        let flat = format!("{}end", "<DIV class=a>one<br></DIV><hr>1 < 2 ".repeat(501));
        assert!(PlainText::read(&flat).text.ends_with("1 < 2 end"));
        let most = format!("{}end", "<b>".repeat(500));
        assert_eq!(PlainText::read(&most).text, "end");
    }

    #[test]
    fn the_first_picture_is_no_tracking_dot() {
        let html = "<img src='https://t.example/p.gif' width=1 height=1><img alt='x'><img width=640 src='/a.png'>";
        assert_eq!(PlainText::read(html).picture.as_deref(), Some("/a.png"));
        assert_eq!(PlainText::read("<img src='data:image/png;base64,AAAA'>").picture, None);
    }

    #[test]
    fn teasers_end_at_a_word() {
        assert_eq!(teaser("one two three", 20), "one two three");
        assert_eq!(teaser("one two three", 9), "one two…");
        assert_eq!(teaser("ééééééééééé", 4), "éééé…");
    }
}
