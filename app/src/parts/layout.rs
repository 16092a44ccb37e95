//! Parts that hold others: what can be folded away, and columns.

use widgets::panel::{Columns, Details};

use super::{folding, markup::Markup, phrase, symbols, write_parts};

/// Parts that can be folded away.
pub fn details(details: &Details, m: &mut Markup) {
    m.open("details", "part part-details");
    if details.open {
        m.attr("open", "");
    }
    m.open("summary", "");
    m.trusted(symbols::CHEVRON);
    if details.summary.is_empty() {
        folding::more_and_less(m);
    } else {
        m.open("span", "");
        phrase::write(&details.summary, m);
        m.close();
    }
    m.close();
    m.open("div", "details-parts");
    write_parts(&details.parts, m);
    m.close();
    m.close();
}

/// Parts side by side.
pub fn columns(columns: &Columns, m: &mut Markup) {
    m.open("div", "part part-columns");
    for parts in &columns.columns {
        m.open("div", "column");
        write_parts(parts, m);
        m.close();
    }
    m.close();
}
