//! A service at an address.

use std::collections::BTreeMap;

use figures::{Service, SignIn};

use crate::option_types::{BaseAddress, Secret};

/// A service at an address, with the means to sign in.
pub(crate) struct Inquiry<'a> {
    /// How to ask it, in one version.
    pub(crate) service: &'a Service,
    /// Its type, for keys of what is remembered.
    pub(crate) kind: &'a str,
    /// Its address.
    pub(crate) address: BaseAddress,
    /// The options of the entry, with the defaults of the service.
    pub(crate) options: BTreeMap<String, String>,
    /// Headers of the entry, for a proxy in front of the service.
    pub(crate) headers: &'a BTreeMap<String, Secret>,
    /// The way to sign in.
    pub(crate) sign_in: Option<&'a SignIn>,
    /// Whether it may turn out to be another version, which is asked differently.
    pub(crate) is_guess: bool,
}
