//! The live figures of an item (docs/spec/config.md 8.3). This crate does not know the services.

use serde_json::{Map, Value};

use super::block::{Block, Described};

/// Maximum number of services with figures in one tile.
const MAX_SERVICES: usize = 4;

/// Live figures of a service in a tile, such as how many downloads are running. docs/figures.md lists the services, their
/// figures, and what each of them needs.
///
/// Only the type is read here. `widgets::Entry` reads the rest, from the raw entry.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(title = "Figures", name = "figures", other_keys)]
pub struct Figures {
    /// The service, in upper or lower case.
    #[config(key = "type", required, examples("sonarr", "jellyfin"))]
    pub kind: String,
    /// Address of the service as this server reaches it. Services on the internet do not need one.
    #[config(elsewhere, examples("http://192.168.1.2:8989"))]
    pub url: Described<String>,
    /// Key for the service's API. The name of an environment variable, as in options of widgets, stands for its value.
    #[config(elsewhere)]
    pub key: Described<String>,
    /// User, for services without a key.
    #[config(elsewhere)]
    pub username: Described<String>,
    /// Password of that user, or the name of an environment variable.
    #[config(elsewhere)]
    pub password: Described<String>,
    /// Names of the figures to show.
    #[config(elsewhere, unset = "the first four of the service")]
    pub fields: Described<Vec<String>>,
    /// Rules that color figures, as in Homepage: lists of `level` (`good`, `warn`, `danger`), `when` and `value`, below
    /// `numeric` or `string`, by the names of the figures.
    #[config(elsewhere)]
    pub highlight: Described<Map<String, Value>>,
    /// Additional headers of each request.
    #[config(elsewhere)]
    pub headers: Described<Map<String, Value>>,
    /// Hides failures. Admins still see wrong options and rejected credentials.
    #[config(elsewhere)]
    pub hide_errors: Described<bool>,
    /// Timeout of one request in milliseconds.
    #[config(elsewhere, default = 10_000)]
    pub timeout: Described<u32>,
    /// Accepts certificates that cannot be verified. Use this only for services in your own network.
    #[config(elsewhere)]
    pub insecure: Described<bool>,
    /// Has no effect: the version of the service is found by asking it.
    #[config(elsewhere, rule = Rule::Any)]
    pub version: Described<String>,
}

/// The entries with figures of an item as written: `figures`, then `widget` and `widgets`.
#[must_use]
pub fn written_figures(item: &Value) -> Vec<&Value> {
    let list = |name: &str| match item.get(name) {
        Some(Value::Array(list)) => list.as_slice(),
        Some(single @ Value::Object(_)) => std::slice::from_ref(single),
        _ => &[],
    };
    let all = ["figures", "widget", "widgets"].into_iter().flat_map(list);
    all.filter(|entry| entry.is_object()).take(MAX_SERVICES).collect()
}
