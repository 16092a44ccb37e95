//! The glyphs of a page, embedded in the page.
//!
//! A glyph has half a kilobyte, and a request for it costs as much again, so a page contains the glyphs that it shows:
//! compressed together they are a third of their size, and they appear with the first paint. Pages with very many
//! different glyphs keep the addresses of the rest.
//!
//! They are clip paths: a browser makes a copy of a `<symbol>` for each tile, with elements of its own.

use std::{collections::HashMap, fmt::Write as _};

use config::{
    Dashboard,
    dashboard::{IconView, ItemView},
};

use crate::icons::{Icons, PackedIcon};

/// Maximum number of bytes of glyphs inside a page, before compression.
const MAX_BYTES: usize = 96 * 1024;

/// Replaces the addresses of glyphs in a dashboard with references into the page, and returns the SVG element that has
/// to be in that page; empty if there are none.
pub fn embed(dashboard: &mut Dashboard, icons: &Icons) -> String {
    let mut sheet = SymbolSheet {
        icons,
        base: dashboard.base.clone(),
        shapes: String::new(),
        known: HashMap::new(),
        notices: Vec::new(),
    };
    for section in &mut dashboard.sections {
        sheet.place(&mut section.icon);
        section.items.iter_mut().for_each(|item| sheet.place_item(item));
    }
    if sheet.shapes.is_empty() {
        return String::new();
    }
    let (notices, shapes) = (sheet.notices.join("; "), sheet.shapes);
    format!("<svg class=\"glyph-sheet\" width=\"0\" height=\"0\" aria-hidden=\"true\"><!-- {notices} -->{shapes}</svg>")
}

/// The transform that puts a view box into the middle of a square with sides of 1, as large as it fits.
fn into_unit_square(view_box: &str) -> Option<String> {
    let numbers: Option<Vec<f64>> = view_box.split_ascii_whitespace().map(|number| number.parse().ok()).collect();
    let &[left, top, width, height] = numbers?.as_slice() else { return None };
    let side = width.max(height);
    let (x, y) = ((side - width) / 2.0 - left, (side - height) / 2.0 - top);
    Some(format!("scale({:.7}) translate({x} {y})", 1.0 / side))
}

struct SymbolSheet<'a> {
    icons: &'a Icons,
    base: String,
    shapes: String,
    /// The address of a glyph, and its reference; `None` for a glyph that is not embedded.
    known: HashMap<String, Option<String>>,
    /// Required by the licenses.
    notices: Vec<String>,
}

impl SymbolSheet<'_> {
    fn place_item(&mut self, item: &mut ItemView) {
        self.place(&mut item.icon);
        item.sub_items.iter_mut().for_each(|sub_item| self.place_item(sub_item));
    }

    fn place(&mut self, icon: &mut IconView) {
        let IconView::Glyph(address) = icon else { return };
        if !self.known.contains_key(address) {
            let reference = self.add(address);
            self.known.insert(address.clone(), reference);
        }
        if let Some(Some(reference)) = self.known.get(address) {
            *address = reference.clone();
        }
    }

    fn add(&mut self, address: &str) -> Option<String> {
        let path = address.strip_prefix(&self.base)?.strip_prefix("/icons/")?.strip_suffix(".svg#i")?;
        let (set, name) = path.split_once('/')?;
        let icon = self.icons.find_glyph(set, name)?;
        let PackedIcon { view_box, notice, .. } = icon;
        let body = icon.body()?;
        // On the path, because Chromium ignores a shift of the clip path itself.
        let transform = into_unit_square(view_box)?;
        if self.shapes.len() + body.len() > MAX_BYTES {
            return None;
        }
        if !self.notices.iter().any(|known| known == notice) {
            self.notices.push(notice.to_owned());
        }
        let id = format!("{set}-{name}");
        _ = write!(
            self.shapes,
            "<clipPath id=\"{id}\" clipPathUnits=\"objectBoundingBox\"><path transform=\"{transform}\" d=\"{body}\"/></clipPath>"
        );
        Some(format!("#{id}"))
    }
}

#[cfg(test)]
mod tests {
    use super::into_unit_square;

    #[test]
    fn a_glyph_of_any_proportions_stands_in_the_middle() {
        for (view_box, expected) in [
            ("0 0 24 24", Some("scale(0.0416667) translate(0 0)")),
            ("0 0 448 512", Some("scale(0.0019531) translate(32 0)")),
            ("-10 5 20 10", Some("scale(0.0500000) translate(10 0)")),
            ("0 0 24", None),
            ("", None),
        ] {
            assert_eq!(into_unit_square(view_box).as_deref(), expected, "{view_box}");
        }
    }
}
