//! No list in a widget has more than five visible rows, in any case.

use super::{
    Kind,
    tests::{cases, outcome},
};
use crate::panel::{Part, VISIBLE_ROWS};

#[test]
fn no_list_has_more_than_five_visible_rows() {
    let (mut long, mut folded) = (Vec::new(), 0);
    for kind in Kind::ALL {
        for (name, case) in cases(*kind) {
            let Ok(panel) = outcome(*kind, &name, &case) else { continue };
            let lists = lists(&panel.parts, false);
            let too_long = lists.iter().filter(|(_, rows)| *rows > VISIBLE_ROWS);
            long.extend(too_long.map(|(list, rows)| format!("{}/{name}: {list} with {rows} rows", kind.name())));
            folded += lists.iter().filter(|(list, _)| *list == "fold").count();
        }
    }
    assert_eq!(long, Vec::<String>::new());
    assert!(folded > 20, "only {folded} lists in the cases are folded");
}

/// The lists among these parts with the number of their visible rows, and a `fold` for the rest of each. What is inside a
/// fold, or `behind` a summary that has to be clicked and names its content, is not visible.
fn lists(parts: &[Part], behind: bool) -> Vec<(&'static str, usize)> {
    let mut found = Vec::new();
    let mut meters = 0;
    for part in parts {
        let is_of_meter = match part {
            Part::Meter(_) => true,
            // A row without a bar, and the text below one.
            Part::Facts(facts) => facts.facts.len() == 1,
            Part::Paragraph(paragraph) => paragraph.small,
            _ => false,
        };
        match (part, is_of_meter) {
            (Part::Paragraph(_), true) => {}
            (_, true) => meters += 1,
            (_, false) => found.push(("meters", std::mem::take(&mut meters))),
        }
        let mut list = |all: usize, folded_after: Option<usize>| {
            found.push((part.name(), folded_after.unwrap_or(all)));
            found.extend(folded_after.map(|_| ("fold", 0)));
        };
        match part {
            Part::Entries(entries) => list(entries.entries.len(), entries.folded_after),
            Part::Table(table) => list(table.rows.len(), table.folded_after),
            Part::Forecast(forecast) => list(forecast.days.len(), forecast.folded_after),
            Part::Facts(facts) if !behind => list(facts.facts.len(), None),
            Part::Columns(columns) => {
                found.extend(columns.columns.iter().flat_map(|column| lists(column, behind)));
            }
            Part::Details(details) if details.rows.is_some() => found.push(("fold", 0)),
            Part::Details(details) => found.extend(lists(&details.parts, true)),
            _ => {}
        }
    }
    found.push(("meters", meters));
    found
}
