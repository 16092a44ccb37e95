//! Colors as CSS mixes them: sRGB, Oklab, and the contrast of WCAG 2.2. The server measures themes with it, and the browser what
//! a viewer chooses.

#![cfg_attr(test, allow(clippy::unwrap_used))]

use std::fmt;

/// A color with its components from 0 to 1, in sRGB with its transfer function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rgba {
    /// Red, green and blue.
    pub rgb: [f64; 3],
    /// 0 is transparent.
    pub alpha: f64,
}

/// The accent colors that pages offer for every theme.
pub const ACCENTS: [&str; 8] = ["#4f8ef7", "#8b7cff", "#d46ad0", "#e94560", "#f58233", "#d9a520", "#4fae5c", "#1fae9b"];

impl Rgba {
    /// Fully transparent.
    pub const TRANSPARENT: Self = Self { rgb: [0.0; 3], alpha: 0.0 };

    /// Parses `#rrggbb`, `#rgb` or `#rrggbbaa`, and the word `transparent`; `None` for everything else.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "transparent" {
            return Some(Self::TRANSPARENT);
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.is_ascii())?;
        let digits: String = match digits.len() {
            3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            6 | 8 => digits.to_owned(),
            _ => return None,
        };
        let byte = |at: usize| {
            let pair = digits.get(at..at + 2)?;
            u8::from_str_radix(pair, 16).ok().map(|byte| f64::from(byte) / 255.0)
        };
        let alpha = if digits.len() == 8 { byte(6)? } else { 1.0 };
        Some(Self { rgb: [byte(0)?, byte(2)?, byte(4)?], alpha })
    }

    /// A color of CSS's `oklch()`, moved into sRGB component by component. `hue` is in degrees.
    pub fn oklch(lightness: f64, chroma: f64, hue: f64) -> Self {
        let angle = hue.to_radians();
        Self::from_oklab([lightness, chroma * angle.cos(), chroma * angle.sin()], 1.0)
    }

    /// The same color with another opacity.
    pub fn with_alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// Lightness, chroma and hue, as `oklch(from …)` sees them.
    pub fn to_oklch(self) -> [f64; 3] {
        let [lightness, a, b] = self.to_oklab();
        [lightness, a.hypot(b), b.atan2(a).to_degrees().rem_euclid(360.0)]
    }

    /// `color-mix(in oklab, self share, other)`, with a share from 0 to 1.
    pub fn mixed(self, share: f64, other: Self) -> Self {
        let alpha = self.alpha * share + other.alpha * (1.0 - share);
        if alpha == 0.0 {
            return Self::TRANSPARENT;
        }
        let (own, others) = (self.to_oklab(), other.to_oklab());
        let weigh = |at: usize| (own[at] * self.alpha * share + others[at] * other.alpha * (1.0 - share)) / alpha;
        Self::from_oklab([weigh(0), weigh(1), weigh(2)], alpha)
    }

    /// How this color looks on an opaque background.
    pub fn over(self, ground: Self) -> Self {
        let blend = |at: usize| self.rgb[at] * self.alpha + ground.rgb[at] * (1.0 - self.alpha);
        Self { rgb: [blend(0), blend(1), blend(2)], alpha: 1.0 }
    }

    /// The contrast of two opaque colors, 1 to 21 (WCAG 2.2, contrast ratio).
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// Relative luminance, 0 to 1 (WCAG 2.2).
    pub fn luminance(self) -> f64 {
        let [red, green, blue] = self.rgb.map(to_linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    // The matrices are those of CSS Color 4.
    fn to_oklab(self) -> [f64; 3] {
        let [red, green, blue] = self.rgb.map(to_linear);
        let long = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let medium = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let short = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        [
            0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
            1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short,
            0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short,
        ]
    }

    fn from_oklab([lightness, a, b]: [f64; 3], alpha: f64) -> Self {
        let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        let linear = [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
        ];
        Self { rgb: linear.map(|component| to_encoded(component.clamp(0.0, 1.0))), alpha }
    }
}

fn to_linear(component: f64) -> f64 {
    if component <= 0.040_45 { component / 12.92 } else { ((component + 0.055) / 1.055).powf(2.4) }
}

fn to_encoded(component: f64) -> f64 {
    if component <= 0.003_130_8 { component * 12.92 } else { 1.055 * component.powf(1.0 / 2.4) - 0.055 }
}

impl fmt::Display for Rgba {
    /// As `#rrggbb`, without its opacity.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.rgb.map(|component| (component * 255.0).round());
        write!(formatter, "#{red:02x}{green:02x}{blue:02x}", red = red as u8, green = green as u8, blue = blue as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Rgba;

    fn near(one: Rgba, other: &str) {
        let other = Rgba::parse(other).unwrap();
        for (one, other) in one.rgb.iter().zip(other.rgb) {
            assert!((one - other).abs() < 0.006, "{one:?} {other:?}");
        }
    }

    #[test]
    fn colours_are_those_of_browsers() {
        // The values from Chromium.
        near(Rgba::oklch(0.815, 0.095, 178.0), "#79d7c2");
        near(Rgba::parse("#ff0000").unwrap().mixed(0.5, Rgba::parse("#0000ff").unwrap()), "#8c53a2");
        near(Rgba::parse("#ffffff80").unwrap().over(Rgba::parse("#000").unwrap()), "#808080");
        let [lightness, chroma, hue] = Rgba::parse("#4285f4").unwrap().to_oklch();
        assert!((lightness - 0.63).abs() < 0.01 && (chroma - 0.18).abs() < 0.01 && (hue - 259.8).abs() < 1.0);
        assert_eq!(Rgba::parse("rebeccapurple"), None);
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        let [black, white, gray] = ["#000", "#fff", "#767676"].map(|text| Rgba::parse(text).unwrap());
        assert!((black.contrast(white) - 21.0).abs() < 1e-9);
        assert!((gray.contrast(white) - 4.54).abs() < 0.01);
    }
}
