//! What following a source gives.

use std::time::Duration;

use crate::resource::{Malformed, Resource};

/// What there is at a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// The complete list.
    pub resources: Vec<Result<Resource, Malformed>>,
    /// What the source does not give, as sentences. It costs only itself.
    pub missing: Vec<String>,
}

/// Something new about a source.
#[derive(Debug)]
pub enum Change {
    /// What there is now.
    Listed(Listing),
    /// The connection is lost or refused, for this reason; what was listed last may be outdated. It is tried again after
    /// this time.
    Lost(String, Duration),
}
