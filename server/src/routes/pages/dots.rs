//! The status dots of a page: which checks they stand for, and their states in its markup.

use std::collections::HashMap;

use config::Dashboard;

use crate::{
    status::{Check, Checker, State, Wanted},
    store::ConfigFile,
};

/// Stands in the markup before the place of an item whose state is put there; see `app::page`.
const MARKER: &str = "data-status=\"?";

/// An item of a page whose dot somebody sees.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Dot {
    /// Position of the section and of the item in the file, such as `2-5`, as in the id of the tile.
    pub place: String,
    /// What is checked for it.
    pub wanted: Wanted,
}

/// The dots of a page that was made of a file.
pub(super) fn of(dashboard: &Dashboard, file: &ConfigFile, checker: &Checker) -> Vec<Dot> {
    let mut dots = Vec::new();
    for shown in &dashboard.sections {
        let Some(section) = file.config.sections.iter().find(|section| section.index == shown.index) else { continue };
        for item in shown.items.iter().filter(|item| item.has_status) {
            // Items stand in the order of the file.
            let Ok(found) = section.items.binary_search_by_key(&item.index, |item| item.index) else { continue };
            let Some(target) = file.config.status_target(&section.items[found]) else { continue };
            let wanted = checker.wanted(Check::new(&target, file.host.as_deref()), target.interval);
            dots.push(Dot { place: format!("{}-{}", section.index, item.index), wanted });
        }
    }
    dots
}

/// The page with the states of its dots.
pub(super) fn with_states(html: &str, dots: &[Dot], states: &[State]) -> String {
    let states: HashMap<&str, State> = dots.iter().map(|dot| dot.place.as_str()).zip(states.iter().copied()).collect();
    let mut parts = html.split(MARKER);
    let mut filled = String::with_capacity(html.len());
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (place, rest) = part.split_once('"').unwrap_or((part, ""));
        filled.push_str(&MARKER[..MARKER.len() - 1]);
        filled.push_str(states.get(place).copied().unwrap_or_default().word());
        filled.push('"');
        filled.push_str(rest);
    }
    filled
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
}
