//! A length on a page.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::text::scalar;

/// A CSS length: a number with a unit. A number without a unit is in pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Size(String);

/// The units of lengths that make sense for a picture or a frame.
const UNITS: [&str; 14] = ["px", "em", "rem", "vw", "vh", "vmin", "vmax", "ch", "ex", "cm", "mm", "in", "pt", "pc"];

impl Size {
    /// Parses a length.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        let length = css_values::length(written, &UNITS)?;
        let unit = if length.unit.is_empty() { "px" } else { "" };
        Some(Self(format!("{length}{unit}")))
    }

    /// A number of pixels.
    #[must_use]
    pub fn pixels(pixels: u32) -> Self {
        Self(format!("{pixels}px"))
    }

    /// The length as CSS.
    #[must_use]
    pub fn css(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&scalar(deserializer)?)
            .ok_or_else(|| de::Error::custom("must be a number of pixels or a CSS length such as 6.9rem"))
    }
}

#[cfg(feature = "server")]
super::schema!(Size, { "type": ["string", "number"] });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        for (written, expected) in [
            ("420", Some("420px")),
            ("6.9rem", Some("6.9rem")),
            ("50%", Some("50%")),
            (" 10 ", Some("10px")),
            ("10PX", Some("10px")),
            ("1.px", None),
            (".5em", Some("0.5em")),
            ("-1px", None),
            ("1.2.3px", None),
            ("10px;x", None),
            ("calc(1px)", None),
            ("auto", None),
        ] {
            assert_eq!(Size::parse(written).as_ref().map(Size::css), expected, "{written}");
        }
    }
}
