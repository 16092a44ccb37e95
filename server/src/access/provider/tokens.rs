//! The outcome of a sign-in or a renewal.

use config::Viewer;

use crate::access::{session::ProviderSession, sign_outs::PersonId};

/// The outcome of a sign-in or a renewal.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    pub session: ProviderSession,
    pub viewer: Viewer,
    /// When the ID token expires, in seconds since 1970.
    pub expires: u64,
    /// Until when these tokens are given to requests that still have the old ones, in seconds since 1970.
    pub(super) shared_until: u64,
    /// Who has signed in.
    pub person: PersonId,
}
