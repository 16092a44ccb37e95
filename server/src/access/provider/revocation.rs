//! Revocation of refresh tokens (RFC 7009): a copied token cannot renew a session that was signed out.

use std::{sync::Arc, time::Duration};

use url::form_urlencoded;

use super::{IdentityProvider, ProviderError};
use crate::{
    access::session::ProviderSession,
    http_client::{HttpRequest, Purpose},
};

/// How long the provider may take.
const MAX_TIME: Duration = Duration::from_secs(5);

impl IdentityProvider {
    /// Asks the provider to revoke the refresh token of a session, if there is one and the provider supports it. Nobody
    /// waits for the result: the session has already ended here.
    pub(crate) fn revoke(self: &Arc<Self>, session: &ProviderSession) {
        let Some(refresh) = session.refresh_token.clone() else { return };
        let (provider, origin) = (Arc::clone(self), session.origin.clone());
        tokio::spawn(async move {
            if let Err(error) = provider.send_revocation(&refresh, origin).await {
                tracing::info!("a refresh token could not be revoked: {error}");
            }
        });
    }

    async fn send_revocation(&self, refresh: &str, origin: Option<String>) -> Result<(), ProviderError> {
        let metadata = self.metadata().await?;
        let Some(address) = &metadata.revocation else { return Ok(()) };
        let secret = self.client_secret.as_ref().map(|secret| ("client_secret", secret.expose()));
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("token", refresh)
            .append_pair("token_type_hint", "refresh_token")
            .append_pair("client_id", &self.settings.client_id)
            .extend_pairs(secret)
            .finish();
        let mut request = HttpRequest::post(Purpose::Configured, address.as_str(), form)
            .with_header("content-type", "application/x-www-form-urlencoded");
        if let Some(origin) = origin {
            request = request.with_header("origin", origin);
        }
        let private_reach = self.settings.reach_of(address);
        let request =
            HttpRequest { timeout: MAX_TIME, max_redirects: 0, max_bytes: 64 * 1024, private_reach, ..request };
        let sent = self.http_client.send(request).await;
        let reply = sent.map_err(|error| ProviderError::Unreachable(error.to_string()))?;
        if reply.status.is_success() {
            return Ok(());
        }
        Err(ProviderError::Response(format!("the provider responded with {}", reply.status)))
    }
}
