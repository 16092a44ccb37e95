//! What the client accepts and refuses, against servers on the loopback address.
//!
//! Names come from a table in place of DNS. Where time matters it is the runtime's own clock, which is paused and jumps
//! ahead when nothing else can happen.

mod fixture;
mod forgery;
mod forgery_addresses;
mod limits;
mod names;
mod redirects;
mod requests;
#[cfg(unix)]
mod sockets;
mod tls;
