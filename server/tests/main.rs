//! The server from outside: requests in, answers and files out. No network but loopback.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on must stop")]

mod access;
mod api_off;
mod api_reads;
mod api_rules;
mod api_writes;
mod architecture;
mod browser;
mod check_oidc;
mod closed;
mod concurrency;
mod demo;
mod disk;
mod durability;
mod editor_save;
mod editor_schema;
mod examples;
mod faults;
mod forwarded;
mod forwarded_prefix;
mod fuzz;
mod guessing;
mod hidden;
mod hostile_sign_in;
mod id_token_keys;
mod id_tokens;
mod in_place;
mod killed;
mod known_hosts;
mod layers;
mod mounts;
mod openapi;
mod over_tls;
mod pages;
mod provider;
mod renewal;
mod schema;
mod session_functions;
mod sessions;
mod sign_in;
mod sign_outs;
mod signer;
mod slow_clients;
mod upstream;
#[cfg(unix)]
mod user_files;
mod validate;
mod widget_browser_requests;
mod widget_pages;
mod widget_panels;
mod widget_pictures;
mod widget_secrets;
mod widget_sessions;
mod widget_trouble;
mod world;
