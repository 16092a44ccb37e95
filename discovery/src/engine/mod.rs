//! The API of Docker and Podman: lists, the stream of events, and what a container uses. Nothing but `GET` is ever sent, and only
//! for `/containers`, `/services` and `/events`, so a proxy need not allow more.

mod client;
mod follow;
mod usage;

pub use client::{Engine, EngineError};
pub use follow::follow;
pub use usage::Usage;
