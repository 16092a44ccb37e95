//! Lists of texts in one line, as a form shows them: `blue, rgb(1, 2, 3), "one, two"`.

/// The texts of a line. A comma ends one, except in double quotes, in parentheses, and within a web address.
#[must_use]
pub fn read(line: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let after = if let Some((value, after)) = quoted(rest) {
            values.push(value);
            after
        } else {
            let (value, after) = plain(rest);
            values.extend((!value.is_empty()).then(|| value.to_owned()));
            after
        };
        rest = after.trim_start();
    }
    values
}

/// The line of some texts; `None` if they do not fit into one line.
#[must_use]
pub fn write(values: &[&str]) -> Option<String> {
    let written: Vec<String> = values
        .iter()
        .map(|value| if is_plain(value) { (*value).to_owned() } else { format!("\"{}\"", value.replace('"', "\"\"")) })
        .collect();
    let line = written.join(", ");
    (!line.contains(['\n', '\r']) && read(&line) == values).then_some(line)
}

/// Whether a text can stand beside others without quotes.
fn is_plain(value: &str) -> bool {
    let mut depth = 0_usize;
    for character in value.chars() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && !value.starts_with('"') && read(value) == [value]
}

/// The text in quotes at the start of a line, and what follows its comma. Two quotes in it stand for one.
fn quoted(line: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = line.strip_prefix('"')?;
    loop {
        let (before, after) = rest.split_once('"')?;
        value.push_str(before);
        if let Some(more) = after.strip_prefix('"') {
            value.push('"');
            rest = more;
            continue;
        }
        let after = after.trim_start();
        return if after.is_empty() { Some((value, "")) } else { Some((value, after.strip_prefix(',')?)) };
    }
}

/// The text at the start of a line, and what follows its comma.
fn plain(line: &str) -> (&str, &str) {
    // Where the parentheses that are open here are closed.
    let mut closed_at = 0;
    for (at, character) in line.char_indices() {
        let after = &line[at + character.len_utf8()..];
        match character {
            _ if at < closed_at => {}
            '(' => closed_at = closing(&line[at..]).map_or(0, |length| at + length),
            ',' if !(line[..at].contains("://") && continues_address(after)) => return (line[..at].trim_end(), after),
            _ => {}
        }
    }
    (line.trim_end(), "")
}

/// Where the parenthesis closes that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Whether a comma in an address belongs to it: it is followed neither by a space nor by another address.
fn continues_address(after: &str) -> bool {
    let scheme = after.split_once("://").map_or("", |(scheme, _)| scheme);
    let is_address = !scheme.is_empty() && scheme.chars().all(|character| character.is_ascii_alphanumeric());
    !after.is_empty() && !after.starts_with(char::is_whitespace) && !is_address
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FONTS: &str = "https://fonts.googleapis.com/css2?family=Lora:ital,wght@0,400;1,700&display=swap";

    #[test]
    fn commas_separate_texts_unless_they_belong_to_one() {
        for (line, values) in [
            ("", vec![]),
            (" , ,", vec![]),
            ("sea, trip ,land", vec!["sea", "trip", "land"]),
            (
                "#112233,rgb(1, 2, 3), color-mix(in srgb, var(--a, red), blue)",
                vec!["#112233", "rgb(1, 2, 3)", "color-mix(in srgb, var(--a, red), blue)"],
            ),
            ("a(b, c", vec!["a(b", "c"]),
            (FONTS, vec![FONTS]),
            (
                "https://a.example/x.css,https://b.example/y,z.css, c",
                vec!["https://a.example/x.css", "https://b.example/y,z.css", "c"],
            ),
            ("\"Cooks, and guests\", \"say \"\"hi\"\"\" , \"\"", vec!["Cooks, and guests", "say \"hi\"", ""]),
            ("\"open, b", vec!["\"open", "b"]),
            ("a \"b, c\"", vec!["a \"b", "c\""]),
        ] {
            assert_eq!(read(line), values, "{line}");
        }
    }

    #[test]
    fn texts_are_quoted_only_where_they_must_be() {
        for (values, line) in [
            (vec!["sea", "trip"], Some("sea, trip")),
            (vec![FONTS, "https://b.example/y.css"], Some(&*format!("{FONTS}, https://b.example/y.css"))),
            (vec!["rgb(1, 2, 3)", "red"], Some("rgb(1, 2, 3), red")),
            (vec!["CN=Cooks,OU=Galley", " x "], Some("\"CN=Cooks,OU=Galley\", \" x \"")),
            (vec!["a(b", "c)"], Some("\"a(b\", \"c)\"")),
            (vec!["two\nlines"], None),
        ] {
            assert_eq!(write(&values).as_deref(), line);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1024, ..ProptestConfig::default() })]

        #[test]
        fn every_list_that_is_shown_is_read_again(
            values in prop::collection::vec("(?:[a-c ,()\"\u{a0}é]|://|https://a|, |rgb\\(1, 2\\))*", 0..5)
        ) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let line = write(&values).expect("there are no line breaks");
            prop_assert_eq!(read(&line), values);
        }

        #[test]
        fn what_is_typed_is_the_same_after_it_was_written(line in "(?:[a-c ,()\"]|://|https://a)*") {
            let values = read(&line);
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            prop_assert_eq!(read(&write(&values).expect("there are no line breaks")), values);
        }
    }
}
