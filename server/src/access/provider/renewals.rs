//! The renewals of sessions that are in progress or have just finished.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use tokio::sync::watch;

use super::{claims::Claims, error::ProviderError, tokens::Tokens, verification::LEEWAY};
use crate::access::session::ProviderSession;

/// How long before the end of the tokens a renewal is due, at most, in seconds.
const MAX_LEAD: u64 = 60;

/// The shortest time between two attempts to renew a session, whatever lifetimes the provider states, in seconds. It is
/// also the wait after the first failure; each further failure doubles that.
pub(super) const MIN_WAIT: u64 = 5;

/// The longest wait after failures, in seconds.
const MAX_WAIT: u64 = 60;

/// How long the result of a renewal is given to requests with the old session, at most, in seconds.
pub(super) const REMEMBERED: u64 = 60;

/// How long new tokens live, in seconds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Lifetime(u64);

/// Why a session was not renewed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NotRenewed {
    /// The provider cannot be reached.
    Unreachable {
        /// When to try again, in seconds since 1970.
        retry_at: u64,
    },
    /// The user has to sign in again.
    Refused,
}

/// The renewals that are in progress or have just finished, by the digest of the refresh token.
#[derive(Debug, Default)]
pub(crate) struct Renewals(pub(super) Mutex<HashMap<[u8; 32], Renewal>>);

#[derive(Debug)]
pub(super) struct Renewal {
    /// How many attempts in a row could not reach the provider before this one.
    pub(super) failures: u32,
    pub(super) outcome: watch::Receiver<Option<Outcome>>,
}

/// How a renewal ended.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Renewed(Box<Tokens>),
    Failed {
        reason: NotRenewed,
        /// Until when no request with the same refresh token tries again, in seconds since 1970.
        until: u64,
    },
}

impl Lifetime {
    /// How long the access token or the ID token lives, whichever is shorter.
    pub(super) fn of(access: Option<Duration>, claims: &Claims, now: u64) -> Self {
        let id = id_token_lifetime(claims, now);
        // Some providers send 0 for a token without an end.
        let access = access.map(|time| time.as_secs()).filter(|seconds| *seconds > 0);
        Self(access.map_or(id, |access| access.min(id)))
    }

    /// When to renew tokens that were received `now`: a while before they end.
    pub(super) fn renew_at(self, now: u64) -> u64 {
        now.saturating_add(self.without_lead().max(MIN_WAIT))
    }

    /// Until when requests with the old tokens get these: until others are due.
    pub(super) fn shared_until(self, now: u64) -> u64 {
        now.saturating_add(self.without_lead().min(REMEMBERED))
    }

    fn without_lead(self) -> u64 {
        self.0.saturating_sub((self.0 / 4).min(MAX_LEAD))
    }
}

impl Renewal {
    /// Whether a request with this session gets the result of this renewal: while it runs, if it failed a moment ago, and
    /// if the session is the one that it has replaced. The session that came out of it needs another renewal, even if the
    /// provider has kept the refresh token.
    pub(super) fn is_for(&self, session: &ProviderSession, now: u64) -> bool {
        let is_own = matches!(&*self.outcome.borrow(), Some(Outcome::Renewed(tokens)) if tokens.session == *session);
        self.is_remembered(now) && !is_own
    }

    pub(super) fn is_remembered(&self, now: u64) -> bool {
        match &*self.outcome.borrow() {
            Some(Outcome::Renewed(tokens)) => now < tokens.shared_until,
            Some(Outcome::Failed { until, .. }) => now < *until,
            // Its task may have ended without a result.
            None => self.outcome.has_changed().is_ok(),
        }
    }

    /// How many attempts in a row have failed up to and including this one, because the provider could not be reached.
    pub(super) fn failures_in_a_row(&self) -> u32 {
        match &*self.outcome.borrow() {
            Some(Outcome::Failed { reason: NotRenewed::Unreachable { .. }, .. }) => self.failures.saturating_add(1),
            _ => 0,
        }
    }
}

impl Outcome {
    /// The outcome after `failures` earlier failures.
    pub(super) fn failed(error: &ProviderError, failures: u32, now: u64) -> Self {
        if !error.is_temporary() {
            return Self::Failed { reason: NotRenewed::Refused, until: now.saturating_add(REMEMBERED) };
        }
        let retry_at = now.saturating_add(MAX_WAIT.min(MIN_WAIT << failures.min(10)));
        Self::Failed { reason: NotRenewed::Unreachable { retry_at }, until: retry_at }
    }
}

/// How long an ID token lives from now on, in seconds. Its times are those of the provider's clock, which may differ from
/// ours by [`LEEWAY`].
fn id_token_lifetime(claims: &Claims, now: u64) -> u64 {
    let expires = claims.expires.unwrap_or(now);
    match claims.issued {
        Some(issued) if issued.abs_diff(now) <= LEEWAY => expires.saturating_sub(issued),
        // The token is not a new one, or does not say since when it exists.
        _ => expires.saturating_sub(now),
    }
}
