//! The colors that `style/_variables.scss` derives from a palette, computed like a browser. If you change one there,
//! change it here too; `end2end/tests/themes.spec.ts` compares the two.

use crate::{
    Rgba, Scheme,
    file::{Palette, ThemeFile},
};

/// The colors of text and controls in a theme, and the backgrounds behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The page background.
    pub background: Rgba,
    /// The background of the cards: of sections if they are boxes, otherwise of tiles.
    pub card: Rgba,
    /// The accent.
    pub primary: Rgba,
    /// The text.
    pub foreground: Rgba,
    /// Names and colors of text: each needs a contrast of 4.5 to 1.
    pub texts: Vec<(&'static str, Rgba)>,
    /// Names and colors of non-text elements, such as the focus ring: 3 to 1.
    pub marks: Vec<(&'static str, Rgba)>,
    /// Names and colors of the backgrounds behind all of them, opaque.
    pub backgrounds: Vec<(String, Rgba)>,
    /// Texts with their own background: name, text, background.
    pub pairs: Vec<(String, Rgba, Rgba)>,
    /// Non-text elements with their own background, such as the status of a tile: name, color, background.
    pub marked_pairs: Vec<(String, Rgba, Rgba)>,
}

struct PaletteReader<'a> {
    palette: &'a Palette,
    known: Vec<(&'static str, Rgba)>,
}

impl PaletteReader<'_> {
    /// The color of a variable: the one in the file, or else the derived one.
    fn color(&mut self, name: &'static str, or: Rgba) -> Rgba {
        let color = match self.palette.get(name).map(String::as_str) {
            Some(value) => match value.strip_prefix("var(--").and_then(|rest| rest.strip_suffix(')')) {
                Some(other) => self.known.iter().find(|(known, _)| *known == other).map(|(_, color)| *color),
                None => Rgba::parse(value),
            }
            .unwrap_or_else(|| panic!("`{name}: {value}` is not a color that can be measured")),
            None => or,
        };
        self.known.push((name, color));
        color
    }
}

impl Resolved {
    /// The colors of a theme in light or dark mode.
    pub(crate) fn of(file: &ThemeFile, scheme: Scheme) -> Self {
        Self::of_palette(file, file.palette(scheme), scheme)
    }

    /// The colors of a theme with another palette.
    pub(crate) fn of_palette(file: &ThemeFile, palette: &Palette, scheme: Scheme) -> Self {
        let mut reader = PaletteReader { palette, known: Vec::new() };
        let black = Rgba { rgb: [0.0; 3], alpha: 1.0 };
        let background = reader.color("background", black);
        let [lightness, chroma, hue] = background.to_oklch();
        let primary = reader.color("primary", black);
        let darker = reader.color("background-darker", background);
        let foreground =
            reader.color("foreground", Rgba::oklch(((0.6 - lightness) * 1000.0).clamp(0.26, 0.93), 0.014, 210.0));
        let step = ((lightness - 0.42).max(0.42 - lightness) - 0.14) * 1000.0;
        let surface = reader.color("surface", Rgba::oklch(lightness + step.clamp(-0.03, 0.03), chroma, hue));
        let raised = reader.color("raised", Rgba::oklch(lightness + step.clamp(-0.05, 0.055), chroma, hue));
        let dimming: f64 = palette.get("dimming-factor").and_then(|factor| factor.parse().ok()).unwrap_or(0.72);
        let link = reader.color("link", primary.mixed(0.42, foreground));
        let muted = reader.color("muted", foreground.with_alpha(dimming));
        let veil = reader.color("veil", foreground.with_alpha(0.04));
        let veil_strong = reader.color("veil-strong", foreground.with_alpha(0.08));
        let tint = reader.color("tint", primary.with_alpha(0.13));
        let [accent, _, accent_hue] = primary.to_oklch();
        let on_primary =
            reader.color("on-primary", Rgba::oklch(((0.58 - accent) * 1000.0).clamp(0.17, 0.99), 0.02, accent_hue));
        let state = |name, day, night, reader: &mut PaletteReader<'_>| {
            let [lightness, chroma, hue]: [f64; 3] = if scheme == Scheme::Light { day } else { night };
            (name, reader.color(name, Rgba::oklch(lightness, chroma, hue)))
        };
        let states = [
            state("info", [0.5, 0.11, 240.0], [0.8, 0.09, 235.0], &mut reader),
            state("success", [0.5, 0.12, 150.0], [0.82, 0.14, 152.0], &mut reader),
            state("warning", [0.52, 0.11, 70.0], [0.85, 0.13, 82.0], &mut reader),
            state("danger", [0.53, 0.17, 27.0], [0.76, 0.13, 24.0], &mut reader),
        ];
        let heading = reader.color("heading-text-color", foreground);
        let nav = reader.color("nav-link-text-color", muted);
        let nav_hover = reader.color("nav-link-text-color-hover", foreground);
        let nav_ground = reader.color("nav-link-background-color", Rgba::TRANSPARENT);
        let nav_hover_ground = reader.color("nav-link-background-color-hover", veil_strong);
        let boxed = file.is_boxed();
        let item = reader.color("item-background", if boxed { veil } else { surface });
        let item_hover = reader.color("item-background-hover", tint);
        let item_text = reader.color("item-text-color", foreground);
        let item_text_hover = reader.color("item-text-color-hover", item_text);
        let section = reader.color("item-group-outer-background", if boxed { surface } else { Rgba::TRANSPARENT });
        let inner = reader.color("item-group-background", Rgba::TRANSPARENT);
        let section_heading = reader.color("item-group-heading-text-color", foreground);
        let section_text = reader.color("section-text", foreground);
        let outline = reader.color("outline-color", link);
        let field = reader.color("search-field-background", surface);
        let label = reader.color("search-label-color", muted);
        let edge = reader.color("field-edge", foreground.with_alpha(if scheme == Scheme::Light { 0.53 } else { 0.44 }));
        let settings = reader.color("settings-background", raised);
        let settings_text = reader.color("settings-text-color", foreground);
        let menu = reader.color("context-menu-background", raised);
        let menu_text = reader.color("context-menu-color", foreground);
        let widget = reader.color("widget-base-background", if boxed { Rgba::TRANSPARENT } else { surface });
        let widget_text = reader.color("widget-text-color", section_text);
        let footer = reader.color("footer-text-color", muted);
        let footer_link = reader.color("footer-text-color-link", link);
        let bar = reader.color("bar", background);
        let bar_text = reader.color("bar-text", foreground);

        // An element directly on the page may be above any color of its drawing.
        let mut pages = vec![("page".to_owned(), background)];
        let drawn = file.backdrop.iter().flat_map(|backdrop| &backdrop.colors).enumerate();
        pages.extend(drawn.filter_map(|(at, text)| Some((format!("backdrop {}", at + 1), Rgba::parse(text)?))));
        let mut backgrounds = pages.clone();
        let (mut pairs, mut marked_pairs) = (Vec::new(), Vec::new());
        let has = |name: &str| file.traits.iter().any(|own| own == name);
        let is_bar = has("bars");
        for (place, page) in &pages {
            let mut pair = |name: &str, text: Rgba, ground: Rgba| {
                pairs.push((format!("{name} over {place}"), text.over(ground), ground));
            };
            let box_ground = inner.over(section.over(*page));
            let tile = item.over(box_ground);
            pair("section heading", section_heading, if has("strips") { darker } else { box_ground });
            pair("section text", section_text, box_ground);
            pair("soft section text", section_text.with_alpha(dimming), box_ground);
            pair("tile", item_text, tile);
            pair("tile under the pointer", item_text_hover, item_hover.over(box_ground));
            // With solid hues, the status of a tile has a ground of its own.
            let mut status_grounds = vec![if has("solid-hues") { surface.over(background) } else { tile }];
            let panel = widget.over(box_ground);
            pair("widget", widget_text, panel);
            for (name, color) in states {
                pair(name, color, panel);
            }
            let around = if is_bar { bar.over(*page) } else { *page };
            let field = field.over(around);
            pair("search field", foreground, field);
            let edge = if is_bar { bar_text.with_alpha(0.8) } else { edge };
            // A field that stands out by itself needs no edge.
            let shown =
                [edge.over(field), field].into_iter().max_by(|a, b| a.contrast(around).total_cmp(&b.contrast(around)));
            marked_pairs.extend(shown.map(|shown| (format!("edge of the search field over {place}"), shown, around)));
            pair("prompt of the search", label, field);
            pair("button beside the search", muted, field);
            pair("footer", footer, *page);
            pair("link of the footer", footer_link, *page);
            if !is_bar {
                pair("heading", heading, *page);
                pair("link of the header", nav, nav_ground.over(*page));
                pair("services that are up", foreground, veil_strong.over(*page));
            }
            // The hues are used for the text and the border of tiles.
            for (at, hue) in file.hues.iter().filter_map(|hue| Rgba::parse(hue)).enumerate() {
                status_grounds.extend(has("outlined-hues").then(|| hue.with_alpha(0.07).over(box_ground)));
                status_grounds.extend(has("filled-hues").then(|| hue.with_alpha(0.2).over(box_ground)));
                for name in &file.traits {
                    match name.as_str() {
                        "outlined-hues" => pair(&format!("hue {}", at + 1), hue, hue.with_alpha(0.07).over(box_ground)),
                        "filled-hues" => {
                            pair(&format!("hue {}", at + 1), foreground, hue.with_alpha(0.2).over(box_ground))
                        }
                        "heading-hues" => pair(&format!("hue {}", at + 1), hue, box_ground),
                        "solid-hues" => {
                            let [lightness, _, own] = hue.to_oklch();
                            let text = Rgba::oklch(((0.58 - lightness) * 1000.0).clamp(0.17, 0.99), 0.02, own);
                            pair(&format!("hue {}", at + 1), text, hue);
                        }
                        _ => {}
                    }
                }
            }
            for ground in status_grounds {
                let marks =
                    states.iter().map(|(name, color)| (format!("{name} of a tile over {place}"), *color, ground));
                marked_pairs.extend(marks);
            }
        }
        for (name, ground) in [("page", background), ("dialog", raised)] {
            marked_pairs.push((format!("edge of a field on a {name}"), edge.over(background), ground.over(background)));
        }
        if is_bar {
            // Focus rings have this color too.
            pairs.push(("heading on the bar".to_owned(), bar_text, bar));
        }
        for (name, text, ground) in [
            ("settings", settings_text, settings),
            ("menu", menu_text, menu),
            ("button with the accent", on_primary, primary),
            ("choice in the settings", settings_text, veil_strong.over(settings.over(background))),
            if is_bar {
                ("link on the bar under the pointer", bar_text, bar_text.with_alpha(0.06).over(bar))
            } else {
                ("link of the header under the pointer", nav_hover, nav_hover_ground.over(background))
            },
            ("code", foreground, darker),
            ("text of a tooltip", background, foreground),
        ] {
            let ground = ground.over(background);
            pairs.push((name.to_owned(), text.over(ground), ground));
        }
        backgrounds.push(("surface".to_owned(), surface.over(background)));
        backgrounds.push(("raised".to_owned(), raised.over(background)));
        let texts = vec![("foreground", foreground), ("muted", muted), ("link", link)];
        let card = if boxed { section } else { item.over(background) };
        Self {
            background,
            card,
            primary,
            foreground,
            texts,
            marks: vec![("focus", outline)],
            backgrounds,
            pairs,
            marked_pairs,
        }
    }
}
