//! Suggestions for a mistyped name of a type.

use nearest::nearest;

use super::Kind;

impl Kind {
    /// The most similar name of a type, if it barely differs.
    #[must_use]
    pub fn nearest_name(written: &str) -> Option<&'static str> {
        nearest(written.trim(), Self::ALL.iter().flat_map(|kind| kind.names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_slip_is_found_and_another_is_not() {
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
