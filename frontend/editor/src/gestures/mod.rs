//! What people do in menus, by dragging and with several items at once.

pub mod command;
pub mod moves;
