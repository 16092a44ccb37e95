//! The config that a new user starts with.

/// Text of the starter `conf.yml`.
pub const CONFIG: &str = include_str!("starter.yml");
