//! The status dots of a page: the checks behind them, and their states in its markup.

use std::collections::HashMap;

use app::page::SECOND_DOT;
use config::Dashboard;
use languages::{fill, t};

use crate::{
    status::{Check, Checker, RegularCheck, ServiceState},
    store::ConfigFile,
};

/// Marks the place in the markup where the state of an item is inserted; see `app::page`.
const MARKER: &str = "data-status=\"?";

/// An item of a page that has a dot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Dot {
    /// Position of the section and of the item in the file, such as `2-5`, as in the id of the tile; that of a second dot
    /// is followed by [`SECOND_DOT`].
    pub place: String,
    /// Its check.
    pub wanted: RegularCheck,
}

/// The dots of a page rendered from a file.
pub(super) fn of(dashboard: &Dashboard, file: &ConfigFile, checker: &Checker) -> Vec<Dot> {
    let mut dots = Vec::new();
    for shown in &dashboard.sections {
        let Some(section) = file.config.sections.iter().find(|section| section.index == shown.index) else { continue };
        for item in shown.items.iter().filter(|item| item.has_status) {
            // Items are in the order of the file.
            let Ok(found) = section.items.binary_search_by_key(&item.index, |item| item.index) else { continue };
            for (number, target) in file.config.checks(&section.items[found]).enumerate() {
                let wanted = checker.wanted(Check::of(&target, file.host.as_deref()), target.interval());
                let second = if number == 0 { "" } else { SECOND_DOT };
                dots.push(Dot { place: format!("{}-{}{second}", section.index, item.index), wanted });
            }
        }
    }
    dots
}

/// The page with the states of its dots, and with their counts in its header.
pub(super) fn with_states(html: &str, dots: &[Dot], states: &[ServiceState]) -> String {
    let states: HashMap<&str, ServiceState> =
        dots.iter().map(|dot| dot.place.as_str()).zip(states.iter().copied()).collect();
    let mut parts = html.split(MARKER);
    let mut filled = String::with_capacity(html.len());
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (place, rest) = part.split_once('"').unwrap_or((part, ""));
        filled.push_str(&MARKER[..MARKER.len() - 1]);
        match place {
            "" => filled.push_str(&summary(states.values())),
            place => filled.push_str(states.get(place).copied().unwrap_or_default().word()),
        }
        filled.push('"');
        filled.push_str(rest);
    }
    filled
}

/// Such as `38 up, 3 down`. `frontend/stream.js` writes the same when something changes.
fn summary<'a>(states: impl Iterator<Item = &'a ServiceState>) -> String {
    let count = |text: &str, count: usize| fill(text, &[("count", &count.to_string())]);
    let (mut up, mut down) = (0, 0);
    for state in states {
        match state {
            ServiceState::Up | ServiceState::Warning => up += 1,
            ServiceState::Down => down += 1,
            ServiceState::Waiting => {}
        }
    }
    match (up, down) {
        (0, 0) => t("checking").to_owned(),
        (_, 0) => count("{count} up", up),
        _ => format!("{}, {}", count("{count} up", up), count("{count} down", down)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_markers_change() {
        let html = "<a data-status=\"?0-1\">data</a><a data-status=\"?7-7\"></a>?";
        assert_eq!(with_states(html, &[], &[]), "<a data-status=\"wait\">data</a><a data-status=\"wait\"></a>?");
        assert_eq!(with_states("plain", &[], &[]), "plain");
    }

    #[test]
    fn the_header_says_how_many_are_up() {
        assert_eq!(with_states("<b data-status=\"?\"></b>", &[], &[]), "<b data-status=\"checking\"></b>");
        assert_eq!(summary([ServiceState::Up, ServiceState::Waiting, ServiceState::Up].iter()), "2 up");
        assert_eq!(summary([ServiceState::Up, ServiceState::Down].iter()), "1 up, 1 down");
    }
}
