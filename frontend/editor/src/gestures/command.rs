//! What menus, gestures and the list of widgets ask of the editor, as `frontend/menu.js` and others write it: `move i-2-5 3`.

use crate::edits::{List, Spot};

/// What a person asks for in a menu or by a gesture.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// Opens the form of a thing: `open section-2`.
    Open(Spot),
    /// Opens the form of a new widget of a type: `add section-2 clock`.
    AddWidget(usize, String),
    /// Selects an item, or no longer: `select i-2-5`.
    Select(Spot),
    /// Puts a copy behind the thing: `duplicate widget-2-5`.
    Duplicate(Spot),
    /// Deletes a thing: `delete i-2-5`.
    Delete(Spot),
    /// Moves a thing within its list, towards the end if true: `up i-2-5`, `down i-2-5`.
    Shift(Spot, bool),
    /// Moves an item or a widget to the end of a section: `move i-2-5 3`.
    Move(Spot, usize),
    /// Puts a copy at the end of a section: `copy i-2-5 3`.
    Copy(Spot, usize),
    /// Moves an item or a widget into a section, before one of its things or to the end: `drop i-2-5 3 1`, `drop i-2-5 3`.
    Drop(Spot, usize, Option<usize>),
    /// Moves a section before another one or to the end: `drop section-2 0`, `drop section-2`.
    DropSection(usize, Option<usize>),
    /// Gives an item or a section another name: `rename section-2 Living room`.
    Rename(Spot, String),
}

impl Command {
    /// The command that a text stands for; none if it is not one of ours.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (what, rest) = text.split_once(' ')?;
        let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let spot = Spot::parse(name)?;
        let mut words = rest.split_whitespace();
        let mut number = || words.next()?.parse::<usize>().ok();
        Some(match what {
            "open" => Self::Open(spot),
            "add" if spot.list == List::Sections && !rest.is_empty() => Self::AddWidget(spot.index, rest.to_owned()),
            "select" if matches!(spot.list, List::Items(_)) => Self::Select(spot),
            "duplicate" => Self::Duplicate(spot),
            "delete" => Self::Delete(spot),
            "up" => Self::Shift(spot, false),
            "down" => Self::Shift(spot, true),
            "move" => Self::Move(spot, number()?),
            "copy" => Self::Copy(spot, number()?),
            "drop" if spot.list == List::Sections => Self::DropSection(spot.index, number()),
            "drop" => Self::Drop(spot, number()?, number()),
            "rename" if !rest.trim().is_empty() => Self::Rename(spot, rest.trim().to_owned()),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(section: usize, index: usize) -> Spot {
        Spot { list: List::Items(section), index }
    }

    #[test]
    fn commands_are_read_as_the_scripts_write_them() {
        let section = Spot { list: List::Sections, index: 2 };
        let widget = Spot { list: List::Widgets(2), index: 5 };
        for (text, command) in [
            ("open section-2", Command::Open(section)),
            ("add section-2 clock", Command::AddWidget(2, "clock".to_owned())),
            ("select i-2-5", Command::Select(item(2, 5))),
            ("duplicate widget-2-5", Command::Duplicate(widget)),
            ("delete i-2-5", Command::Delete(item(2, 5))),
            ("up i-2-5", Command::Shift(item(2, 5), false)),
            ("down section-2", Command::Shift(section, true)),
            ("move i-2-5 3", Command::Move(item(2, 5), 3)),
            ("copy widget-2-5 0", Command::Copy(widget, 0)),
            ("drop i-2-5 3 1", Command::Drop(item(2, 5), 3, Some(1))),
            ("drop widget-2-5 3 ", Command::Drop(widget, 3, None)),
            ("drop section-2 0", Command::DropSection(2, Some(0))),
            ("drop section-2 ", Command::DropSection(2, None)),
            ("rename section-2 Living room", Command::Rename(section, "Living room".to_owned())),
        ] {
            assert_eq!(Command::parse(text), Some(command), "{text}");
        }
        for text in [
            "",
            "open",
            "open nothing-2",
            "move i-2-5",
            "drop i-2-5",
            "select section-2",
            "add section-2",
            "add widget-2-5 clock",
            "rename i-2-5  ",
            "name i-2-5",
        ] {
            assert_eq!(Command::parse(text), None, "{text}");
        }
    }
}
