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

    /// This length, or as many pixels if it is longer. Lengths that depend on a font or on the window are estimated.
    #[must_use]
    pub fn at_most(self, pixels: u32) -> Self {
        let is_longer = css_values::length(&self.0, &UNITS)
            .is_some_and(|length| f64::from(length.number) * pixels_in(&length.unit) > f64::from(pixels));
        if is_longer { Self::pixels(pixels) } else { self }
    }

    /// The length as CSS.
    #[must_use]
    pub fn css(&self) -> &str {
        &self.0
    }
}

/// The number of pixels in a unit: exactly, or in a usual font and window.
fn pixels_in(unit: &str) -> f64 {
    match unit {
        "px" => 1.0,
        "em" | "rem" | "pc" => 16.0,
        "ch" | "ex" => 8.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "pt" => 96.0 / 72.0,
        // A hundredth of the window.
        _ => 10.0,
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
    fn lengths_end_at_a_number_of_pixels() {
        for (written, expected) in [
            ("2000", "2000px"),
            ("2000.5", "2000px"),
            ("126rem", "2000px"),
            ("125rem", "125rem"),
            ("30in", "2000px"),
            ("50vh", "50vh"),
        ] {
            assert_eq!(Size::parse(written).map(|size| size.at_most(2000).0).as_deref(), Some(expected), "{written}");
        }
    }

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
