//! Which differences are the two ends of a move: a thing that is gone from one section, and is new in another as it was or
//! under the same name.

use super::{ChangedBy, Entry, JOINT, Side};

/// A thing that one side has moved to another section. Its two entries are one choice: taking one side of the first and the
/// other side of the second would lose the thing or double it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Move {
    /// The position of the entry of the section that it left.
    pub from: usize,
    /// The position of the entry of the section that it went to.
    pub to: usize,
    /// Who has moved it.
    pub by: Side,
    /// What the section that it went to is called.
    pub section: String,
}

/// The moves among the differences.
#[must_use]
pub fn moves(entries: &[Entry]) -> Vec<Move> {
    let mut found: Vec<Move> = Vec::new();
    for (from, left) in entries.iter().enumerate().filter(|(_, entry)| entry.is_movable && entry.base.is_some()) {
        let arrival = |is_same: &dyn Fn(&Entry, &Option<String>) -> bool| {
            entries.iter().enumerate().find_map(|(to, entry)| {
                let by = if entry.by == ChangedBy::Me { Side::Mine } else { Side::Theirs };
                let (gone, there, elsewhere) = match by {
                    Side::Mine => (&left.mine, &entry.mine, &entry.theirs),
                    Side::Theirs => (&left.theirs, &entry.theirs, &entry.mine),
                };
                let is_new = entry.is_movable && entry.base.is_none() && elsewhere.is_none();
                let is_taken = found.iter().any(|known| known.to == to);
                let (section, _) = entry.label.split_once(JOINT)?;
                (is_new && !is_taken && gone.is_none() && is_same(entry, there)).then(|| (to, by, section.to_owned()))
            })
        };
        let arrived =
            arrival(&|_, there| *there == left.base).or_else(|| arrival(&|entry, _| name(entry) == name(left)));
        if let Some((to, by, section)) = arrived {
            found.push(Move { from, to, by, section });
        }
    }
    found
}

/// What the thing of an entry is called, without its section.
fn name(entry: &Entry) -> Option<&str> {
    entry.label.split_once(JOINT).map(|(_, name)| name)
}
