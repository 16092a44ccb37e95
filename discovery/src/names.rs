//! Names with `*` for any characters.

/// Whether a name matches a pattern.
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether a name matches one of several patterns.
pub fn matches_any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, name, expected) in [
            ("plex", "plex", true),
            ("plex", "plex-2", false),
            ("*-db", "media-db", true),
            ("*-db", "media-db-1", false),
            ("media-*", "media-", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "ac", false),
            ("aa*a", "aa", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
