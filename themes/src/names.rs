//! The list of themes (docs/spec/behavior.md 12.1), in the order of the theme list; the last six are old names. This
//! is the only list: the config takes the names from here.

macro_rules! themes {
    ($($name:literal),* $(,)?) => {
        /// The names of all themes.
        pub const NAMES: &[&str] = &[$($name),*];
        /// Their names and data files.
        pub(crate) const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../style/themes/", $name, ".toml")))),*];
    };
}

themes![
    "default",
    "glass",
    "callisto",
    "material",
    "material-dark",
    "dashy-docs",
    "colorful",
    "dracula",
    "one-dark",
    "lissy",
    "cherry-blossom",
    "nord-frost",
    "nord",
    "argon",
    "fallout",
    "whimsy",
    "oblivion",
    "adventure",
    "crayola",
    "deep-ocean",
    "minimal-dark",
    "minimal-light",
    "thebe",
    "matrix",
    "matrix-red",
    "color-block",
    "raspberry-jam",
    "bee",
    "tiger",
    "glow",
    "glow-dark",
    "vaporware",
    "cyberpunk",
    "material-original",
    "material-dark-original",
    "high-contrast-dark",
    "high-contrast-light",
    "adventure-basic",
    "basic",
    "tama",
    "neomorphic",
    "glass-2",
    "night-bat",
    "tokyo-night",
    "gruvbox",
    "rose-pine",
    "parchment",
    "aurora",
    "zinc",
    "solarized-dark",
    "solarized-light",
    "brutalist",
    "midnight",
    "catppuccin",
    "hacker-girl",
    "blue-purple",
    "oblivion-blue",
    "oblivion-mint",
    "oblivion-lemon",
    "oblivion-scotch",
];
