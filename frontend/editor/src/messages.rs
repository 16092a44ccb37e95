//! Messages about problems of the config, as forms show them.

/// A message as a sentence: with a capital letter at the start, unless it begins with the name of an option, such as
/// `monthsToShow`.
pub fn sentence(message: &str) -> String {
    if message.chars().take_while(|letter| !letter.is_whitespace()).any(char::is_uppercase) {
        return message.to_owned();
    }
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Whether a problem of a widget is about the option with this key, as the words of the check say: it begins with the key,
/// or says to set the option.
pub fn names_option(message: &str, key: &str) -> bool {
    let named = message.strip_prefix("Set the option ").unwrap_or(message).trim_start_matches('`');
    named.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', '`', '.', ':', '[']))
}

#[cfg(test)]
mod tests {
    use super::{names_option, sentence};

    #[test]
    fn messages_are_sentences_that_leave_names_as_they_are() {
        assert_eq!(sentence("too short"), "Too short");
        assert_eq!(sentence("monthsToShow must be 1 to 12"), "monthsToShow must be 1 to 12");
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn a_problem_names_its_option() {
        for message in [
            "count must be 1 to 20.",
            "Set the option `count` to a number.",
            "`count` is no number.",
            "count[2] is left out.",
        ] {
            assert!(names_option(message, "count"), "{message}");
            assert!(!names_option(message, "coun") && !names_option(message, "country"), "{message}");
        }
        assert!(!names_option("The service cannot be reached.", "count"));
    }
}
