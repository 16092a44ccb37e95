//! Logos in plain black, which are invisible on a dark page.

mod raster;

use super::drawing::{DARK, MIN_CONTRAST, contrast};
pub use raster::picture_with_light_variant;
#[cfg(test)]
pub use raster::tests::black_logo;

/// What a dark page does to such a logo: black becomes light gray, white dark gray, and every color keeps its hue.
const STYLE: &str = "<style>@media(prefers-color-scheme:dark){:root{filter:invert(.88) hue-rotate(180deg)}}</style>";
/// The attributes and properties that set a color.
const COLORED: [&str; 4] = ["fill", "stroke", "stop-color", "color"];
/// A color all of whose channels are at least this counts as white.
const WHITE: u32 = 0xe0;

/// A drawing with a light variant for dark pages, if it is black or nearly so; `None` for any other, also for one that
/// has such a variant itself.
pub fn with_light_variant(svg: &[u8]) -> Option<String> {
    let svg = std::str::from_utf8(svg).ok()?;
    if svg.contains("prefers-color-scheme") || svg.contains("<image") || !vanishes(svg) {
        return None;
    }
    let root = svg.find("<svg")?;
    let end = root + svg[root..].find('>')?;
    // An empty root has nothing to show.
    (!svg[..end].ends_with('/')).then(|| [&svg[..=end], STYLE, &svg[end + 1..]].concat())
}

/// Whether all colors of a drawing are too dark for a dark page, but for white. Shapes without a color are black.
fn vanishes(svg: &str) -> bool {
    let mut all = colors(svg).filter(|color| *color != Some(Color::None)).peekable();
    if all.peek().is_none() {
        return true;
    }
    let mut some = false;
    for color in all {
        match color {
            Some(Color::White) => {}
            Some(Color::Dark) => some = true,
            _ => return false,
        }
    }
    some
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    /// Nothing is painted.
    None,
    White,
    /// Not visible on a dark page.
    Dark,
    Other,
}

impl Color {
    /// A color as 0xRRGGBB.
    fn of(number: u32) -> Self {
        let is_white = [16, 8, 0].into_iter().all(|shift| (number >> shift) & 0xff >= WHITE);
        match contrast(number, DARK) {
            _ if is_white => Self::White,
            visible if visible >= MIN_CONTRAST => Self::Other,
            _ => Self::Dark,
        }
    }
}

/// The colors that a drawing sets, `None` for values that are no plain colors, such as gradients. These have colors of
/// their own, so references to them say nothing.
fn colors(svg: &str) -> impl Iterator<Item = Option<Color>> {
    let of_name = move |name: &'static str| {
        svg.match_indices(name).filter_map(move |(at, _)| {
            let is_start = !svg[..at].ends_with(|before: char| before.is_alphanumeric() || before == '-');
            let rest = svg[at + name.len()..].trim_start();
            let rest = rest.strip_prefix([':', '=']).filter(|_| is_start)?.trim_start().trim_start_matches(['"', '\'']);
            let value = rest.split(['"', '\'', ';', '}', '!', '<']).next().unwrap_or_default().trim();
            (!value.starts_with("url(")).then(|| read(value))
        })
    };
    COLORED.into_iter().flat_map(of_name)
}

fn read(value: &str) -> Option<Color> {
    let value = value.to_ascii_lowercase();
    let number = match value.as_str() {
        "none" | "transparent" | "inherit" => return Some(Color::None),
        // Of an image, it is black.
        "black" | "currentcolor" => 0,
        "white" => 0xff_ff_ff,
        _ => {
            let digits = value.strip_prefix('#')?;
            let long: String = match digits.len() {
                3 | 4 => digits.chars().take(3).flat_map(|digit| [digit, digit]).collect(),
                6 | 8 => digits.chars().take(6).collect(),
                _ => return None,
            };
            u32::from_str_radix(&long, 16).ok()?
        }
    };
    Some(Color::of(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(inside: &str) -> String {
        format!("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">{inside}</svg>")
    }

    #[test]
    fn black_drawings_get_a_light_variant() {
        for inside in [
            "<path d=\"M0\"/>",
            "<path fill=\"#000\" d=\"M0\"/>",
            "<path style=\"fill: #191717; stroke:none\" d=\"M0\"/>",
            "<style>.a{fill:black}</style><path class=\"a\" d=\"M0\"/>",
            "<mask id=\"a\"><path fill=\"#fff\" d=\"M0\"/></mask><path stroke=\"#000\" fill=\"none\" d=\"M0\"/>",
            "<path fill=\"currentColor\" d=\"M0\"/>",
        ] {
            let svg = drawing(inside);
            let with = with_light_variant(svg.as_bytes()).expect(inside);
            assert_eq!(with.replace(STYLE, ""), svg);
            assert!(with.contains(&format!("viewBox=\"0 0 9 9\">{STYLE}<")), "{with}");
        }
    }

    #[test]
    fn others_stay() {
        for inside in [
            "<path fill=\"#e5a00d\" d=\"M0\"/>",
            "<path d=\"M0\"/><path fill=\"#000\"/><path fill=\"#18bcf2\" d=\"M0\"/>",
            "<linearGradient id=\"b\"><stop stop-color=\"#f00\"/></linearGradient><path fill=\"url(#b)\" d=\"M0\"/>",
            "<path fill=\"#fff\" d=\"M0\"/>",
            "<path fill=\"rgb(255,0,0)\" d=\"M0\"/>",
            "<style>@media (prefers-color-scheme:dark){path{fill:#fff}}</style><path d=\"M0\"/>",
            "<image href=\"data:image/png;base64,AAAA\"/>",
        ] {
            assert_eq!(with_light_variant(drawing(inside).as_bytes()), None, "{inside}");
        }
        assert_eq!(with_light_variant(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), None);
        assert_eq!(with_light_variant(b"\x89PNG\r\n\x1a\n"), None);
    }
}
