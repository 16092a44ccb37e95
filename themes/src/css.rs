//! The CSS of a theme: variables, shadows, typefaces, backdrop, traits.

use std::{borrow::Cow, fmt::Write as _};

use crate::{
    backdrop,
    file::{Palette, Shadow, ThemeFile},
    fonts,
};

/// The files in `style/traits`.
const TRAITS: &[(&str, &str)] = &{
    macro_rules! traits {
        ($($name:literal),* $(,)?) => {
            [$(($name, include_str!(concat!("../../style/traits/", $name, ".css")))),*]
        };
    }
    traits![
        "airy",
        "bars",
        "blur",
        "borders",
        "boxed",
        "brutal",
        "capitals",
        "centered",
        "dividers",
        "filled-hues",
        "gradient-title",
        "heading-hues",
        "hues",
        "keys",
        "marks",
        "neon",
        "neon-marks",
        "outlined-hues",
        "pills",
        "ruled",
        "side-hues",
        "solid-hues",
        "strips",
        "terminal",
        "wireframe",
    ]
};

/// The whole CSS of a theme.
pub fn of(file: &ThemeFile) -> String {
    let mut rules = String::new();
    if file.is_boxed() {
        // Before the palette, which may override it.
        rules.push_str(&compact(&trait_css("boxed")));
    }
    for (scheme, palette) in [("light", &file.light), ("dark", &file.dark)] {
        let Some(palette) = palette else { continue };
        _ = write!(rules, ":root{{color-scheme:{scheme};{}}}", root(file, palette));
        // The tooltip has the background of the other scheme.
        let other = if scheme == "light" { "dark" } else { "light" };
        _ = write!(rules, ".tooltip .swatch{{color-scheme:{other}}}");
    }
    if let Some(backdrop) = &file.backdrop {
        let drawing = backdrop::of(backdrop);
        _ = write!(rules, "body::before{{content:\"\";position:fixed;inset:0;z-index:-1;{drawing}}}");
    }
    if file.backdrop.is_some() || file.traits.iter().any(|name| name == "bars") {
        // A full-width element must not end before the scroll bar.
        rules.push_str("html{scrollbar-gutter:auto}");
    }
    for name in &file.traits {
        rules.push_str(&compact(&trait_css(name)));
    }
    // The order of the layers, for a page that loads this sheet first.
    format!("{}@layer portico,theme,system;@layer theme{{{rules}}}", fonts::rules(file))
}

fn trait_css(name: &str) -> Cow<'static, str> {
    let found = TRAITS.iter().find(|(known, _)| *known == name);
    let (_, text) = found.unwrap_or_else(|| panic!("there is no style/traits/{name}.css"));
    crate::text_of(&format!("traits/{name}.css"), text)
}

fn root(file: &ThemeFile, palette: &Palette) -> String {
    let mut css = String::new();
    for (name, value) in palette {
        _ = write!(css, "--{name}:{value};");
    }
    if let Some(radius) = &file.radius {
        _ = write!(css, "--curve-factor:{radius};");
    }
    for (name, typeface) in [("headings", file.headings), ("body", file.body)] {
        if let Some(typeface) = typeface {
            _ = write!(css, "--font-{name}:{};", typeface.stack());
        }
    }
    for (number, hue) in file.hues.iter().enumerate() {
        _ = write!(css, "--hue-{}:{hue};", number + 1);
    }
    css.push_str(shadows(file.shadow));
    css.trim_end_matches(';').to_owned()
}

fn shadows(shadow: Shadow) -> &'static str {
    match shadow {
        Shadow::None => "",
        Shadow::Soft => {
            "--item-group-shadow:0 1px 2px var(--shade),0 12px 32px -10px var(--shade);\
             --item-hover-shadow:0 6px 18px -6px var(--shade);"
        }
        Shadow::Cards => {
            "--item-group-shadow:0 1px 3px var(--shade),0 2px 8px var(--shade);--item-shadow:0 1px 3px var(--shade);\
             --item-hover-shadow:0 4px 12px var(--shade),0 2px 4px var(--shade);"
        }
        Shadow::Hard => {
            "--item-group-shadow:6px 6px 0 var(--foreground);--item-shadow:3px 3px 0 var(--foreground);\
             --item-hover-shadow:5px 5px 0 var(--foreground);--settings-container-shadow:6px 6px 0 var(--foreground);\
             --context-menu-shadow:6px 6px 0 var(--foreground);"
        }
        Shadow::Glow => {
            "--item-group-shadow:0 0 18px -4px color-mix(in oklab,var(--primary) 45%,transparent);\
             --item-hover-shadow:0 0 14px color-mix(in oklab,var(--primary) 55%,transparent);"
        }
        Shadow::Extruded => {
            "--lit:oklch(from var(--background) calc(l + .055) c h);--unlit:oklch(from var(--background) calc(l - .075) c h);\
             --item-group-shadow:8px 8px 20px var(--unlit),-8px -8px 20px var(--lit);\
             --item-shadow:4px 4px 9px var(--unlit),-4px -4px 9px var(--lit);\
             --item-hover-shadow:inset 4px 4px 9px var(--unlit),inset -4px -4px 9px var(--lit);"
        }
    }
}

/// CSS without comments and unnecessary spaces. It is our own, so no string contains a brace or two spaces.
fn compact(css: &str) -> String {
    let mut bare = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        bare.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    bare.push_str(rest);
    let mut compact = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    for sign in ["{", "}", ";", ","] {
        compact = compact.replace(&format!(" {sign}"), sign).replace(&format!("{sign} "), sign);
    }
    compact.replace(": ", ":").replace(";}", "}")
}
