//! What is examined: the provider in a config, and where the dashboard is.

use config::model::auth::SecretText;

use crate::access::provider::ProviderSettings;

/// The input of the diagnosis.
#[derive(Clone, Debug)]
pub(super) struct DiagnosisInput {
    pub(super) settings: ProviderSettings,
    /// Whether `clientId` is a number in the file.
    pub(super) numeric_client: bool,
    /// The address of the dashboard with its path prefix, if known.
    pub(super) redirect: Option<String>,
    /// Client secret, if there is one.
    pub(super) client_secret: Option<SecretText>,
    /// Seconds since 1970.
    pub(super) now: u64,
}
