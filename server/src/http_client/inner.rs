//! What all copies of the client share.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::{client::Clients, guard::Guard, limiter::RequestLimiter, tls::TlsSettings};

/// The guarded HTTP client. Cloning is cheap, and clones share connections and limits.
#[derive(Clone, Debug)]
pub struct HttpClient {
    pub(super) inner: Arc<Inner>,
}

/// What all clones share.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) guard: Arc<Guard>,
    pub(super) clients: Clients,
    pub(super) limiter: RequestLimiter,
    pub(super) tls: TlsSettings,
    pub(super) offline: bool,
    pub(super) runtime: Option<Handle>,
}
