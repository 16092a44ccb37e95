//! The user header of a trusted proxy (docs/spec/behavior.md 19.3).

use config::model::auth::HeaderAuth;

use super::AuthRequest;
use crate::platform::peers::covers;

/// The user named by a listed proxy. Other peers may send the header too, but it is ignored.
pub(crate) fn user(settings: &HeaderAuth, request: AuthRequest<'_>) -> Option<String> {
    if !is_trusted(settings, request) {
        return None;
    }
    let mut values = request.headers.get_all(settings.user_header.as_str()).iter();
    let name = std::str::from_utf8(values.next()?.as_bytes()).ok()?.trim();
    // The proxy did not write a second header.
    (values.next().is_none() && !name.is_empty()).then(|| name.to_owned())
}

/// Whether the other end of the connection is a listed proxy.
pub(crate) fn is_trusted(settings: &HeaderAuth, request: AuthRequest<'_>) -> bool {
    request.peer.is_some_and(|peer| settings.proxy_whitelist.iter().any(|entry| covers(entry, peer)))
}
