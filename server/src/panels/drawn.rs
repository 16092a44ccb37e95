//! A panel as markup, valid for every path prefix: one lookup serves all proxies in front of the product.

use sha2::{Digest as _, Sha256};
use widgets::Moment;

/// Placeholder for the path prefix in markup: a character that Unicode leaves unassigned. It must be removed from
/// external text first.
pub const PREFIX: &str = "\u{fdd0}";

/// A panel as markup.
#[derive(Debug)]
pub struct Drawn {
    /// The content of the panel's element, without path prefixes.
    html: String,
    /// Where they go, as byte offsets.
    places: Box<[usize]>,
    /// A hash of the markup: the same for the same panel, never 0, and small enough for a JavaScript number.
    pub version: u64,
    /// When it was looked up.
    pub at: Moment,
}

impl Drawn {
    /// A panel as of now. [`PREFIX`] in the markup stands for the path prefix.
    pub fn new(markup: &str, at: Moment) -> Self {
        let digest = Sha256::digest(markup.as_bytes());
        let first = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let mut html = String::with_capacity(markup.len());
        let mut places = Vec::new();
        let mut pieces = markup.split(PREFIX);
        html.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            places.push(html.len());
            html.push_str(piece);
        }
        Self { html, places: places.into(), version: (first >> 11).max(1), at }
    }

    /// The content of the panel's element on a page below a path prefix.
    pub fn html(&self, prefix: &str) -> String {
        let mut html = String::with_capacity(self.html.len() + self.places.len() * prefix.len());
        let mut done = 0;
        for place in &self.places {
            html.push_str(&self.html[done..*place]);
            html.push_str(prefix);
            done = *place;
        }
        html.push_str(&self.html[done..]);
        html
    }

    /// The number of cached bytes.
    pub fn size(&self) -> usize {
        self.html.len() + size_of_val(&*self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_stands_where_it_belongs() {
        for (markup, plain, below) in [
            ("", "", ""),
            ("<p>é</p>", "<p>é</p>", "<p>é</p>"),
            ("<i a=\"\u{fdd0}/é\"><i a=\"\u{fdd0}/b\">", "<i a=\"/é\"><i a=\"/b\">", "<i a=\"/x/é\"><i a=\"/x/b\">"),
            ("\u{fdd0}\u{fdd0}", "", "/x/x"),
        ] {
            let drawn = Drawn::new(markup, Moment::default());
            assert_eq!((drawn.html(""), drawn.html("/x")), (plain.to_owned(), below.to_owned()), "{markup:?}");
            assert!(drawn.size() >= plain.len());
        }
    }

    #[test]
    fn the_same_panel_has_the_same_version() {
        let version = |html: &str| Drawn::new(html, Moment::default()).version;
        assert_eq!(version("a"), version("a"));
        assert_ne!(version("a"), version("b"));
        assert!((1..1 << 53).contains(&version("a")));
    }
}
