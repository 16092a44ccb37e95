//! The contrast of the page's colors: which color is seen against which, and how much they have to differ.

use color::Rgba;

/// The colors that are seen against each other, by the names of their variables.
const PARTNERS: &[(&str, &str)] = &[
    ("foreground", "background"),
    ("primary", "background"),
    ("background", "foreground"),
    ("background-darker", "foreground"),
    ("surface", "foreground"),
    ("raised", "foreground"),
    ("muted", "background"),
    ("link", "background"),
    ("info", "background"),
    ("success", "background"),
    ("warning", "background"),
    ("danger", "background"),
    ("error", "background"),
    ("on-primary", "primary"),
    ("bar-text", "bar"),
    ("bar", "bar-text"),
    ("outline-color", "background"),
    ("item-text-color", "item-background"),
    ("item-background", "item-text-color"),
    ("heading-text-color", "background"),
    ("nav-link-text-color", "background"),
    ("item-group-heading-text-color", "background"),
];
/// Lines and shapes, which need less contrast than text.
const SHAPES: [&str; 2] = ["primary", "outline-color"];
/// The minimum contrast of text, and that of lines and shapes (WCAG 2.2, 1.4.3 and 1.4.11).
const MINIMUM: [f64; 2] = [4.5, 3.0];

/// The variable that a color is seen against; `None` if unknown. `is_color` says whether a variable exists and is a color.
pub fn partner(name: &str, is_color: impl Fn(&str) -> bool) -> Option<String> {
    if let Some((_, partner)) = PARTNERS.iter().find(|(known, _)| *known == name) {
        return Some((*partner).to_owned());
    }
    let others = match name.strip_suffix("-background") {
        Some(stem) => [Some([stem, "-color"].concat()), Some([stem, "-text-color"].concat())],
        None => {
            let stem = name.strip_suffix("-color").map(|stem| stem.strip_suffix("-text").unwrap_or(stem));
            [stem.map(|stem| [stem, "-background"].concat()), None]
        }
    };
    others.into_iter().flatten().find(|other| is_color(other))
}

/// The contrast of a color with its partner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// From 1 to 21.
    pub ratio: f64,
    /// The minimum.
    pub least: f64,
    /// Whether it is the color of lines and shapes, not of text.
    pub is_shape: bool,
}

impl Contrast {
    /// The contrast of the variable `name` with its partner, on the opaque background of the page.
    #[must_use]
    pub fn of(name: &str, color: Rgba, partner: Rgba, page: Rgba) -> Self {
        let is_background = name.contains("background") || ["surface", "raised", "bar"].contains(&name);
        let (text, background) = if is_background { (partner, color) } else { (color, partner) };
        let background = background.over(page);
        let is_shape = SHAPES.contains(&name);
        Self { ratio: text.over(background).contrast(background), least: MINIMUM[usize::from(is_shape)], is_shape }
    }

    /// Whether it is less than the minimum.
    #[must_use]
    pub fn is_low(&self) -> bool {
        self.ratio < self.least
    }

    /// The ratio with one decimal, never rounded up: `4.4`, `21`.
    #[must_use]
    pub fn shown(&self) -> String {
        ((self.ratio * 10.0).floor() / 10.0).to_string()
    }
}

#[cfg(test)]
mod tests {
    use color::Rgba;

    use super::{Contrast, partner};

    fn color(text: &str) -> Rgba {
        Rgba::parse(text).unwrap()
    }

    #[test]
    fn a_background_is_seen_below_its_text() {
        for (name, found) in [
            ("item-background", Some("item-text-color")),
            ("footer-background", Some("footer-text-color")),
            ("footer-text-color", Some("footer-background")),
            ("search-color", Some("search-background")),
            ("curve-factor", None),
        ] {
            let known = ["footer-text-color", "footer-background", "search-background"];
            assert_eq!(partner(name, |other| known.contains(&other)).as_deref(), found, "{name}");
        }
        assert_eq!(partner("footer-background", |_| false), None);
    }

    #[test]
    fn the_contrast_is_that_of_what_is_seen() {
        let page = color("#ffffff");
        let text = Contrast::of("foreground", color("#cccccc"), page, page);
        assert_eq!((text.shown().as_str(), text.least, text.is_low()), ("1.6", 4.5, true));
        let same = Contrast::of("background", page, color("#cccccc"), page);
        assert_eq!(same, text);
        // Half transparent black on white is gray.
        let line = Contrast::of("primary", color("#00000080"), page, page);
        assert_eq!((line.shown().as_str(), line.least, line.is_low()), ("4", 3.0, false));
        assert_eq!(Contrast::of("foreground", color("#000"), page, page).shown(), "21");
    }
}
