//! The server of Portico: everything that touches files, environment or network, and the command line.
//!
//! Its folders are layers: each imports only from those below it (see `ARCHITECTURE.md`; a test keeps it so).

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod access;
pub mod alerts;
pub mod commands;
pub mod database;
pub mod found;
pub mod http_client;
pub mod icons;
pub mod panels;
pub mod platform;
pub mod routes;
pub mod settings;
pub mod status;
pub mod store;
