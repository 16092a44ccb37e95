//! The commands of gestures, and of the menus and scripts that send them to the editor as text: `move i-2-5 3`.

use crate::{
    edits::{List, ListDirection, Spot},
    page_files::TargetPage,
};

/// A command of a menu or a gesture.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// Opens the form of an element: `open section-2`.
    Open(Spot),
    /// Opens the form of a new sub-item of a group: `add i-2-5`.
    AddSubItem(usize, usize),
    /// Selects or deselects an item: `select i-2-5`.
    Select(Spot),
    /// Inserts a copy after an element: `duplicate widget-2-5`.
    Duplicate(Spot),
    /// Deletes an element: `delete i-2-5`.
    Delete(Spot),
    /// Moves an element by one within its list: `up i-2-5`, `down i-2-5`.
    MoveOne(Spot, ListDirection),
    /// Moves an element into a list of its kind, before one of its elements or to the end, whatever is selected: `move i-2-5 3`,
    /// `move i-2-5-1 i-3-0 0`.
    MoveInto(Spot, List, Option<usize>),
    /// Inserts a copy into a list of its kind, before one of its elements or at the end: `copy i-2-5 3`, `copy i-2-5-1 i-3-0 0`.
    CopyInto(Spot, List, Option<usize>),
    /// Copies a section to another page, with its description in JSON: `carry section-2 {"file": …}`. Moves it there if the
    /// flag is set: `transfer section-2 {"file": …}`.
    ToPage(usize, TargetPage, bool),
    /// Moves an element in the same way, and with it everything that is selected: `drop i-2-5 3 1`, `drop i-2-5-1 i-3-0 2`.
    Drop(Spot, List, Option<usize>),
    /// Moves a section before another one or to the end, and optionally into a column of the page, counted from 1:
    /// `drop section-2 0`, `drop section-2`, `drop section-2 0 3`, `drop section-2 - 3`.
    DropSection(usize, Option<usize>, Option<usize>),
    /// Renames an item or a section: `rename section-2 Living room`.
    Rename(Spot, String),
    /// Opens the form with the title of the page: `open page`.
    OpenPageInfo,
    /// Changes the title of the page: `rename page Home`.
    RenamePage(String),
}

impl Command {
    /// Parses a command; `None` if it is not for the bundle.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (what, rest) = text.split_once(' ')?;
        let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        if name == "page" {
            return match what {
                "open" => Some(Self::OpenPageInfo),
                "rename" if !rest.trim().is_empty() => Some(Self::RenamePage(rest.trim().to_owned())),
                _ => None,
            };
        }
        let spot = Spot::parse(name)?;
        let mut words = rest.split_whitespace();
        let mut number = || words.next()?.parse::<usize>().ok();
        Some(match what {
            "open" => Self::Open(spot),
            "add" => match spot.list {
                List::Items(section) => Self::AddSubItem(section, spot.index),
                _ => return None,
            },
            "select" if matches!(spot.list, List::Items(_)) => Self::Select(spot),
            "duplicate" => Self::Duplicate(spot),
            "delete" => Self::Delete(spot),
            "up" => Self::MoveOne(spot, ListDirection::Up),
            "down" => Self::MoveOne(spot, ListDirection::Down),
            "drop" if spot.list == List::Sections => Self::DropSection(spot.index, number(), number()),
            "move" | "copy" | "drop" => {
                let (target, before) = rest.split_once(' ').unwrap_or((rest, ""));
                let (list, before) = (list(spot, target)?, before.trim().parse().ok());
                match what {
                    "move" => Self::MoveInto(spot, list, before),
                    "copy" => Self::CopyInto(spot, list, before),
                    _ => Self::Drop(spot, list, before),
                }
            }
            "carry" | "transfer" if spot.list == List::Sections => {
                Self::ToPage(spot.index, TargetPage::parse(rest)?, what == "transfer")
            }
            "rename" if !rest.trim().is_empty() => Self::Rename(spot, rest.trim().to_owned()),
            _ => return None,
        })
    }
}

/// The list that an element is moved or copied to: that of a section, by its position, or the sub-items of a group.
fn list(spot: Spot, target: &str) -> Option<List> {
    match (spot.list, Spot::parse(target)) {
        (List::SubItems(..), Some(Spot { list: List::Items(section), index })) => Some(List::SubItems(section, index)),
        _ => spot.list.in_section(target.trim().parse().ok()?),
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
        let part = Spot { list: List::SubItems(2, 5), index: 1 };
        let page = TargetPage { file: "a b.yml".to_owned(), name: "A B".to_owned(), comments: true };
        for (text, command) in [
            ("open section-2", Command::Open(section)),
            ("select i-2-5", Command::Select(item(2, 5))),
            ("duplicate widget-2-5", Command::Duplicate(widget)),
            ("delete i-2-5", Command::Delete(item(2, 5))),
            ("up i-2-5", Command::MoveOne(item(2, 5), ListDirection::Up)),
            ("down section-2", Command::MoveOne(section, ListDirection::Down)),
            ("move i-2-5 3", Command::MoveInto(item(2, 5), List::Items(3), None)),
            ("move i-2-5 3 0", Command::MoveInto(item(2, 5), List::Items(3), Some(0))),
            ("copy widget-2-5 0", Command::CopyInto(widget, List::Widgets(0), None)),
            ("move i-2-5-1 i-3-0", Command::MoveInto(part, List::SubItems(3, 0), None)),
            ("copy i-2-5-1 i-2-5", Command::CopyInto(part, List::SubItems(2, 5), None)),
            ("copy i-2-5-1 i-2-5 0", Command::CopyInto(part, List::SubItems(2, 5), Some(0))),
            ("delete i-2-5-1", Command::Delete(part)),
            ("add i-2-5", Command::AddSubItem(2, 5)),
            (
                "carry section-2 {\"file\":\"a b.yml\",\"name\":\"A B\",\"comments\":true}",
                Command::ToPage(2, page.clone(), false),
            ),
            (
                "transfer section-2 {\"file\":\"a b.yml\",\"name\":\"A B\",\"comments\":true}",
                Command::ToPage(2, page, true),
            ),
            ("drop i-2-5 3 1", Command::Drop(item(2, 5), List::Items(3), Some(1))),
            ("drop widget-2-5 3 ", Command::Drop(widget, List::Widgets(3), None)),
            ("drop i-2-5-1 i-3-0 2", Command::Drop(part, List::SubItems(3, 0), Some(2))),
            ("drop i-2-5-1 i-2-5 -", Command::Drop(part, List::SubItems(2, 5), None)),
            ("drop section-2 0", Command::DropSection(2, Some(0), None)),
            ("drop section-2 ", Command::DropSection(2, None, None)),
            ("drop section-2 0 3", Command::DropSection(2, Some(0), Some(3))),
            ("drop section-2 - 3", Command::DropSection(2, None, Some(3))),
            ("rename section-2 Living room", Command::Rename(section, "Living room".to_owned())),
            ("open page", Command::OpenPageInfo),
            ("rename page  Living room ", Command::RenamePage("Living room".to_owned())),
        ] {
            assert_eq!(Command::parse(text), Some(command), "{text}");
        }
        for text in [
            "",
            "open",
            "open nothing-2",
            "move i-2-5",
            "drop i-2-5",
            "drop i-2-5-1 3",
            "move section-2 3",
            "move i-2-5-1 3",
            "move i-2-5 i-3-0",
            "add i-2-5-1",
            "carry section-2 boats.yml",
            "carry i-2-5 {}",
            "transfer section-2 boats.yml",
            "select i-2-5-1",
            "select section-2",
            "add section-2",
            "add widget-2-5 clock",
            "rename i-2-5  ",
            "rename page ",
            "delete page",
            "name i-2-5",
        ] {
            assert_eq!(Command::parse(text), None, "{text}");
        }
    }
}
