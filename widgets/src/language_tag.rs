//! Language tags, which browsers accept only if they are well-formed.

/// The language tag with hyphens, if it is well-formed (BCP 47, without the parts that browsers do not support);
/// browsers throw an exception for all others.
pub(crate) fn language_tag(written: &str) -> Option<String> {
    let tag = written.replace('_', "-");
    let parts: Vec<&str> = tag.split('-').collect();
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (language, rest) = parts.split_first()?;
    let is_language = matches!(language.len(), 2 | 3 | 5..=8) && is_letters(language);
    let extension = rest.iter().position(|part| part.len() == 1).unwrap_or(rest.len());
    let (names, extensions) = rest.split_at(extension);
    let fits = parts.iter().all(|part| is_word(part)) && is_language && are_names(names) && are_extensions(extensions);
    fits.then_some(tag)
}

fn is_letters(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether these subtags are a script, a region and variants, each optional.
fn are_names(mut parts: &[&str]) -> bool {
    let is_script = |part: &str| part.len() == 4 && is_letters(part);
    let is_region = |part: &str| match part.len() {
        2 => is_letters(part),
        3 => part.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    let is_variant = |part: &str| match part.len() {
        4 => part.starts_with(|first: char| first.is_ascii_digit()),
        5..=8 => true,
        _ => false,
    };
    let kinds: [&dyn Fn(&str) -> bool; 2] = [&is_script, &is_region];
    for is_kind in kinds {
        parts = parts.split_first().filter(|(part, _)| is_kind(part)).map_or(parts, |(_, rest)| rest);
    }
    parts
        .iter()
        .enumerate()
        .all(|(index, part)| is_variant(part) && !parts[..index].iter().any(|former| former.eq_ignore_ascii_case(part)))
}

/// Whether these subtags are extensions: unique single letters, each followed by something. Anything may follow an `x`.
fn are_extensions(parts: &[&str]) -> bool {
    let mut letters = String::new();
    let mut rest = parts;
    while let Some((letter, behind)) = rest.split_first() {
        let letter = letter.to_ascii_lowercase();
        if letter == "x" {
            return !behind.is_empty() && behind.iter().all(|part| part.len() <= 8);
        }
        let length = behind.iter().position(|part| part.len() == 1).unwrap_or(behind.len());
        if letters.contains(&letter) || length == 0 || behind[..length].iter().any(|part| part.len() > 8) {
            return false;
        }
        letters.push_str(&letter);
        rest = &behind[length..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_languages_are_well_formed() {
        for (written, expected) in [
            ("en-GB", Some("en-GB")),
            ("en_GB", Some("en-GB")),
            ("zh-Hant-TW", Some("zh-Hant-TW")),
            ("de-DE-u-co-phonebk", Some("de-DE-u-co-phonebk")),
            ("es-419", Some("es-419")),
            ("sl-rozaj", Some("sl-rozaj")),
            ("de-1996", Some("de-1996")),
            ("sr-Latn-RS-ekavsk-x-a", Some("sr-Latn-RS-ekavsk-x-a")),
            ("en-u-hc-h12-t-de", Some("en-u-hc-h12-t-de")),
            ("en-GBR", None),
            ("eng-british", Some("eng-british")),
            ("en-GB-Latn", None),
            ("en-GB-US", None),
            ("en-4a", None),
            ("de-1996-1996", None),
            ("en-u-hc-h12-u-ca-gregory", None),
            ("en-x", None),
            ("e", None),
            ("en-", None),
            ("en--GB", None),
            ("en-GB-u", None),
            ("english language", None),
            ("12", None),
            ("", None),
        ] {
            assert_eq!(language_tag(written).as_deref(), expected, "{written}");
        }
    }
}
