//! Declarations and variables: any value that cannot end its context.

use cssparser::{Parser, Token};

use crate::{ParseResult, is_variable_name, read, unexpected};

/// Declarations for a `style` attribute (docs/spec/config.md 7.1, `customStyles`): letters, digits, space and
/// `-:;.#%,()`, without any that loads or computes something. `None` if nothing is left.
#[must_use]
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
    read(text, |input| {
        let property = input.expect_ident_cloned()?;
        input.expect_colon()?;
        if loads(&property) || input.is_exhausted() {
            unexpected()
        } else {
            parse_value(input, &|token| !token_loads(token))
        }
    })
    .is_some()
}

fn token_loads(token: &Token<'_>) -> bool {
    match token {
        Token::UnquotedUrl(_) | Token::QuotedString(_) => true,
        Token::Function(name) => loads(name) || function_loads(name),
        Token::Ident(name) => loads(name),
        _ => false,
    }
}

/// Whether a name loads or computes something, in current or very old browsers.
fn loads(name: &str) -> bool {
    let name = name.to_lowercase();
    ["url", "expression", "image-set", "behavior", "-moz-binding", "javascript"].iter().any(|part| name.contains(part))
}

fn function_loads(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix("-webkit-").or_else(|| name.strip_prefix("-moz-")).unwrap_or(&name);
    matches!(name, "src" | "image" | "cross-fade" | "element" | "paint")
}

/// A CSS variable: its name without `--`, and its value. `None` if one of them could do more than set a variable.
#[must_use]
pub fn variable(name: &str, value: &str) -> Option<(String, String)> {
    let name = name.trim().trim_start_matches("--");
    let value = value.trim();
    let value = value.strip_suffix(';').unwrap_or(value).trim_end();
    let fits = !value.is_empty()
        && !value.chars().any(char::is_control)
        && is_variable_name(&format!("--{name}"))
        && read(value, |input| parse_value(input, &|_| true)).is_some();
    fits.then(|| (name.to_owned(), value.to_owned()))
}

/// Any tokens that the caller allows, except those that could end the declaration.
fn parse_value(input: &mut Parser<'_>, allows: &dyn Fn(&Token<'_>) -> bool) -> ParseResult {
    while !input.is_exhausted() {
        let token = input.next()?;
        let ends = token.is_parse_error()
            || matches!(
                token,
                Token::Semicolon | Token::CurlyBracketBlock | Token::AtKeyword(_) | Token::CDO | Token::CDC
            );
        if ends || !allows(token) {
            return unexpected();
        }
        if matches!(token, Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock) {
            input.parse_nested_block(|input| parse_value(input, allows))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_styles() {
        fn check(text: &str, expected: Option<&str>) {
            assert_eq!(declarations(text).as_deref(), expected, "{text:?}");
        }
        for (text, expected) in [
            ("border-left: 3px solid gold;", Some("border-left: 3px solid gold;")),
            ("color: #fff; margin: 0 5%", Some("color: #fff; margin: 0 5%;")),
            ("width: calc(100% - 2rem)", Some("width: calc(100% - 2rem);")),
            ("background: url(https://x)", None),
            ("background: u{r}l(x)", None),
            ("background: URL(x); color: red", Some("color: red;")),
            ("width: expression(alert(1))", None),
            ("behavior: x", None),
            ("color: red} body {display: none", Some("color: red body display: none;")),
            ("color: \"red\" <b>", Some("color: red b;")),
            ("transform: rotate(5deg", None),
            ("nothing", None),
            ("a:;:b", None),
            ("color: image(red)", None),
            ("color: -webkit-cross-fade(red)", None),
            ("color: var(--x); --y: red", Some("color: var(--x); --y: red;")),
            ("color: red)", None),
            ("color", None),
            ("color red: blue", None),
            ("", None),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn variables() {
        fn check(name: &str, value: &str, expected: Option<(&str, &str)>) {
            let found = variable(name, value);
            assert_eq!(
                found.as_ref().map(|(name, value)| (name.as_str(), value.as_str())),
                expected,
                "{name}: {value}"
            );
        }
        for (name, value, expected) in [
            ("primary", "#ffd166", Some(("primary", "#ffd166"))),
            ("--primary", "red", Some(("primary", "red"))),
            (
                "item-shadow",
                "0 2px 4px rgba(0, 0, 0, .5), none",
                Some(("item-shadow", "0 2px 4px rgba(0, 0, 0, .5), none")),
            ),
            ("font-body", "'Open Sans', \"x)\", serif", Some(("font-body", "'Open Sans', \"x)\", serif"))),
            ("a", "red;", Some(("a", "red"))),
            ("a", "url(/x.png)", Some(("a", "url(/x.png)"))),
            ("a", "red; color: blue", None),
            ("a", "red}", None),
            ("a", "</style>", None),
            ("a", "rgb(1", None),
            ("a", "'x", None),
            ("a", "x)", None),
            ("a", "\\65", None),
            ("a", "/* x", None),
            ("a", "a/**/b", None),
            ("a", "'a\nb'", None),
            ("a", "url(x", None),
            ("a", "url(a\"b)", None),
            ("a", "(a; b)", None),
            ("a", "[x)", None),
            ("a", "@import x", None),
            ("a", "-->", None),
            ("a", "url(data:image/png;base64,AA==)", Some(("a", "url(data:image/png;base64,AA==)"))),
            ("a", "", None),
            ("a b", "red", None),
            ("a:b", "red", None),
            ("", "red", None),
        ] {
            check(name, value, expected);
        }
    }
}
