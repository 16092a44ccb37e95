//! Names of widget types as people write them.

use super::Kind;

/// Names that are more than their words.
const WHOLE: [(&str, &str); 4] = [
    ("apod", "Astronomy picture of the day"),
    ("html-embed", "HTML embed"),
    ("iframe", "Web page in a frame"),
    ("system-disk-io", "System disk I/O"),
];

/// How words are spelled that are not plain lower case.
const SPELLINGS: [(&str, &str); 20] = [
    ("api", "API"),
    ("apod", "APOD"),
    ("ci", "CI"),
    ("covid", "COVID"),
    ("cpu", "CPU"),
    ("cve", "CVE"),
    ("dns", "DNS"),
    ("eth", "Ethereum"),
    ("gpu", "GPU"),
    ("hackernews", "Hacker News"),
    ("html", "HTML"),
    ("io", "I/O"),
    ("ip", "IP"),
    ("nas", "NAS"),
    ("php", "PHP"),
    ("ram", "RAM"),
    ("rss", "RSS"),
    ("tfl", "TfL"),
    ("v6", "(v6)"),
    ("vpn", "VPN"),
];

impl Kind {
    /// Its name for people: `public-holidays` is “Public holidays”.
    #[must_use]
    pub fn title(self) -> String {
        title_of(self.name())
    }
}

/// A name in lower case with hyphens, as people write it.
#[must_use]
pub fn title_of(name: &str) -> String {
    if let Some((_, title)) = WHOLE.iter().find(|(whole, _)| *whole == name) {
        return (*title).to_owned();
    }
    let spelled = |word| SPELLINGS.iter().find(|(plain, _)| *plain == word).map_or(word, |(_, spelling)| *spelling);
    let title = name.split('-').map(spelled).collect::<Vec<_>>().join(" ");
    let mut letters = title.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_people_write_them() {
        for (kind, title) in [
            (Kind::PublicHolidays, "Public holidays"),
            (Kind::HtmlEmbed, "HTML embed"),
            (Kind::SystemDiskIo, "System disk I/O"),
            (Kind::MetricsRamHistory, "Metrics RAM history"),
            (Kind::ApiResponse, "API response"),
            (Kind::TflStatus, "TfL status"),
            (Kind::DnsSinkholeStatsV6, "DNS sinkhole stats (v6)"),
        ] {
            assert_eq!(kind.title(), title);
        }
    }

    #[test]
    fn no_title_is_that_of_another_type() {
        let mut titles: Vec<_> = Kind::ALL.iter().map(|kind| kind.title()).collect();
        titles.sort();
        titles.dedup();
        assert_eq!(titles.len(), Kind::ALL.len());
    }
}
