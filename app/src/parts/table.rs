//! Rows and columns, sorted by a click on the head.

use widgets::panel::{Cell, Column, Datum, Row, SafeUrl, Table, Tone};

use super::{datum, folding::Fold, markup::Markup, phrase, sparkline, symbols, text, tone_class};

/// From so many columns on a table may be wider than a narrow section; a keyboard can then scroll it.
const SCROLLED: usize = 3;
/// From so many columns on it surely is, and its columns need not be narrow.
const WIDE: usize = 4;

/// Shorter texts fit beside another one in any tile.
const LONG: usize = 12;

/// Words of this length are none: addresses, digests and keys, which may have no room in any tile.
const ENDLESS: usize = 40;

/// The table.
pub fn table(table: &Table, m: &mut Markup) {
    if table.rows.is_empty() {
        return text::empty("Nothing to show", m);
    }
    let fold = Fold::of(table.folded_after, table.rows.len());
    let lines: Vec<bool> = (0..table.columns.len()).map(|position| has_lines(table, position)).collect();
    let wide = lines.iter().filter(|is_line| !**is_line).count() >= WIDE;
    let actions = table.rows.iter().any(|row| row.action.is_some());
    m.open_with("div", "part part-table", if table.one_line { "one-line" } else { "" });
    m.open("div", if wide { "scroller wide" } else { "scroller" });
    if table.columns.len() >= SCROLLED {
        m.fixed(r#"tabindex="0" role="group""#);
        m.attr("aria-label", phrase::ours("Table"));
    }
    m.open("table", "");
    m.open("thead", if table.headless { "visually-hidden" } else { "" });
    m.open("tr", "");
    for (column, is_line) in table.columns.iter().zip(&lines) {
        head(column, *is_line, !table.headless && table.rows.len() > 1, m);
    }
    if actions {
        m.open("th", "");
        m.attr("scope", "col");
        m.element("span", "visually-hidden", phrase::ours("Actions"));
        m.close();
    }
    m.close();
    m.close();
    m.open("tbody", "");
    fold.mark(m);
    for (position, row) in table.rows.iter().enumerate() {
        self::row(row, table, fold.class(position), actions, m);
    }
    m.close();
    m.close();
    m.close();
    fold.button(m);
    m.close();
}

/// Whether a column holds small lines.
fn has_lines(table: &Table, position: usize) -> bool {
    table.rows.iter().any(|row| row.cells.get(position).is_some_and(|cell| cell.line.is_some()))
}

fn head(column: &Column, is_line: bool, can_sort: bool, m: &mut Markup) {
    m.open_with("th", if column.numeric { "numeric" } else { "" }, if is_line { "lines" } else { "" });
    m.attr("scope", "col");
    if can_sort && column.sortable && !column.name.is_empty() {
        m.attr("aria-sort", "none");
        m.open("button", "");
        m.fixed(r#"type="button" data-sort"#);
        phrase::write(&column.name, m);
        m.trusted(symbols::SORT);
        m.close();
    } else {
        phrase::write(&column.name, m);
    }
    m.close();
}

fn row(row: &Row, table: &Table, fold: &str, actions: bool, m: &mut Markup) {
    m.open_with("tr", fold, tone_class(row.tone));
    if row.url.is_some() {
        m.fixed("data-linked");
    }
    // The link has a name if any of the cells has a value.
    let linked = row.cells.iter().position(|cell| !cell.value.is_missing()).unwrap_or_default();
    for (position, cell) in row.cells.iter().enumerate() {
        let look = CellLook {
            numeric: table.columns.get(position).is_some_and(|column| column.numeric),
            one_line: table.one_line,
            row_tone: if position == 0 { row.tone } else { Tone::Plain },
            url: row.url.as_ref().filter(|_| position == linked),
        };
        self::cell(cell, &look, m);
    }
    if actions {
        m.open("td", "");
        if let Some(button) = &row.action {
            text::action_button(button, m);
        }
        m.close();
    }
    m.close();
}

/// What a cell owes to its row and its table.
struct CellLook<'a> {
    numeric: bool,
    one_line: bool,
    row_tone: Tone,
    url: Option<&'a SafeUrl>,
}

fn cell(cell: &Cell, look: &CellLook<'_>, m: &mut Markup) {
    if let Some(line) = &cell.line {
        m.open("td", "lines");
        sparkline::cell(line, m);
        return m.close();
    }
    let text = match cell.value {
        Datum::Text(_) | Datum::Words(_) | Datum::Link(_) => datum::plain(&cell.value),
        _ if look.one_line => datum::plain(&cell.value),
        _ => String::new(),
    };
    let cut = look.one_line && text.chars().count() > LONG;
    let endless = text.split([' ', '\n', '-']).any(|word| word.chars().count() > ENDLESS);
    let class = match (cut, endless) {
        (true, true) => "cut endless",
        (true, false) => "cut",
        (false, true) => "endless",
        (false, false) => "",
    };
    m.open_with("td", if look.numeric { "numeric" } else { "" }, class);
    // What has an explanation has the whole text in the same bubble.
    if cut && cell.hint.is_none() {
        m.attr("title", &text);
    }
    if cell.change {
        // What neither rises nor falls has no colour.
        let tone = match datum::is_negative(&cell.value) {
            Some(true) => Tone::Danger,
            Some(false) => Tone::Success,
            None => Tone::Neutral,
        };
        m.open_with("span", "change", tone_class(tone));
        datum::write_change(&cell.value, m);
        m.close();
        return m.close();
    }
    if let Some(url) = look.url {
        datum::open_link(url, "", m);
    }
    let tone = if cell.tone == Tone::Plain { look.row_tone } else { cell.tone };
    if tone != Tone::Plain || cell.picture.is_some() || cell.hint.is_some() {
        m.open("span", tone_class(tone));
        text::hinted(cell.hint.as_ref(), m);
        if let Some(picture) = &cell.picture {
            text::picture(picture, "cell-picture", m);
        }
        text::value_symbol(tone, &cell.value, m);
        datum::write(&cell.value, m);
        text::hint(cell.hint.as_ref(), if cut { &text } else { "" }, m);
        m.close();
    } else {
        datum::write(&cell.value, m);
    }
    if look.url.is_some() {
        m.close();
    }
    m.close();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::Surroundings;

    #[test]
    fn only_what_is_no_word_may_be_broken_anywhere() {
        let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";
        for (text, one_line, expected) in [
            (digest, false, "<td>"),
            (&*format!("{digest}0"), false, r#"<td class="endless">"#),
            (&format!("sha256 {digest}0"), false, r#"<td class="endless">"#),
            (&format!("{digest}0"), true, r#"<td class="cut endless" title="#),
            (&"Donaudampfschifffahrtsgesellschaft and ".repeat(9), false, "<td>"),
            ("9f86d081-884c-7d65-9a2f-eaa0c55ad015-a3bf4f1b", false, "<td>"),
        ] {
            let surroundings = Surroundings::default();
            let mut m = Markup::new(&surroundings);
            let rows = vec![Row::new([Datum::text(text)])];
            table(&Table { columns: vec![Column::text("")], rows, one_line, ..Table::default() }, &mut m);
            let html = m.finish();
            assert!(html.contains(expected), "{expected} is not in {html}");
        }
    }
}
