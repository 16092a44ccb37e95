//! Suggestions for mistyped keys and values.

use strsim::osa_distance;

/// Maximum length of a word that is compared, in characters; none of ours is nearly as long.
const MAX_LENGTH: usize = 60;
/// Maximum number of wrong letters. With more, a key of another program would be taken for one of ours.
const MAX_WRONG: usize = 2;

/// The known word that was probably meant, as a question in brackets after a space; empty if none is similar. Case does not
/// count.
pub(crate) fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let length = written.chars().count();
    if length > MAX_LENGTH {
        return String::new();
    }
    let written = written.to_lowercase();
    // In a short word, a few letters are a large part.
    let most = MAX_WRONG.min(length / 3);
    let distances = known.into_iter().map(|word| (osa_distance(&written, &word.to_lowercase()), word));
    let nearest = distances.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance);
    nearest.map(|(_, word)| format!(" (did you mean `{word}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_slips_are_taken_for_words() {
        for (written, expected) in [
            ("statuscheck", " (did you mean `statusCheck`?)"),
            ("stausCheck", " (did you mean `statusCheck`?)"),
            ("icno", " (did you mean `icon`?)"),
            ("icoooon", ""),
            ("url", ""),
            ("", ""),
        ] {
            assert_eq!(did_you_mean(written, ["icon", "statusCheck", "title"]), expected, "{written}");
        }
        assert_eq!(did_you_mean(&"a".repeat(1000), [""]), "");
    }
}
