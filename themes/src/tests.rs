//! Tests that each theme is readable and recognizable.

use std::{collections::BTreeMap, fs, path::Path};

use color::ACCENTS;

use crate::{Rgba, Scheme, all, css, find, inline_styles, theme_color};

/// AA for text, and for non-text elements (WCAG 2.2, 1.4.3 and 1.4.11).
const TEXT: f64 = 4.5;
const MARK: f64 = 3.0;

/// Accent and background from docs/spec/behavior.md 12.1. `-` if the value is not a color.
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
fn text_has_enough_contrast_in_every_theme() {
    let mut failures = Vec::new();
    let mut measured = 0;
    for (theme, scheme) in schemes() {
        let colors = theme.resolved(scheme);
        let mut check = |what: String, text: Rgba, ground: Rgba, min: f64| {
            let contrast = text.over(ground).contrast(ground);
            measured += 1;
            if contrast < min {
                failures.push(format!("{} {}: {what}: {contrast:.2} of {min}", theme.name, scheme.word()));
            }
        };
        for (place, ground) in &colors.backgrounds {
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
        for (name, color, ground) in &colors.marked_pairs {
            check(name.clone(), *color, *ground, MARK);
        }
    }
    assert!(failures.is_empty(), "{} of {measured}\n{}", failures.len(), failures.join("\n"));
    assert!(measured > 2000, "{measured}");
}

#[test]
fn links_and_focus_are_visible_with_every_accent() {
    let mut failures = Vec::new();
    for (theme, scheme) in schemes() {
        for accent in ACCENTS {
            let colors = theme.resolved_with(scheme, "primary", accent);
            let links = colors.texts.iter().filter(|(name, _)| *name == "link").map(|(_, color)| (*color, TEXT));
            let marks = colors.marks.iter().map(|(_, color)| (*color, MARK));
            for (color, min) in links.chain(marks) {
                for (place, ground) in &colors.backgrounds {
                    let contrast = color.over(*ground).contrast(*ground);
                    if contrast < min {
                        let scheme = scheme.word();
                        failures
                            .push(format!("{} {scheme}, {accent} over {place}: {contrast:.2} of {min}", theme.name));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
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

/// Variables for user styles; our own style sheets do not use them.
const HELPERS: [&str; 9] = [
    "black",
    "medium-grey",
    "neutral",
    "transparent-30",
    "transparent-70",
    "transparent-white-10",
    "transparent-white-30",
    "transparent-white-50",
    "transparent-white-70",
];

#[test]
fn every_variable_has_an_effect() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../style");
    let read = |folder: &str| {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        files.map(|path| fs::read_to_string(path).unwrap()).collect::<String>()
    };
    let folders = ["", "/traits", "/../frontend/edit"];
    let all: String = folders.map(|part| read(&format!("{folder}{part}"))).concat();
    // Loops that build a variable's name from its last word.
    let tones = ["success", "warning", "danger", "info"];
    let known = include_str!("../../style/_variables.scss");
    let names = known.lines().filter_map(|line| line.strip_prefix("  --")?.split_once(':')).map(|(name, _)| name);
    let unused: Vec<_> = names
        .filter(|name| !all.contains(&format!("var(--{name})")) && !all.contains(&format!("var(--{name},")))
        .filter(|name| !tones.contains(name) && !HELPERS.contains(name))
        .collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_css_of_each_is_small_and_whole() {
    for theme in all() {
        let css = &theme.css;
        assert!(css.len() < 4000, "{} has {} bytes", theme.name, css.len());
        assert_eq!(css.matches('{').count(), css.matches('}').count(), "{}: {css}", theme.name);
        // It is used inside a style element.
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
    assert!(css("light").contains(":root{color-scheme:light}") && css("dark").contains(":root{color-scheme:dark}"));
    assert_eq!(css("somebody-elses"), "");
    assert_eq!(theme_color("nord", Scheme::Light), "#3b4252");
    assert_eq!(theme_color("default", Scheme::Dark), "#0b1021");
    assert_eq!(theme_color("dark", Scheme::Light), "#0b1021");
    assert_eq!(theme_color("somebody-elses", Scheme::Light), "#f3f5f9");
}

/// docs/themes.md.
fn reference() -> String {
    let mut text = String::from(
        "# Themes\n\nGenerated by `UPDATE_DOCS=1 cargo test -p themes`; do not edit it by hand. `npx tsx theme-pictures.ts` in \
         `end2end/` takes the picture.\n\n\
         `appConfig.theme` sets the theme until the viewer chooses another one in the options; `dayTheme` and `nightTheme` follow \
         the system. The browser keeps that choice, and an accent color if the viewer sets one. A page contains only the CSS of \
         the theme in use.\n\n![All themes](themes.webp)\n\n| Name | Light or dark | |\n|---|---|---|\n",
    );
    for theme in all() {
        let scheme = theme.scheme().map_or("both", Scheme::word);
        text.push_str(&format!("| `{}` | {scheme} | {} |\n", theme.name, theme.about));
    }
    text.push_str(
        "\n`light` and `dark` are the halves of `default`, for the browser's own choice.\n\n## A theme of your own\n\n\
         Three variables make a theme; all other colors are derived from them. The list of themes then contains it.\n\n\
         ```yaml\nappConfig:\n  theme: harbour-lights\n  customColors:\n    harbour-lights:\n      primary: '#ffd166'\n      \
         background: '#073b4c'\n      background-darker: '#052a36'\n```\n\nIf you do not set `foreground`, the \
         text gets a color that is readable on the background. `customColors` for a built-in theme change that theme. These are \
         the variables, without `--`:\n\n",
    );
    let known = include_str!("../../style/_variables.scss");
    let names = known.lines().filter_map(|line| line.strip_prefix("  --")?.split_once(':')).map(|(name, _)| name);
    let names: std::collections::BTreeSet<_> = names.filter(|name| !name.starts_with("theme-")).collect();
    text.push_str(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
    text.push_str(
        ".\n\n`customCss` comes after everything else, and can apply to one theme: `html[data-theme='nord'] .item { … }`. The theme \
         `default` has no `data-theme`.\n\n## Contrast\n\nText, controls, focus rings and the colors of states meet WCAG 2.2 AA \
         in every theme, on each color of its backdrop (`themes/src/tests.rs`).\n\n## \
         Fonts\n\nAll are under the [SIL Open Font License 1.1](../public/fonts/OFL.txt), reduced to Latin letters, and loaded \
         only with a theme that uses them.\n\n| Font | Themes |\n|---|---|\n",
    );
    for (font, file) in [("Crimson Pro", "crimson-pro"), ("Orbitron", "orbitron"), ("VT323", "vt323")] {
        let users = all().iter().filter(|theme| theme.fonts.iter().any(|font| font.contains(file)));
        let users: Vec<_> = users.map(|theme| format!("`{}`", theme.name)).collect();
        text.push_str(&format!("| {font} | {} |\n", users.join(", ")));
    }
    text
}

#[test]
fn the_docs_are_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/themes.md");
    let fresh = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &fresh).unwrap();
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(found == fresh, "docs/themes.md is stale: UPDATE_DOCS=1 cargo test -p themes");
}

#[test]
fn no_theme_makes_the_first_visit_much_larger() {
    // A page with 200 items leaves a fifth of the 60 KB before the first paint, and more than 40 of the 200 KB in
    // total. The CSS of a theme is sent compressed; these are its bytes before compression.
    const STYLE: usize = 3_000;
    const TOTAL: u64 = 20_000;
    let public = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public");
    for theme in all() {
        let name = theme.name;
        let style: usize = inline_styles(name, name, "").iter().map(|style| style.css.len()).sum();
        assert!(style <= STYLE, "the style of {name} has {style} bytes");
        let fonts: u64 = theme.fonts.iter().map(|font| fs::metadata(public.join(font)).unwrap().len()).sum();
        let total = style as u64 + fonts;
        assert!(total <= TOTAL, "{name} has {total} bytes");
    }
}

/// Themes whose names say that they are the same in another color.
const FAMILIES: [&[&str]; 6] = [
    &["minimal-dark", "minimal-light"],
    &["high-contrast-dark", "high-contrast-light"],
    &["material", "material-dark"],
    &["matrix", "matrix-red"],
    &["oblivion", "oblivion-blue", "oblivion-lemon", "oblivion-mint", "oblivion-scotch"],
    &["solarized-dark", "solarized-light"],
];

#[test]
fn themes_differ_by_more_than_their_palette() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for theme in all() {
        let file = &theme.file;
        let drawing = file.backdrop.as_ref().map(|backdrop| backdrop.kind);
        let structure = format!(
            "{:?}, {:?}, {:?}, {:?}, {drawing:?}, boxes: {}",
            file.traits,
            file.shadow,
            file.headings,
            file.body,
            file.is_boxed(),
        );
        if let Some(other) = seen.insert(structure.clone(), theme.name) {
            let are_related = FAMILIES.iter().any(|family| family.contains(&theme.name) && family.contains(&other));
            assert!(are_related, "{} and {other} differ by palette and radius only: {structure}", theme.name);
        }
    }
}

#[test]
fn every_variable_of_the_interface_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut used = String::new();
    let mut folders = vec![root.join("style"), root.join("frontend"), root.join("public")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| ["css", "js", "scss"].iter().any(|known| kind == *known)) {
                used.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    let declared = fs::read_to_string(root.join("style/_variables.scss")).unwrap();
    let names =
        declared.lines().filter_map(|line| line.trim().strip_prefix("--")?.split_once(':').map(|(name, _)| name));
    let is_used = |name: &str| [")", ","].iter().any(|end| used.contains(&format!("var(--{name}{end}")));
    let unused: Vec<_> = names.filter(|name| !is_used(name)).collect();
    assert!(unused.is_empty(), "these variables have no effect: {unused:?}");
}
