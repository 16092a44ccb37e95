//! Session renewal. A refresh token is used only once, however many tabs ask at the same time: providers that rotate
//! refresh tokens treat a second use as theft and revoke everything.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};
use tokio::sync::watch;

use super::{IdentityProvider, ProviderError, Tokens};
use crate::access::session::ProviderSession;

/// How long the result of a renewal is given to callers that still use the old token, in seconds.
const REMEMBERED: u64 = 60;

/// Maximum number of renewals that are remembered.
const MAX_REMEMBERED: usize = 1024;

type RenewalResult = Result<Tokens, ProviderError>;

/// The renewals that are in progress or have just finished, by the digest of the refresh token.
#[derive(Debug, Default)]
pub(crate) struct Renewals(Mutex<HashMap<[u8; 32], Renewal>>);

#[derive(Debug)]
struct Renewal {
    began: u64,
    outcome: watch::Receiver<Option<RenewalResult>>,
}

impl IdentityProvider {
    /// Renews a session, or returns the result of a renewal that another caller has started with the same token. The
    /// renewal continues if the caller disconnects.
    pub(crate) async fn renew(self: &Arc<Self>, session: &ProviderSession) -> RenewalResult {
        let Some(refresh) = session.refresh_token.clone() else {
            return Err(ProviderError::Response("the session has no refresh token".to_owned()));
        };
        let mut outcome = self.renewal(session, refresh);
        let outcome = outcome.wait_for(Option::is_some).await.ok().and_then(|outcome| outcome.clone());
        outcome.unwrap_or_else(|| Err(ProviderError::Unreachable("the renewal was interrupted".to_owned())))
    }

    fn renewal(self: &Arc<Self>, session: &ProviderSession, refresh: String) -> watch::Receiver<Option<RenewalResult>> {
        let key: [u8; 32] = Sha256::digest(&refresh).into();
        let now = self.clock.now();
        let mut renewals = self.renewals.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(renewal) = renewals.get(&key).filter(|renewal| renewal.is_good(now)) {
            return renewal.outcome.clone();
        }
        if renewals.len() >= MAX_REMEMBERED {
            renewals.retain(|_, renewal| renewal.is_good(now));
        }
        let (sender, receiver) = watch::channel(None);
        renewals.insert(key, Renewal { began: now, outcome: receiver.clone() });
        let (provider, session) = (Arc::clone(self), session.clone());
        tokio::spawn(async move {
            let outcome = provider.refresh(&session, &refresh).await;
            if let Err(error) = &outcome {
                tracing::info!("a session could not be renewed: {error}");
            }
            sender.send_replace(Some(outcome));
        });
        receiver
    }
}

impl Renewal {
    /// Whether its result can still be used. A renewal that could not reach the provider may be retried.
    fn is_good(&self, now: u64) -> bool {
        match &*self.outcome.borrow() {
            Some(Err(error)) if error.is_temporary() => false,
            Some(_) => now < self.began + REMEMBERED,
            None => true,
        }
    }
}
