//! Which of the two own palettes, light or dark, a theme's name stands for.

/// The names of themes that are light (docs/spec/behaviour.md 12.1).
pub const LIGHT_THEMES: [&str; 10] = [
    "light",
    "brutalist",
    "glow",
    "high-contrast-light",
    "material",
    "material-original",
    "minimal-light",
    "parchment",
    "portico-light",
    "solarized-light",
];

/// The palette in use; the page's `data-scheme` attribute.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Scheme {
    /// Follows the operating system.
    Auto,
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}

impl Scheme {
    /// The word in `data-scheme`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The palette of a theme name: those of [`LIGHT_THEMES`] are light, `default` follows the system, all others
    /// are dark.
    pub fn of_theme(name: &str) -> Self {
        match name {
            "" | "default" | "auto" => Self::Auto,
            name if LIGHT_THEMES.contains(&name) => Self::Light,
            _ => Self::Dark,
        }
    }

    /// The palette for a pair of themes, one by day and one by night.
    ///
    /// The order of the pair matters only when the two differ in lightness; a light theme by night and a dark one
    /// by day is taken as the person's wish to follow the system.
    pub fn of_pair(day: &str, night: &str) -> Self {
        match (Self::of_theme(day), Self::of_theme(night)) {
            (day, night) if day == night => day,
            _ => Self::Auto,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scheme;

    #[test]
    fn a_pair_of_themes_follows_the_system_only_when_they_differ_in_lightness() {
        for (day, night, expected) in [
            ("default", "default", Scheme::Auto),
            ("nord", "dracula", Scheme::Dark),
            ("solarized-light", "nord", Scheme::Auto),
            ("material", "parchment", Scheme::Light),
            ("light", "dark", Scheme::Auto),
        ] {
            assert_eq!(Scheme::of_pair(day, night), expected, "{day} / {night}");
        }
    }
}
