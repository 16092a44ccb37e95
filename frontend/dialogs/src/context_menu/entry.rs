//! The lines of a menu.

use std::{future::ready, pin::Pin, rc::Rc};

/// The lines of a menu that are being looked up.
pub type PendingLines = Pin<Box<dyn Future<Output = Vec<Line>>>>;

/// A line of a menu.
#[derive(Clone)]
pub enum Line {
    /// Something to choose.
    Entry(Entry),
    /// Separates groups.
    Separator,
}

/// Something to choose.
#[derive(Clone)]
pub struct Entry {
    /// What it says.
    pub label: String,
    /// What it does.
    pub action: Action,
    /// Whether it removes something.
    pub is_dangerous: bool,
}

/// What an entry does.
#[derive(Clone)]
pub enum Action {
    /// Runs after the menu has closed.
    Run(Rc<dyn Fn()>),
    /// Shows another menu in its place.
    More(Rc<dyn Fn() -> PendingLines>),
}

impl Line {
    /// An entry that does something.
    pub fn run(label: String, action: impl Fn() + 'static) -> Self {
        Self::Entry(Entry { label, action: Action::Run(Rc::new(action)), is_dangerous: false })
    }

    /// An entry that leads to a menu.
    pub fn more(label: String, lines: impl Fn() -> Vec<Self> + 'static) -> Self {
        Self::pending(label, move || Box::pin(ready(lines())))
    }

    /// An entry that leads to a menu which has to be looked up.
    pub fn pending(label: String, lines: impl Fn() -> PendingLines + 'static) -> Self {
        Self::Entry(Entry { label, action: Action::More(Rc::new(lines)), is_dangerous: false })
    }
}

/// Adds lines after those that are there, with a separator between them.
pub fn add_group(lines: &mut Vec<Line>, group: Vec<Line>) {
    if !lines.is_empty() && !group.is_empty() {
        lines.push(Line::Separator);
    }
    lines.extend(group);
}
