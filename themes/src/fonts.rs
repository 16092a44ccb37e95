//! The typefaces of themes: stacks of system fonts, and a few bundled ones (docs/themes.md names their licenses).

use std::fmt::Write as _;

use crate::file::{ThemeFile, Typeface};

impl Typeface {
    /// The value of `font-family`.
    pub fn stack(self) -> &'static str {
        match self {
            Self::Pixel => "VT323,ui-monospace,monospace",
            Self::Serif => "\"Crimson Pro\",\"Iowan Old Style\",Palatino,Georgia,serif",
            Self::Book => "\"Iowan Old Style\",Palatino,\"Palatino Linotype\",P052,\"Book Antiqua\",Georgia,serif",
            Self::Display => "Orbitron,Eurostile,\"Bank Gothic\",sans-serif",
            Self::Mono => "var(--font-monospace)",
            Self::Slab => "Rockwell,\"Rockwell Nova\",\"Roboto Slab\",\"DejaVu Serif\",\"Sitka Small\",serif",
            Self::Round => {
                "ui-rounded,\"Hiragino Maru Gothic ProN\",Quicksand,Comfortaa,\"Arial Rounded MT\",Figtree,sans-serif"
            }
        }
    }

    /// Name, file below `fonts/` and weights of the bundled font.
    fn bundled(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            Self::Pixel => Some(("VT323", "fonts/vt323-latin.woff2", "400")),
            Self::Serif => Some(("Crimson Pro", "fonts/crimson-pro-latin.woff2", "600")),
            Self::Display => Some(("Orbitron", "fonts/orbitron-latin.woff2", "600")),
            Self::Book | Self::Mono | Self::Slab | Self::Round => None,
        }
    }
}

fn bundled(file: &ThemeFile) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut fonts: Vec<_> = [file.headings, file.body].into_iter().flatten().filter_map(Typeface::bundled).collect();
    fonts.dedup();
    fonts
}

/// The font files of a theme.
pub fn files(file: &ThemeFile) -> Vec<&'static str> {
    bundled(file).into_iter().map(|(_, file, _)| file).collect()
}

/// The `@font-face` rules. Addresses are relative to the root of the product.
pub fn rules(file: &ThemeFile) -> String {
    let mut css = String::new();
    for (name, file, weights) in bundled(file) {
        _ = write!(
            css,
            "@font-face{{font-family:\"{name}\";font-weight:{weights};font-display:swap;\
             src:url(\"{file}\") format(\"woff2\")}}"
        );
    }
    css
}
