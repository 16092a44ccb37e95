//! Pieces of CSS that come from a config file: whatever leaves this module cannot end the place where it is put.

/// Declarations for a `style` attribute (docs/spec/config.md 7.1, `customStyles`): letters, digits, space and
/// `-:;.#%,()`, and none that loads or computes something. None if nothing is left.
pub fn declarations(text: &str) -> Option<String> {
    let allowed = |character: &char| {
        character.is_alphanumeric() || matches!(character, ' ' | '-' | ':' | ';' | '.' | '#' | '%' | ',' | '(' | ')')
    };
    let kept: String =
        text.chars().map(|character| if character.is_whitespace() { ' ' } else { character }).filter(allowed).collect();
    let declarations: Vec<_> =
        kept.split(';').map(str::trim).filter(|declaration| is_declaration(declaration)).collect();
    (!declarations.is_empty()).then(|| format!("{};", declarations.join("; ")))
}

fn is_declaration(text: &str) -> bool {
    let Some((property, value)) = text.split_once(':') else { return false };
    let lower = text.to_lowercase();
    let loads = ["url", "expression", "image-set", "behavior", "-moz-binding", "javascript"];
    !property.trim().is_empty()
        && !value.trim().is_empty()
        && !loads.iter().any(|word| lower.contains(word))
        && is_balanced(text)
}

/// A CSS variable: its name without `--`, and its value; none if one of them could do more than set a variable.
pub fn variable(name: &str, value: &str) -> Option<(String, String)> {
    let name = name.trim().trim_start_matches("--");
    let name_fits = !name.is_empty()
        && name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_'));
    let value = value.trim();
    let value = value.strip_suffix(';').unwrap_or(value).trim_end();
    (name_fits && is_value(value)).then(|| (name.to_owned(), value.to_owned()))
}

/// Whether a text can stand as the value of a declaration in a style sheet inside of a page.
fn is_value(text: &str) -> bool {
    !text.is_empty()
        && !text.contains([';', '{', '}', '<', '>', '\\', '@'])
        && !text.contains("/*")
        && !text.chars().any(char::is_control)
        && is_balanced(text)
}

/// Whether brackets and quotes close again.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for character in text.chars() {
        match (character, open.last()) {
            (quote, Some(last @ ('"' | '\''))) if quote == *last => drop(open.pop()),
            (_, Some('"' | '\'')) => {}
            ('"' | '\'', _) => open.push(character),
            ('(', _) => open.push(')'),
            ('[', _) => open.push(']'),
            (')' | ']', last) => {
                if last != Some(&character) {
                    return false;
                }
                open.pop();
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// Whether a name can be that of a theme: anything that fits into an attribute and a selector.
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
    // What was around a tag may now be one, and a tag may lack its end. From the end, so that each decision sees
    // what really follows.
    let mut reversed: Vec<char> = Vec::with_capacity(kept.len());
    for character in kept.into_iter().rev() {
        if character != '<' || !opens_tag(reversed.last().copied()) {
            reversed.push(character);
        }
    }
    reversed.into_iter().rev().filter(|character| *character != '\0').collect()
}

/// A width (docs/spec/config.md 5.1, `contentMaxWidth`): a bare number up to 100 is percent, above it pixels; otherwise
/// a number with `%`, `px`, `rem`, `em`, `vw` or `vh`.
pub fn width(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..digits], text[digits..].trim_start());
    let value: f64 = number.parse().ok().filter(|value| *value > 0.0 && *value < 1e6)?;
    let unit = match unit {
        "" if value <= 100.0 => "%",
        "" => "px",
        "%" | "px" | "rem" | "em" | "vw" | "vh" => unit,
        _ => return None,
    };
    Some(format!("{value}{unit}"))
}
