//! The pictures drawn here: glyph files of the bundled sets, and placeholders for missing pictures. Placeholders carry
//! colors for light and dark pages, because an image cannot know the text color around it.

use sha2::{Digest, Sha256};

use super::pack::PackedIcon;

/// Color of placeholders that have no color of their own.
const TEXT_ON_LIGHT: u32 = 0x3b_44_55;
const TEXT_ON_DARK: u32 = 0xd6_dc_e6;
/// Typical tile backgrounds, against which a brand's color must be visible.
const LIGHT: u32 = 0xf4_f5_f7;
pub(super) const DARK: u32 = 0x1d_21_28;
/// The minimum contrast of a brand's color; below it the default text color is used. Large shapes need less than text does.
pub(super) const MIN_CONTRAST: f64 = 2.0;

/// The file of a bundled glyph: its symbol `i` uses the text color around it, and the file is also an image on its own.
/// `None` if the pack is damaged.
pub fn glyph_file(icon: &PackedIcon<'_>) -> Option<String> {
    let PackedIcon { view_box, notice, .. } = icon;
    let body = icon.body()?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{view_box}\"><!-- {notice} -->\
         <symbol id=\"i\" viewBox=\"{view_box}\" fill=\"currentColor\"><path d=\"{body}\"/></symbol>\
         <use href=\"#i\"/></svg>"
    ))
}

/// A bundled glyph as a picture in its brand's color, or in the color of text if that color would not be visible. `None` if the pack
/// is damaged.
pub fn glyph_picture(icon: &PackedIcon<'_>) -> Option<String> {
    let PackedIcon { view_box, notice, color, .. } = icon;
    let body = icon.body()?;
    let visible_on = |background| color.filter(|color| contrast(*color, background) >= MIN_CONTRAST);
    let light = visible_on(LIGHT).unwrap_or(TEXT_ON_LIGHT);
    let dark = visible_on(DARK).unwrap_or(TEXT_ON_DARK);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{view_box}\"><!-- {notice} -->\
         <style>path{{fill:#{light:06x}}}@media(prefers-color-scheme:dark){{path{{fill:#{dark:06x}}}}}</style>\
         <path d=\"{body}\"/></svg>"
    ))
}

/// A letter on a colored tile: in a color of CSS, or in one that is always the same for the same text.
pub fn letter_picture(text: &str, color: Option<&str>) -> String {
    let letter = escape(&initial(text));
    // Variables of the page mean nothing in a picture.
    let style = match color.filter(|color| !color.contains("var(")) {
        Some(color) => {
            let color = escape(color);
            format!("rect{{fill:{color};fill-opacity:.18}}text{{fill:{color}}}")
        }
        None => {
            let hue = u16::from_be_bytes([digest(text)[0], digest(text)[1]]) % 12 * 30;
            format!(
                "rect{{fill:hsl({hue} 45% 88%)}}text{{fill:hsl({hue} 55% 28%)}}@media(prefers-color-scheme:dark)\
                 {{rect{{fill:hsl({hue} 35% 26%)}}text{{fill:hsl({hue} 60% 84%)}}}}"
            )
        }
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\"><style>{style}</style>\
         <rect width=\"64\" height=\"64\" rx=\"14\"/>\
         <text x=\"32\" y=\"33\" text-anchor=\"middle\" dominant-baseline=\"central\" font-size=\"34\" \
         font-weight=\"600\" font-family=\"system-ui,sans-serif\">{letter}</text></svg>"
    )
}

/// The picture for an image that cannot be shown: a frame with a torn corner.
pub fn broken_picture() -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\">\
     <style>path{fill:none;stroke:#8a93a3;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}\
     @media(prefers-color-scheme:dark){path{stroke:#7d8696}}</style>\
     <path d=\"M13 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-7\"/>\
     <path d=\"m4 16 4.5-4.5 3 3L14 12l6 5.5M15.5 4l4.5 4.5M20 4l-4.5 4.5\"/></svg>"
        .to_owned()
}

/// An invisible picture, for places where a letter would fill the page or a part of it.
pub fn nothing() -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>".to_owned()
}

/// The letter for a title: its first letter or digit in upper case, else its first character, else `?`.
pub fn initial(title: &str) -> String {
    let first = title.chars().find(|character| character.is_alphanumeric());
    match first.or_else(|| title.trim().chars().next()) {
        Some(character) => character.to_uppercase().collect(),
        None => "?".to_owned(),
    }
}

/// The first 16 hexadecimal digits of a SHA-256: short enough for an address, and long enough that no two texts collide
/// by chance.
pub fn key_of(text: &str) -> String {
    hex::encode(&digest(text)[..8])
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Contrast of two colors as WCAG defines it, from 1 to 21.
pub(super) fn contrast(one: u32, other: u32) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(color: u32) -> f64 {
    let channel = |shift: u32| {
        let value = f64::from((color >> shift) & 0xff) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
}
