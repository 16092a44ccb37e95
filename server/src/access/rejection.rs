//! Why someone may not call the API.

use super::{challenge::Unauthorized, guesses::TooManyGuesses};

/// Why someone may not call the API.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Rejection {
    /// The request has more than one `Authorization` header.
    Ambiguous,
    /// Credentials are missing or wrong.
    Unauthorized(Unauthorized),
    /// Too many credentials are waiting to be checked, so these were not.
    TooManyGuesses,
}

impl From<TooManyGuesses> for Rejection {
    fn from(_: TooManyGuesses) -> Self {
        Self::TooManyGuesses
    }
}
