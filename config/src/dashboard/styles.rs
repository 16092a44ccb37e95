//! What the server puts into the page's head. It is not part of the data sent to the browser.

use crate::{
    address::is_data_picture,
    icon::IconLookup,
    model::{AppConfig, style::StyleConfig},
};

/// The config's own styles for a page. Each is safe in the place it is meant for, a style element or an attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Styles {
    /// Each theme with its CSS variables (names without `--`) and their values.
    pub custom_colors: Vec<(String, Vec<(String, String)>)>,
    /// Addresses of stylesheets.
    pub style_sheets: Vec<String>,
    /// Styles that come after everything else; contains no tags.
    pub custom_css: Option<String>,
    /// Address of the full-page background; contains nothing that could end a quoted `url("…")`.
    pub background: Option<String>,
    /// Maximum width of the sections area as a CSS length.
    pub content_max_width: Option<String>,
}

impl Styles {
    pub(super) fn of(app: &AppConfig, icons: &dyn IconLookup) -> Self {
        let StyleConfig { custom_colors, style_sheets, custom_css, background, content_max_width, .. } = &app.style;
        // Browsers ignore an `@import` that other rules come before.
        let (imports, css) = css_values::leading_imports(custom_css.as_deref().unwrap_or_default());
        let sheets = style_sheets.iter().chain(&imports);
        let background = background.as_deref().and_then(|address| match is_data_picture(address) {
            true => Some(address.to_owned()),
            false => icons.background(address),
        });
        let variable = |(name, value): &(String, String)| (name.clone(), icons.css(value));
        Self {
            custom_colors: custom_colors
                .iter()
                .map(|(theme, variables)| (theme.clone(), variables.iter().map(variable).collect()))
                .collect(),
            style_sheets: sheets.filter_map(|sheet| icons.style_sheet(sheet)).collect(),
            custom_css: (!css.trim().is_empty()).then(|| icons.css(css)),
            background: background.map(|url| quotable(&url)),
            content_max_width: content_max_width.clone(),
        }
    }
}

/// The address from which a picture is loaded. A picture that is written out in the config (`data:`) keeps its address.
pub(super) fn picture(address: &str, icons: &dyn IconLookup) -> Option<String> {
    if is_data_picture(address) { Some(address.to_owned()) } else { icons.image(address) }
}

/// An address made safe for use in quotes in a style sheet.
fn quotable(address: &str) -> String {
    let mut quotable = String::with_capacity(address.len());
    for character in address.chars() {
        match character {
            '"' | '\'' | '\\' | '<' | '>' | '(' | ')' => quotable.push_str(&format!("%{:02X}", u32::from(character))),
            character if character.is_control() => {}
            character => quotable.push(character),
        }
    }
    quotable
}
