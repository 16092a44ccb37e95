//! Finds the bundled icon for a name in the config: styles, old names, and replacements for missing icons.
//!
//! A set's name is also its folder in addresses: `/icons/mdi/alien.svg`.

use config::icon::FontAwesomeStyle;

use super::pack::{BodyKind, Pack, PackedIcon};

/// Sets that can be named in an address.
pub const ADDRESS_SETS: [&str; 5] = ["fa-brands", "fa-regular", "fa-solid", "mdi", "si"];

const BRANDS: &str = "fa-brands";
const REGULAR: &str = "fa-regular";
const SOLID: &str = "fa-solid";
/// Names of Font Awesome 4 that changed their style as well; aliases only, so no address has this set.
const VERSION_4: &str = "fa-v4";
const HOMELAB: &str = "homelab";
const MATERIAL_DESIGN: &str = "mdi";
const SIMPLE_ICONS: &str = "si";

/// The glyph for a Font Awesome name, written without `fa-`: the requested style, else the other free styles. Paid
/// styles are shown as solid, the one free style that has nearly every name (docs/spec/config.md 11.3).
pub fn font_awesome<'a>(pack: &'a Pack, style: FontAwesomeStyle, name: &str) -> Option<PackedIcon<'a>> {
    let name = name.to_ascii_lowercase();
    let order: &[&str] = match style {
        FontAwesomeStyle::Regular => &[REGULAR, SOLID, BRANDS, VERSION_4],
        // Brands come and go in every set; the other brand set is closer to the intended icon than a solid glyph.
        FontAwesomeStyle::Brands => &[BRANDS, SIMPLE_ICONS, SOLID, REGULAR, VERSION_4],
        FontAwesomeStyle::Solid
        | FontAwesomeStyle::Light
        | FontAwesomeStyle::Thin
        | FontAwesomeStyle::Duotone
        | FontAwesomeStyle::Sharp => &[SOLID, REGULAR, BRANDS, VERSION_4],
    };
    order
        .iter()
        .find_map(|set| if *set == SIMPLE_ICONS { pack.find(set, &plain(&name)) } else { pack.find(set, &name) })
}

/// The glyph for a Material Design name, written without `mdi-`. Brands that the set has dropped come from the brand
/// sets.
pub fn material_design<'a>(pack: &'a Pack, name: &str) -> Option<PackedIcon<'a>> {
    let name = name.to_ascii_lowercase();
    pack.find(MATERIAL_DESIGN, &name)
        .or_else(|| pack.find(SIMPLE_ICONS, &plain(&name)))
        .or_else(|| pack.find(BRANDS, &name))
}

/// The glyph for a Simple Icons name, written without `si-`. A brand that has left the set comes from Font Awesome or
/// Material Design, if one of them has it under the same name.
pub fn simple_icons<'a>(pack: &'a Pack, name: &str) -> Option<PackedIcon<'a>> {
    let name = name.to_ascii_lowercase();
    let slug = simple_icons_slug(&name);
    pack.find(SIMPLE_ICONS, &name)
        .or_else(|| pack.find(SIMPLE_ICONS, &slug))
        .or_else(|| pack.find(SIMPLE_ICONS, &plain(&name)))
        .or_else(|| pack.find(BRANDS, &name))
        .or_else(|| pack.find(MATERIAL_DESIGN, &name))
}

/// The color of the brand with that name, whose glyph may be of another set.
pub fn brand_color(pack: &Pack, name: &str) -> Option<u32> {
    pack.find(SIMPLE_ICONS, &plain(&name.to_ascii_lowercase()))?.color
}

/// The glyph that replaces an application's picture if that cannot be loaded (docs/spec/config.md 11.3): the brand,
/// else the Material Design icon of exactly that name.
pub fn application_glyph<'a>(pack: &'a Pack, name: &str) -> Option<PackedIcon<'a>> {
    variants(name).find_map(|name| {
        pack.find(SIMPLE_ICONS, &plain(&name))
            .or_else(|| pack.find(BRANDS, &name))
            .or_else(|| pack.find(MATERIAL_DESIGN, &name))
    })
}

/// The bundled full-color picture of an application: the whole SVG document.
pub fn application_picture(pack: &Pack, name: &str) -> Option<String> {
    let icon = variants(name).find_map(|name| pack.find(HOMELAB, &plain(&name)))?;
    if icon.kind == BodyKind::Document { icon.body() } else { None }
}

/// The glyph that an address names: an exact match, apart from the pack's own aliases.
pub fn by_address<'a>(pack: &'a Pack, set: &str, name: &str) -> Option<PackedIcon<'a>> {
    let set = ADDRESS_SETS.iter().find(|known| **known == set)?;
    pack.find(set, name).filter(|icon| icon.kind == BodyKind::Path)
}

/// A name and, if it ends in a color variant of the collections, also the name without that ending.
fn variants(name: &str) -> impl Iterator<Item = String> {
    let name = name.to_ascii_lowercase();
    let base = ["-light", "-dark", "-white", "-black", "-alt"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .map(str::to_owned);
    std::iter::once(name).chain(base)
}

/// Only letters and digits: how Simple Icons names brands, whatever separators people use.
fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_ascii_alphanumeric()).collect()
}

/// The Simple Icons slug of a brand name, with signs spelled out: `node.js` is `nodedotjs`.
fn simple_icons_slug(name: &str) -> String {
    plain(&name.replace('.', "dot").replace('+', "plus").replace('&', "and"))
}
