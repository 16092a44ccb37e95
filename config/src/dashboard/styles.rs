//! What the server puts into the page's head: it never travels as data.

use crate::{
    icon::IconLookup,
    model::{AppConfig, style::StyleConfig},
};

/// The config's own styles for a page. All of it is safe where it belongs: in a style element or an attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Styles {
    /// Theme, and its CSS variables without `--` with their values.
    pub custom_colors: Vec<(String, Vec<(String, String)>)>,
    /// Addresses of stylesheets.
    pub style_sheets: Vec<String>,
    /// Styles that come after everything else, without tags.
    pub custom_css: Option<String>,
    /// Address of the full-page background, with nothing in it that could end a quoted `url("…")`.
    pub background: Option<String>,
    /// Maximum width of the sections area as a CSS length.
    pub content_max_width: Option<String>,
}

impl Styles {
    pub(super) fn of(app: &AppConfig, icons: &dyn IconLookup) -> Self {
        let StyleConfig { custom_colors, style_sheets, custom_css, background, content_max_width, .. } = &app.style;
        Self {
            custom_colors: custom_colors.clone(),
            style_sheets: style_sheets.iter().filter_map(|sheet| icons.style_sheet(sheet)).collect(),
            custom_css: custom_css.clone(),
            background: background.as_deref().and_then(|address| picture(address, icons)).map(|url| quotable(&url)),
            content_max_width: content_max_width.clone(),
        }
    }
}

/// The address under which a picture is loaded. A picture that is written out in the config needs no other.
pub(super) fn picture(address: &str, icons: &dyn IconLookup) -> Option<String> {
    if crate::address::is_data_picture(address) { Some(address.to_owned()) } else { icons.image(address) }
}

/// An address that can stand in quotes in a style sheet.
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
