//! The search box: which items match a text, and where Enter leads.

pub mod matching;
pub mod web;
