//! Colors as the lines of a config.

/// The colors of a theme as lines of `conf.yml`; `colors` are variables and their values.
#[must_use]
pub fn lines(theme: &str, colors: &[(String, String)]) -> String {
    let mut text = format!("appConfig:\n  customColors:\n    {}:\n", key(theme));
    for (name, value) in colors {
        text.push_str(&["      ", &key(name), ": ", &quoted(value), "\n"].concat());
    }
    text
}

/// A key, quoted unless it is a plain word.
fn key(name: &str) -> String {
    let is_word = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    if is_word { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    ["'", &text.replace('\'', "''"), "'"].concat()
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn values_and_unusual_names_are_quoted() {
        let colors =
            [("primary", "#ff8800"), ("font-body", "'Mine', serif")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(
            lines("my theme", &colors),
            "appConfig:\n  customColors:\n    'my theme':\n      primary: '#ff8800'\n      font-body: '''Mine'', serif'\n"
        );
    }
}
