//! What somebody may have meant who wrote the name of no type.

use super::Kind;

/// Longest name that is looked at; none of ours is nearly as long.
const LONGEST: usize = 60;
/// How many letters may be wrong. With more, the widgets of existing files that we lack would be taken for their sisters.
const MAX_WRONG: usize = 2;

impl Kind {
    /// The name of a type that is most like this one, if one is hardly different.
    #[must_use]
    pub fn nearest_name(written: &str) -> Option<&'static str> {
        let written = written.trim().to_ascii_lowercase();
        let length = written.chars().count();
        if length > LONGEST {
            return None;
        }
        // Of a short name few letters say much.
        let most = MAX_WRONG.min(length / 3);
        let names = Self::ALL.iter().flat_map(|kind| kind.names());
        let distances = names.map(|name| (strsim::osa_distance(&written, &name.to_ascii_lowercase()), name));
        distances.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
    }
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
