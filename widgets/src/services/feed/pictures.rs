//! What a feed says about its pictures and the parser does not pass on.

use std::collections::HashSet;

use url::Url;

/// Addresses of pictures, by what the feed says about them.
#[derive(Default)]
pub(super) struct Pictures {
    media: HashSet<String>,
    enclosures: HashSet<String>,
    covers: HashSet<String>,
}

impl Pictures {
    /// Looks for them in a file. Quick and rough: the file need not be well-formed.
    pub(super) fn of(file: &[u8]) -> Self {
        let text = String::from_utf8_lossy(file);
        let tags = |name: &str| {
            let tags = text.split(name).skip(1).filter_map(|rest| rest.split_once('>'));
            tags.map(|(attributes, _)| attributes.to_owned()).collect::<Vec<_>>()
        };
        let is_media =
            |tag: &&String| attribute(tag, "medium").is_some_and(|medium| medium.eq_ignore_ascii_case("image"));
        let address = |tag: &String| attribute(tag, "url").map(|url| parsed(&url));
        Self {
            media: tags("<media:content").iter().filter(is_media).filter_map(address).collect(),
            enclosures: tags("<enclosure").iter().filter_map(address).collect(),
            covers: tags("<itunes:image").iter().filter_map(|tag| attribute(tag, "href")).collect(),
        }
    }

    /// Whether a file is said to be a picture, though not of which type.
    pub(super) fn has(&self, url: &Url) -> bool {
        self.media.contains(url.as_str())
    }

    /// Whether a file goes with the post, like the sound of a podcast, in place of being a picture of it.
    pub(super) fn is_enclosure(&self, url: &Url) -> bool {
        self.enclosures.contains(url.as_str())
    }

    /// Whether a picture is that of an episode of a podcast.
    pub(super) fn is_cover(&self, url: &str) -> bool {
        self.covers.contains(url)
    }
}

/// The address as a parser prints it.
fn parsed(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.to_owned(), String::from)
}

/// The value of an attribute among those of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|first| ['"', '\''].contains(first))?;
        let (value, behind) = after[1..].split_once(quote)?;
        if before.trim() == name {
            return Some(value.trim().replace("&amp;", "&").replace("&#38;", "&"));
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_what_is_said_about_them() {
        let file = "<rss><media:content url='https://a.example/1?a=b&amp;c' medium=\"image\" /><media:content\n medium = 'video' \
            url=\"https://a.example/2\"/><media:content url=\"https://a.example/3\"/><itunes:image href='https://a.example/4'/>\
            <enclosure url='https://a.example/6' type='image/png'/><media:content medium=image url='https://a.example/5'/><media:content";
        let pictures = Pictures::of(file.as_bytes());
        let has = |path: &str| pictures.has(&Url::parse(&format!("https://a.example/{path}")).unwrap());
        assert_eq!(["1?a=b&c", "2", "3", "4", "5"].map(has), [true, false, false, false, false]);
        let encloses = |path: &str| pictures.is_enclosure(&Url::parse(&format!("https://a.example/{path}")).unwrap());
        assert_eq!(["2", "6"].map(encloses), [false, true]);
        assert!(pictures.is_cover("https://a.example/4") && !pictures.is_cover("https://a.example/1"));
    }
}
