//! Themes and styles in `appConfig` (config.md 5.2).

use super::{
    cursor::{Cursor, brief},
    shape::TextKind,
};
use crate::{css, problem::ProblemKind};

/// Name of the theme that needs no `data-theme`.
pub const DEFAULT_THEME: &str = "default";

/// Themes that come with the product (behaviour.md 12.1), in the order of the list; the last six are old names.
pub const BUILT_IN_THEMES: &[&str] = &[
    DEFAULT_THEME,
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

/// The name of a theme. One that does not exist is a warning.
pub(super) const THEME: TextKind = TextKind {
    title: "Theme",
    about: "The name of a theme: a built-in one, or one from `cssThemes`.",
    examples: BUILT_IN_THEMES,
};

/// Themes and styles of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StyleConfig {
    /// Theme by day; one that exists.
    pub day_theme: Option<String>,
    /// Theme by night; one that exists.
    pub night_theme: Option<String>,
    /// Extra names of themes, styled by `custom_colors` or own styles.
    pub css_themes: Vec<String>,
    /// Theme, and its CSS variables without `--` with their values; all of it safe inside of a declaration.
    pub custom_colors: Vec<(String, Vec<(String, String)>)>,
    /// Addresses of stylesheets: `http(s)`, or paths from the web root.
    pub style_sheets: Vec<String>,
    /// Styles that come after everything else, without tags.
    pub custom_css: Option<String>,
    /// Address of the full-page background.
    pub background: Option<String>,
    /// Maximum width of the sections area as a CSS length.
    pub content_max_width: Option<String>,
}

impl StyleConfig {
    pub(super) fn read(app: &Cursor<'_>) -> Self {
        let css_themes = read_theme_names(&app.key("cssThemes"));
        let theme = |key: &str| read_theme(&app.key(key), &css_themes);
        let both = theme("theme");
        Self {
            day_theme: theme("dayTheme").or_else(|| both.clone()),
            night_theme: theme("nightTheme").or(both),
            custom_colors: read_custom_colors(&app.key("customColors")),
            style_sheets: read_style_sheets(&app.key("externalStyleSheet")),
            custom_css: app.key("customCss").filled_text().map(|css| css::without_tags(&css)),
            background: read_background(&app.key("backgroundImg")),
            content_max_width: read_width(&app.key("contentMaxWidth")),
            css_themes,
        }
    }
}

fn read_theme_names(cursor: &Cursor<'_>) -> Vec<String> {
    let mut names = cursor.texts();
    names.retain(|name| {
        let usable = css::is_theme_name(name);
        if !usable {
            let message = format!("`{}` is not usable as the name of a theme; ignored", brief(name));
            cursor.warn(ProblemKind::Malformed, message);
        }
        usable
    });
    names
}

/// A theme that exists. Names of the product's own themes are taken in any case.
fn read_theme(cursor: &Cursor<'_>, css_themes: &[String]) -> Option<String> {
    let name = cursor.filled_text()?;
    if css_themes.contains(&name) {
        return Some(name);
    }
    let built_in = BUILT_IN_THEMES.iter().find(|known| known.eq_ignore_ascii_case(&name));
    if built_in.is_none() {
        let message = format!("there is no theme `{}`; names of own themes belong into `cssThemes`", brief(&name));
        cursor.warn(ProblemKind::NotAllowed, message);
    }
    built_in.map(|name| (*name).to_owned())
}

fn read_custom_colors(cursor: &Cursor<'_>) -> Vec<(String, Vec<(String, String)>)> {
    let themes = cursor.mapping().into_iter().flatten().map(|(theme, _)| theme);
    themes
        .filter_map(|theme| {
            let variables = cursor.key(theme);
            if !css::is_theme_name(theme) {
                variables.warn(ProblemKind::Malformed, "is not usable as the name of a theme; ignored");
                return None;
            }
            let names = variables.mapping().into_iter().flatten().map(|(name, _)| name);
            let valid = names.filter_map(|name| {
                let cursor = variables.key(name);
                let value = cursor.filled_text()?;
                let variable = css::variable(name, &value);
                if variable.is_none() {
                    cursor.warn(ProblemKind::Malformed, "is not usable as a CSS variable; ignored");
                }
                variable
            });
            Some((theme.clone(), valid.collect()))
        })
        .collect()
}

fn read_style_sheets(cursor: &Cursor<'_>) -> Vec<String> {
    let sheets = cursor.texts();
    sheets
        .into_iter()
        .filter(|address| {
            let usable = crate::address::is_resource(address);
            if !usable {
                let message = format!("`{}` is neither a web address nor a path that begins with `/`", brief(address));
                cursor.warn(ProblemKind::Refused, message);
            }
            usable
        })
        .collect()
}

fn read_background(cursor: &Cursor<'_>) -> Option<String> {
    let address = cursor.filled_text()?;
    if crate::address::is_picture(&address) {
        Some(address)
    } else {
        cursor.warn(ProblemKind::Refused, "is not an address of a picture; ignored");
        None
    }
}

fn read_width(cursor: &Cursor<'_>) -> Option<String> {
    let text = cursor.filled_text()?;
    let width = css::width(&text);
    if width.is_none() {
        let message = format!("`{}` is not a width such as 1200, 85% or 80rem; ignored", brief(&text));
        cursor.warn(ProblemKind::Malformed, message);
    }
    width
}
