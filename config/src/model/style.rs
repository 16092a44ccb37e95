//! Themes and styles in `appConfig` (docs/spec/config.md 5.2).

use super::{
    block::{Block, FieldType},
    cursor::{Cursor, brief},
    page_info::read_picture,
    shape::{Preset, Rule, TextKind, Unset},
};
use crate::{address, css, did_you_mean::did_you_mean, effect::Effect, problem::ProblemKind};

/// Name of the theme that needs no `data-theme`.
pub const DEFAULT_THEME: &str = "default";

/// The name of a theme. An unknown one is a warning.
pub(super) const THEME: TextKind = TextKind {
    title: "Theme",
    about: "The name of a theme: a built-in one, or one from `cssThemes` or `customColors`.",
    examples: themes::NAMES,
};

/// Themes and styles of a page.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(finish = Self::fill_in_themes)]
pub struct StyleConfig {
    /// Theme until the viewer chooses another one.
    #[config(rule = Rule::Kind(&THEME), read_entry = |app| read_theme(app, "theme"), default = DEFAULT_THEME)]
    pub theme: Option<String>,
    /// Theme while the system is set to light.
    ///
    /// A theme that exists.
    #[config(rule = Rule::Kind(&THEME), read_entry = |app| read_theme(app, "dayTheme"), unset = "`theme`")]
    pub day_theme: Option<String>,
    /// Theme while the system is set to dark.
    ///
    /// A theme that exists.
    #[config(rule = Rule::Kind(&THEME), read_entry = |app| read_theme(app, "nightTheme"), unset = "`theme`")]
    pub night_theme: Option<String>,
    /// Picture behind the whole page: a web address, or a path to one of your files.
    #[config(
        key = "backgroundImg",
        read = read_background,
        examples("/item-icons/sea.jpg", "https://example.com/sea.jpg")
    )]
    pub background: Option<String>,
    /// Maximum width of the sections area: a number with `%`, `px`, `rem`, `em`, `vw` or `vh`. A bare number (in
    /// quotes) means percent up to 100 and pixels above.
    #[config(
        read = read_width,
        unset = "90 %, on very wide screens 85 %",
        examples("1600px", "95%", "80rem")
    )]
    pub content_max_width: Option<String>,
    /// Names of your own themes, which come first in the list of themes. Style each in one of your style sheets, or in
    /// `customCss` under `html[data-theme='name']`. Themes that `customColors` defines are listed automatically.
    #[config(read = read_theme_names)]
    pub css_themes: Vec<String>,
    /// CSS variables for themes (docs/themes.md lists them): the name of a theme, built-in or your own, then names of
    /// variables without `--` and their values. Example: `{ nord: { primary: '#88c0d0', item-shadow: none } }`.
    ///
    /// All of it is safe inside a declaration.
    pub custom_colors: Vec<(String, Vec<(String, String)>)>,
    /// Your own style sheets: web addresses, or paths that begin with `/`. Each is in the list of themes too.
    #[config(key = "externalStyleSheet", read = read_style_sheets)]
    pub style_sheets: Vec<String>,
    /// Styles that come after all others. Tags are removed.
    #[config(
        read = |css| css.filled_text().map(|css| css::without_tags(&css)),
        examples(".item { border-radius: 2px; }")
    )]
    pub custom_css: Option<String>,
}

impl FieldType for Vec<(String, Vec<(String, String)>)> {
    const RULE: Rule = Rule::MapOfMaps;
    const UNSET: Unset = Unset::Like(Preset::EmptyMapping);

    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        Some(read_custom_colors(cursor))
    }
}

impl StyleConfig {
    /// The names of themes that only this config has: those in `cssThemes`, and those that `customColors` defines.
    pub fn own_themes(&self) -> Vec<String> {
        let mut names = self.css_themes.clone();
        for (name, _) in &self.custom_colors {
            if !themes::NAMES.contains(&name.as_str()) && !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    fn fill_in_themes(&mut self) {
        for theme in [&mut self.day_theme, &mut self.night_theme] {
            *theme = theme.take().or_else(|| self.theme.clone());
        }
    }
}

/// The picture behind the page. A relative path would mean another file on each page.
fn read_background(cursor: &Cursor<'_>) -> Option<String> {
    let address = read_picture(cursor)?;
    if !address::is_data_picture(&address) && !address::is_resource(&address) && !address.starts_with("//") {
        cursor.warn(ProblemKind::Malformed, "must begin with `http` or `/`", None);
    }
    Some(address)
}

fn read_theme_names(cursor: &Cursor<'_>) -> Vec<String> {
    let mut names = cursor.texts();
    names.retain(|name| {
        let usable = css::is_theme_name(name);
        if !usable {
            let message = format!("`{}` cannot be the name of a theme", brief(name));
            cursor.warn(ProblemKind::Malformed, message, Effect::Ignored);
        }
        usable
    });
    names
}

/// A theme that exists. Built-in themes may be written in upper or lower case.
fn read_theme(app: &Cursor<'_>, key: &str) -> Option<String> {
    let cursor = app.key(key);
    let name = cursor.filled_text()?;
    let quiet = app.quiet();
    let is_defined = |theme: &String| css::is_theme_name(theme) && *theme == name;
    if read_theme_names(&quiet.key("cssThemes")).contains(&name)
        || quiet.key("customColors").mapping().into_iter().flatten().any(|(theme, _)| is_defined(theme))
    {
        return Some(name);
    }
    let built_in = themes::NAMES.iter().find(|known| known.eq_ignore_ascii_case(&name));
    if built_in.is_none() {
        let meant = did_you_mean(&name, themes::NAMES.iter().copied());
        let message = format!(
            "there is no theme `{}`{meant}: define your own in `customColors`, or list it in `cssThemes`",
            brief(&name)
        );
        cursor.warn(ProblemKind::NotAllowed, message, Effect::DefaultTheme);
    }
    built_in.map(|name| (*name).to_owned())
}

fn read_custom_colors(cursor: &Cursor<'_>) -> Vec<(String, Vec<(String, String)>)> {
    let themes = cursor.mapping().into_iter().flatten().map(|(theme, _)| theme);
    themes
        .filter_map(|theme| {
            let variables = cursor.key(theme);
            if !css::is_theme_name(theme) {
                variables.warn(ProblemKind::Malformed, "cannot be the name of a theme", Effect::Ignored);
                return None;
            }
            let names = variables.mapping().into_iter().flatten().map(|(name, _)| name);
            let valid = names.filter_map(|name| {
                let cursor = variables.key(name);
                let value = cursor.filled_text()?;
                let variable = css_values::variable(name, &value);
                if variable.is_none() {
                    cursor.warn(ProblemKind::Malformed, "cannot be a CSS variable", Effect::Ignored);
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
            let usable = address::is_resource(address);
            if !usable {
                let message = format!("`{}` is neither a web address nor a path that begins with `/`", brief(address));
                cursor.warn(ProblemKind::Refused, message, None);
            }
            usable
        })
        .collect()
}

fn read_width(cursor: &Cursor<'_>) -> Option<String> {
    let text = cursor.filled_text()?;
    let width = css::width(&text);
    if width.is_none() {
        let message = format!("`{}` is not a width such as 1200, 85% or 80rem", brief(&text));
        cursor.warn(ProblemKind::Malformed, message, Effect::Ignored);
    }
    width
}
