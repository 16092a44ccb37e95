//! Line and column of each value in the text, to show people where a problem is.

use std::rc::Rc;

use saphyr_parser::{Event, Parser};

use super::{
    compose::{self, Content, PositionedValue},
    relaxed::Relaxed,
};
use crate::problem::steps;

/// Maximum number of columns that an excerpt shows of a line.
const WIDTH: usize = 100;
/// Lines that an excerpt shows before and after the line in question.
const AROUND: usize = 2;

/// The positions of all values of a document.
#[derive(Debug, Default)]
pub struct Locations {
    root: Option<Rc<PositionedValue>>,
}

impl Locations {
    pub(super) fn of(source: &str) -> Self {
        Self { root: compose::root(source).ok().flatten() }
    }

    /// Line and column, both from 1, of the key or list element at a JSON pointer. For values from a merge key or an
    /// alias, this is where they were written.
    pub fn find(&self, path: &str) -> Option<(usize, usize)> {
        let mut node = self.root.as_ref()?;
        let mut place = node.place;
        for step in steps(path) {
            match &node.content {
                Content::Scalar(_) => return None,
                Content::List(elements) => {
                    node = elements.get(step.parse::<usize>().ok()?)?;
                    place = node.place;
                }
                Content::Mapping(entries) => {
                    let entry = entries.get(&step)?;
                    node = &entry.value;
                    place = entry.place;
                }
            }
        }
        Some((place.line, place.column))
    }

    /// Like [`Locations::find`]; but for a path that does not exist, such as that of a missing key, returns the
    /// position of the nearest enclosing value.
    pub fn nearest(&self, path: &str) -> Option<(usize, usize)> {
        let mut path = path;
        loop {
            match self.find(path) {
                Some(place) => return Some(place),
                None => path = &path[..path.rfind('/')?],
            }
        }
    }
}

/// The lines around a position, numbered, with a mark below the column. Empty if there is no such line.
pub(super) fn excerpt(source: &str, line: usize, column: usize) -> String {
    let Some(middle) = line.checked_sub(1) else { return String::new() };
    let first = middle.saturating_sub(AROUND);
    let lines: Vec<&str> = source.lines().skip(first).take(middle - first + 1 + AROUND).collect();
    let digits = (first + lines.len()).to_string().len();
    // A very long line is shown from a little before the position; all lines are shifted by the same amount.
    let skip = if column > WIDTH { column - WIDTH / 2 } else { 0 };
    let mut excerpt = String::new();
    for (offset, text) in lines.iter().enumerate() {
        let number = first + offset + 1;
        let sign = if number == line { '>' } else { ' ' };
        let shown: String = text
            .chars()
            .skip(skip)
            .take(WIDTH)
            .map(|character| if character.is_control() { ' ' } else { character })
            .collect();
        excerpt.push_str(format!("{sign} {number:digits$} | {shown}").trim_end());
        excerpt.push('\n');
        if number == line {
            let blanks = column.saturating_sub(1).saturating_sub(skip);
            excerpt.push_str(&format!("  {:digits$} | {:blanks$}^\n", "", ""));
        }
    }
    if lines.len() <= middle - first {
        // The position is the end of the text, after its last line.
        excerpt.push_str(&format!("> {line:digits$} |\n  {:digits$} | ^\n", ""));
    }
    excerpt.truncate(excerpt.trim_end().len());
    excerpt
}

/// Whether a text that parses has a comment: a `#` at the beginning of a line or after white space, outside of quoted
/// texts and block scalars. The parser reports the positions of scalars; everything between them is structure.
pub(super) fn has_comments(source: &str) -> bool {
    // Mending does not touch comments, so it does not matter which of the two texts is checked.
    match Relaxed::of(source).filter(|_| !is_understood(source)) {
        Some(relaxed) => comments_in(&relaxed.text),
        None => comments_in(source),
    }
}

fn is_understood(source: &str) -> bool {
    Parser::new_from_str(source).all(|event| event.is_ok())
}

fn comments_in(source: &str) -> bool {
    let characters: Vec<char> = source.chars().collect();
    let mut outside = 0;
    let begins_in = |from: usize, to: usize| {
        (from..to.min(characters.len()))
            .any(|at| characters[at] == '#' && (at == 0 || matches!(characters[at - 1], ' ' | '\t' | '\n' | '\r')))
    };
    let mut parser = Parser::new_from_str(source);
    while let Some(Ok((event, span))) = parser.next_event() {
        match event {
            Event::Scalar(..) => {
                if begins_in(outside, span.start.index()) {
                    return true;
                }
                outside = outside.max(span.end.index());
            }
            Event::StreamEnd => break,
            _ => {}
        }
    }
    begins_in(outside, characters.len())
}
