//! A provider that is in use.

use std::sync::{Arc, OnceLock, atomic::AtomicBool};

use config::model::auth::SecretText;

use super::{
    discovery::{CachedDocument, Metadata},
    keys::PublicKeys,
    renewals::Renewals,
    settings::ProviderSettings,
    verification::Verified,
};
use crate::{
    access::{clock::TimeSource, seal::Sealer},
    database::Database,
    http_client::HttpClient,
};

/// A provider that is in use.
#[derive(Debug)]
pub(crate) struct IdentityProvider {
    pub settings: ProviderSettings,
    pub(super) client_secret: Option<SecretText>,
    /// Distinguishes sessions of this provider and client from others.
    pub(super) fingerprint: String,
    pub(super) http_client: HttpClient,
    pub(super) clock: Arc<dyn TimeSource>,
    pub(super) metadata: CachedDocument<Metadata>,
    pub(super) keys: CachedDocument<PublicKeys>,
    pub(super) verified: Verified,
    pub(super) renewals: Renewals,
    /// Where renewals are shared with other servers, and what hides them there.
    pub(super) shared: OnceLock<(Arc<Database>, Sealer)>,
    /// Requesting consent yielded no refresh token either, so it is not requested again.
    pub(super) consent_is_useless: AtomicBool,
}
