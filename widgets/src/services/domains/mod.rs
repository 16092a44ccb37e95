//! Registrations of domains, from any source. To add a source, add a file with an `impl` of [`DomainSource`].

pub(crate) mod rdap;
pub(crate) mod whoapi;

use serde::{Deserialize, Serialize};

use crate::{FetchError, Moment, WidgetContext};

/// The data of a domain. Texts are as the services wrote them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Registration {
    pub(crate) is_registered: bool,
    pub(crate) created: Option<Moment>,
    pub(crate) updated: Option<Moment>,
    pub(crate) expires: Option<Moment>,
    /// When it expires at the registrar, if that is another time: the registry may already have extended it.
    pub(crate) expires_at_registrar: Option<Moment>,
    pub(crate) name_servers: Vec<String>,
    pub(crate) id: Option<String>,
    pub(crate) registrar: Option<String>,
    pub(crate) holder: Option<String>,
    pub(crate) status: Vec<String>,
    pub(crate) is_signed: Option<bool>,
}

/// A source of registrations.
pub(crate) trait DomainSource {
    /// Looks up a domain, which is in lower case and ASCII. A domain that is free is not an error.
    ///
    /// # Errors
    ///
    /// The source does not cover the domain, does not respond, or rejects its key.
    fn registration(
        &self,
        domain: &str,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Registration, FetchError>>;
}
