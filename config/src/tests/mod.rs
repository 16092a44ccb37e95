//! Tests at the edges of the crate: a text goes in, and what it means comes out.

mod added;
mod addresses;
mod agreement;
mod bombs;
mod changes;
mod check;
mod citations;
mod configs;
mod css;
mod dashboard;
mod edit;
mod effect;
mod every_field;
mod footer;
mod icons;
mod lenient;
mod look;
mod places;
mod print;
mod redacted;
mod reference;
mod relaxed;
mod schema;
mod search;
mod sequences;
mod sign_in;
mod slips;
mod slugs;
mod spelling;
mod sub_pages;
mod visibility;
mod yaml;

use crate::{Config, Document};

/// The document of a text that must parse.
fn document(text: &str) -> Document {
    Document::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{}", error.excerpt))
}

/// The config of a text that must parse.
fn config(text: &str) -> Config {
    Config::read(&document(text)).unwrap()
}
