//! What decides who has access.

use std::{
    net::IpAddr,
    path::PathBuf,
    sync::{Arc, Once, OnceLock},
};

use config::model::auth::{Auth, SecretText};
use http::HeaderMap;

use super::{
    api_tokens::ApiTokens, basic::Passwords, clock::TimeSource, cookies::Cookies, guesses::Guesses,
    provider::IdentityProvider, seal::Sealer, session_cache::SessionCache, sign_outs::SignOuts,
};
use crate::{
    database::Database,
    http_client::HttpClient,
    platform::peers::{NamedPeers, TrustedProxies},
    settings::StaticAccount,
};

/// Decides who has access. The kind of sign-in is fixed at start (docs/spec/config.md 6); accounts are read from the
/// current config.
#[derive(Debug)]
pub struct AccessControl {
    pub(super) api_token: Option<SecretText>,
    pub(super) api_tokens: ApiTokens,
    /// Whether the only viewer is a guest, whoever may see the pages otherwise.
    pub(super) is_export: bool,
    pub(super) http_auth: bool,
    pub(super) static_account: Option<StaticAccount>,
    /// `appConfig.auth` at start, or when it could be parsed for the first time.
    pub(super) settled: Arc<OnceLock<Auth>>,
    /// Set once the log has reported that a change needs a restart.
    pub(super) told: Arc<Once>,
    /// Untrusted peers that the log has already named.
    pub(crate) reported_proxies: Arc<NamedPeers>,
    pub(crate) guesses: Arc<Guesses>,
    pub(super) trusted_proxies: TrustedProxies,
    pub(crate) sign_outs: Arc<SignOuts>,
    pub(super) passwords: Arc<Passwords>,
    pub(super) session_secret: Option<SecretText>,
    pub(super) user_data: PathBuf,
    pub(super) base: String,
    /// Created when first needed: without sign-in there is no key to store.
    pub(super) sealer: Arc<OnceLock<Sealer>>,
    pub(super) cookies: OnceLock<Cookies>,
    pub(super) opened: SessionCache,
    pub(crate) clock: Arc<dyn TimeSource>,
    pub(super) http_client: HttpClient,
    pub(super) client_secret: Option<SecretText>,
    pub(super) provider: Arc<OnceLock<Arc<IdentityProvider>>>,
    /// The database that several servers share.
    pub(super) database: Option<Arc<Database>>,
}

/// The parts of a request that identify the sender.
#[derive(Clone, Copy, Debug)]
pub struct AuthRequest<'a> {
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// The other end of the connection; `None` in tests that have no connection.
    pub peer: Option<IpAddr>,
}
