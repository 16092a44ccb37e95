//! The data file of a theme.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Scheme;

/// CSS variables without `--` and their values. `primary`, `background`, `background-darker` and `foreground` are
/// required; any other variable of docs/spec/behavior.md 12.2 is optional.
pub type Palette = BTreeMap<String, String>;

/// The content of a file. See CONTRIBUTING.md, "A theme".
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ThemeFile {
    /// A one-line description for the list of themes.
    pub about: String,
    /// The light palette.
    pub light: Option<Palette>,
    /// The dark palette.
    pub dark: Option<Palette>,
    /// Radius of corners as a CSS length; that of the default theme if unset.
    pub radius: Option<String>,
    /// The style of shadows.
    #[serde(default)]
    pub shadow: Shadow,
    /// Typeface of headings.
    pub headings: Option<Typeface>,
    /// Typeface of all other text.
    pub body: Option<Typeface>,
    /// The drawing behind the page.
    pub backdrop: Option<Backdrop>,
    /// Names of the files in `style/traits` that change the structure.
    #[serde(default)]
    pub traits: Vec<String>,
    /// Six colors for traits that give each element its own color.
    #[serde(default)]
    pub hues: Vec<String>,
}

/// Traits that need something to draw on: the boxes of sections.
const BOXED_TRAITS: [&str; 6] = ["blur", "borders", "brutal", "neon", "terminal", "wireframe"];

impl ThemeFile {
    /// Whether sections are boxes. They are boxes if the theme gives them a background, a shadow or edges; otherwise
    /// tiles and widgets are the only cards.
    pub fn is_boxed(&self) -> bool {
        let has_ground = |palette: &Palette| palette.contains_key("item-group-outer-background");
        self.shadow != Shadow::None
            || self.traits.iter().any(|name| BOXED_TRAITS.contains(&name.as_str()))
            || [&self.light, &self.dark].into_iter().flatten().any(has_ground)
    }
}

/// Shadows of sections, tiles, and hovered tiles.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Shadow {
    /// None.
    #[default]
    None,
    /// A wide and faint shadow below sections.
    Soft,
    /// Short shadows below sections and tiles, like cards.
    Cards,
    /// A hard edge, shifted.
    Hard,
    /// A glow in the accent color.
    Glow,
    /// Light from one side, shade on the other: embossed on the background.
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
    /// Monospaced.
    Mono,
    /// Slab serifs of a typewriter.
    Slab,
    /// Round and friendly.
    Round,
}

/// A drawing behind the page that uses only these colors.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backdrop {
    /// The drawing.
    pub kind: Drawing,
    /// The colors of the drawing, from back to front. Text appears on each of them.
    pub colors: Vec<String>,
}

/// The subject of a backdrop.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Drawing {
    /// Soft clouds of color.
    Mesh,
    /// A sky over ridges, each nearer than the last.
    Hills,
    /// A moon over ridges.
    Moon,
    /// A sky with stars.
    Stars,
    /// A sun over a plain of lines that run to the horizon.
    Horizon,
    /// Lines like those of an old screen.
    Scanlines,
    /// Six-sided cells.
    Cells,
    /// Slanted lines.
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
    /// Parses a file.
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The light or dark palette; the only one if a file has just one.
    pub fn palette(&self, scheme: Scheme) -> &Palette {
        static EMPTY: Palette = Palette::new();
        let (first, second) = match scheme {
            Scheme::Light => (&self.light, &self.dark),
            Scheme::Dark => (&self.dark, &self.light),
        };
        first.as_ref().or(second.as_ref()).unwrap_or(&EMPTY)
    }
}
