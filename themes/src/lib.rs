//! The themes. Each is one data file in `style/themes`: palette, radius, shadow, fonts, backdrop, traits. This crate
//! computes its CSS, and measures the contrast of what it shows.
//!
//! No Leptos and no I/O: the files are part of the program.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod backdrop;
mod css;
mod file;
mod fonts;
mod names;
mod page;
mod resolved;
mod scheme;
mod source;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

pub use color::Rgba;

use self::{file::ThemeFile, resolved::Resolved, source::text_of};
pub use self::{
    names::NAMES,
    page::{InlineStyle, custom_rules, inline_styles, style_sheet},
    scheme::Scheme,
    source::{Source, read_from},
};

/// A theme of the product.
#[derive(Debug)]
pub struct Theme {
    /// The name in config files.
    pub name: &'static str,
    /// One line about it.
    pub about: String,
    /// What it adds to the style sheet of every page; empty for the default theme, which is part of that sheet.
    pub css: String,
    /// Addresses of its font files, relative to the root of the product.
    pub fonts: Vec<&'static str>,
    file: ThemeFile,
}

/// The four colors that identify a theme, as `#rrggbb`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Swatch {
    /// The page background.
    pub background: String,
    /// The background of cards, as seen on the page background.
    pub surface: String,
    /// The accent.
    pub primary: String,
    /// The text.
    pub foreground: String,
}

/// All themes, in the order of the theme list.
pub fn all() -> &'static [Theme] {
    static ALL: LazyLock<Vec<Theme>> = LazyLock::new(|| {
        names::FILES
            .iter()
            .map(|&(name, text)| {
                let text = text_of(&format!("themes/{name}.toml"), text);
                let file = ThemeFile::read(&text).unwrap_or_else(|error| panic!("style/themes/{name}.toml: {error}"));
                Theme {
                    name,
                    about: file.about.clone(),
                    css: if name == DEFAULT { String::new() } else { css::of(&file) },
                    fonts: fonts::files(&file),
                    file,
                }
            })
            .collect()
    });
    &ALL
}

/// The default theme.
pub const DEFAULT: &str = "default";

/// The theme with this name.
pub fn find(name: &str) -> Option<&'static Theme> {
    all().iter().find(|theme| theme.name == name)
}

const LIGHT: &str =
    "@layer portico,theme,system;@layer theme{:root{color-scheme:light}.tooltip .swatch{color-scheme:dark}}";
const DARK: &str =
    "@layer portico,theme,system;@layer theme{:root{color-scheme:dark}.tooltip .swatch{color-scheme:light}}";

/// What a theme adds to the style sheet of every page. `light` and `dark` are the halves of the default theme. An
/// unknown name has no CSS: its variables are in the config.
pub fn css(name: &str) -> &'static str {
    match name {
        "light" => LIGHT,
        "dark" => DARK,
        name => find(name).map_or("", |theme| &theme.css),
    }
}

/// The background color of a theme, as `#rrggbb`; that of the default theme for an unknown name. `scheme` matters for
/// themes with both a light and a dark palette.
pub fn theme_color(name: &str, scheme: Scheme) -> String {
    let (name, scheme) = match name {
        "light" => (DEFAULT, Scheme::Light),
        "dark" => (DEFAULT, Scheme::Dark),
        name => (name, scheme),
    };
    find(name).or_else(|| find(DEFAULT)).map_or_else(String::new, |theme| theme.swatch(scheme).background)
}

impl Theme {
    /// Whether it is light, dark, or (`None`) follows the system.
    pub fn scheme(&self) -> Option<Scheme> {
        match (&self.file.light, &self.file.dark) {
            (Some(_), None) => Some(Scheme::Light),
            (None, Some(_)) => Some(Scheme::Dark),
            _ => None,
        }
    }

    /// The light or dark palette; the only one if a theme has just one.
    pub fn swatch(&self, scheme: Scheme) -> Swatch {
        let colors = self.resolved(scheme);
        let hex = |color: Rgba| color.over(colors.background).to_string();
        Swatch {
            background: hex(colors.background),
            surface: hex(colors.card),
            primary: hex(colors.primary),
            foreground: hex(colors.foreground),
        }
    }

    /// The six colors of a theme that gives each element its own color; `None` for others.
    pub fn hues(&self) -> &[String] {
        &self.file.hues
    }

    /// All colors that the style sheet derives from the palette.
    pub fn resolved(&self, scheme: Scheme) -> Resolved {
        Resolved::of(&self.file, scheme)
    }

    /// The same with another value of one variable, given without `--`.
    #[cfg(test)]
    fn resolved_with(&self, scheme: Scheme, name: &str, value: &str) -> Resolved {
        let mut palette = self.file.palette(scheme).clone();
        palette.insert(name.to_owned(), value.to_owned());
        Resolved::of_palette(&self.file, &palette, scheme)
    }
}
