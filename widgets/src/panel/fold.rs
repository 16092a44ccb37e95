//! How much of a list is visible before "Show 4 more" is clicked.

use super::{Details, Facts, Part};

/// How many rows of a list are visible at first, whatever its widget. The rest is behind "Show 4 more". An option that
/// sets a count says how many rows there are altogether.
///
/// Rows are one below the other, each about something else: entries, the rows of a table, facts, currencies, the days of a
/// forecast, meters of one kind. What is side by side, such as tiles, the days of a month or the legend of a chart, is not
/// folded, and neither is text.
pub const VISIBLE_ROWS: usize = 5;

/// Rows that consist of parts, such as meters: the first of them, and the rest behind "Show 4 more".
#[must_use]
pub fn rows<Row: IntoIterator<Item = Part>>(rows: impl IntoIterator<Item = Row>) -> Vec<Part> {
    let mut rows = rows.into_iter();
    let mut parts: Vec<Part> = rows.by_ref().take(VISIBLE_ROWS).flatten().collect();
    let rest: Vec<Row> = rows.collect();
    if !rest.is_empty() {
        let count = rest.len();
        parts.push(Details::rest(count, rest.into_iter().flatten().collect()).into());
    }
    parts
}

/// Folds all lists among these parts.
pub(super) fn fold(parts: &mut Vec<Part>) {
    fold_lists(parts);
    *parts = std::mem::take(parts).into_iter().flat_map(fold_facts).collect();
}

/// Folds the lists that the page folds itself, also those inside other parts.
fn fold_lists(parts: &mut [Part]) {
    let after = |count: usize| (count > VISIBLE_ROWS).then_some(VISIBLE_ROWS);
    for part in parts {
        match part {
            Part::Entries(list) => list.folded_after = after(list.entries.len()),
            Part::Table(list) => list.folded_after = after(list.rows.len()),
            Part::Forecast(list) => {
                list.folded_after = after(list.days.len());
                list.days.iter_mut().for_each(|day| fold_lists(&mut day.parts));
            }
            // The rest of a list is not folded again.
            Part::Details(details) if details.rows.is_none() => fold_lists(&mut details.parts),
            Part::Columns(columns) => columns.columns.iter_mut().for_each(fold),
            _ => {}
        }
    }
}

/// Puts the rest of many facts behind "Show 4 more". Facts inside [`Details`] can be collapsed already.
fn fold_facts(part: Part) -> Vec<Part> {
    match part {
        Part::Facts(mut facts) if facts.facts.len() > VISIBLE_ROWS => {
            let rest = facts.facts.split_off(VISIBLE_ROWS);
            let details = Details::rest(rest.len(), vec![Facts { facts: rest }.into()]);
            vec![facts.into(), details.into()]
        }
        part => vec![part],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panel::{Columns, Datum, Entries, Fact, Forecast, ForecastDay, ListEntry, Meter, Panel, Row, Table};

    fn facts(count: usize) -> Part {
        let facts = (0..count).map(|_| Fact::new("Disk", Datum::count(1))).collect();
        Facts { facts }.into()
    }

    fn entries(count: usize) -> Part {
        Entries::new((0..count).map(|_| ListEntry::new("A post")).collect()).into()
    }

    fn folded_after(part: &Part) -> Option<usize> {
        match part {
            Part::Entries(list) => list.folded_after,
            Part::Table(list) => list.folded_after,
            Part::Forecast(list) => list.folded_after,
            other => panic!("{} is not a list", other.name()),
        }
    }

    #[test]
    fn five_rows_are_visible() {
        for (count, expected) in [(0, None), (5, None), (6, Some(5)), (40, Some(5))] {
            let table = Table { rows: vec![Row::default(); count], folded_after: Some(25), ..Table::default() };
            let forecast = Forecast { days: vec![ForecastDay::default(); count], ..Forecast::default() };
            let panel = Panel::new(vec![entries(count), table.into(), forecast.into()]);
            for part in &panel.parts {
                assert_eq!(folded_after(part), expected, "{count} rows: {}", part.name());
            }
        }
    }

    #[test]
    fn so_they_are_inside_other_parts() {
        let details = Details { summary: "Plugins".into(), parts: vec![entries(6)], ..Details::default() };
        let columns = Columns { columns: vec![vec![entries(6)], vec![facts(7)]] };
        let panel = Panel::new(vec![details.into(), columns.into()]);
        let [Part::Details(details), Part::Columns(columns)] = panel.parts.as_slice() else { panic!("{panel:?}") };
        assert_eq!(folded_after(&details.parts[0]), Some(5));
        assert_eq!(folded_after(&columns.columns[0][0]), Some(5));
        assert_eq!(columns.columns[1], [facts(5), Details::rest(2, vec![facts(2)]).into()]);
    }

    #[test]
    fn nothing_is_folded_twice() {
        let closed = Details { summary: "Details".into(), parts: vec![facts(9)], ..Details::default() };
        let parts = vec![Details::rest(8, vec![entries(8)]).into(), closed.into()];
        assert_eq!(Panel::new(parts.clone()).parts, parts);
        let once = Panel::new(vec![facts(9)]).parts;
        assert_eq!(once, [facts(5), Details::rest(4, vec![facts(4)]).into()]);
        assert_eq!(Panel::new(once.clone()).parts, once);
    }

    #[test]
    fn rows_may_have_several_parts() {
        let row = || [Part::from(Meter::default()), facts(1)];
        assert_eq!(rows(std::iter::repeat_with(row).take(5)).len(), 10);
        let parts = rows(std::iter::repeat_with(row).take(7));
        assert_eq!(parts.len(), 11);
        assert_eq!(parts.last(), Some(&Details::rest(2, vec![row(), row()].into_iter().flatten().collect()).into()));
    }
}
