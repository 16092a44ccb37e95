//! The data file of a theme.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Scheme;

/// CSS variables without `--` and their values. `primary`, `background`, `background-darker` and `foreground` must be
/// there; any other of docs/spec/behaviour.md 12.2 may.
pub type Palette = BTreeMap<String, String>;

/// What a file says. See CONTRIBUTING.md, "A theme".
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ThemeFile {
    /// One line for the list of themes.
    pub about: String,
    /// The palette by day.
    pub light: Option<Palette>,
    /// The palette by night.
    pub dark: Option<Palette>,
    /// Radius of corners as a CSS length; the default theme's if it is not given.
    pub radius: Option<String>,
    /// What things throw.
    #[serde(default)]
    pub shadow: Shadow,
    /// Typeface of headings.
    pub headings: Option<Typeface>,
    /// Typeface of all other text.
    pub body: Option<Typeface>,
    /// What is drawn behind the page.
    pub backdrop: Option<Backdrop>,
    /// Names of the files in `style/traits` that change the structure.
    #[serde(default)]
    pub traits: Vec<String>,
    /// Six colours for the traits that colour each thing in its own.
    #[serde(default)]
    pub hues: Vec<String>,
}

/// Shadows of sections, tiles, and of tiles under the pointer.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Shadow {
    /// None.
    #[default]
    None,
    /// A wide and faint one below sections.
    Soft,
    /// Short ones below sections and tiles, as of cards.
    Cards,
    /// A hard edge, shifted.
    Hard,
    /// Light of the accent's colour.
    Glow,
    /// Light from one side, shade on the other: extruded from the ground.
    Extruded,
}

/// The typefaces that themes may choose; the fonts behind them are in `fonts.rs`.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Typeface {
    /// Letters made of dots.
    Pixel,
    /// A book face, for headings.
    Serif,
    /// The book face of the system, for text.
    Book,
    /// Wide and technical.
    Display,
    /// All letters of one width.
    Mono,
    /// Slab serifs of a typewriter.
    Slab,
    /// Round and friendly.
    Round,
}

/// A drawing behind the page, made of nothing but these colours.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backdrop {
    /// What is drawn.
    pub kind: Drawing,
    /// The colours of the drawing, from the back to the front. Text stands on each of them.
    pub colors: Vec<String>,
}

/// What a backdrop shows.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Drawing {
    /// Soft clouds of colour.
    Mesh,
    /// A sky over ridges, each nearer than the last.
    Hills,
    /// A moon over ridges.
    Moon,
    /// A sky with stars.
    Stars,
    /// A sun over a plain of lines that run to the horizon.
    Horizon,
    /// Lines as of an old screen.
    Scanlines,
    /// Six-sided cells.
    Cells,
    /// Slanted strokes.
    Stripes,
    /// Layers of water.
    Waves,
    /// Petals in the wind.
    Petals,
    /// Ruled dots.
    Dots,
    /// Curtains of light.
    Lights,
}

impl ThemeFile {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The palette by day or by night; the only one of a file that has but one.
    pub fn palette(&self, scheme: Scheme) -> &Palette {
        static EMPTY: Palette = Palette::new();
        let (first, second) = match scheme {
            Scheme::Light => (&self.light, &self.dark),
            Scheme::Dark => (&self.dark, &self.light),
        };
        first.as_ref().or(second.as_ref()).unwrap_or(&EMPTY)
    }
}
