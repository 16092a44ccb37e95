//! The config that a person starts with.

/// Text of the starter `conf.yml`.
pub const CONFIG: &str = include_str!("starter.yml");
