//! The style sheets that a style sheet imports.

use cssparser::{Parser, Token};

use crate::{ParseResult, unexpected};

/// The addresses of the `@import` rules with which a style sheet begins, and the rest of it. An import under a condition,
/// such as a media query, belongs to the rest.
#[must_use]
pub fn leading_imports(css: &str) -> (Vec<String>, &str) {
    let mut parser = Parser::new(css);
    let start = parser.position();
    let (mut addresses, mut rest) = (Vec::new(), css);
    while let Ok(address) = import(&mut parser) {
        addresses.push(address);
        rest = &css[parser.slice_from(start).len()..];
    }
    (addresses, rest)
}

fn import(input: &mut Parser<'_>) -> ParseResult<String> {
    match input.next()? {
        Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => {}
        _ => return unexpected(),
    }
    let address = input.expect_url_or_string()?.to_string();
    if !input.is_exhausted() {
        input.expect_semicolon()?;
    }
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_come_first() {
        for (css, expected, rest) in [
            ("@import 'a.css';b{}", vec!["a.css"], "b{}"),
            (
                "/* fonts */ @IMPORT url(https://fonts.test/css2?family=A:wght@400;700&display=swap);\n@import url(\"/b\") ; c{}",
                vec!["https://fonts.test/css2?family=A:wght@400;700&display=swap", "/b"],
                " c{}",
            ),
            ("@import 'a.css'", vec!["a.css"], ""),
            ("@import 'a.css' print;b{}", vec![], "@import 'a.css' print;b{}"),
            ("b{} @import 'a.css';", vec![], "b{} @import 'a.css';"),
            ("@import;", vec![], "@import;"),
            ("", vec![], ""),
        ] {
            assert_eq!(leading_imports(css), (expected.into_iter().map(str::to_owned).collect(), rest), "{css}");
        }
    }
}
