//! Resolves names, and lets the client connect only to checked addresses.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

use super::BlockReason;
use super::guard::{Guard, Restrictions};

/// The result of [`NameLookup::lookup`]: the addresses of a name, in order of preference.
pub type LookedUp = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Resolves host names.
pub trait NameLookup: Send + Sync + 'static {
    /// Resolves a name. An error or an empty list means that there are no addresses.
    fn lookup(&self, name: &str) -> LookedUp;
}

/// The system's DNS resolver, with its hosts file and search domains.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl NameLookup for SystemLookup {
    fn lookup(&self, name: &str) -> LookedUp {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Why no connection is made to a name. Extracted from the causes of the client's error.
#[derive(Debug, Error)]
pub(super) enum LookupFailure {
    #[error("name not found")]
    NotFound,
    #[error("refused: {0}")]
    Refused(BlockReason),
}

/// The resolver of a client. It is called once per connection, and the connection goes to the address that it returned:
/// there is no second lookup between check and use that could return something else.
pub(super) struct GuardedResolver {
    pub(super) lookup: Arc<dyn NameLookup>,
    pub(super) guard: Arc<Guard>,
    /// The resolver receives only the name, so each kind of client has its own resolver.
    pub(super) restrictions: Restrictions,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let pending = self.lookup.lookup(name.as_str());
        let guard = Arc::clone(&self.guard);
        let restrictions = self.restrictions;
        Box::pin(async move {
            let found = pending.await.map_err(|_| LookupFailure::NotFound)?;
            let allowed = guard.check_resolved(name.as_str(), restrictions, found).map_err(LookupFailure::Refused)?;
            if allowed.is_empty() {
                return Err(LookupFailure::NotFound.into());
            }
            // Port 0 means the port of the requested address.
            let addresses: Addrs = Box::new(allowed.into_iter().map(|ip| SocketAddr::new(ip, 0)));
            Ok(addresses)
        })
    }
}
