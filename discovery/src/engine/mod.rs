//! The API of Docker and Podman: lists, and the stream of events. Nothing but `GET` is ever sent, and only for
//! `/containers/json`, `/services` and `/events`, so a proxy need not allow more.

mod client;
mod follow;

pub use client::{Engine, EngineError};
pub use follow::follow;
