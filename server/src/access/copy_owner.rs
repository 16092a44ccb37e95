//! What a browser may keep of the responses to a viewer, and for how long. Copies belong to one session only.

use config::Viewer;
use sha2::{Digest as _, Sha256};

use super::{
    AccessControl,
    authentication::Authentication,
    session::{Session, UNREMEMBERED_SECONDS},
    sign_outs::MAX_SESSION_SECONDS,
    valid_session::ValidSession,
};

/// How long copies may be shown if the server does not know when the login ends, in seconds: for people who sign in
/// through a proxy or HTTP Basic, and for people whose provider renews the session indefinitely.
const UNKNOWN_END_SECONDS: u64 = 24 * 3600;

/// The owner of a browser's copies.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct CopyOwner {
    /// Identifies this session, and reveals nothing about it.
    pub key: String,
    /// How long the copies may be shown without the server, in seconds; `None` if no sign-in is needed.
    pub seconds: Option<u64>,
    /// Whether they may be shown only until the browser is closed, because the session lasts no longer.
    pub while_open: bool,
}

impl AccessControl {
    /// What the browser behind a request may keep; `None` if access is denied.
    pub(crate) fn copy_owner(&self, authentication: &Authentication) -> Option<CopyOwner> {
        if let Some(signed) = &authentication.session {
            return Some(self.copy_owner_of(signed));
        }
        let viewer = authentication.viewer.as_ref().ok()?;
        let (seconds, while_open) = match viewer {
            Viewer::Anonymous => return None,
            Viewer::Guest | Viewer::Admin(None) => (None, false),
            Viewer::User(_) | Viewer::Admin(Some(_)) => (Some(UNKNOWN_END_SECONDS), false),
        };
        Some(CopyOwner { key: key_of(&format!("{viewer:?}")), seconds, while_open })
    }

    fn copy_owner_of(&self, signed: &ValidSession) -> CopyOwner {
        let now = self.clock.now();
        let (end, while_open) = match &signed.session {
            Session::Account(session) => {
                (signed.expires, session.expires.saturating_sub(session.began) == UNREMEMBERED_SECONDS)
            }
            // A renewable session ends when the provider says so, which only the next renewal shows.
            Session::Provider(session) if session.refresh_token.is_some() => {
                let longest = session.began.saturating_add(MAX_SESSION_SECONDS);
                (longest.min(now.saturating_add(UNKNOWN_END_SECONDS)), true)
            }
            Session::Provider(_) => (signed.expires, true),
        };
        let of = format!("{:?} {} {}", signed.viewer, signed.session.began(), self.cookies().mac_of("copies"));
        CopyOwner { key: key_of(&of), seconds: Some(end.saturating_sub(now)), while_open }
    }
}

fn key_of(text: &str) -> String {
    let digest = Sha256::new().chain_update("portico copies ").chain_update(text).finalize();
    hex::encode(&digest[..12])
}
