//! A cache of opened provider sessions. A page makes several requests at once, all with the same session: opening it,
//! inflating it and reading its token takes 25 µs, and a millisecond if it names 2000 groups; finding it here takes 2
//! µs. It is only a cache: a missing session is opened from its cookie, on any server.

use std::sync::{Arc, Mutex, PoisonError};

use quick_cache::{Weighter, unsync::Cache};
use sha2::{Digest as _, Sha256};

use super::valid_session::ValidSession;

/// Maximum number of sessions that are remembered.
const MAX: usize = 256;

/// Maximum total bytes of their ID tokens.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The sessions by the digest of their sealed cookie, which only this server can create.
#[derive(Debug)]
pub(crate) struct SessionCache(Mutex<Cache<[u8; 32], CachedSession, ByToken>>);

/// A session, and the length of its token in bytes.
#[derive(Debug)]
struct CachedSession(Arc<ValidSession>, usize);

/// Weighs sessions by their tokens, and none less than its share of the bytes: so neither limit is exceeded.
#[derive(Clone, Debug)]
struct ByToken;

impl Weighter<[u8; 32], CachedSession> for ByToken {
    fn weight(&self, _: &[u8; 32], CachedSession(_, bytes): &CachedSession) -> u64 {
        (*bytes).max(MAX_BYTES / MAX) as u64
    }
}

impl Default for SessionCache {
    fn default() -> Self {
        Self(Mutex::new(Cache::with_weighter(MAX, MAX_BYTES as u64, ByToken)))
    }
}

impl SessionCache {
    /// The session of a sealed cookie. The caller checks whether it has expired.
    pub(crate) fn get(&self, sealed: &str) -> Option<Arc<ValidSession>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&digest(sealed)).map(|CachedSession(session, _)| Arc::clone(session))
    }

    /// Remembers the session of a sealed cookie; `bytes` is the length of its token.
    pub(crate) fn add(&self, sealed: &str, signed: &Arc<ValidSession>, bytes: usize) {
        let session = CachedSession(Arc::clone(signed), bytes);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(digest(sealed), session);
    }
}

fn digest(sealed: &str) -> [u8; 32] {
    Sha256::digest(sealed).into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use config::Viewer;

    use super::{CachedSession, MAX, MAX_BYTES, SessionCache};
    use crate::access::{
        session::{AccountSession, Session},
        sign_outs::PersonId,
        valid_session::ValidSession,
    };

    #[test]
    fn it_never_holds_more_than_it_may() {
        let session = AccountSession { name: String::new(), fingerprint: String::new(), expires: 0, began: 0 };
        let person = PersonId::of_account("");
        let signed =
            Arc::new(ValidSession { session: Session::Account(session), viewer: Viewer::Guest, expires: 0, person });
        let opened = SessionCache::default();
        for number in 0..3 * MAX {
            opened.add(&number.to_string(), &signed, 100);
            assert!(opened.get(&number.to_string()).is_some());
            assert!(opened.0.lock().unwrap().len() <= MAX);
        }
        assert!(opened.get("other").is_none());
        for number in 0..20 {
            opened.add(&format!("large {number}"), &signed, MAX_BYTES / 4);
            let known = opened.0.lock().unwrap();
            assert!(known.iter().map(|(_, CachedSession(_, bytes))| bytes).sum::<usize>() <= MAX_BYTES);
            drop(known);
            assert!(opened.get(&format!("large {number}")).is_some());
        }
    }
}
