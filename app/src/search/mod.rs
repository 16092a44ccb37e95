//! The results of the search box, and what Enter does. `config::search` decides what matches.

pub mod web;

/// The results of a search on the page.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Found {
    /// The number of matching tiles.
    pub count: usize,
    /// Whether one of them is highlighted, which Enter opens.
    pub has_first: bool,
    /// Whether results of other pages may follow.
    pub is_pending: bool,
}
