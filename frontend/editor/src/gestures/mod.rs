//! What people do in menus, by dragging and with several items at once. The pointer itself is followed by
//! `frontend/gestures.js`, the menu drawn by `frontend/menu.js`; both send their commands here.

pub mod command;
pub mod moves;

#[cfg(target_arch = "wasm32")]
mod bar;
#[cfg(target_arch = "wasm32")]
mod listen;
#[cfg(target_arch = "wasm32")]
mod selection;

#[cfg(target_arch = "wasm32")]
pub use self::{
    bar::{SelectButton, SelectionBar},
    listen::install,
    selection::{Selection, TILES},
};
