//! Lengths: a number with a unit.

use cssparser::Token;

use crate::{read, unexpected};

/// A number that is not negative, and its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Length {
    /// The number.
    pub number: f32,
    /// The unit in lower case, `%`, or nothing if the text is a number alone.
    pub unit: String,
}

impl std::fmt::Display for Length {
    /// As in CSS, except for a number without a unit.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}{}", self.number, self.unit)
    }
}

/// Parses a number with one of these units, with `%`, or without a unit.
#[must_use]
pub fn length(text: &str, units: &[&str]) -> Option<Length> {
    let length = read(text, |input| {
        Ok(match input.next()? {
            Token::Number { value, .. } => Length { number: *value, unit: String::new() },
            // Dividing by a hundred and multiplying again could change the number.
            Token::Percentage { .. } => Length {
                number: text.trim().trim_end_matches('%').parse().or_else(|_| unexpected())?,
                unit: "%".to_owned(),
            },
            Token::Dimension { value, unit, .. } => Length { number: *value, unit: unit.to_ascii_lowercase() },
            _ => return unexpected(),
        })
    })?;
    let is_known = ["", "%"].contains(&length.unit.as_str()) || units.contains(&length.unit.as_str());
    (is_known && (0.0..1e9).contains(&length.number)).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        for (text, expected) in [
            ("420", Some("420")),
            ("6.9rem", Some("6.9rem")),
            (" 85.5% ", Some("85.5%")),
            (".5REM", Some("0.5rem")),
            ("1e3px", Some("1000px")),
            ("+1px", Some("1px")),
            ("-1px", None),
            ("1.px", None),
            ("1 px", None),
            ("1.2.3px", None),
            ("1px 2px", None),
            ("1px;", None),
            ("1em", None),
            ("1px/**/", None),
            ("1\\70x", None),
            ("calc(1px)", None),
            ("1e99", None),
            ("auto", None),
            ("", None),
        ] {
            assert_eq!(length(text, &["px", "rem"]).map(|length| length.to_string()).as_deref(), expected, "{text:?}");
        }
    }
}
