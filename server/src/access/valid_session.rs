//! A session that has been checked.

use config::Viewer;

use super::{provider::Tokens, session::Session, sign_outs::PersonId};

/// A valid session.
#[derive(Clone, Debug)]
pub(crate) struct ValidSession {
    pub session: Session,
    pub viewer: Viewer,
    /// When it expires, in seconds since 1970.
    pub expires: u64,
    /// The user it belongs to.
    pub person: PersonId,
}

impl From<Tokens> for ValidSession {
    fn from(tokens: Tokens) -> Self {
        let Tokens { session, viewer, expires, person, .. } = tokens;
        Self { session: Session::Provider(session), viewer, expires, person }
    }
}
