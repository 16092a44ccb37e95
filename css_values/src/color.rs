//! Colors, as in CSS Color 5 (<https://www.w3.org/TR/css-color-5/>), without the colors of the system.

use cssparser::{
    Parser, Token,
    color::{PredefinedColorSpace, parse_hash_color, parse_named_color},
    match_ignore_ascii_case,
};

use crate::{ParseResult, read, unexpected};

/// Colors may contain colors; this is the maximum depth.
const MAX_DEPTH: u8 = 4;

/// The trimmed color, if the text is a CSS color and nothing else.
#[must_use]
pub fn color(text: &str) -> Option<&str> {
    let text = text.trim();
    read(text, |input| parse_color(input, 0)).map(|()| text)
}

/// Whether a text is the name of a CSS variable, such as `--primary`.
#[must_use]
pub fn is_variable_name(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

fn parse_color(input: &mut Parser<'_>, depth: u8) -> ParseResult {
    if depth > MAX_DEPTH {
        return unexpected();
    }
    let name = match input.next()? {
        Token::Hash(digits) | Token::IDHash(digits) => {
            return parse_hash_color(digits.as_bytes()).map(drop).or_else(|()| unexpected());
        }
        Token::Ident(name) => {
            let is_color = ["transparent", "currentcolor"].iter().any(|word| name.eq_ignore_ascii_case(word))
                || parse_named_color(name).is_ok();
            return if is_color { Ok(()) } else { unexpected() };
        }
        Token::Function(name) => name.clone(),
        _ => return unexpected(),
    };
    input.parse_nested_block(|input| {
        match_ignore_ascii_case! { &name,
            "rgb" | "rgba" | "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" => {
                parse_origin(input, depth)?;
                parse_components(input)
            },
            "color" => {
                parse_origin(input, depth)?;
                parse_color_space(input)?;
                parse_components(input)
            },
            "color-mix" => parse_mix(input, depth),
            "light-dark" => {
                parse_color(input, depth + 1)?;
                input.expect_comma()?;
                parse_color(input, depth + 1)
            },
            "var" => parse_variable(input, |fallback| parse_color(fallback, depth + 1)),
            _ => unexpected(),
        }
    })
}

/// `from <color>`, if present.
fn parse_origin(input: &mut Parser<'_>, depth: u8) -> ParseResult {
    if input.try_parse(|input| input.expect_ident_matching("from")).is_ok() {
        parse_color(input, depth + 1)?;
    }
    Ok(())
}

fn parse_color_space(input: &mut Parser<'_>) -> ParseResult {
    if input.try_parse(PredefinedColorSpace::parse).is_ok() {
        return Ok(());
    }
    if is_variable_name(input.expect_ident()?) { Ok(()) } else { unexpected() }
}

/// Three components and optionally an opacity, all separated by commas, or by spaces and a slash. A variable can stand
/// for several of them.
fn parse_components(input: &mut Parser<'_>) -> ParseResult {
    let (mut count, mut commas, mut slashes, mut variables) = (0, 0, 0, 0);
    loop {
        if parse_component(input)? {
            variables += 1;
        }
        count += 1;
        if input.is_exhausted() {
            break;
        }
        if input.try_parse(Parser::expect_comma).is_ok() {
            commas += 1;
        } else if input.try_parse(|input| input.expect_delim('/')).is_ok() {
            slashes += 1;
        }
    }
    let min = if variables > 0 { 1 } else { 3 };
    let divided = if commas > 0 { commas == count - 1 && slashes == 0 } else { slashes <= 1 };
    if (min..=4).contains(&count) && divided { Ok(()) } else { unexpected() }
}

/// A component, and whether it is a variable.
fn parse_component(input: &mut Parser<'_>) -> ParseResult<bool> {
    let name = match input.next()? {
        Token::Number { .. } | Token::Percentage { .. } => return Ok(false),
        Token::Dimension { unit, .. } if is_angle(unit) => return Ok(false),
        Token::Ident(name) if is_channel(name) => return Ok(false),
        Token::Function(name) => name.clone(),
        _ => return unexpected(),
    };
    input.parse_nested_block(|input| {
        match_ignore_ascii_case! { &name,
            "var" => parse_variable(input, |fallback| parse_component(fallback).map(drop)).map(|()| true),
            "calc" => parse_calculation(input).map(|()| false),
            _ => unexpected(),
        }
    })
}

fn is_angle(unit: &str) -> bool {
    ["deg", "rad", "grad", "turn"].iter().any(|angle| unit.eq_ignore_ascii_case(angle))
}

/// The channels of the color that another one is derived from, and `none`.
fn is_channel(name: &str) -> bool {
    const CHANNELS: [&str; 14] = ["r", "g", "b", "h", "s", "l", "w", "a", "c", "x", "y", "z", "alpha", "none"];
    CHANNELS.iter().any(|channel| name.eq_ignore_ascii_case(channel))
}

/// Numbers, channels and variables with operators. Their order affects the look, not safety.
fn parse_calculation(input: &mut Parser<'_>) -> ParseResult {
    let mut is_empty = true;
    while !input.is_exhausted() {
        is_empty = false;
        let is_operator = input.try_parse(|input| match input.next() {
            Ok(Token::Delim('+' | '-' | '*' | '/')) => Ok(()),
            _ => Err(()),
        });
        if is_operator.is_ok() {
            continue;
        }
        if input.try_parse(Parser::expect_parenthesis_block).is_ok() {
            input.parse_nested_block(parse_calculation)?;
        } else {
            parse_component(input)?;
        }
    }
    if is_empty { unexpected() } else { Ok(()) }
}

/// `in <space> [<hue> hue]?, <part>, <part>`
fn parse_mix(input: &mut Parser<'_>, depth: u8) -> ParseResult {
    input.expect_ident_matching("in")?;
    let mut words = 0;
    while input.try_parse(Parser::expect_comma).is_err() {
        input.expect_ident()?;
        words += 1;
    }
    parse_part(input, depth)?;
    input.expect_comma()?;
    parse_part(input, depth)?;
    if (1..=3).contains(&words) { Ok(()) } else { unexpected() }
}

/// A color with its share, which can come before or after it.
fn parse_part(input: &mut Parser<'_>, depth: u8) -> ParseResult {
    let has_share = input.try_parse(Parser::expect_percentage).is_ok();
    parse_color(input, depth + 1)?;
    if !has_share {
        let _without_share = input.try_parse(Parser::expect_percentage);
    }
    Ok(())
}

/// The inside of `var()`: a name, and optionally a fallback that must also be valid.
fn parse_variable(input: &mut Parser<'_>, fallback: impl FnOnce(&mut Parser<'_>) -> ParseResult) -> ParseResult {
    if !is_variable_name(input.expect_ident()?) {
        return unexpected();
    }
    if input.try_parse(Parser::expect_comma).is_ok() { fallback(input) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        assert_eq!(color(text).is_some(), expected, "{text:?}");
    }

    #[test]
    fn colors() {
        for text in [
            "#fff",
            "#FFFF",
            "#1b2d3c",
            "#c30c844a",
            "red",
            "RebeccaPurple",
            "transparent",
            "currentColor",
            "rgb(1,2,3)",
            "rgba(1, 2, 3, .5)",
            "rgb(1 2 3 / 50%)",
            "rgb(10%,20%,30%)",
            "hsl(120deg 50% 50%)",
            "hsla(120, 50%, 50%, 0.3)",
            "hwb(0.5turn 0% 0%)",
            "lab(50% 40 59.5)",
            "lch(52.2% 72.2 50)",
            "oklab(59% 0.1 0.1 / .5)",
            "oklch(60% 0.15 50)",
            "oklch(from var(--a) l c h)",
            "color(display-p3 1 0.5 0)",
            "color(srgb 1 1 1 / 50%)",
            "color-mix(in srgb, red 40%, #00f)",
            "color-mix(in hsl longer hue, rgb(1,2,3), var(--x))",
            "var(--primary)",
            "var(--x, #fff)",
            "var(--x, var(--y, red))",
            "rgb(var(--r), 2, 3)",
            "hsl(calc(120 + 20) 50% 50%)",
            "light-dark(#fff, #000)",
            " gold ",
            "rgb(none 0 0)",
            "rgb(1e2 0 0)",
            "rgb(var(--channels))",
            "rgba(var(--channels), .5)",
            "RGB(1, 2, 3)",
            "rgb(calc((1 + 2) * var(--n)) 2 3)",
            "color(from red xyz-d50 x y z / .5)",
            "color-mix(in oklab, 40% red, blue 60%)",
        ] {
            check(text, true);
        }
        for text in [
            "",
            "#ff",
            "#fffff",
            "#ggg",
            "notacolor",
            "rgb(1,2)",
            "rgb(1,2,3",
            "rgb(1,2,3))",
            "rgb(1,2,3); color: red",
            "red;",
            "red}",
            "url(x)",
            "rgb(url(x),1,1)",
            "expression(alert(1))",
            "var(x)",
            "var(--x;)",
            "var(--)",
            "var(--x, url(x))",
            "red blue",
            "rgb(1 2 3 / 4 / 5)",
            "#fff\"",
            "red/**/",
            "image(red)",
            "calc(1)",
            "rgb(calc(url(x)) 1 1)",
            "color(madeup 1 1 1)",
            "color-mix(in srgb, red)",
            "inherit",
            "</style>",
            "r\\65 d",
            "red\\",
            "rgb(1,2,3",
            "rgb(1,2,3 / .5)",
            "rgb(1,2 3)",
            "rgb(1,2,3,4,5)",
            "rgb()",
            "rgb(1,2,3,)",
            "rgb(calc() 2 3)",
            "rgb(calc((1) 2 3)",
            "var(--x) red",
            "var(--x,)",
            "var(--x, red; color: blue)",
            "color-mix(in srgb, red, url(x))",
            "color-mix(red, blue)",
            "light-dark(red)",
            "light-dark(red, blue, red)",
            "'red'",
            "red!important",
            "@red",
            "red\0",
            "rgb(1,2,\"3\")",
            "var(--a,var(--a,var(--a,var(--a,var(--a,var(--a,red))))))",
        ] {
            check(text, false);
        }
    }
}
