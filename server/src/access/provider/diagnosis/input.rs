//! What is examined: the provider in a config, and where the dashboard is.

use config::{
    Config, Document,
    model::auth::{SecretText, SignIn},
};

use super::{Finding, diagnose};
use crate::{
    access::{
        clock::{SystemClock, TimeSource as _},
        provider::ProviderSettings,
    },
    http_client::HttpClient,
    settings::Settings,
};

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

/// Examines the provider in a config, for `portico check-oidc`. `url` is the address of the dashboard.
///
/// # Errors
///
/// Why there is no provider to diagnose.
pub async fn diagnose_config(
    document: &Document,
    config: &Config,
    url: Option<&str>,
    settings: &Settings,
    http_client: &HttpClient,
) -> Result<Vec<Finding>, String> {
    let sign_in = config.app.auth.sign_in();
    if let SignIn::Broken(reason) = sign_in {
        return Err(reason.to_owned());
    }
    let Some(provider) = ProviderSettings::of(sign_in) else {
        return Err("the config turns on neither `enableOidc` nor `enableKeycloak`".to_owned());
    };
    let auth = document.value().get("appConfig").and_then(|app| app.get("auth"));
    let block = if matches!(sign_in, SignIn::Oidc(_)) { "oidc" } else { "keycloak" };
    let client = auth.and_then(|auth| auth.get(block)?.get("clientId"));
    let origin = url.map(|url| url.trim_end_matches('/').to_owned());
    let diagnosis = DiagnosisInput {
        settings: provider,
        numeric_client: client.is_some_and(|client| client.is_number()),
        redirect: origin.or_else(|| settings.public_origin.as_ref().map(|origin| format!("{origin}{}", settings.base))),
        client_secret: settings.oidc_client_secret.clone(),
        now: SystemClock.now(),
    };
    Ok(diagnose(&diagnosis, http_client).await)
}
