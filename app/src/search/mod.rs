//! The search box: what a search found, and where Enter leads. What matches is decided in `frontend/search/matching.js`.

pub mod web;

/// What a search found on the page.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Found {
    /// How many tiles.
    pub count: usize,
    /// Whether one of them is highlighted.
    pub has_first: bool,
    /// Whether other pages may still have something.
    pub is_pending: bool,
}
