//! The page's own style rules: colors of individual entries, themes of the config, custom styles.
//!
//! They are in one `<style>` element whose hash is in the Content-Security-Policy, because `style` attributes are not
//! allowed. Everything here was checked when the config was read.

use std::{collections::BTreeMap, fmt::Write as _};

use config::{
    Dashboard, View,
    dashboard::{ColumnWidth, IconView, ItemView, SectionView},
};
use themes::{Rgba, Scheme};

use crate::{
    page::{MAX_UNFOLDED, spans},
    words::t,
};

/// Usual backgrounds of tiles by day and by night. People may choose any theme, so colors must be visible on these too.
const BACKGROUNDS: [&str; 2] = ["#ffffff", "#1d2128"];
/// The minimum contrasts of brand colors on them. Large shapes need less contrast than text, and each has a name beside it.
const MIN_CONTRAST: [f64; 2] = [2.2, 3.0];
/// Colors with less chroma count as black, gray or white.
const MIN_CHROMA: f64 = 0.04;

/// How many services are up, in the header: a disc and words, with a comma before those that are down. If there are any, it is a
/// switch that hides everything else. Only pages with checks need these rules.
const HEALTH_RULES: &str = "@layer portico{.health{display:flex;align-items:center;gap:.5rem;padding:.25rem .75rem;\
    font-size:.8125rem;font-variant-numeric:tabular-nums;white-space:nowrap;color:var(--foreground);\
    background:var(--veil-strong);border-radius:2rem}.health::before{width:.5rem;height:.5rem;content:\"\";\
    background:var(--success);border-radius:50%}.health[data-status*=\",\"]::before{background:var(--danger)}\
    .health::after{content:attr(data-status)}.health:not([data-status*=\",\"])>input{display:none}\
    .health[data-status*=\",\"]{cursor:pointer;position:relative}.health:hover,.health:has(:checked)\
    {background:color-mix(in oklab,var(--foreground) 16%,transparent)}\
    .health:has(:focus-visible){outline:2px solid var(--outline-color)}\
    :root:has(.health[data-status*=\",\"]>:checked) #content{.collapsable:not(:has([data-status=down])),\
    .items>:not([data-status=down],:has([data-status=down])),.widgets,.fold{display:none}\
    .items>[data-status=down]{display:grid!important}\
    details::details-content{content-visibility:visible;opacity:1}}\
    @media(pointer:coarse){.health[data-status*=\",\"]{min-height:var(--target)}}\
    @media(width<780px){.health{margin-inline:-1rem auto}}@media(width<22.5rem){.health{display:none}}}";
/// The button that shows the items after the first [`MAX_UNFOLDED`]. A search finds all items, and paper has no button.
const FOLD_RULES: &str = "@layer portico{.fold{position:relative;margin:.75rem var(--section-padding)}\
    .fold:focus-within{outline:2px solid var(--outline-color)}.fold:has(:checked),.searching .fold{display:none}\
    @media print{.fold{display:none}}@media screen{.page:not(.searching) \
    details:has(>.fold :not(:checked))>.items>:nth-child(n+61){display:none}}}";

/// Tiles of sections with `sectionLayout: grid`: as many in a row as fit. The horizontal layout, and sections with a number of
/// columns of their own, have other rules.
const GRID_RULES: &str = "@layer portico{.items:where([data-grid]:not([data-x])){--per-row:1;\
    grid-template-columns:repeat(var(--per-row),minmax(0,1fr))}\
    @media(width>=600px){.items:where([data-grid]:not([data-x])){--per-row:2}}\
    @media(width>=1150px){.items:where([data-grid]:not([data-x])){--per-row:3}}\
    @media(width>=1780px){.items:where([data-grid]:not([data-x])){--per-row:4}}\
    @media(width>=2240px){.items:where([data-grid]:not([data-x])){--per-row:5}}\
    @media(width>=3400px){.items:where([data-grid]:not([data-x])){--per-row:6}}}";

/// Columns of the page. On phones they are stacked, full ones first; on tablets the narrow ones are side by side below the full
/// ones; on larger screens they are as configured.
fn column_rules(dashboard: &Dashboard) -> String {
    let columns = dashboard.section_columns();
    let narrow = columns.iter().filter(|(width, _)| *width == ColumnWidth::Narrow).count();
    let tracks = columns.iter().map(|(width, _)| match width {
        ColumnWidth::Narrow => "19rem",
        ColumnWidth::Full => "minmax(0,1fr)",
    });
    let tracks = tracks.collect::<Vec<_>>().join(" ");
    let (beside, from) = (narrow.max(1), if columns.len() > 2 { "1150px" } else { "780px" });
    format!(
        "@layer portico{{#content[data-split]{{display:grid;grid:auto-flow/minmax(0,1fr);overflow:visible}}\
         .page-column{{display:grid;gap:var(--gap);grid-template-columns:minmax(0,1fr)}}\
         .page-column[data-width=full]{{order:-1}}.layout-choice{{display:none}}\
         @media(width>=600px){{#content[data-split]{{grid-template-columns:repeat({beside},minmax(0,1fr))}}\
         .page-column[data-width=full]{{grid-column:1/-1}}}}\
         @media(width>={from}){{#content[data-split]{{grid-template-columns:{tracks}}}\
         .page-column[data-width=full]{{order:0;grid-column:auto}}}}}}"
    )
}

/// What screen readers announce for a status dot, in the language of the page. The product's style sheet has the English texts.
pub fn translated_rules(dashboard: &Dashboard) -> String {
    let has_status = dashboard.sections.iter().flat_map(|section| &section.items).any(|item| item.has_status);
    if !has_status || languages::current_locale().language.code().starts_with("en") {
        return String::new();
    }
    let rule = |(state, text): (&str, &str)| {
        let first = format!(".item[data-status={state}]>i:not(.second)::after");
        format!("{first},i[data-status={state}]::after{{content:\"\"/\"{text}\"}}")
    };
    [
        ("up", t("Up")),
        ("down", t("Down")),
        ("warn", t("Up, but its certificate ends soon")),
        ("wait", t("Status: not checked yet")),
    ]
    .map(rule)
    .concat()
}

/// The rules for entries with their own colors or styles.
pub fn entry_rules(dashboard: &Dashboard) -> String {
    let mut css = String::new();
    for section in &dashboard.sections {
        let id = format!("s-{}", section.index);
        let color = section.color.as_ref().map(|color| format!("--section-color:{color};"));
        let styles = section.custom_styles.as_deref().unwrap_or_default();
        rule(&mut css, &id, &format!("{}{styles}", color.unwrap_or_default()));
        if dashboard.view == View::Workspace && !section.widgets.is_empty() {
            // In the workspace view, its widgets fill the main area while it is open and no item is.
            let index = section.index;
            _ = write!(css, "#page:not([data-stage=frame]):has(#{id}>details[open]) #stage-{index}{{display:block}}");
        }
        for item in &section.items {
            let id = format!("i-{}-{}", section.index, item.index);
            item_rule(&mut css, &id, item);
            for sub_item in &item.sub_items {
                item_rule(&mut css, &format!("{id}-{}", sub_item.index), sub_item);
            }
        }
    }
    let brands = brand_rules(dashboard);
    if !brands.is_empty() {
        // A choice in the options of this browser overrides the config.
        let colored = if dashboard.monochrome_icons { "[data-icons=color]" } else { ":not([data-icons=mono])" };
        _ = write!(css, "html{colored}{{{brands}}}");
    }
    if dashboard.monochrome_icons {
        css.push_str(MONOCHROME_PICTURES);
    }
    if dashboard.columns.is_some() {
        css.push_str(&column_rules(dashboard));
    }
    css.push_str(&spans::rules(dashboard));
    if dashboard.sections.iter().flat_map(|section| &section.items).any(|item| item.has_status) {
        css.push_str(HEALTH_RULES);
    }
    if dashboard.sections.iter().any(|section| section.grid && section.item_count_x.is_none()) {
        css.push_str(GRID_RULES);
    }
    if dashboard.sections.iter().any(|section| section.shown_items() > MAX_UNFOLDED) {
        css.push_str(FOLD_RULES);
    }
    css.push_str(&off_home_rules(dashboard));
    css
}

/// Tiles that only a search shows, and on the home view the sections that have nothing else. While the page is edited, all
/// of them are visible.
fn off_home_rules(dashboard: &Dashboard) -> String {
    let has_some = |section: &SectionView| section.shown_items() < section.items.len();
    if !dashboard.sections.iter().any(has_some) {
        return String::new();
    }
    let mut hidden = String::from(".off-home");
    for section in &dashboard.sections {
        if dashboard.view == View::Home && has_some(section) && section.shown_items() == 0 && section.widgets.is_empty()
        {
            _ = write!(hidden, ",#s-{}", section.index);
        }
    }
    format!("@layer portico{{:root:not([data-editing]) .page:not(.searching) :is({hidden}){{display:none}}}}")
}

/// Pictures and emoji lose their colors, unless the viewer has chosen colored icons in this browser.
const MONOCHROME_PICTURES: &str =
    "html:not([data-icons=color]) :is(.item,.sub-item,.section-heading)>:is(.picture,.emoji){filter:grayscale(1)}";

/// The brand colors, each with its tiles. Tiles with colors in the config are not among them.
fn brand_rules(dashboard: &Dashboard) -> String {
    let mut css = String::new();
    let backgrounds = [(Scheme::Light, 0), (Scheme::Dark, 1)].map(|(scheme, position)| {
        let own = [&dashboard.look.day_theme, &dashboard.look.night_theme]
            .into_iter()
            .filter_map(|name| themes::find(name))
            .filter(|theme| theme.scheme().is_none_or(|only| only == scheme))
            .map(|theme| theme.swatch(scheme).surface);
        own.chain([BACKGROUNDS[position].to_owned()]).filter_map(|color| Rgba::parse(&color)).collect::<Vec<_>>()
    });
    let mut tiles: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for section in dashboard.sections.iter().filter(|section| section.color.is_none()) {
        for item in &section.items {
            let id = format!("#i-{}-{}", section.index, item.index);
            let sub_items = item.sub_items.iter().map(|sub_item| (sub_item, format!("{id}-{}", sub_item.index)));
            for (item, id) in sub_items.chain([(item, id.clone())]) {
                if let (Some(brand), None, None) = (item.brand, &item.color, &item.background) {
                    tiles.entry(brand).or_default().push(id);
                }
            }
        }
    }
    for (brand, ids) in tiles {
        let seen = |position: usize| visible(brand, &backgrounds[position], MIN_CONTRAST[position]);
        let (Some(day), Some(night)) = (seen(0), seen(1)) else { continue };
        let color = if day == night { day } else { format!("light-dark({day},{night})") };
        _ = write!(
            css,
            "{}{{--brand:{color};--tinted:color-mix(in oklab,var(--brand) 5%,var(--item-background))}}",
            ids.join(",")
        );
    }
    css
}

/// A color, adjusted in lightness until it is visible on all backgrounds. `None` for black, gray and white, because the text color
/// of the tile suits those better.
fn visible(brand: u32, backgrounds: &[Rgba], min: f64) -> Option<String> {
    let mut color = Rgba::parse(&format!("#{brand:06x}"))?;
    let lowest =
        |color: Rgba| backgrounds.iter().map(|background| color.contrast(*background)).fold(f64::MAX, f64::min);
    let [mut lightness, chroma, hue] = color.to_oklch();
    let step = if backgrounds.first()?.to_oklch()[0] > 0.6 { -0.02 } else { 0.02 };
    while lowest(color) < min {
        lightness += step;
        if !(0.0..=1.0).contains(&lightness) {
            return None;
        }
        // Within the gamut of the screen.
        color = Rgba::parse(&Rgba::oklch(lightness, chroma, hue).to_string())?;
    }
    (chroma >= MIN_CHROMA).then(|| color.to_string())
}

fn item_rule(css: &mut String, id: &str, item: &ItemView) {
    let mut declarations = String::new();
    if let Some(color) = &item.color {
        _ = write!(declarations, "--item-text-color:{color};--item-text-color-hover:{color};");
        if matches!(item.icon, IconView::Letter(_)) {
            let background = format!("color-mix(in oklab,{color} 18%,transparent)");
            _ = write!(declarations, "--letter-color:{color};--letter-ground:{background};");
        }
    }
    if let Some(background) = &item.background {
        if item.color.is_none() {
            // A text color that is readable on that background, whatever the theme's own text color is.
            declarations.push_str("--item-text-color:var(--text-on-item);--item-text-color-hover:var(--text-on-item);");
        }
        _ = write!(declarations, "--item-background:{background};--item-background-hover:{background};");
    }
    rule(css, id, &declarations);
}

fn rule(css: &mut String, id: &str, declarations: &str) {
    if !declarations.is_empty() {
        _ = write!(css, "#{id}{{{declarations}}}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brands_can_be_seen_by_day_and_by_night() {
        let [day, night] = BACKGROUNDS.map(|background| vec![Rgba::parse(background).unwrap()]);
        for backgrounds in [&day, &night] {
            for brand in [0x18_17_17, 0x80_80_80, 0xff_ff_ff] {
                assert_eq!(visible(brand, backgrounds, 2.0), None, "{brand:06x}");
            }
        }
        assert_eq!(visible(0x41_bd_f5, &night, MIN_CONTRAST[1]).as_deref(), Some("#41bdf5"));
        for brand in [0x00_00_8b, 0xff_ff_00, 0xeb_af_00, 0x41_bd_f5, 0x7f_00_00] {
            for (backgrounds, min) in [&day, &night].into_iter().zip(MIN_CONTRAST) {
                let color = Rgba::parse(&visible(brand, backgrounds, min).unwrap()).unwrap();
                assert!(color.contrast(backgrounds[0]) >= min, "{brand:06x} became {color}");
            }
        }
    }
}
