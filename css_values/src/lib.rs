//! Which config texts are allowed in CSS. Anything accepted here can be put into a `style` attribute or a style sheet:
//! it cannot end its declaration, and colors and lengths load nothing.
//!
//! The tokens come from `cssparser`, which reads CSS as browsers do.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod color;
mod declaration;
mod imports;
mod length;

pub use color::{color, is_variable_name};
pub use declaration::{declarations, variable};
pub use imports::leading_imports;
pub use length::{Length, length};

use cssparser::{Delimiter, ParseError, Parser};

type ParseResult<T = ()> = Result<T, ParseError<()>>;

fn unexpected<T>() -> ParseResult<T> {
    Err(ParseError::unexpected_token())
}

/// Parses the whole text by a grammar. A text with an escape or a comment is rejected, and so is one that leaves a
/// bracket, a string or an address open: a semicolon after it must still end the declaration.
fn read<T>(text: &str, grammar: impl FnOnce(&mut Parser<'_>) -> ParseResult<T>) -> Option<T> {
    let is_plain = !text.contains(['\\', '<', '>', '{', '}'])
        && !text.contains("/*")
        && !text.chars().any(|character| character.is_control() && !matches!(character, '\t' | '\n' | '\r'));
    if !is_plain {
        return None;
    }
    let ended = format!("{text};");
    let mut parser = Parser::new(&ended);
    let value = parser.parse_until_before(Delimiter::Semicolon, grammar).ok()?;
    parser.expect_semicolon().ok()?;
    parser.is_exhausted().then_some(value)
}
