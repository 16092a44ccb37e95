//! Each theme can be read and recognised.

use std::collections::BTreeMap;

use config::model::style::BUILT_IN_THEMES;

use crate::{Color, NAMES, Scheme, all, css, find, theme_color};

/// AA for text, and for what is no text (WCAG 2.2, 1.4.3 and 1.4.11).
const TEXT: f64 = 4.5;
const MARK: f64 = 3.0;

/// Accent and ground of docs/spec/behaviour.md 12.1. `-` where that says something other than a colour.
const FAMILIAR: &str = "
    default #5cabca #0b1021, glass #ffffff #190842, callisto #00ccb4 #141b33, material #4285f4 #eeeeee,
    material-dark #08b0bb #313941, dashy-docs #f5f6f7 #202020, colorful #e8eae1 #0b1021, dracula #98ace9 #44475a,
    one-dark #c5cad3 #282c33, lissy #ff00ff #25282c, cherry-blossom #e1e8ee #11171d, nord-frost #d8dee9 #3b4252,
    nord #d8dee9 #3b4252, argon #aabbc3 #15131f, fallout #aabbc3 #263238, whimsy #aabbc3 #232138,
    oblivion #f35151 #1b2431, adventure #ffffff #0b1021, crayola #7fd8e7 #191d2e, deep-ocean #aabbc3 #151e2d,
    minimal-dark #a5a5a5 #14171e, minimal-light #a5a5a5 #ffffff, thebe #b187f5 #141b33, matrix #2bca2b #000000,
    matrix-red #ff0000 #000000, color-block #e94560 #16213e, raspberry-jam #eb2d6c #0b1021, bee #c3eb5c #0b1021,
    tiger #f58233 #0b1021, glow #5c6da9 #f6f6f6, glow-dark #8faeff #11111b, vaporware #09bfe6 #100e2c,
    cyberpunk #ffd300 -, material-original #29b6f6 #f1f1f1, material-dark-original #08b0bb #39434c,
    high-contrast-dark #ffffff #000000, high-contrast-light #000000 #ffffff, adventure-basic #ffffff -, basic #aabbc3 -,
    tama #ffffff #0b1021, neomorphic - -, glass-2 - -, night-bat #4780ff #252931, tokyo-night #7aa2f7 #1a1b26,
    gruvbox #fabd2f #282828, rose-pine #ebbcba #191724, parchment #8b2c2c #f5efdc, aurora #a3e4d7 #0c0e24,
    zinc #8b7cff #09090b, solarized-dark #268bd2 #002b36, solarized-light #268bd2 #fdf6e3, brutalist #000000 #fffcf0,
    midnight #e5e5e5 #000000, catppuccin #cba6f7 #1e1e2e";

fn schemes() -> impl Iterator<Item = (&'static crate::Theme, Scheme)> {
    all().iter().flat_map(|theme| {
        let both = [Scheme::Light, Scheme::Dark];
        both.into_iter()
            .filter(|scheme| theme.scheme().is_none_or(|only| only == *scheme))
            .map(move |scheme| (theme, scheme))
    })
}

#[test]
fn there_is_one_for_each_name_of_the_config() {
    assert_eq!(NAMES, BUILT_IN_THEMES);
}

#[test]
fn accents_and_grounds_are_the_familiar_ones() {
    let mut seen = 0;
    for line in FAMILIAR.split(',') {
        let [name, accent, ground]: [&str; 3] = line.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
        let swatch = find(name).unwrap().swatch(Scheme::Dark);
        for (expected, own) in [(accent, swatch.primary), (ground, swatch.background)] {
            assert!(expected == "-" || expected == own, "{name}: {own} instead of {expected}");
        }
        seen += 1;
    }
    assert_eq!(seen, 54);
}

#[test]
fn everything_can_be_read_in_every_theme() {
    let mut faults = Vec::new();
    let mut measured = 0;
    for (theme, scheme) in schemes() {
        let colors = theme.resolved(scheme);
        let mut check = |what: String, text: Color, ground: Color, least: f64| {
            let contrast = text.over(ground).contrast(ground);
            measured += 1;
            if contrast < least {
                faults.push(format!("{} {}: {what}: {contrast:.2} of {least}", theme.name, scheme.word()));
            }
        };
        for (place, ground) in &colors.grounds {
            for (name, text) in &colors.texts {
                check(format!("{name} over {place}"), *text, *ground, TEXT);
            }
            for (name, mark) in &colors.marks {
                check(format!("{name} over {place}"), *mark, *ground, MARK);
            }
        }
        for (name, text, ground) in &colors.pairs {
            check(name.clone(), *text, *ground, TEXT);
        }
    }
    assert!(faults.is_empty(), "{} of {measured}\n{}", faults.len(), faults.join("\n"));
    assert!(measured > 2000, "{measured}");
}

#[test]
fn no_two_have_the_same_palette() {
    let mut seen = BTreeMap::new();
    for (theme, scheme) in schemes() {
        let palette = format!("{:?}", theme.swatch(scheme));
        if let Some(other) = seen.insert(palette, theme.name) {
            panic!("`{}` and `{other}` have the same palette", theme.name);
        }
    }
}

#[test]
fn palettes_are_whole_and_have_no_unknown_variables() {
    let known = include_str!("../../style/_variables.scss");
    for (theme, scheme) in schemes() {
        let palette = theme.file.palette(scheme);
        for name in ["primary", "background", "background-darker"] {
            assert!(palette.contains_key(name), "{} has no `{name}`", theme.name);
        }
        for name in palette.keys() {
            let is_known = known.contains(&format!("  --{name}:"))
                || name == "item-text-color-hover"
                || name == "widget-text-color";
            assert!(is_known, "{}: style/_variables.scss has no `--{name}`", theme.name);
        }
        assert!(theme.file.hues.is_empty() || theme.file.hues.len() == 6, "{} has no six hues", theme.name);
        assert!(!theme.about.is_empty() && !theme.about.ends_with('.'), "{}", theme.name);
    }
}

#[test]
fn the_style_sheet_has_the_palette_of_the_default_theme() {
    let sheet = include_str!("../../style/_variables.scss");
    let theme = find(crate::DEFAULT).unwrap();
    let [day, night] = [Scheme::Light, Scheme::Dark].map(|scheme| theme.file.palette(scheme));
    for (name, day) in day {
        let line = format!("  --{name}: light-dark({day}, {});", night[name]);
        assert!(sheet.contains(&line), "style/_variables.scss lacks `{line}`");
    }
    assert!(theme.css.is_empty());
}

#[test]
fn the_css_of_each_is_small_and_whole() {
    for theme in all() {
        let css = &theme.css;
        assert!(css.len() < 4000, "{} has {} bytes", theme.name, css.len());
        assert_eq!(css.matches('{').count(), css.matches('}').count(), "{}: {css}", theme.name);
        // It stands in a style element.
        assert!(
            !css.contains('<') && !css.contains("/*") && !css.contains("http:")
                || css.contains("xmlns='http://www.w3.org/2000/svg'")
        );
        assert_eq!(theme.name == crate::DEFAULT, css.is_empty());
    }
    let total: usize = all().iter().map(|theme| theme.css.len()).sum();
    assert!(total < 60 * 1600, "{total}");
}

#[test]
fn halves_of_the_default_theme_and_unknown_names() {
    assert_eq!(css("light"), "@layer theme{:root{color-scheme:light}}");
    assert_eq!(css("somebody-elses"), "");
    assert_eq!(theme_color("nord", Scheme::Light), "#3b4252");
    assert_eq!(theme_color("default", Scheme::Dark), "#0b1021");
    assert_eq!(theme_color("dark", Scheme::Light), "#0b1021");
    assert_eq!(theme_color("somebody-elses", Scheme::Light), "#f3f5f9");
}
