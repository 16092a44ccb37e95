//! A panel as markup, good for every path prefix: one look serves all proxies that the product is behind.

use sha2::{Digest as _, Sha256};
use widgets::Moment;

/// Stands in markup where the path prefix goes: a character that Unicode gives to nobody. It must be taken out of texts
/// of others before.
pub const PREFIX: &str = "\u{fdd0}";

/// A panel as markup.
#[derive(Debug)]
pub struct Drawn {
    /// What stands in the panel's element, without path prefixes.
    html: String,
    /// Where they go, in bytes of it.
    places: Box<[usize]>,
    /// Made of the markup: the same for the same panel, never 0, and small enough for any number in a script.
    pub version: u64,
    /// When it was looked up.
    pub at: Moment,
}

impl Drawn {
    /// A panel of this moment. [`PREFIX`] stands in the markup for the path prefix.
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

    /// What stands in the panel's element of a page below a path prefix.
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

    /// How many bytes are kept.
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
