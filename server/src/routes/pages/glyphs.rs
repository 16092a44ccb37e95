//! The glyphs of a page, embedded in the page.
//!
//! A glyph has half a kilobyte, and a request for it costs as much again, so a page contains the glyphs that it shows:
//! compressed together they are a third of their size, and they appear with the first paint. Pages with very many
//! different glyphs keep the addresses of the rest.

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
    let mut sheet = Sheet {
        icons,
        base: dashboard.base.clone(),
        symbols: String::new(),
        known: HashMap::new(),
        notices: Vec::new(),
    };
    for section in &mut dashboard.sections {
        sheet.place(&mut section.icon);
        section.items.iter_mut().for_each(|item| sheet.place_item(item));
    }
    if sheet.symbols.is_empty() {
        return String::new();
    }
    format!("<svg class=\"glyph-sheet\" hidden><!-- {} -->{}</svg>", sheet.notices.join("; "), sheet.symbols)
}

struct Sheet<'a> {
    icons: &'a Icons,
    base: String,
    symbols: String,
    /// The address of a glyph, and its reference; `None` for a glyph that is not embedded.
    known: HashMap<String, Option<String>>,
    /// Required by the licenses.
    notices: Vec<String>,
}

impl Sheet<'_> {
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
        if self.symbols.len() + body.len() > MAX_BYTES {
            return None;
        }
        if !self.notices.iter().any(|known| known == notice) {
            self.notices.push(notice.to_owned());
        }
        let id = format!("{set}-{name}");
        _ = write!(self.symbols, "<symbol id=\"{id}\" viewBox=\"{view_box}\"><path d=\"{body}\"/></symbol>");
        Some(format!("#{id}"))
    }
}
