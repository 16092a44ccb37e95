//! The server of Portico: everything that touches files, environment or network, and the command line.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod api;
pub mod assets;
pub mod auth;
pub mod backend;
pub mod command;
pub mod compression;
pub mod connections;
pub mod demo;
pub mod encoding;
mod entity_tag;
pub mod error;
mod fetch;
pub mod files;
pub mod glyphs;
pub mod headers;
pub mod health;
pub mod icons;
pub mod known_hosts;
pub mod log;

pub mod off_workers;
pub mod oidc_command;
pub mod outbound;
pub mod outside;
pub mod own_addresses;
pub mod pages;
pub mod panels;
pub mod peers;
pub mod portico;
mod prefixes;
pub mod remote_pages;
pub mod report;
pub mod router;
pub mod save;
pub mod schema;
pub mod serve;
pub mod settings;
pub mod starter;
pub mod store;
pub mod system_info;
pub mod tls;
pub mod user_files;
pub mod variables;
pub mod widget_command;
