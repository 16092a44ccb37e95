//! Sanitized text with markup from a service.

use serde::{Deserialize, Serialize};

/// Text with harmless markup. Created only on the server; the page inserts it as it is.
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
mod cleaning {
    use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};
    use url::Url;

    use super::{
        super::markup::{Piece, attribute, pieces},
        RichText,
    };

    /// Elements that are kept and have an end tag. No pictures: they would tell third parties who reads what.
    const KEPT: [&str; 22] = [
        "a",
        "abbr",
        "b",
        "blockquote",
        "code",
        "del",
        "em",
        "h3",
        "h4",
        "h5",
        "h6",
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
    /// Elements that are kept and have no end tag.
    const VOID: [&str; 2] = ["br", "hr"];
    /// Elements that end a paragraph.
    const ENDS_PARAGRAPH: [&str; 11] = ["blockquote", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul"];
    /// Represents the box of a task until the text is sanitized: a Unicode noncharacter.
    const TASK: char = '\u{fdd1}';
    /// Whatever ends the line of a task.
    const LABEL_ENDS: [&str; 9] = ["</li", "</p", "<p", "<ul", "<ol", "<pre", "<blockquote", "<h", "</blockquote"];
    /// Maximum number of open elements; the text of deeper ones is kept without them.
    const MAX_DEPTH: usize = 64;

    impl RichText {
        /// Maximum number of bytes of Markdown that are read. Its HTML is a few times as long.
        pub const MAX_MARKDOWN: usize = 16 * 1024;
        /// What notes may contain besides ordinary Markdown.
        pub const NOTE: Options = Options::ENABLE_TASKLISTS.union(Options::ENABLE_STRIKETHROUGH);

        /// Keeps text, lists, emphasis and links to web pages; drops scripts, styles, frames, forms, pictures and
        /// everything else that could do something. Reads the first 64 KB.
        ///
        /// Every tag is rewritten, without attributes except for the checked address of a link, and is closed in the
        /// right place. No element remains that browsers parse specially, so they find exactly what is written.
        #[must_use]
        pub fn clean(html: &str) -> Self {
            let mut writer = Writer::default();
            for piece in pieces(html) {
                match piece {
                    Piece::Text(text) => push_escaped(&mut writer.html, &text),
                    Piece::Start(tag) => {
                        let name = |kept: &&&str| kept.as_bytes() == tag.name.as_slice();
                        if let Some(name) = VOID.iter().find(name) {
                            writer.make_room(name);
                            writer.push_tag(name, None);
                        } else if let Some(name) = KEPT.iter().find(name) {
                            writer.start(name, attribute(&tag, "href").as_deref());
                        }
                    }
                    Piece::End(name) => writer.end(&name),
                }
            }
            writer.close(0);
            Self { html: writer.html.trim().to_owned() }
        }

        /// Renders Markdown. HTML in it is shown as text.
        #[must_use]
        pub fn markdown(text: &str) -> Self {
            let end = text.floor_char_boundary(Self::MAX_MARKDOWN);
            let pieces = Parser::new(&text[..end]).map(|event| match event {
                Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
                event => event,
            });
            let mut html = String::new();
            push_html(&mut html, pieces);
            Self::clean(&html)
        }

        /// Renders a note: Markdown with its headings below those of the page, and a box for each task. `button` takes
        /// the position of a task and whether it is done, and returns the action of its box and the action's target.
        /// The code that shows the note enables the boxes for viewers who may press them.
        #[must_use]
        pub fn note<'a>(text: &str, button: impl Fn(usize, bool) -> (&'a str, String)) -> Self {
            let end = text.floor_char_boundary(Self::MAX_MARKDOWN);
            let stray = |text: &str| text.replace(TASK, "\u{fffd}");
            let text = stray(&text[..end]);
            let mut tasks = Vec::new();
            let (mut open, mut shown) = (Vec::new(), HeadingLevel::H3);
            let events = Parser::new_ext(&text, Self::NOTE).map(|event| match event {
                Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
                // The character may be written as an entity.
                Event::Text(words) if words.contains(TASK) => Event::Text(stray(&words).into()),
                Event::TaskListMarker(is_done) => {
                    tasks.push(is_done);
                    Event::Text(TASK.to_string().into())
                }
                Event::Start(Tag::Heading { level, .. }) => {
                    shown = below(level, &mut open);
                    Event::Start(Tag::Heading { level: shown, id: None, classes: vec![], attrs: vec![] })
                }
                Event::End(TagEnd::Heading(_)) => Event::End(TagEnd::Heading(shown)),
                event => event,
            });
            let mut html = String::new();
            push_html(&mut html, events);
            let clean = Self::clean(&html).html;
            let mut pieces = clean.split(TASK);
            let mut html = pieces.next().unwrap_or_default().to_owned();
            for (position, (piece, is_done)) in pieces.zip(tasks).enumerate() {
                let (action, target) = button(position, is_done);
                html.push_str("<label><input type=\"checkbox\"");
                for (name, value) in [("data-action", action), ("data-target", target.as_str())] {
                    html.push_str(&[" ", name, "=\""].concat());
                    push_escaped(&mut html, value);
                    html.push('"');
                }
                html.push_str(if is_done { " checked disabled>" } else { " disabled>" });
                // The text after the box, up to the end of its line, is its label.
                let end = LABEL_ENDS.iter().filter_map(|tag| piece.find(tag)).min().unwrap_or(piece.len());
                let (label, rest) = piece.split_at(end);
                html.push_str(&["<span>", label.trim(), "</span></label>", rest].concat());
            }
            Self { html }
        }

        /// Calls `change` with the texts between tags and the values of attributes, as written in the markup.
        pub(in crate::panel) fn change_texts(&mut self, change: &mut dyn FnMut(&mut String)) {
            let html = std::mem::take(&mut self.html);
            let (mut rest, mut in_tag) = (html.as_str(), false);
            while !rest.is_empty() {
                // Inside a tag every second piece is a value: the sanitizer quotes all of them.
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

    /// Writes markup in which every element ends inside the one in which it began.
    #[derive(Default)]
    struct Writer {
        html: String,
        open: Vec<&'static str>,
    }

    impl Writer {
        fn start(&mut self, name: &'static str, href: Option<&str>) {
            let address = href.and_then(web_address);
            if name == "a" && address.is_none() {
                return;
            }
            self.make_room(name);
            if self.open.len() < MAX_DEPTH {
                self.push_tag(name, address.as_deref());
                self.open.push(name);
            }
        }

        /// Closes the elements that cannot contain an element with this name, as a browser does.
        fn make_room(&mut self, name: &str) {
            let last = |wanted: &str| self.open.iter().rposition(|open| *open == wanted);
            let is_heading = |name: &str| name.len() == 2 && name.starts_with('h') && name != "hr";
            let ended = match name {
                "a" => last("a"),
                "li" => last("li").filter(|item| !self.open[*item..].iter().any(|open| ["ul", "ol"].contains(open))),
                _ if is_heading(name) => self.open.len().checked_sub(1).filter(|top| is_heading(self.open[*top])),
                _ => None,
            };
            let paragraph = last("p").filter(|_| ENDS_PARAGRAPH.contains(&name));
            if let Some(position) = [ended, paragraph].into_iter().flatten().min() {
                self.close(position);
            }
        }

        fn end(&mut self, name: &[u8]) {
            if let Some(position) = self.open.iter().rposition(|open| open.as_bytes() == name) {
                self.close(position);
            }
        }

        /// Closes all open elements from this position on.
        fn close(&mut self, position: usize) {
            for name in self.open.drain(position..).rev() {
                self.html.push_str("</");
                self.html.push_str(name);
                self.html.push('>');
            }
        }

        fn push_tag(&mut self, name: &str, address: Option<&str>) {
            self.html.push('<');
            self.html.push_str(name);
            if let Some(address) = address {
                self.html.push_str(" href=\"");
                push_escaped(&mut self.html, address);
                self.html.push_str("\" target=\"_blank\" rel=\"noopener noreferrer\"");
            }
            self.html.push('>');
        }
    }

    /// The level of a heading below that of a section, without a gap to the headings above it. `open` holds the levels
    /// of those, as written.
    fn below(level: HeadingLevel, open: &mut Vec<HeadingLevel>) -> HeadingLevel {
        open.retain(|above| *above < level);
        open.push(level);
        match open.len() {
            1 => HeadingLevel::H3,
            2 => HeadingLevel::H4,
            3 => HeadingLevel::H5,
            _ => HeadingLevel::H6,
        }
    }

    /// The address of a web page or an email address, as the parser prints it.
    fn web_address(href: &str) -> Option<String> {
        let url = Url::parse(href.trim()).ok()?;
        matches!(url.scheme(), "http" | "https" | "mailto").then(|| url.into())
    }

    fn push_escaped(html: &mut String, text: &str) {
        for character in text.chars() {
            match character {
                '&' => html.push_str("&amp;"),
                '<' => html.push_str("&lt;"),
                '>' => html.push_str("&gt;"),
                '"' => html.push_str("&quot;"),
                other => html.push(other),
            }
        }
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
    fn markdown_becomes_markup_and_html_in_it_text() {
        let html =
            RichText::markdown("The array is **rebuilding**.\n\n<b onclick=x>1 < 2</b> [a](javascript:x) ![b](/c.png)");
        assert_eq!(
            html.html(),
            "<p>The array is <strong>rebuilding</strong>.</p>\n<p>&lt;b onclick=x&gt;1 &lt; 2&lt;/b&gt; a </p>"
        );
    }

    #[test]
    fn every_element_ends_where_it_belongs() {
        let link = |address: &str, text: &str| {
            format!("<a href=\"{address}\" target=\"_blank\" rel=\"noopener noreferrer\">{text}</a>")
        };
        for (html, expected) in [
            ("<b>a<i>b</b>c</i>", "<b>a<i>b</i></b>c".to_owned()),
            ("</div></p></b>a", "a".to_owned()),
            ("<p>a<p>b<ul><li>c<li>d<ul><li>e</ul><li>f", {
                "<p>a</p><p>b</p><ul><li>c</li><li>d<ul><li>e</li></ul></li><li>f</li></ul>".to_owned()
            }),
            ("<h3>a<h4>b</h4>", "<h3>a</h3><h4>b</h4>".to_owned()),
            ("<p>a<hr>b<br/>c", "<p>a</p><hr>b<br>c".to_owned()),
            ("<a href=//b.example>a</a><a>b</a><a href=/x>c</a><a href='JaVaScRiPt:x'>d</a>", "abcd".to_owned()),
            ("<a href=' https://b.example/?x=\"&amp;y=<'>a<a href='mailto:a@b.example'>b", {
                link("https://b.example/?x=%22&amp;y=%3C", "a") + &link("mailto:a@b.example", "b")
            }),
            ("1 < 2 &amp; \"&lt;b&gt;\"", "1 &lt; 2 &amp; &quot;&lt;b&gt;&quot;".to_owned()),
            ("<title><b>x</b></title><textarea></b></textarea>", "&lt;b&gt;x&lt;/b&gt;&lt;/b&gt;".to_owned()),
        ] {
            assert_eq!(RichText::clean(html).html(), expected, "{html}");
        }
        let deep = format!("{}x", "<b>".repeat(1000));
        assert_eq!(RichText::clean(&deep).html(), format!("{}x{}", "<b>".repeat(64), "</b>".repeat(64)));
    }
}
