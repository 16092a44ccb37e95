//! What somebody may have meant who mistyped the name of a type, or a word that types are searched by.

use super::Kind;

/// Longest word that is compared; none of ours is nearly as long.
const MAX_LENGTH: usize = 60;
/// How many letters may be wrong. With more, the widgets of existing files that we lack would be taken for their sisters.
const MAX_WRONG: usize = 2;

impl Kind {
    /// The name of a type that is most like this one, if one is hardly different.
    #[must_use]
    pub fn nearest_name(written: &str) -> Option<&'static str> {
        nearest(written.trim(), Self::ALL.iter().flat_map(|kind| kind.names()))
    }
}

/// The word that is most like this one in any case, if one is hardly different.
pub(super) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = written.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let written = written.to_lowercase();
    // Of a short word few letters say much.
    let max = MAX_WRONG.min(length / 3);
    let distances = known.into_iter().map(|word| (strsim::osa_distance(&written, &word.to_lowercase()), word));
    distances.filter(|(distance, _)| *distance <= max).min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_slips_are_taken_for_names() {
        for (written, expected) in [
            ("wether", Some("weather")),
            ("Clocks", Some("clock")),
            (" rss-fede ", Some("rss-feed")),
            ("pihole-stats-v6", Some("pi-hole-stats-v6")),
            ("weather_forecast", Some("weather-forecast")),
            ("nd-net-history", None),
            ("hackernews", None),
            ("dsb", None),
            ("nonsense", None),
            ("", None),
        ] {
            assert_eq!(Kind::nearest_name(written), expected, "{written}");
        }
        assert_eq!(Kind::nearest_name(&"weather".repeat(1000)), None);
    }
}
