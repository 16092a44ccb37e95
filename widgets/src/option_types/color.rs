//! Colors that are safe in a style.

use serde::{Deserialize, Deserializer, Serialize, de};

use super::text::scalar;

/// A CSS color with valid syntax, so that nothing else can be injected into a style.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Color(String);

impl Color {
    /// Parses any CSS color ([`css_values::color`]), or the name of a variable, `--x`.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        let written = written.trim();
        if css_values::is_variable_name(written) {
            return Some(Self(format!("var({written})")));
        }
        css_values::color(written).map(|color| Self(color.to_owned()))
    }

    /// A shade of the color, mixed with the color of the surrounding text, to tell series apart when the color has
    /// already been used `before` times. There are three shades, which then repeat. A color that differs by color
    /// scheme has no shades.
    #[must_use]
    pub fn shade(self, before: usize) -> Self {
        let share = match before % 3 {
            1 => 40,
            2 => 70,
            _ => return self,
        };
        if self.0.to_ascii_lowercase().starts_with("light-dark(") {
            return self;
        }
        Self::parse(&format!("color-mix(in oklab, {}, currentcolor {share}%)", self.0)).unwrap_or(self)
    }

    /// A built-in color.
    ///
    /// # Panics
    ///
    /// If the color is invalid, which the first test that uses it will find.
    #[must_use]
    pub fn fixed(css: &'static str) -> Self {
        Self::parse(css).expect("colors in the code are colors")
    }

    /// The pale color of what is left of a whole, such as idle time (`style/_parts-charts.scss`).
    #[must_use]
    pub fn rest() -> Self {
        Self::fixed("--series-rest")
    }

    /// The color as CSS.
    #[must_use]
    pub fn css(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&scalar(deserializer)?).ok_or_else(|| de::Error::custom("must be a CSS color"))
    }
}

#[cfg(feature = "server")]
super::schema!(Color, { "type": "string" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colors_are_colors() {
        for (written, expected) in [
            ("#7cd6fd", Some("#7cd6fd")),
            (" #FFF8 ", Some("#FFF8")),
            ("rgb(1, 2, 3)", Some("rgb(1, 2, 3)")),
            ("hsl(120deg 50% 50% / .5)", Some("hsl(120deg 50% 50% / .5)")),
            ("RebeccaPurple", Some("RebeccaPurple")),
            ("transparent", Some("transparent")),
            ("--widget-text-color", Some("var(--widget-text-color)")),
            ("var(--myColor)", Some("var(--myColor)")),
            ("#12345", None),
            ("#ggg", None),
            ("rgb(1,2)", None),
            ("rgb(1,2,url(x))", None),
            ("var(--x;color:red)", None),
            ("var(--x, url(//evil))", None),
            ("red;background:url(x)", None),
            ("light-dark(rgb(1, 2, 3), #fff)", Some("light-dark(rgb(1, 2, 3), #fff)")),
            ("light-dark(red, url(x))", None),
            ("light-dark(red)", None),
            ("oklch(60% 0.15 50)", Some("oklch(60% 0.15 50)")),
            ("lab(50% 40 59.5)", Some("lab(50% 40 59.5)")),
            ("hwb(0.5turn 0% 0%)", Some("hwb(0.5turn 0% 0%)")),
            (
                "color-mix(in oklab, var(--myColor), currentcolor 40%)",
                Some("color-mix(in oklab, var(--myColor), currentcolor 40%)"),
            ),
            ("color-mix(in oklab, url(x), currentcolor 40%)", None),
            ("color-mix(in oklab, red, currentcolor 4;0%)", None),
            ("reddish", None),
            ("--", None),
            ("", None),
        ] {
            assert_eq!(Color::parse(written).as_ref().map(Color::css), expected, "{written:?}");
        }
    }

    #[test]
    fn shades_are_colors() {
        for (written, before, expected) in [
            ("red", 0, "red"),
            ("red", 1, "color-mix(in oklab, red, currentcolor 40%)"),
            ("red", 2, "color-mix(in oklab, red, currentcolor 70%)"),
            ("red", 3, "red"),
            ("oklch(60% 0.15 50)", 1, "color-mix(in oklab, oklch(60% 0.15 50), currentcolor 40%)"),
            ("light-dark(red, blue)", 1, "light-dark(red, blue)"),
        ] {
            let shade = Color::fixed(written).shade(before);
            assert_eq!(shade.css(), expected);
            assert_eq!(Color::parse(shade.css()), Some(shade));
        }
    }
}
