//! Lists of domains with counts, as several DNS servers have them.

use crate::{
    option_types::{Lenient, Number},
    panel::{Cell, Column, Datum, Decimals, Heading, Notice, Part, Phrase, Row, Table, Unit},
};

/// How many rows are shown before "show more".
const FOLDED_AFTER: usize = 25;
/// The default number of domains in a list.
const USUAL_COUNT: usize = 10;

/// How many domains are wanted: a whole number above zero, or else the default.
pub(crate) fn count(option: &Lenient<Number>) -> usize {
    known_count(option).unwrap_or(USUAL_COUNT)
}

/// Whether the option is set to something that is not a count.
pub(crate) fn is_wrong(option: &Lenient<Number>) -> bool {
    option.unknown().is_some() || (option.get().is_some() && known_count(option).is_none())
}

fn known_count(option: &Lenient<Number>) -> Option<usize> {
    let number = option.get()?.get();
    // The cast saturates.
    let count = number as usize;
    (number >= 1.0 && number.fract() == 0.0).then_some(count)
}

/// A heading with a table below it, or a sentence instead if there are no domains. `whole` is the total of all counts;
/// if it is given, each row shows its share.
pub(crate) fn parts(
    title: &'static str,
    domains: &[(String, f64)],
    whole: Option<f64>,
    none: impl Into<Phrase>,
) -> Vec<Part> {
    let heading = Part::from(Heading::new(title));
    if domains.is_empty() {
        return vec![heading, Notice::empty(none).into()];
    }
    let whole = whole.filter(|whole| *whole > 0.0);
    let row = |(name, count): &(String, f64)| {
        // The root domain has no name.
        let name = if name.trim().is_empty() { Datum::Text(".".to_owned()) } else { Datum::text(name) };
        let share = whole.map(|whole| Datum::percent(((count / whole).clamp(0.0, 1.0) * 1000.0).round() / 10.0));
        let share = share.map(|share| share.decimals(Decimals::Exactly(1)));
        let cells = [Some(name), Some(Datum::number(*count, Unit::None)), share];
        Row { cells: cells.into_iter().flatten().map(Cell::from).collect(), ..Row::default() }
    };
    let share = whole.map(|_| Column::number("Share"));
    let columns =
        [Some(Column::text("Domain")), Some(Column::number("Queries")), share].into_iter().flatten().collect();
    let rows = domains.iter().map(row).collect();
    let table = Table { columns, rows, folded_after: Some(FOLDED_AFTER), one_line: true, ..Table::default() };
    vec![heading, table.into()]
}
