//! What people do in menus, by dragging and with several items at once. `pointer` follows the pointer. The menus are of another
//! bundle (`frontend/dialogs/src/context_menu`), and send their commands as events.

pub mod command;
pub mod moves;

#[cfg(target_arch = "wasm32")]
mod bar;
#[cfg(target_arch = "wasm32")]
mod draggable;
#[cfg(target_arch = "wasm32")]
mod listen;
#[cfg(target_arch = "wasm32")]
mod pointer;
#[cfg(target_arch = "wasm32")]
mod rename;
#[cfg(target_arch = "wasm32")]
mod run;
#[cfg(target_arch = "wasm32")]
mod selection;
#[cfg(target_arch = "wasm32")]
mod targets;

#[cfg(target_arch = "wasm32")]
pub use self::{
    bar::{SelectButton, SelectionBar},
    listen::install,
    pointer::install as install_pointer,
    selection::{Selection, TILES},
};
