//! A three-way merge: the file as it was when the draft began (base), the draft (mine), and the file as it is now (theirs).
//!
//! The differences are listed by section, item, widget, page and setting. If only one side has changed something, that side
//! is preselected; where both have, the user has to choose.

mod moves;
mod rows;

use config::document::print;
use serde_json::{Map, Value};

pub use self::moves::{Move, moves};
use self::rows::{ElementRow, rows};
use crate::edits::{List, name_of};
use crate::texts::{fill, t};

/// One of the two versions that are merged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MergeSide {
    /// The draft.
    Mine,
    /// The file as it is now.
    Theirs,
}

/// Who has changed something since the draft began.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChangedBy {
    /// The user who edits.
    Me,
    /// Somebody else.
    Them,
    /// Both, and differently.
    Both,
}

/// A difference between the draft and the current file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// The name of what differs: `Media › Jellyfin`.
    pub label: String,
    /// Who has changed it.
    pub by: ChangedBy,
    /// The value when the draft began, as YAML; `None` if it did not exist.
    pub base: Option<String>,
    /// The value in the draft; `None` if it does not exist there.
    pub mine: Option<String>,
    /// The value in the current file; `None` if it does not exist there.
    pub theirs: Option<String>,
    /// Whether it is an item or a widget, which can be moved to another section.
    pub is_movable: bool,
}

impl ChangedBy {
    /// The preselected side; `None` if the user has to choose.
    #[must_use]
    pub fn side(self) -> Option<MergeSide> {
        match self {
            Self::Me => Some(MergeSide::Mine),
            Self::Them => Some(MergeSide::Theirs),
            Self::Both => None,
        }
    }
}

/// The differences between the draft and the current file.
#[must_use]
pub fn differences(base: &Value, mine: &Value, theirs: &Value) -> Vec<Difference> {
    let mut walk = Walk { choices: &[], differences: Vec::new() };
    walk.file(base, mine, theirs);
    walk.differences
}

/// The config with the chosen side of each difference, in the order in which [`differences`] lists them.
#[must_use]
pub fn merged(base: &Value, mine: &Value, theirs: &Value, choices: &[MergeSide]) -> Value {
    let mut walk = Walk { choices, differences: Vec::new() };
    walk.file(base, mine, theirs)
}

/// What a mapping is, which decides what its keys mean.
#[derive(Clone, Copy)]
enum Level {
    File,
    Section,
    /// `pageInfo` or `appConfig`.
    Block,
}

/// The values of one key or element in the three versions.
#[derive(Clone, Copy)]
struct States<'a> {
    base: Option<&'a Value>,
    mine: Option<&'a Value>,
    theirs: Option<&'a Value>,
}

impl<'a> States<'a> {
    fn key(self, key: &str) -> Self {
        let at = |value: Option<&'a Value>| value.and_then(|value| value.get(key));
        Self { base: at(self.base), mine: at(self.mine), theirs: at(self.theirs) }
    }
}

/// Walks the three versions, in an order that does not depend on the choices.
struct Walk<'a> {
    choices: &'a [MergeSide],
    differences: Vec<Difference>,
}

impl Walk<'_> {
    fn file(&mut self, base: &Value, mine: &Value, theirs: &Value) -> Value {
        let states = States { base: Some(base), mine: Some(mine), theirs: Some(theirs) };
        match (mine, theirs) {
            (Value::Object(mine), Value::Object(theirs)) => self.mapping(Level::File, "", mine, theirs, states).into(),
            _ => self.atom(t("The whole file"), states, false).unwrap_or_default(),
        }
    }

    /// Records a difference if there is one, and returns the value of the chosen side.
    fn atom(&mut self, label: String, states: States, is_movable: bool) -> Option<Value> {
        let States { base, mine, theirs } = states;
        if mine == theirs {
            return mine.cloned();
        }
        let by = if base == mine {
            ChangedBy::Them
        } else if base == theirs {
            ChangedBy::Me
        } else {
            ChangedBy::Both
        };
        let text = |value: Option<&Value>| value.map(|value| print(value).trim_end().to_owned());
        let difference = Difference { label, by, base: text(base), mine: text(mine), theirs: text(theirs), is_movable };
        match self.choice(difference) {
            MergeSide::Mine => mine.cloned(),
            MergeSide::Theirs => theirs.cloned(),
        }
    }

    fn choice(&mut self, difference: Difference) -> MergeSide {
        let chosen = self.choices.get(self.differences.len()).copied();
        let side = chosen.or(difference.by.side()).unwrap_or(MergeSide::Theirs);
        self.differences.push(difference);
        side
    }

    fn mapping(
        &mut self,
        level: Level,
        within: &str,
        mine: &Map<String, Value>,
        theirs: &Map<String, Value>,
        states: States,
    ) -> Map<String, Value> {
        let keys = theirs.keys().chain(mine.keys().filter(|key| !theirs.contains_key(*key)));
        let merged = keys.filter_map(|key| {
            let value = self.value(level, within, key, states.key(key))?;
            Some((key.clone(), value))
        });
        merged.collect()
    }

    fn value(&mut self, level: Level, within: &str, key: &str, states: States) -> Option<Value> {
        let list = match (level, key) {
            (Level::File, "sections") => Some(List::Sections),
            (Level::File, "pages") => Some(List::Pages),
            // The position of the section does not matter here.
            (Level::Section, "items") => Some(List::Items(0)),
            (Level::Section, "widgets") => Some(List::Widgets(0)),
            _ => None,
        };
        let block = match (level, key) {
            (Level::File, "pageInfo") => Some(t("Page info")),
            (Level::File, "appConfig") => Some(t("Settings")),
            _ => None,
        };
        match (list, block.as_deref(), states.mine, states.theirs) {
            (Some(list), _, Some(Value::Array(_)) | None, Some(Value::Array(_)) | None) => {
                let elements = self.list(list, within, states);
                let is_everywhere = states.mine.is_some() && states.theirs.is_some();
                (is_everywhere || !elements.is_empty()).then(|| elements.into())
            }
            (_, Some(block), Some(Value::Object(mine)), Some(Value::Object(theirs))) => {
                Some(self.mapping(Level::Block, block, mine, theirs, states).into())
            }
            _ => self.atom(block.clone().unwrap_or_else(|| joined(within, key)), states, false),
        }
    }

    fn list(&mut self, list: List, within: &str, states: States) -> Vec<Value> {
        let elements = |value: Option<&'_ Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let (base, mine, theirs) = (elements(states.base), elements(states.mine), elements(states.theirs));
        let rows = rows(list, &base, &mine, &theirs);
        let pages = (list == List::Pages).then(|| t("Pages"));
        let within = pages.as_deref().unwrap_or(within);
        let values: Vec<Option<Value>> = rows
            .iter()
            .map(|row| {
                let states = States {
                    base: row.base.map(|index| &base[index]),
                    mine: row.mine.map(|index| &mine[index]),
                    theirs: row.theirs.map(|index| &theirs[index]),
                };
                self.element(list, within, states)
            })
            .collect();
        let name = |row: &ElementRow| {
            let value = row.theirs.map(|index| &theirs[index]).or(row.mine.map(|index| &mine[index]));
            value.map(|value| name_of(list, value)).unwrap_or_default()
        };
        let order = self.order(list, within, &rows, name);
        order.into_iter().filter_map(|row| values[row].clone()).collect()
    }

    fn element(&mut self, list: List, within: &str, states: States) -> Option<Value> {
        let value = states.theirs.or(states.mine)?;
        let name = name_of(list, value);
        match (list, states.mine, states.theirs) {
            (List::Sections, Some(Value::Object(mine)), Some(Value::Object(theirs))) => {
                Some(self.mapping(Level::Section, &name, mine, theirs, states).into())
            }
            (List::Sections, ..) => self.atom(fill("Section {name}", &[("name", &name)]), states, false),
            _ => self.atom(joined(within, &name), states, list != List::Pages),
        }
    }

    /// The rows in merged order, by their positions.
    fn order(
        &mut self,
        list: List,
        within: &str,
        rows: &[ElementRow],
        name: impl Fn(&ElementRow) -> String,
    ) -> Vec<usize> {
        let sorted = |position: fn(&ElementRow) -> Option<usize>| {
            let mut order: Vec<usize> = (0..rows.len()).filter(|row| position(&rows[*row]).is_some()).collect();
            order.sort_by_key(|row| position(&rows[*row]));
            order
        };
        let (base, mine, theirs) = (sorted(|row| row.base), sorted(|row| row.mine), sorted(|row| row.theirs));
        // Only the order of elements that are in all three versions can have changed.
        let kept = |order: &[usize]| -> Vec<usize> {
            let is_everywhere =
                |row: &&usize| rows[**row].base.is_some() && rows[**row].mine.is_some() && rows[**row].theirs.is_some();
            order.iter().filter(is_everywhere).copied().collect()
        };
        let (base, my_kept, their_kept) = (kept(&base), kept(&mine), kept(&theirs));
        let side = if my_kept == their_kept {
            MergeSide::Theirs
        } else {
            let by = if my_kept == base {
                ChangedBy::Them
            } else if their_kept == base {
                ChangedBy::Me
            } else {
                ChangedBy::Both
            };
            let names =
                |order: &[usize]| Some(order.iter().map(|row| name(&rows[*row])).collect::<Vec<_>>().join("\n"));
            let label = joined(within, &t(list.texts().order));
            let (base, mine, theirs) = (names(&base), names(&my_kept), names(&their_kept));
            self.choice(Difference { label, by, base, mine, theirs, is_movable: false })
        };
        let (mut order, others) = match side {
            MergeSide::Mine => (mine, theirs),
            MergeSide::Theirs => (theirs, mine),
        };
        // An element of only the other side comes after the one that it follows there.
        let mut place = 0;
        for row in others {
            match order.iter().position(|known| *known == row) {
                Some(at) => place = at + 1,
                None => {
                    order.insert(place, row);
                    place += 1;
                }
            }
        }
        order
    }
}

/// Separates the names in a label.
const JOINT: &str = " › ";

fn joined(within: &str, name: &str) -> String {
    if within.is_empty() { name.to_owned() } else { format!("{within}{JOINT}{name}") }
}

#[cfg(test)]
mod tests;
