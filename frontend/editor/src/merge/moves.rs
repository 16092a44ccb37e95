//! Pairs differences that are the two ends of a move: an element is gone from one section, and new in another, unchanged, under
//! the same name, or with the same id or address.

use config::Document;

use super::{ChangedBy, Difference, JOINT, MergeSide};

/// An element that one side has moved to another section. Its two differences are one choice: one side of the first with the
/// other side of the second would lose or duplicate the element.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Move {
    /// The index of the difference in the section that it left.
    pub from: usize,
    /// The index of the difference in the section that it went to.
    pub to: usize,
    /// Who has moved it.
    pub by: MergeSide,
    /// The name of the section that it went to.
    pub section: String,
}

/// The moves among the differences.
#[must_use]
pub fn moves(differences: &[Difference]) -> Vec<Move> {
    let mut found: Vec<Move> = Vec::new();
    for (from, left) in
        differences.iter().enumerate().filter(|(_, difference)| difference.is_movable && difference.base.is_some())
    {
        let arrival = |is_same: &dyn Fn(&Difference, &Option<String>) -> bool| {
            differences.iter().enumerate().find_map(|(to, difference)| {
                let by = if difference.by == ChangedBy::Me { MergeSide::Mine } else { MergeSide::Theirs };
                let (gone, there, elsewhere) = match by {
                    MergeSide::Mine => (&left.mine, &difference.mine, &difference.theirs),
                    MergeSide::Theirs => (&left.theirs, &difference.theirs, &difference.mine),
                };
                let is_new = difference.is_movable && difference.base.is_none() && elsewhere.is_none();
                let is_taken = found.iter().any(|known| known.to == to);
                let (section, _) = difference.label.split_once(JOINT)?;
                (is_new && !is_taken && gone.is_none() && is_same(difference, there))
                    .then(|| (to, by, section.to_owned()))
            })
        };
        let arrived = arrival(&|_, there| *there == left.base)
            .or_else(|| arrival(&|difference, _| name(difference) == name(left)))
            .or_else(|| {
                let identity = identity(&left.base)?;
                arrival(&|_, there| self::identity(there).as_ref() == Some(&identity))
            });
        if let Some((to, by, section)) = arrived {
            found.push(Move { from, to, by, section });
        }
    }
    found
}

/// The id of an element, else its address: what stays if it is renamed.
fn identity(text: &Option<String>) -> Option<String> {
    let document = Document::parse(text.as_deref()?.as_bytes()).ok()?;
    let of = |key: &str| document.value()[key].as_str().map(|value| format!("{key} {value}"));
    of("id").or_else(|| of("url"))
}

/// The name of what differs, without its section.
fn name(difference: &Difference) -> Option<&str> {
    difference.label.split_once(JOINT).map(|(_, name)| name)
}
