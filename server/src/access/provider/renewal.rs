//! Session renewal. A refresh token is used only once, however many tabs ask at the same time: providers that rotate
//! refresh tokens treat a second use as theft and revoke everything. Other providers keep the same refresh token, so that
//! each renewal uses it again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sha2::{Digest as _, Sha256};
use tokio::sync::watch;

use super::{IdentityProvider, LEEWAY, ProviderError, Tokens, claims::Claims};
use crate::{
    access::{seal::Sealer, session::ProviderSession},
    database::Turn,
};

/// How long before the end of the tokens a renewal is due, at most, in seconds.
const MAX_LEAD: u64 = 60;

/// The shortest time between two attempts to renew a session, whatever lifetimes the provider states, in seconds. It is
/// also the wait after the first failure; each further failure doubles that.
const MIN_WAIT: u64 = 5;

/// The longest wait after failures, in seconds.
const MAX_WAIT: u64 = 60;

/// How long the result of a renewal is given to requests with the old session, at most, in seconds.
const REMEMBERED: u64 = 60;

/// How long other servers use the result of a renewal.
const SHARED_AGE: Duration = Duration::from_secs(REMEMBERED);

/// What the results of renewals are sealed for.
const PURPOSE: &str = "renewal";

/// Says to other servers that the provider refused the refresh token.
const REFUSED: &str = "refused";

/// Maximum number of renewals that are remembered.
const MAX_REMEMBERED: usize = 1024;

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
pub(crate) struct Renewals(Mutex<HashMap<[u8; 32], Renewal>>);

#[derive(Debug)]
struct Renewal {
    /// How many attempts in a row could not reach the provider before this one.
    failures: u32,
    outcome: watch::Receiver<Option<Outcome>>,
}

/// How a renewal ended.
#[derive(Clone, Debug)]
enum Outcome {
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

impl IdentityProvider {
    /// Renews a session, or returns the result of a renewal that another request has begun. The renewal continues if the
    /// client disconnects.
    pub(crate) async fn renew(self: &Arc<Self>, session: &ProviderSession) -> Result<Tokens, NotRenewed> {
        let Some(refresh) = session.refresh_token.clone() else { return Err(NotRenewed::Refused) };
        let mut outcome = self.renewal(session, refresh);
        let outcome = outcome.wait_for(Option::is_some).await.ok().and_then(|outcome| outcome.clone());
        match outcome {
            Some(Outcome::Renewed(tokens)) => Ok(*tokens),
            Some(Outcome::Failed { reason, .. }) => Err(reason),
            None => Err(NotRenewed::Unreachable { retry_at: self.clock.now().saturating_add(MIN_WAIT) }),
        }
    }

    fn renewal(self: &Arc<Self>, session: &ProviderSession, refresh: String) -> watch::Receiver<Option<Outcome>> {
        let key: [u8; 32] = Sha256::digest(&refresh).into();
        let now = self.clock.now();
        let mut renewals = self.renewals.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = renewals.get(&key);
        if let Some(renewal) = last.filter(|renewal| renewal.is_for(session, now)) {
            return renewal.outcome.clone();
        }
        let failures = last.map_or(0, Renewal::failures_in_a_row);
        if renewals.len() >= MAX_REMEMBERED {
            renewals.retain(|_, renewal| renewal.is_remembered(now));
        }
        let (sender, receiver) = watch::channel(None);
        renewals.insert(key, Renewal { failures, outcome: receiver.clone() });
        let (provider, session) = (Arc::clone(self), session.clone());
        tokio::spawn(async move {
            sender.send_replace(Some(provider.renew_once(&session, &refresh, &key, failures).await));
        });
        receiver
    }
}

impl IdentityProvider {
    /// Uses a refresh token, unless another server has just done so. `key` is its digest, `failures` how often it has failed in a row.
    async fn renew_once(&self, session: &ProviderSession, refresh: &str, key: &[u8], failures: u32) -> Outcome {
        let now = self.clock.now();
        let lease = match self.shared.get() {
            None => None,
            Some((database, sealer)) => {
                match database.turn(&format!("renewal/{}", hex::encode(key)), SHARED_AGE).await {
                    Turn::Ours(lease) => Some((lease, sealer)),
                    Turn::Alone => None,
                    Turn::Theirs(result, _) => match self.shared_outcome(&result, sealer, now) {
                        // A provider may keep the refresh token: this session is the result, and needs another renewal.
                        Outcome::Renewed(tokens) if tokens.session == *session => None,
                        outcome => return outcome,
                    },
                }
            }
        };
        let outcome = match self.refresh(session, refresh).await {
            Ok(tokens) => Outcome::Renewed(Box::new(tokens)),
            Err(error) => {
                tracing::info!("a session could not be renewed: {error}");
                Outcome::failed(&error, failures, self.clock.now())
            }
        };
        if let Some((lease, sealer)) = lease {
            let (result, has_failed) = match &outcome {
                Outcome::Renewed(tokens) => {
                    let plain = serde_json::to_vec(&tokens.session).unwrap_or_default();
                    (sealer.seal(PURPOSE, &plain), false)
                }
                Outcome::Failed { reason: NotRenewed::Refused, .. } => (REFUSED.to_owned(), false),
                Outcome::Failed { .. } => (String::new(), true),
            };
            lease.finish(&result, has_failed).await;
        }
        outcome
    }

    /// The result of a renewal at another server.
    fn shared_outcome(&self, result: &str, sealer: &Sealer, now: u64) -> Outcome {
        let session = sealer.open(PURPOSE, result).and_then(|plain| serde_json::from_slice(&plain).ok());
        let session = session.and_then(|session: ProviderSession| {
            let (viewer, expires, person) = self.viewer_of_session(&session)?;
            let shared_until = now.saturating_add(session.renew_at.saturating_sub(now).min(REMEMBERED));
            Some(Tokens { session, viewer, expires, shared_until, person })
        });
        match session {
            Some(tokens) => Outcome::Renewed(Box::new(tokens)),
            None if result == REFUSED => {
                Outcome::Failed { reason: NotRenewed::Refused, until: now.saturating_add(REMEMBERED) }
            }
            None => {
                let retry_at = now.saturating_add(MIN_WAIT);
                Outcome::Failed { reason: NotRenewed::Unreachable { retry_at }, until: retry_at }
            }
        }
    }
}

impl Renewal {
    /// Whether a request with this session gets the result of this renewal: while it runs, if it failed a moment ago, and
    /// if the session is the one that it has replaced. The session that came out of it needs another renewal, even if the
    /// provider has kept the refresh token.
    fn is_for(&self, session: &ProviderSession, now: u64) -> bool {
        let is_own = matches!(&*self.outcome.borrow(), Some(Outcome::Renewed(tokens)) if tokens.session == *session);
        self.is_remembered(now) && !is_own
    }

    fn is_remembered(&self, now: u64) -> bool {
        match &*self.outcome.borrow() {
            Some(Outcome::Renewed(tokens)) => now < tokens.shared_until,
            Some(Outcome::Failed { until, .. }) => now < *until,
            // Its task may have ended without a result.
            None => self.outcome.has_changed().is_ok(),
        }
    }

    /// How many attempts in a row have failed up to and including this one, because the provider could not be reached.
    fn failures_in_a_row(&self) -> u32 {
        match &*self.outcome.borrow() {
            Some(Outcome::Failed { reason: NotRenewed::Unreachable { .. }, .. }) => self.failures.saturating_add(1),
            _ => 0,
        }
    }
}

impl Outcome {
    /// The outcome after `failures` earlier failures.
    fn failed(error: &ProviderError, failures: u32, now: u64) -> Self {
        if !error.is_temporary() {
            return Self::Failed { reason: NotRenewed::Refused, until: now.saturating_add(REMEMBERED) };
        }
        let retry_at = now.saturating_add(MAX_WAIT.min(MIN_WAIT << failures.min(10)));
        Self::Failed { reason: NotRenewed::Unreachable { retry_at }, until: retry_at }
    }
}
