//! The word that was probably meant, for mistyped keys, names and values.

/// Maximum length of a word that is compared, in characters; none of ours is nearly as long.
const MAX_LENGTH: usize = 60;
/// Maximum number of wrong letters. With more, a word of another program would be taken for one of ours.
const MAX_WRONG: usize = 2;

/// The most similar known word, ignoring case, if it barely differs.
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
    use super::nearest;

    #[test]
    fn a_word_with_a_slip_is_found_and_another_word_is_not() {
        for (written, expected) in [
            ("statuscheck", Some("statusCheck")),
            ("stausCheck", Some("statusCheck")),
            ("icno", Some("icon")),
            ("icoooon", None),
            ("url", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, ["icon", "statusCheck", "title"]), expected, "{written}");
        }
        assert_eq!(nearest(&"a".repeat(1000), [""]), None);
    }
}
