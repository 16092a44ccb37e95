//! Brings together what two people did to a file: the file as it was when the draft began (the base), the draft (mine),
//! and the file as it is now (theirs).
//!
//! What differs is listed by section, item, widget, page and setting. What one side alone has changed is taken from that
//! side unless the person says otherwise; for the rest they have to choose.

mod moves;
mod rows;

use config::document::print;
use serde_json::{Map, Value};

pub use self::moves::{Move, moves};
use self::rows::{Row, rows};
use crate::edits::{List, name_of};

/// One of the two states that are brought together.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    /// The draft.
    Mine,
    /// The file as it is now.
    Theirs,
}

/// Who has changed an entry since the draft began.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChangedBy {
    /// The person who edits.
    Me,
    /// Somebody else.
    Them,
    /// Both, and differently.
    Both,
}

/// Something that differs between the draft and the file as it is now.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Entry {
    /// What it is: `Media › Jellyfin`.
    pub label: String,
    /// Who has changed it.
    pub by: ChangedBy,
    /// How it was when the draft began, as YAML; `None` if it was not there.
    pub base: Option<String>,
    /// How it is in the draft; `None` if it is not there.
    pub mine: Option<String>,
    /// How it is in the file now; `None` if it is not there.
    pub theirs: Option<String>,
    /// Whether it is an item or a widget, which can be moved to another section.
    pub is_movable: bool,
}

impl ChangedBy {
    /// The side that is taken if the person says nothing; `None` if they have to choose.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        match self {
            Self::Me => Some(Side::Mine),
            Self::Them => Some(Side::Theirs),
            Self::Both => None,
        }
    }
}

/// What differs between the draft and the file as it is now.
#[must_use]
pub fn entries(base: &Value, mine: &Value, theirs: &Value) -> Vec<Entry> {
    let mut walk = Walk { choices: &[], entries: Vec::new() };
    walk.file(base, mine, theirs);
    walk.entries
}

/// The config with the chosen side of each entry, in the order in which [`entries`] lists them.
#[must_use]
pub fn merged(base: &Value, mine: &Value, theirs: &Value, choices: &[Side]) -> Value {
    let mut walk = Walk { choices, entries: Vec::new() };
    walk.file(base, mine, theirs)
}

/// A mapping by what its keys hold.
#[derive(Clone, Copy)]
enum Level {
    File,
    Section,
    /// `pageInfo` or `appConfig`.
    Block,
}

/// The values of one entry in the three states.
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

/// Goes through the three states in an order that does not depend on the choices.
struct Walk<'a> {
    choices: &'a [Side],
    entries: Vec<Entry>,
}

impl Walk<'_> {
    fn file(&mut self, base: &Value, mine: &Value, theirs: &Value) -> Value {
        let states = States { base: Some(base), mine: Some(mine), theirs: Some(theirs) };
        match (mine, theirs) {
            (Value::Object(mine), Value::Object(theirs)) => self.mapping(Level::File, "", mine, theirs, states).into(),
            _ => self.whole("The whole file".to_owned(), states, false).unwrap_or_default(),
        }
    }

    /// Notes a difference and gives the value of the chosen side.
    fn whole(&mut self, label: String, states: States, is_movable: bool) -> Option<Value> {
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
        let entry = Entry { label, by, base: text(base), mine: text(mine), theirs: text(theirs), is_movable };
        match self.choice(entry) {
            Side::Mine => mine.cloned(),
            Side::Theirs => theirs.cloned(),
        }
    }

    fn choice(&mut self, entry: Entry) -> Side {
        let chosen = self.choices.get(self.entries.len()).copied();
        let side = chosen.or(entry.by.side()).unwrap_or(Side::Theirs);
        self.entries.push(entry);
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
            // Which section it is does not matter here.
            (Level::Section, "items") => Some(List::Items(0)),
            (Level::Section, "widgets") => Some(List::Widgets(0)),
            _ => None,
        };
        let block = match (level, key) {
            (Level::File, "pageInfo") => Some("Page info"),
            (Level::File, "appConfig") => Some("Settings"),
            _ => None,
        };
        match (list, block, states.mine, states.theirs) {
            (Some(list), _, Some(Value::Array(_)) | None, Some(Value::Array(_)) | None) => {
                let elements = self.list(list, within, states);
                let is_everywhere = states.mine.is_some() && states.theirs.is_some();
                (is_everywhere || !elements.is_empty()).then(|| elements.into())
            }
            (_, Some(block), Some(Value::Object(mine)), Some(Value::Object(theirs))) => {
                Some(self.mapping(Level::Block, block, mine, theirs, states).into())
            }
            _ => self.whole(block.map_or_else(|| joined(within, key), str::to_owned), states, false),
        }
    }

    fn list(&mut self, list: List, within: &str, states: States) -> Vec<Value> {
        let elements = |value: Option<&'_ Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let (base, mine, theirs) = (elements(states.base), elements(states.mine), elements(states.theirs));
        let rows = rows(list, &base, &mine, &theirs);
        let within = if list == List::Pages { "Pages" } else { within };
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
        let name = |row: &Row| {
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
            (List::Sections, ..) => self.whole(format!("Section {name}"), states, false),
            _ => self.whole(joined(within, &name), states, list != List::Pages),
        }
    }

    /// The positions of rows in the order that they get.
    fn order(&mut self, list: List, within: &str, rows: &[Row], name: impl Fn(&Row) -> String) -> Vec<usize> {
        let sorted = |position: fn(&Row) -> Option<usize>| {
            let mut order: Vec<usize> = (0..rows.len()).filter(|row| position(&rows[*row]).is_some()).collect();
            order.sort_by_key(|row| position(&rows[*row]));
            order
        };
        let (base, mine, theirs) = (sorted(|row| row.base), sorted(|row| row.mine), sorted(|row| row.theirs));
        // Only what is in all three states can be in another order than it was.
        let kept = |order: &[usize]| -> Vec<usize> {
            let is_everywhere =
                |row: &&usize| rows[**row].base.is_some() && rows[**row].mine.is_some() && rows[**row].theirs.is_some();
            order.iter().filter(is_everywhere).copied().collect()
        };
        let (base, my_kept, their_kept) = (kept(&base), kept(&mine), kept(&theirs));
        let side = if my_kept == their_kept {
            Side::Theirs
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
            let label = joined(within, &format!("order of the {}s", list.noun()));
            let (base, mine, theirs) = (names(&base), names(&my_kept), names(&their_kept));
            self.choice(Entry { label, by, base, mine, theirs, is_movable: false })
        };
        let (mut order, others) = match side {
            Side::Mine => (mine, theirs),
            Side::Theirs => (theirs, mine),
        };
        // What is on the other side alone comes behind what it follows there.
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

/// Between the names in a label.
const JOINT: &str = " › ";

fn joined(within: &str, name: &str) -> String {
    if within.is_empty() { name.to_owned() } else { format!("{within}{JOINT}{name}") }
}

#[cfg(test)]
mod tests;
