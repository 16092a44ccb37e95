//! The `openidconnect` client of a provider, and how its requests reach the provider.

use std::{pin::Pin, time::Duration};

use http::{HeaderName, StatusCode};
use openidconnect::{
    AccessToken, AsyncHttpClient, AuthType, ClientId, ClientSecret, EmptyAdditionalClaims, EndpointNotSet, EndpointSet,
    HttpRequest, HttpResponse, JsonWebKeySet, OAuth2TokenResponse, RedirectUrl, RefreshToken, RequestTokenError, Scope,
    StandardErrorResponse, TokenResponse,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreIdToken,
        CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreRevocableToken, CoreRevocationErrorResponse,
        CoreTokenIntrospectionResponse, CoreTokenType,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    discovery::Metadata,
    error::{ProviderError, TokenError},
    identity_provider::IdentityProvider,
    keys::NoKey,
    token::Token,
};
use crate::http_client::{self, HttpClient, PrivateReach, Purpose};

/// Maximum size of a token response, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// The provider's error response.
pub(crate) type ProviderRejection = StandardErrorResponse<CoreErrorResponseType>;

/// The crate's client for authorization codes and refresh tokens. It has no keys: see [`NoKey`].
pub(crate) type Client<HasAddresses = EndpointSet> = openidconnect::Client<
    EmptyAdditionalClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    NoKey,
    CoreAuthPrompt,
    ProviderRejection,
    ProviderTokenResponse,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    HasAddresses,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    HasAddresses,
    EndpointNotSet,
>;

/// The unchecked response of the token endpoint. Parsing is lenient: malformed fields count as absent, and no token
/// type is required, because the access token is not used.
#[derive(Debug, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub(crate) struct ProviderTokenResponse {
    access_token: AccessToken,
    refresh_token: Option<RefreshToken>,
    expires_in: Option<u64>,
    #[serde(skip_serializing)]
    id_token: Option<Result<Token, TokenError>>,
}

impl From<Map<String, Value>> for ProviderTokenResponse {
    fn from(answer: Map<String, Value>) -> Self {
        let text = |name: &str| answer.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let seconds = answer.get("expires_in");
        Self {
            access_token: AccessToken::new(text("access_token").unwrap_or_default().to_owned()),
            refresh_token: text("refresh_token").map(|token| RefreshToken::new(token.to_owned())),
            // Some providers send it as a string.
            expires_in: seconds.and_then(|value| value.as_u64().or_else(|| value.as_str()?.parse().ok())),
            id_token: text("id_token").map(Token::read),
        }
    }
}

impl OAuth2TokenResponse for ProviderTokenResponse {
    type TokenType = CoreTokenType;

    fn access_token(&self) -> &AccessToken {
        &self.access_token
    }

    fn token_type(&self) -> &CoreTokenType {
        &CoreTokenType::Bearer
    }

    fn expires_in(&self) -> Option<Duration> {
        self.expires_in.map(Duration::from_secs)
    }

    fn refresh_token(&self) -> Option<&RefreshToken> {
        self.refresh_token.as_ref()
    }

    fn scopes(&self) -> Option<&Vec<Scope>> {
        None
    }
}

impl TokenResponse<EmptyAdditionalClaims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>
    for ProviderTokenResponse
{
    fn id_token(&self) -> Option<&CoreIdToken> {
        self.id_token.as_ref()?.as_ref().ok().map(|token| &token.plain)
    }
}

impl ProviderTokenResponse {
    /// The ID token; `None` if there is none, an error if it cannot be read.
    pub(crate) fn token(&self) -> Result<Option<&Token>, TokenError> {
        match &self.id_token {
            None => Ok(None),
            Some(Ok(token)) => Ok(Some(token)),
            Some(Err(error)) => Err(error.clone()),
        }
    }

    /// The access token, if there is one.
    pub(crate) fn access(&self) -> Option<&AccessToken> {
        Some(&self.access_token).filter(|token| !token.secret().is_empty())
    }
}

impl IdentityProvider {
    /// The client for a redirect address.
    pub(crate) fn client(&self, metadata: &Metadata, redirect: Option<&str>) -> Result<Client, ProviderError> {
        let client_id = ClientId::new(self.settings.client_id.clone());
        let mut client = Client::<EndpointNotSet>::new(client_id, metadata.issuer.clone(), JsonWebKeySet::default())
            .set_auth_uri(metadata.authorization.clone())
            .set_token_uri(metadata.token.clone())
            // Clients without a secret have no other method, and providers accept both from clients with one.
            .set_auth_type(AuthType::RequestBody);
        if let Some(secret) = &self.client_secret {
            client = client.set_client_secret(ClientSecret::new(secret.expose().to_owned()));
        }
        if let Some(redirect) = redirect {
            let redirect = RedirectUrl::new(redirect.to_owned())
                .map_err(|_| ProviderError::Response(format!("the redirect address `{redirect}` is not valid")))?;
            client = client.set_redirect_uri(redirect);
        }
        Ok(client)
    }
}

/// Sends requests to the token endpoint.
#[derive(Clone, Debug)]
pub(crate) struct TokenHttpClient {
    http_client: HttpClient,
    /// Which private addresses the token endpoint may have.
    private_reach: PrivateReach,
    /// The origin that the request claims to come from, if the provider requires one.
    origin: Option<String>,
}

impl TokenHttpClient {
    pub(crate) fn new(http_client: &HttpClient, private_reach: PrivateReach, origin: Option<&str>) -> Self {
        Self { http_client: http_client.clone(), private_reach, origin: origin.map(str::to_owned) }
    }
}

impl AsyncHttpClient<'_> for TokenHttpClient {
    type Error = ProviderError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, ProviderError>> + Send>>;

    fn call(&self, request: HttpRequest) -> Self::Future {
        Box::pin(exchange(self.clone(), request))
    }
}

/// Sends a request of the crate. A response that violates the standard (RFC 6749, 5) becomes an error here. Other
/// responses are normalized: some providers refuse with status 200, and some send no content type or one that is not
/// JSON.
async fn exchange(line: TokenHttpClient, request: HttpRequest) -> Result<HttpResponse, ProviderError> {
    let (parts, body) = request.into_parts();
    let address = parts.uri.to_string();
    let mut sent = http_client::HttpRequest {
        max_bytes: MAX_BYTES,
        max_redirects: 0,
        private_reach: line.private_reach,
        method: parts.method,
        ..http_client::HttpRequest::post(Purpose::Configured, &address, body)
    };
    for (name, value) in &parts.headers {
        sent = sent.with_header(HeaderName::as_str(name), value.to_str().unwrap_or_default());
    }
    if let Some(origin) = line.origin {
        sent = sent.with_header("origin", origin);
    }
    let reply = line.http_client.send(sent).await.map_err(|error| ProviderError::Unreachable(error.to_string()))?;
    let value: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let text = |name: &str| value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    // The provider asks for patience (RFC 6585, 4): that is no word about the token.
    if reply.status == StatusCode::TOO_MANY_REQUESTS || text("error") == Some("temporarily_unavailable") {
        return Err(ProviderError::Unreachable(format!("{address} responded with {}", reply.status)));
    }
    if let Some(error) = text("error") {
        let rejection = json!({ "error": error, "error_description": text("error_description") });
        return Ok(response(StatusCode::BAD_REQUEST, rejection.to_string().into_bytes()));
    }
    if reply.status.is_server_error() {
        return Err(ProviderError::Unreachable(format!("{address} responded with {}", reply.status)));
    }
    if !reply.status.is_success() || !value.is_object() {
        return Err(ProviderError::Response(format!(
            "the token endpoint responded with {} and gave no reason",
            reply.status
        )));
    }
    Ok(response(StatusCode::OK, reply.body.to_vec()))
}

fn response(status: StatusCode, body: Vec<u8>) -> HttpResponse {
    let mut response = HttpResponse::new(body);
    *response.status_mut() = status;
    response
}

impl From<RequestTokenError<ProviderError, ProviderRejection>> for ProviderError {
    fn from(error: RequestTokenError<Self, ProviderRejection>) -> Self {
        match error {
            RequestTokenError::Request(error) => error,
            RequestTokenError::ServerResponse(rejection) => {
                Self::refused(rejection.error().as_ref(), rejection.error_description().map(String::as_str))
            }
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                Self::Response("the response of the token endpoint cannot be read".to_owned())
            }
        }
    }
}
