//! What labels give, and how an engine is followed. Nothing is contacted but the loopback network.

#![allow(clippy::unwrap_used)]

mod addresses;
mod engine;
mod examined;
mod families;
mod kubernetes;

use std::collections::BTreeMap;

use discovery::Resource;

/// Labels from pairs.
fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A running container with these labels.
fn container(name: &str, pairs: &[(&str, &str)]) -> Resource {
    Resource {
        id: format!("id-of-{name}"),
        name: name.to_owned(),
        image: "example/thing:1".to_owned(),
        labels: labels(pairs),
        state: "running".to_owned(),
        ..Resource::default()
    }
}
