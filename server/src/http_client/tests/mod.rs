//! What the client does and refuses, against servers on the loopback address.
//!
//! Names come from a table in place of the name service. Where time matters it is the runtime's own, which is stopped
//! and jumps ahead when nothing else can happen.

mod fixture;
mod forgery;
mod limits;
mod names;
mod redirects;
mod requests;
#[cfg(unix)]
mod sockets;
mod tls;
