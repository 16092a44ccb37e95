//! Line and column of each value in the text, to show people where a problem is.

use std::rc::Rc;

use saphyr_parser::{Event, Parser};

use super::{
    compose,
    node::{Content, PositionedValue},
    relaxed::Relaxed,
};
use crate::problem::steps;

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
