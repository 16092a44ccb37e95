//! The icons that a web page names in its head.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use url::Url;

/// Enough for any real page; a generated list of a thousand icons must not cost a thousand comparisons.
const MAX_LINKS: usize = 32;
/// The size of icons on the largest tiles of a high-density screen.
const WANTED_SIDE: u32 = 96;

/// An icon that a page names.
#[derive(Clone, Debug, Eq, PartialEq)]
struct IconLink {
    address: String,
    rank: u32,
}

/// The addresses of a page's icons, best first: scalable, then large enough, then the rest. They are resolved against
/// the page's own address or its `<base>`; some may be `data:` addresses.
pub fn icon_addresses(html: &[u8], page: &Url) -> Vec<Url> {
    let mut base = page.clone();
    let mut links: Vec<IconLink> = Vec::new();
    let mut emitter = DefaultEmitter::default();
    // Without this a `<link>` inside a script would count.
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => match tag.name.as_slice() {
                b"link" => links.extend(icon_link(&tag)),
                b"base" => {
                    if let Some(own) = attribute(&tag, b"href").and_then(|href| page.join(&href).ok()) {
                        base = own;
                    }
                }
                // Icons may only be named in the head, and the head may lack its end tag.
                b"body" => break,
                _ => {}
            },
            Token::EndTag(tag) if tag.name.as_slice() == b"head" => break,
            _ => {}
        }
        if links.len() >= MAX_LINKS {
            break;
        }
    }
    links.sort_by_key(|link| link.rank);
    let mut addresses: Vec<Url> = Vec::new();
    for link in links {
        if let Ok(address) = base.join(link.address.trim())
            && matches!(address.scheme(), "http" | "https" | "data")
            && !addresses.contains(&address)
        {
            addresses.push(address);
        }
    }
    addresses
}

fn icon_link(tag: &StartTag<()>) -> Option<IconLink> {
    let relation = attribute(tag, b"rel")?.to_ascii_lowercase();
    let mut words = relation.split_ascii_whitespace();
    let touch = words.clone().any(|word| word.starts_with("apple-touch-icon"));
    // A `mask-icon` is a silhouette for one browser and not an icon to show.
    if !touch && !words.any(|word| word == "icon") {
        return None;
    }
    let address = attribute(tag, b"href").filter(|href| !href.trim().is_empty())?;
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let media_type = attribute(tag, b"type").unwrap_or_default().to_ascii_lowercase();
    let sizes = attribute(tag, b"sizes").unwrap_or_default().to_ascii_lowercase();
    let mut rank = if path.ends_with(".svg") || media_type == "image/svg+xml" || path.starts_with("data:image/svg") {
        0
    } else if let Some(side) = sizes.split_ascii_whitespace().filter_map(side).max() {
        // The smallest that is large enough, else the largest.
        if side >= WANTED_SIDE { 100 + side.min(5_000) } else { 20_000 - side }
    } else if touch {
        // By convention 180 pixels wide if no size is given.
        100 + 180
    } else {
        20_000
    };
    if attribute(tag, b"media").is_some_and(|media| media.contains("dark")) {
        // Made only for dark browser frames; any other icon suits more pages.
        rank += 50_000;
    }
    Some(IconLink { address, rank })
}

fn side(size: &str) -> Option<u32> {
    size.split('x').next()?.parse().ok()
}

fn attribute(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let value = tag.attributes.get(name)?;
    Some(String::from_utf8_lossy(value).into_owned())
}
