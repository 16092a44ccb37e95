//! Session renewal. A refresh token is used only once, however many tabs ask at the same time: providers that rotate
//! refresh tokens treat a second use as theft and revoke everything. Other providers keep the same refresh token, so that
//! each renewal uses it again.

use std::{
    sync::{Arc, PoisonError},
    time::Duration,
};

use sha2::{Digest as _, Sha256};
use tokio::sync::watch;

use super::{
    identity_provider::IdentityProvider,
    renewals::{MIN_WAIT, NotRenewed, Outcome, REMEMBERED, Renewal},
    tokens::Tokens,
};
use crate::{
    access::{seal::Sealer, session::ProviderSession},
    database::Turn,
};

/// How long other servers use the result of a renewal.
const SHARED_AGE: Duration = Duration::from_secs(REMEMBERED);

/// What the results of renewals are sealed for.
const PURPOSE: &str = "renewal";

/// Says to other servers that the provider refused the refresh token.
const REFUSED: &str = "refused";

/// Maximum number of renewals that are remembered.
const MAX_REMEMBERED: usize = 1024;

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
