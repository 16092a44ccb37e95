//! The footer: text with simple inline markup, made safe (docs/spec/config.md 3, `footer`).

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use ammonia::Builder;

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::empty();
    cleaner
        .tags(HashSet::from([
            "a",
            "abbr",
            "b",
            "bdi",
            "blockquote",
            "br",
            "cite",
            "code",
            "div",
            "em",
            "hr",
            "i",
            "img",
            "kbd",
            "li",
            "mark",
            "ol",
            "p",
            "q",
            "s",
            "small",
            "span",
            "strong",
            "sub",
            "sup",
            "time",
            "u",
            "ul",
        ]))
        .clean_content_tags(HashSet::from(["script", "style", "iframe", "object", "template", "textarea", "title"]))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href", "target"])),
            ("img", HashSet::from(["src", "alt", "width", "height"])),
        ]))
        .tag_attribute_values(HashMap::from([(
            "a",
            HashMap::from([("target", HashSet::from(["_blank", "_self", "_parent", "_top"]))]),
        )]))
        .generic_attributes(HashSet::from(["title", "lang", "dir"]))
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(Some("noopener noreferrer"))
        .strip_comments(true);
    cleaner
});

/// Maximum number of bytes of a footer that are read. Nested markup can cost the square of its length, and remote pages
/// can have footers too.
pub const MAX_BYTES: usize = 4096;

/// The footer as HTML that is safe in a page; `None` if nothing is left of it. Removes scripts, styles, frames, forms,
/// event attributes, classes, and links that run code; links get `rel="noopener noreferrer"`. Everything after the
/// first [`MAX_BYTES`] is left out.
pub fn sanitized(footer: &str) -> Option<String> {
    let footer = &footer[..footer.floor_char_boundary(MAX_BYTES)];
    let html = CLEANER.clean(footer).to_string();
    let html = html.trim();
    (!html.is_empty()).then(|| html.to_owned())
}

/// A footer that [`sanitized`] has made, whose pictures on other hosts have the addresses that `own` gives. Others
/// stay.
pub fn with_pictures(html: &str, own: impl Fn(&str) -> Option<String>) -> String {
    const TAG: &str = "<img";
    let (mut result, mut rest) = (String::with_capacity(html.len()), html);
    while let Some(at) = rest.find(TAG) {
        let (before, after) = rest.split_at(at + TAG.len());
        result.push_str(before);
        rest = after;
        // The attributes are as ammonia writes them: a space, the name, and the value in quotes.
        while let Some((name, value)) = rest.strip_prefix(' ').and_then(|rest| rest.split_once("=\"")) {
            let Some((value, after)) = value.split_once('"') else { break };
            rest = after;
            let address = value.replace("&amp;", "&");
            let is_remote = name == "src" && (address.contains("://") || address.starts_with("//"));
            let address = if is_remote { own(&address) } else { None };
            let value = address.as_deref().unwrap_or(value);
            result.extend([" ", name, "=\"", value, "\""]);
        }
    }
    result + rest
}
