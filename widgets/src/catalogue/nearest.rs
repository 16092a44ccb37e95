//! Suggestions for a mistyped name of a type, or for a mistyped search word.

use super::Kind;

/// Maximum length of a word that is compared; none of ours is nearly as long.
const MAX_LENGTH: usize = 60;
/// Maximum number of wrong letters. With more, widgets that we lack would be confused with similar ones that we have.
const MAX_WRONG: usize = 2;

impl Kind {
    /// The most similar name of a type, if it barely differs.
    #[must_use]
    pub fn nearest_name(written: &str) -> Option<&'static str> {
        nearest(written.trim(), Self::ALL.iter().flat_map(|kind| kind.names()))
    }
}

/// The most similar word, ignoring case, if it barely differs.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = written.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let written = written.to_lowercase();
    // In a short word, a few letters are a large part.
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
