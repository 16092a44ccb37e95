//! Style settings from a config file that are not CSS values (those are checked by [`css_values`]): theme names, style
//! sheets, and the width of the page.

/// Whether a text is allowed as the name of a theme: anything that is safe in an attribute and a selector.
pub fn is_theme_name(name: &str) -> bool {
    !name.trim().is_empty()
        && name.len() <= 100
        && !name.contains(['"', '\'', '\\', '<', '>', '{', '}', ';', '[', ']'])
        && !name.chars().any(char::is_control)
}

/// A style sheet without tags, so that it cannot end the element around it (docs/spec/config.md 5.2, `customCss`).
pub fn without_tags(css: &str) -> String {
    let opens_tag =
        |next: Option<char>| next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'));
    let mut kept: Vec<char> = Vec::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find('<') {
        kept.extend(rest[..at].chars());
        let after = &rest[at + 1..];
        // A `<` in a media query such as `(width < 40rem)` is not a tag.
        match after.find('>').filter(|_| opens_tag(after.chars().next())) {
            Some(end) => rest = &after[end + 1..],
            None => {
                kept.push('<');
                rest = after;
            }
        }
    }
    kept.extend(rest.chars());
    // Removing a tag can turn the text around it into one, and a tag may have no end. Go backwards from the end, so
    // that each decision sees the text that really follows.
    let mut reversed: Vec<char> = Vec::with_capacity(kept.len());
    for character in kept.into_iter().rev() {
        if character != '<' || !opens_tag(reversed.last().copied()) {
            reversed.push(character);
        }
    }
    reversed.into_iter().rev().filter(|character| *character != '\0').collect()
}

/// A width (docs/spec/config.md 5.1, `contentMaxWidth`). A bare number is percent up to 100 and pixels above; otherwise
/// a number with `%`, `px`, `rem`, `em`, `vw` or `vh`.
pub fn width(text: &str) -> Option<String> {
    // People put a space before the unit.
    let text: String = text.split_whitespace().collect();
    let mut width = css_values::length(&text, &["px", "rem", "em", "vw", "vh"])?;
    if width.unit.is_empty() {
        width.unit = if width.number <= 100.0 { "%" } else { "px" }.to_owned();
    }
    (width.number > 0.0 && width.number < 1e6).then(|| width.to_string())
}
